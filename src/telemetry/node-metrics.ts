// Metrics of what a node shares with other nodes or stores remotely: the slate over Redis, limits over Redis,
// Postgres, the archive; and of the price history. Only nodes that use one of these have its samples. The
// worker that uses it writes the numbers to the metrics memory (NodeNumbers); ages are computed when the page
// is made.

import { REPLICATION_STATES } from '../domain/replication-state.ts';
import type { PostgresFailure } from '../storage/postgres.ts';
import type { RedisFailure } from '../storage/redis.ts';
import type { ComputedFamily, Family, Labels, MetricSources, Sample } from './metric-family.ts';

const REDIS_USES = ['slate', 'limits'] as const;
export type RedisUse = (typeof REDIS_USES)[number];
const POSTGRES_USES = ['accounts', 'archive', 'counts'] as const;
export type PostgresUse = (typeof POSTGRES_USES)[number];
export const REDIS_FAILURES = [
  'connect',
  'late',
  'refused',
  'broken',
] as const satisfies readonly RedisFailure[];
export const POSTGRES_FAILURES = ['refused', 'late', 'failed'] as const satisfies readonly PostgresFailure[];
/** Why a follower loads the snapshot again. */
export const RESYNC_REASONS = ['epoch', 'missed', 'astray', 'past', 'foreign'] as const;
export type ResyncReason = (typeof RESYNC_REASONS)[number];

/** A family: its numbers, each with the labels of its sample. */
interface NodeFamily extends Family {
  /** For times in Unix ms: `age` shows the seconds since then, `time` the time itself in seconds. */
  readonly shownAs?: 'age' | 'time';
  readonly values: Readonly<Record<string, Labels>>;
}

export const NODE_FAMILIES = [
  {
    type: 'gauge',
    name: 'overround_node_info',
    help: 'The role of a node that shares the slate with others; no sample on a single node.',
    values: { role_ingest: { role: 'ingest' }, role_serve: { role: 'serve' } },
  },
  {
    type: 'gauge',
    name: 'overround_slate_term',
    help: 'The last term in which an ingest node led, counted over all nodes.',
    values: { slate_term: {} },
  },
  {
    type: 'gauge',
    name: 'overround_slate_epoch_timestamp_seconds',
    help: 'When the epoch of the slate that a node leads or follows began.',
    shownAs: 'time',
    values: { slate_epoch_ms: {} },
  },
  {
    type: 'gauge',
    name: 'overround_slate_lag_seconds',
    help: 'Age of the newest entry that a serving node has applied, by the clock of Redis.',
    shownAs: 'age',
    values: { slate_applied_ms: {} },
  },
  {
    type: 'gauge',
    name: 'overround_slate_entries_waiting',
    help: 'Entries that the last read of a serving node returned, at most 256.',
    values: { slate_entries_waiting: {} },
  },
  {
    type: 'counter',
    name: 'overround_slate_entries_applied_total',
    help: 'Entries of the slate that a serving node has applied.',
    values: { slate_entries_applied: {} },
  },
  {
    type: 'counter',
    name: 'overround_slate_entries_written_total',
    help: 'Entries of the slate that an ingest node has written.',
    values: { slate_entries_written: {} },
  },
  {
    type: 'counter',
    name: 'overround_slate_snapshots_taken_total',
    help: 'Snapshots that a serving node has loaded.',
    values: { slate_snapshots_taken: {} },
  },
  {
    type: 'counter',
    name: 'overround_slate_snapshots_written_total',
    help: 'How often an ingest node has updated the snapshot.',
    values: { slate_snapshots_written: {} },
  },
  {
    type: 'counter',
    name: 'overround_slate_resyncs_total',
    help: 'How often a serving node gave up its position in the stream and loaded the snapshot again; `epoch`: a new leader.',
    values: labelled('slate_resync', 'reason', RESYNC_REASONS),
  },
  {
    type: 'gauge',
    name: 'overround_redis_up',
    help: 'Whether the last call of Redis succeeded, by use.',
    values: labelled('redis_up', 'use', REDIS_USES),
  },
  {
    type: 'counter',
    name: 'overround_redis_calls_failed_total',
    help: 'Failed calls of Redis: no connection, too late, refused by Redis, or the connection broke.',
    values: {
      ...labelled('redis_slate', 'kind', REDIS_FAILURES, { use: 'slate' }),
      ...labelled('redis_limits', 'kind', REDIS_FAILURES, { use: 'limits' }),
    },
  },
  {
    type: 'gauge',
    name: 'overround_postgres_up',
    help: 'Whether Postgres answered the last call, by use.',
    values: labelled('postgres_up', 'use', POSTGRES_USES),
  },
  {
    type: 'gauge',
    name: 'overround_postgres_calls_waiting',
    help: 'Calls waiting for a connection to Postgres.',
    values: labelled('postgres_waiting', 'use', POSTGRES_USES),
  },
  {
    type: 'counter',
    name: 'overround_postgres_calls_failed_total',
    help: 'Failed calls of Postgres: refused because too many waited, too late, or failed at the server.',
    values: {
      ...labelled('postgres_accounts', 'kind', POSTGRES_FAILURES, { use: 'accounts' }),
      ...labelled('postgres_archive', 'kind', POSTGRES_FAILURES, { use: 'archive' }),
      ...labelled('postgres_counts', 'kind', POSTGRES_FAILURES, { use: 'counts' }),
    },
  },
  {
    type: 'gauge',
    name: 'overround_archive_rows_waiting',
    help: 'Opening prices and results waiting to be written, on nodes with a feed.',
    values: { archive_waiting: {} },
  },
  {
    type: 'counter',
    name: 'overround_archive_rows_refused_total',
    help: 'Opening prices and results dropped because too many were waiting.',
    values: { archive_refused: {} },
  },
  {
    type: 'gauge',
    name: 'overround_limits_divided',
    help: '1 while Redis does not answer and each node grants callers only its share of their limits.',
    values: { limits_divided: {} },
  },
  {
    type: 'gauge',
    name: 'overround_limits_nodes',
    help: 'Nodes last counted as sharing limits.',
    values: { limits_nodes: {} },
  },
] as const satisfies readonly NodeFamily[];

/** Metrics of the price history. A node that writes none has no samples. */
const HISTORY_FAMILIES = [
  {
    type: 'counter',
    name: 'overround_history_ticks_total',
    help: 'Ticks written to the log of the price history.',
    values: { history_ticks: {} },
  },
  {
    type: 'counter',
    name: 'overround_history_records_dropped_total',
    help: 'Changes that found no room in the ring between the feed and the price history; each loss is a gap.',
    values: { history_dropped: {} },
  },
  {
    type: 'gauge',
    name: 'overround_history_ring_records',
    help: 'Changes that wait in the ring between the feed and the price history.',
    values: { history_waiting: {} },
  },
  {
    type: 'gauge',
    name: 'overround_history_stopped',
    help: '1 while the price history cannot be written: the disk is full, read-only or fails.',
    values: { history_stopped: {} },
  },
  {
    type: 'gauge',
    name: 'overround_history_gap',
    help: '1 while the price history has a gap.',
    values: { history_gap: {} },
  },
  {
    type: 'gauge',
    name: 'overround_history_gaps',
    help: 'Gaps on record in the price history.',
    values: { history_gaps: {} },
  },
  {
    type: 'gauge',
    name: 'overround_history_bytes',
    help: 'Bytes of the price history, by where they are.',
    values: { history_file_bytes: { kept_in: 'files' }, history_log_bytes: { kept_in: 'log' } },
  },
  {
    type: 'gauge',
    name: 'overround_history_files_set_aside',
    help: 'Files of the price history that could not be read since the start.',
    values: { history_set_aside: {} },
  },
  {
    type: 'counter',
    name: 'overround_signal_record_signals_total',
    help: 'Signals put on record since the start.',
    values: { record_recorded: {} },
  },
  {
    type: 'gauge',
    name: 'overround_signal_record_open',
    help: 'Signals on record that are open now.',
    values: { record_open: {} },
  },
  {
    type: 'gauge',
    name: 'overround_signal_record_waiting',
    help: 'Signals whose rows wait to be written.',
    values: { record_waiting: {} },
  },
  {
    type: 'counter',
    name: 'overround_signal_record_dropped_total',
    help: 'Signals left out of the record because too many rows waited.',
    values: { record_dropped: {} },
  },
  {
    type: 'counter',
    name: 'overround_signal_record_failures_total',
    help: 'Failed attempts to find, write or grade signals for the record; each is tried again.',
    values: { record_failures: {} },
  },
] as const satisfies readonly NodeFamily[];

/** Metrics of alerts, on the node that sends them. */
const ALERT_FAMILIES = [
  {
    type: 'gauge',
    name: 'overround_alert_rules',
    help: 'Active alert rules on the node that watches them.',
    values: { alert_rules: {} },
  },
  {
    type: 'gauge',
    name: 'overround_alerts_waiting',
    help: 'Deliveries in the outbox that wait or are being sent.',
    values: { alerts_waiting: {} },
  },
  {
    type: 'counter',
    name: 'overround_alerts_total',
    help: 'Deliveries by how they ended: `taken` by their endpoint, `failed` in every try, `merged` into another, `dropped` because the outbox was full.',
    values: labelled('alerts', 'end', ['taken', 'failed', 'merged', 'dropped']),
  },
] as const satisfies readonly NodeFamily[];

const FAMILIES = [...NODE_FAMILIES, ...HISTORY_FAMILIES, ...ALERT_FAMILIES] as const;

type NumbersOf<Values> = Values extends unknown ? keyof Values & string : never;
export type NodeNumber = NumbersOf<(typeof FAMILIES)[number]['values']>;

/** The index of a number in this list is its index in the memory. */
export const NODE_NUMBERS: readonly NodeNumber[] = FAMILIES.flatMap(
  ({ values }) => Object.keys(values) as NodeNumber[],
);

/** The families, for the table of all metrics. */
export function nodeFamilies(): ComputedFamily[] {
  return [
    {
      type: 'gauge',
      name: 'overround_slate_state',
      help: 'State of a node that shares the slate: 1 for its current state.',
      samples: ({ reader }) => {
        const { replication } = reader.feed();
        if (replication === 'alone') return [];
        return REPLICATION_STATES.filter((state) => state !== 'alone').map((state) => ({
          labels: { state },
          value: Number(state === replication),
        }));
      },
    },
    ...FAMILIES.map((family: NodeFamily): ComputedFamily => {
      const { type, name, help, shownAs, values } = family;
      const samples = (sources: MetricSources): Sample[] =>
        Object.entries(values).flatMap(([number, labels]) => {
          const value = sources.node.get(number as NodeNumber);
          return value === null ? [] : [{ labels, value: shown(value, shownAs, sources.wallMs) }];
        });
      return { type, name, help, samples };
    }),
  ];
}

function shown(value: number, as: NodeFamily['shownAs'], wallMs: number): number {
  if (as === 'age') return Math.max(0, wallMs - value) / 1_000;
  return as === 'time' ? value / 1_000 : value;
}

/** The numbers of one family, one for each value of a label. */
function labelled<Prefix extends string, Value extends string>(
  prefix: Prefix,
  label: string,
  values: readonly Value[],
  more: Labels = {},
): Readonly<Record<`${Prefix}_${Value}`, Labels>> {
  return Object.fromEntries(
    values.map((value) => [`${prefix}_${value}`, { ...more, [label]: value }]),
  ) as Record<`${Prefix}_${Value}`, Labels>;
}
