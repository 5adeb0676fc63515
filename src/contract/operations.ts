// Liveness, readiness and GET /v1/usage: the usage of one key, and of all keys together, since the server
// started.

import { type Static, Type } from '@sinclair/typebox';
import { REPLICATION_STATES } from '../domain/replication-state.ts';
import { TIER_KEYS } from '../domain/tiers.ts';
import { exact, instant, nullable, oneOf } from './schema.ts';

const HEALTH = {
  status: oneOf(['ok', 'degraded', 'starting'], {
    description:
      '`starting` until the first snapshot is complete. `degraded` while the feed is not live, messages of it are missing, a source has a problem or the database is damaged (see /ready).',
  }),
  feed_live: Type.Boolean({
    description:
      'Whether every source is connected, sent something in the last 30 s, and no message of it is missing.',
  }),
  as_of: nullable(instant(), {
    description: 'When a message of the feed was last applied; null before the first.',
  }),
  as_of_stale: Type.Boolean({ description: 'Whether `as_of` is older than the live freshness window.' }),
  matches: Type.Integer({ minimum: 0, description: 'Number of fixtures on the slate.' }),
  odds: Type.Integer({
    minimum: 0,
    description: 'Number of quotes on the slate, without those of the sharp bookmaker.',
  }),
};

/** Health of a single server. */
export const Health = exact(HEALTH, { title: 'Health' });
export type Health = Static<typeof Health>;

/** Health of a node in a cluster. */
export const NodeHealth = exact(
  {
    ...HEALTH,
    node: exact(
      {
        role: oneOf(['ingest', 'serve'], { description: 'The setting ROLE.' }),
        state: oneOf(
          REPLICATION_STATES.filter((state) => state !== 'alone'),
          {
            description:
              '`leading`: all nodes serve the slate of this node. `waiting`: another ingest node leads. `following`: this node serves the slate of the leader. `leaderless`: no node leads. `cut_off`: Redis does not answer.',
          },
        ),
        epoch: Type.String({ description: "The epoch of this node's slate, with which its cursors begin." }),
      },
      { description: 'The state of this node in its cluster.' },
    ),
  },
  { title: 'NodeHealth' },
);
export type NodeHealth = Static<typeof NodeHealth>;

export const Ready = exact(
  {
    status: oneOf(['ready'], { description: 'The first snapshot is complete.' }),
    sources: Type.Array(
      exact({
        name: Type.String({ description: 'The source, as FEED names it.', examples: ['the-odds-api'] }),
        state: oneOf(['starting', 'ok', 'failing', 'stopped'], {
          description:
            '`failing`: a request was not answered and is retried, or messages were lost. `stopped`: a retry cannot help (bad key, product not bought, no credits left); the source is tried again later.',
        }),
        reason: nullable(Type.String(), {
          description: 'Why the source is not `ok`, one word.',
          examples: ['bad_key', 'messages_lost', 'disconnected', 'silent'],
        }),
        next_try_at: nullable(instant(), { description: 'When the source is next polled or reconnected.' }),
        connected: Type.Boolean({ description: 'Whether the source is connected.' }),
        lost_since: nullable(instant(), {
          description:
            'The data of this source may be wrong since this time, because messages were lost or none arrived. Null while all is well.',
        }),
        clock_ahead_s: Type.Number({
          description:
            'How far the clock of the source is ahead of ours, in seconds; negative when it is behind. The timestamps of the source are corrected by this difference.',
        }),
      }),
      { description: 'The sources of the feed.' },
    ),
    database: exact(
      {
        damaged_rows: Type.Integer({
          minimum: 0,
          description:
            'Number of damaged rows of keys, accounts and sessions. Requests that need one of them get 503.',
        }),
        damaged_indexes: Type.Integer({
          minimum: 0,
          description: 'Number of problems found in the indexes of keys, accounts and sessions.',
        }),
      },
      { description: 'Damage in the database; the log of the server has the details.' },
    ),
    memory: exact(
      {
        budget_bytes: Type.Integer({
          minimum: 0,
          description: 'Bytes that may be held in memory for clients.',
        }),
      },
      {
        description:
          'The budget for request bodies being received, answers not yet read, and backlogs of streams. How much of it is used is in /metrics.',
      },
    ),
    history: nullable(
      exact({
        state: oneOf(['starting', 'ok', 'stopped'], {
          description: '`stopped`: prices are not recorded; everything else is served as always.',
        }),
        reason: nullable(Type.String(), {
          description: 'Why the history is stopped, one word.',
          examples: ['disk_full', 'read_only', 'storage_failed', 'thread_lost'],
        }),
        gap: nullable(Type.String(), { description: 'The reason of the present gap; null without a gap.' }),
        set_aside: Type.Array(Type.String(), {
          description:
            'Files that could not be read, at most 20. The node that writes the history moves them away.',
        }),
      }),
      { description: 'The price history of this node; null when the history is switched off.' },
    ),
    note: nullable(Type.String(), {
      description: 'Why callers without a key see no prices, if the settings cause that; null otherwise.',
    }),
  },
  { title: 'Ready' },
);
export type Ready = Static<typeof Ready>;

export const Tier = oneOf(TIER_KEYS, {
  description: 'Tier of the key.',
  examples: ['free'],
});

export const UsageCounters = exact({
  requests: Type.Integer({ minimum: 0, description: 'Number of requests answered.' }),
  errors: Type.Integer({ minimum: 0, description: 'Number of answers with a status of 400 or more.' }),
  error_rate: Type.Number({ minimum: 0, maximum: 1, description: 'Errors per request, 4 decimals.' }),
  avg_latency_ms: Type.Number({ minimum: 0, description: 'Mean time to an answer, in milliseconds.' }),
  max_latency_ms: Type.Number({ minimum: 0, description: 'Longest time to an answer, in milliseconds.' }),
});

export const UsageReport = exact(
  {
    started_at: instant({ description: 'When counting began: the start of the server.' }),
    uptime_s: Type.Integer({ minimum: 0, description: 'Seconds since `started_at`.' }),
    key: Type.String({ description: 'The key, masked: its last four characters.' }),
    tier: Tier,
    usage: { ...UsageCounters, description: 'Usage of this key.' },
    total_requests: Type.Integer({ minimum: 0, description: 'Number of requests of all callers.' }),
    total_errors: Type.Integer({
      minimum: 0,
      description: 'Number of requests of all callers that were answered with a status of 400 or more.',
    }),
  },
  { title: 'UsageReport' },
);
