// The metrics of what a node shares with others or keeps in a far engine: the slate over Redis, limits over Redis, Postgres,
// the archive. Each has samples on those nodes alone that have it. Its numbers lie in the metrics memory, where the worker
// that has them writes them (NodeNumbers); ages are reckoned when the page is made.

import { REPLICATION_STATES } from '../domain/replication-state.ts';
import type { PostgresFailure, PostgresWatch } from '../postgres.ts';
import type { RedisFailure, RedisWatch } from '../redis.ts';
import type { ComputedFamily, Family, Labels, MetricSources, Sample } from './metric-family.ts';
import type { NodeNumbers } from './metrics-memory.ts';

const REDIS_USES = ['slate', 'limits'] as const;
export type RedisUse = (typeof REDIS_USES)[number];
const POSTGRES_USES = ['accounts', 'archive', 'counts'] as const;
export type PostgresUse = (typeof POSTGRES_USES)[number];
const REDIS_FAILURES = ['connect', 'late', 'refused', 'broken'] as const satisfies readonly RedisFailure[];
const POSTGRES_FAILURES = ['refused', 'late', 'failed'] as const satisfies readonly PostgresFailure[];
/** Why a follower takes the snapshot again. */
export const RESYNC_REASONS = ['epoch', 'missed', 'astray', 'past', 'foreign'] as const;
export type ResyncReason = (typeof RESYNC_REASONS)[number];

/** Every number, and what its sample is labelled with. */
interface NodeFamily extends Family {
  /** Of times in Unix ms: the sample is what has passed since, or the time itself, in seconds. */
  readonly shownAs?: 'age' | 'time';
  readonly values: Readonly<Record<string, Labels>>;
}

export const NODE_FAMILIES = [
  {
    type: 'gauge',
    name: 'overround_node_info',
    help: 'The role of a node that shares the slate with others; no sample on a machine alone.',
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
    help: 'Seconds since the newest entry that a serving node has applied was written, by the clock of Redis.',
    shownAs: 'age',
    values: { slate_applied_ms: {} },
  },
  {
    type: 'gauge',
    name: 'overround_slate_entries_waiting',
    help: 'Entries that the last read of a serving node found waiting, 256 at most.',
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
    help: 'Snapshots that a serving node has taken.',
    values: { slate_snapshots_taken: {} },
  },
  {
    type: 'counter',
    name: 'overround_slate_snapshots_written_total',
    help: 'How often an ingest node has brought the snapshot up to date.',
    values: { slate_snapshots_written: {} },
  },
  {
    type: 'counter',
    name: 'overround_slate_resyncs_total',
    help: 'How often a serving node gave up its place in the stream to take a snapshot again; `epoch` is a new leader.',
    values: labelled('slate_resync', 'reason', RESYNC_REASONS),
  },
  {
    type: 'gauge',
    name: 'overround_redis_up',
    help: 'Whether Redis did what the last call asked, by what it is for.',
    values: labelled('redis_up', 'use', REDIS_USES),
  },
  {
    type: 'counter',
    name: 'overround_redis_calls_failed_total',
    help: 'Calls of Redis that failed: no connection, late, refused by Redis, or the connection broke.',
    values: {
      ...labelled('redis_slate', 'kind', REDIS_FAILURES, { use: 'slate' }),
      ...labelled('redis_limits', 'kind', REDIS_FAILURES, { use: 'limits' }),
    },
  },
  {
    type: 'gauge',
    name: 'overround_postgres_up',
    help: 'Whether Postgres answered the last call, by what it is for.',
    values: labelled('postgres_up', 'use', POSTGRES_USES),
  },
  {
    type: 'gauge',
    name: 'overround_postgres_calls_waiting',
    help: 'Calls that wait for a connection to Postgres.',
    values: labelled('postgres_waiting', 'use', POSTGRES_USES),
  },
  {
    type: 'counter',
    name: 'overround_postgres_calls_failed_total',
    help: 'Calls of Postgres that were refused because too many waited, were late, or failed for its sake.',
    values: {
      ...labelled('postgres_accounts', 'kind', POSTGRES_FAILURES, { use: 'accounts' }),
      ...labelled('postgres_archive', 'kind', POSTGRES_FAILURES, { use: 'archive' }),
      ...labelled('postgres_counts', 'kind', POSTGRES_FAILURES, { use: 'counts' }),
    },
  },
  {
    type: 'gauge',
    name: 'overround_archive_rows_waiting',
    help: 'First prices and results that wait to be written, on nodes with a feed.',
    values: { archive_waiting: {} },
  },
  {
    type: 'counter',
    name: 'overround_archive_rows_refused_total',
    help: 'First prices and results that found no room among those that wait.',
    values: { archive_refused: {} },
  },
  {
    type: 'gauge',
    name: 'overround_limits_divided',
    help: 'Whether each node gives callers its share of their limits, because Redis does not answer.',
    values: { limits_divided: {} },
  },
  {
    type: 'gauge',
    name: 'overround_limits_nodes',
    help: 'Nodes that were last counted among those that share limits.',
    values: { limits_nodes: {} },
  },
] as const satisfies readonly NodeFamily[];

type NumbersOf<Values> = Values extends unknown ? keyof Values & string : never;
export type NodeNumber = NumbersOf<(typeof NODE_FAMILIES)[number]['values']>;

/** A number's place in this list is its place in the memory. */
export const NODE_NUMBERS: readonly NodeNumber[] = NODE_FAMILIES.flatMap(
  ({ values }) => Object.keys(values) as NodeNumber[],
);

/** The families, for the table of all metrics. */
export function nodeFamilies(): ComputedFamily[] {
  return [
    {
      type: 'gauge',
      name: 'overround_slate_state',
      help: 'How a node stands among those that share a slate: 1 for the state that it is in.',
      samples: ({ reader }) => {
        const { replication } = reader.feed();
        if (replication === 'alone') return [];
        return REPLICATION_STATES.filter((state) => state !== 'alone').map((state) => ({
          labels: { state },
          value: Number(state === replication),
        }));
      },
    },
    ...NODE_FAMILIES.map((family: NodeFamily): ComputedFamily => {
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

/** Tells the numbers how Redis answers the calls of one use. */
export function redisWatch(numbers: NodeNumbers, use: RedisUse): RedisWatch {
  numbers.begin(...REDIS_FAILURES.map((kind) => `redis_${use}_${kind}` as const));
  return {
    answered: () => numbers.set(`redis_up_${use}`, 1),
    failed: (kind) => {
      numbers.set(`redis_up_${use}`, 0);
      numbers.add(`redis_${use}_${kind}`, 1);
    },
  };
}

/** The same of Postgres. A call that was refused for want of a place says nothing of the server. */
export function postgresWatch(numbers: NodeNumbers, use: PostgresUse): PostgresWatch {
  numbers.begin(
    `postgres_waiting_${use}`,
    ...POSTGRES_FAILURES.map((kind) => `postgres_${use}_${kind}` as const),
  );
  return {
    answered: () => numbers.set(`postgres_up_${use}`, 1),
    failed: (kind) => {
      if (kind !== 'refused') numbers.set(`postgres_up_${use}`, 0);
      numbers.add(`postgres_${use}_${kind}`, 1);
    },
    waiting: (count) => numbers.set(`postgres_waiting_${use}`, count),
  };
}

/** Numbers of one family, one for each value of a label. */
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
