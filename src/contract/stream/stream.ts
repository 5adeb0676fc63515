// The events of GET /v1/stream and the data of each.

import { Type } from '@sinclair/typebox';
import { exact, instant, nullable, optional } from '../schema.ts';
import { BookmakerKeySchema } from '../values.ts';
import { FixtureChange, OddsChanges, OddsViewProperties, SinceParameter } from './odds-changes.ts';
import { FollowedSignals, SignalProperties, StreamSignal, StreamSignals } from './stream-signals.ts';

/**
 * The tick lengths of streams in milliseconds. A length in between is raised to the next one: streams with
 * the same tick share its work, so there are few lengths. The longest is the most that a client may request.
 */
const TICK_STEPS_MS = [20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const;
const TICK_MS_MAX = TICK_STEPS_MS[TICK_STEPS_MS.length - 1]!;

/** The tick length of a stream that requests `tickMs`. */
export function tickStepOf(tickMs: number): number {
  return TICK_STEPS_MS.find((stepMs) => stepMs >= tickMs) ?? TICK_MS_MAX;
}

export const TicketParameter = optional(
  Type.String({
    maxLength: 64,
    description: 'A ticket from `/v1/tickets`, for clients that cannot send an Authorization header.',
  }),
);

export const StreamTicket = exact(
  {
    ticket: Type.String({ description: 'Opens one stream.' }),
    expires_at: instant({ description: 'When the ticket expires.' }),
  },
  { title: 'StreamTicket' },
);

export const StreamQuery = Type.Object({
  ...OddsViewProperties,
  ...SignalProperties,
  since: SinceParameter,
  tick_ms: optional(
    Type.Integer({
      minimum: 1,
      maximum: TICK_MS_MAX,
      description: `Milliseconds between two deltas: ${TICK_STEPS_MS.join(', ')}. Any other value is raised to the next of these. A value below the minimum of the tier is raised to that minimum, which is also the default. \`hello\` has the value in use.`,
    }),
  ),
  ticket: TicketParameter,
});

const {
  cursor: Cursor,
  full: Full,
  as_of: AsOf,
  stale: StaleField,
  removed: Removed,
} = OddsChanges.properties;

export const StreamHello = exact(
  {
    cursor: Type.String({
      description:
        'The position of the server as the stream opens. Do not resume from it: you hold no data of it yet.',
    }),
    heartbeat_ms: Type.Integer({ description: 'Interval of heartbeats, in milliseconds.' }),
    tick_ms: Type.Integer({ description: 'Shortest time between two deltas, in milliseconds.' }),
    conflates: Type.Boolean({
      description: 'True: a quote that moves twice between two frames is sent once, with its last value.',
    }),
    signals: nullable(FollowedSignals, { description: 'Null when no signals were requested.' }),
  },
  { title: 'StreamHello', description: 'First event of a stream.' },
);

export const StreamSnapshot = exact(
  {
    part: Type.Integer({
      minimum: 1,
      description: 'Counts from 1. Part 1 starts a new slate: drop all that you hold.',
    }),
    last: Type.Boolean({ description: 'True in the last part. Only the event of this part has an id.' }),
    cursor: Cursor,
    full: Full,
    as_of: AsOf,
    stale: StaleField,
    fixtures: Type.Array(FixtureChange),
    removed: Removed,
  },
  { title: 'StreamSnapshot', description: 'The whole view, in parts.' },
);

export const StreamDelta = exact(
  {
    from: Type.String({ description: 'The cursor before this event.' }),
    to: Type.String({ description: 'The cursor after this event; also the id of the event.' }),
    conflated: Type.Boolean({
      description: 'True when this reader fell behind or resumed, and several deltas were merged into one.',
    }),
    ...OddsChanges.properties,
  },
  {
    title: 'StreamDelta',
    description: 'What changed since the previous event, as in the answer of `/v1/odds`.',
  },
);

const Confirmation = exact(
  {
    bookmakers: Type.Array(BookmakerKeySchema),
    as_of: instant({
      description:
        'All open prices of these bookmakers were confirmed at this time or later (steps of 10 s). If a source confirms fixtures one by one, this is its oldest confirmation.',
    }),
  },
  { title: 'Confirmation', description: 'Bookmakers whose sources confirmed their prices at the same time.' },
);

export const StreamHeartbeat = exact(
  {
    cursor: Cursor,
    as_of: AsOf,
    stale: StaleField,
    feed_age_ms: Type.Integer({
      minimum: 0,
      description: 'Milliseconds since the feed last sent something.',
    }),
    confirmations: optional(
      Type.Array(Confirmation, {
        description:
          'Sent only if the feed joins several sources: when each of them last confirmed its open prices, oldest first. A bookmaker that is not listed was never confirmed. With one source, `as_of` holds for every open price.',
      }),
    ),
  },
  {
    title: 'StreamHeartbeat',
    description:
      'Distinguishes a quiet slate from a frozen stream, and reports how the data has aged since the last event.',
  },
);

const BYE_REASONS = ['shutdown', 'slow_reader', 'key_revoked', 'limit'] as const;
export type ByeReason = (typeof BYE_REASONS)[number];

export const StreamBye = exact(
  {
    reason: Type.Union(BYE_REASONS.map((reason) => Type.Literal(reason))),
    reconnect_after_ms: Type.Integer({ minimum: 0 }),
  },
  { title: 'StreamBye', description: 'Last event before the server closes the stream.' },
);

/** Every event of a stream, by name. */
export const STREAM_EVENTS = {
  hello: StreamHello,
  snapshot: StreamSnapshot,
  delta: StreamDelta,
  signal: StreamSignal,
  signals: StreamSignals,
  heartbeat: StreamHeartbeat,
  bye: StreamBye,
} as const;
export type StreamEventName = keyof typeof STREAM_EVENTS;
