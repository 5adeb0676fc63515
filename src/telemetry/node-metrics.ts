// Metrics of what only some nodes use: the slate over Redis, limits over Redis, Postgres, the archive, the
// price history, the record of signals, and alerts. Only nodes that use one of these have its samples. The
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

const FAMILIES = [
  gauge('node_info', 'The role of a node that shares the slate with others; no sample on a single node.', {
    role_ingest: { role: 'ingest' },
    role_serve: { role: 'serve' },
  }),
  gauge('slate_term', 'The last term in which an ingest node led, counted over all nodes.', {
    slate_term: {},
  }),
  gauge(
    'slate_epoch_timestamp_seconds',
    'When the epoch of the slate that a node leads or follows began.',
    { slate_epoch_ms: {} },
    'time',
  ),
  gauge(
    'slate_lag_seconds',
    'Age of the newest entry that a serving node has applied, by the clock of Redis.',
    { slate_applied_ms: {} },
    'age',
  ),
  gauge('slate_entries_waiting', 'Entries that the last read of a serving node returned, at most 256.', {
    slate_entries_waiting: {},
  }),
  counter('slate_entries_applied_total', 'Entries of the slate that a serving node has applied.', {
    slate_entries_applied: {},
  }),
  counter('slate_entries_written_total', 'Entries of the slate that an ingest node has written.', {
    slate_entries_written: {},
  }),
  counter('slate_snapshots_taken_total', 'Snapshots that a serving node has loaded.', {
    slate_snapshots_taken: {},
  }),
  counter('slate_snapshots_written_total', 'How often an ingest node has updated the snapshot.', {
    slate_snapshots_written: {},
  }),
  counter(
    'slate_resyncs_total',
    'How often a serving node gave up its position in the stream and loaded the snapshot again; `epoch`: a new leader.',
    labelled('slate_resync', 'reason', RESYNC_REASONS),
  ),
  gauge(
    'redis_up',
    'Whether the last call of Redis succeeded, by use.',
    labelled('redis_up', 'use', REDIS_USES),
  ),
  counter(
    'redis_calls_failed_total',
    'Failed calls of Redis: no connection, too late, refused by Redis, or the connection broke.',
    {
      ...labelled('redis_slate', 'kind', REDIS_FAILURES, { use: 'slate' }),
      ...labelled('redis_limits', 'kind', REDIS_FAILURES, { use: 'limits' }),
    },
  ),
  gauge(
    'postgres_up',
    'Whether Postgres answered the last call, by use.',
    labelled('postgres_up', 'use', POSTGRES_USES),
  ),
  gauge(
    'postgres_calls_waiting',
    'Calls waiting for a connection to Postgres.',
    labelled('postgres_waiting', 'use', POSTGRES_USES),
  ),
  counter(
    'postgres_calls_failed_total',
    'Failed calls of Postgres: refused because too many waited, too late, or failed at the server.',
    {
      ...labelled('postgres_accounts', 'kind', POSTGRES_FAILURES, { use: 'accounts' }),
      ...labelled('postgres_archive', 'kind', POSTGRES_FAILURES, { use: 'archive' }),
      ...labelled('postgres_counts', 'kind', POSTGRES_FAILURES, { use: 'counts' }),
    },
  ),
  gauge('archive_rows_waiting', 'Opening prices and results waiting to be written, on nodes with a feed.', {
    archive_waiting: {},
  }),
  counter('archive_rows_refused_total', 'Opening prices and results dropped because too many were waiting.', {
    archive_refused: {},
  }),
  gauge(
    'limits_divided',
    '1 while Redis does not answer and each node grants callers only its share of their limits.',
    { limits_divided: {} },
  ),
  gauge('limits_nodes', 'Nodes last counted as sharing limits.', { limits_nodes: {} }),

  // The price history. A node that writes none has no samples.
  counter('history_ticks_total', 'Ticks written to the log of the price history.', { history_ticks: {} }),
  counter(
    'history_records_dropped_total',
    'Changes that found no room in the ring between the feed and the price history; each loss is a gap.',
    { history_dropped: {} },
  ),
  gauge('history_ring_records', 'Changes that wait in the ring between the feed and the price history.', {
    history_waiting: {},
  }),
  gauge(
    'history_stopped',
    '1 while the price history cannot be written: the disk is full, read-only or fails.',
    { history_stopped: {} },
  ),
  gauge('history_gap', '1 while the price history has a gap.', { history_gap: {} }),
  gauge('history_gaps', 'Gaps on record in the price history.', { history_gaps: {} }),
  gauge('history_bytes', 'Bytes of the price history, by where they are.', {
    history_file_bytes: { kept_in: 'files' },
    history_log_bytes: { kept_in: 'log' },
  }),
  gauge('history_files_set_aside', 'Files of the price history that could not be read and were moved away.', {
    history_set_aside: {},
  }),
  counter('signal_record_signals_total', 'Signals put on record since the start.', { record_recorded: {} }),
  gauge('signal_record_open', 'Signals on record that are open now.', { record_open: {} }),
  gauge('signal_record_waiting', 'Signals whose rows wait to be written.', { record_waiting: {} }),
  counter('signal_record_dropped_total', 'Signals left out of the record because too many rows waited.', {
    record_dropped: {},
  }),
  counter(
    'signal_record_failures_total',
    'Failed attempts to find, write or grade signals for the record; each is tried again.',
    { record_failures: {} },
  ),

  // Alerts, on the node that sends them.
  gauge('alert_rules', 'Active alert rules on the node that watches them.', { alert_rules: {} }),
  gauge('alerts_waiting', 'Deliveries in the outbox that wait or are being sent.', { alerts_waiting: {} }),
  counter(
    'alerts_total',
    'Deliveries by how they ended: `taken` by their endpoint, `failed` in every try, `merged` into another, `dropped` because the outbox was full.',
    labelled('alerts', 'end', ['taken', 'failed', 'merged', 'dropped']),
  ),
] as const satisfies readonly NodeFamily[];

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
      help: 'State of a node that shares the slate: 1 for its current state, 0 for the others.',
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

/** A family of gauges. @param name without the prefix `overround_` */
function gauge<const Values extends NodeFamily['values']>(
  name: string,
  help: string,
  values: Values,
  shownAs?: NodeFamily['shownAs'],
) {
  return { type: 'gauge', name: `overround_${name}`, help, values, ...(shownAs && { shownAs }) } as const;
}

function counter<const Values extends NodeFamily['values']>(name: string, help: string, values: Values) {
  return { type: 'counter', name: `overround_${name}`, help, values } as const;
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
