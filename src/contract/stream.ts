// The events of GET /v1/stream: what each carries as its data.

import { Type } from '@sinclair/typebox';
import { FixtureChange, OddsChanges, OddsViewProperties, SinceParameter } from './odds-changes.ts';
import { exact, instant, nullable, optional } from './schema.ts';
import { FollowedSignals, SignalProperties, StreamSignal, StreamSignals } from './stream-signals.ts';

/** Slowest pace a stream may ask for. */
const TICK_MS_MAX = 60_000;

export const TicketParameter = optional(
  Type.String({
    maxLength: 64,
    description: 'A ticket of `/v1/tickets`, where no Authorization header can be sent.',
  }),
);

export const StreamTicket = exact(
  {
    ticket: Type.String({ description: 'Good for opening one stream.' }),
    expires_at: instant({ description: 'From then on it opens none.' }),
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
      description:
        'Milliseconds between two deltas. One that is faster than the tier allows is raised to it, the default.',
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
        'Where the server stands as the stream opens. Not one to go on from: you hold nothing of it yet.',
    }),
    heartbeat_ms: Type.Integer({ description: 'A heartbeat comes this often.' }),
    tick_ms: Type.Integer({ description: 'Changes are sent at most this often.' }),
    conflates: Type.Boolean({
      description: 'True: a quote that moves twice between two frames is sent once, as it is then.',
    }),
    signals: nullable(FollowedSignals, { description: 'Null when no signals were asked for.' }),
  },
  { title: 'StreamHello', description: 'First event of a stream.' },
);

export const StreamSnapshot = exact(
  {
    part: Type.Integer({
      minimum: 1,
      description: 'From 1. Part 1 begins a new slate: drop all that you hold.',
    }),
    last: Type.Boolean({ description: 'True in the last part. Only this one has an id.' }),
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
    from: Type.String({ description: 'The cursor before.' }),
    to: Type.String({ description: 'The cursor after; the id of the event.' }),
    conflated: Type.Boolean({
      description: 'True when this reader fell behind, or resumed, and several deltas were made one.',
    }),
    ...OddsChanges.properties,
  },
  {
    title: 'StreamDelta',
    description: 'What changed since the event before, as in the answer of `/v1/odds`.',
  },
);

export const StreamHeartbeat = exact(
  {
    cursor: Cursor,
    as_of: AsOf,
    stale: StaleField,
    feed_age_ms: Type.Integer({ minimum: 0, description: 'How long ago the feed was last heard.' }),
  },
  {
    title: 'StreamHeartbeat',
    description:
      'Tells a quiet slate from a frozen stream, and what of its last answer has become older meanwhile.',
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
