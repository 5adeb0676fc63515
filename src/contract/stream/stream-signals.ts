// The stream events about signals, and the parameters that request them.

import { type Static, Type } from '@sinclair/typebox';
import {
  MIN_EDGE_PCT_DEFAULT,
  MIN_MARGIN_PCT_DEFAULT,
  MOVE_OF,
  STREAM_KINDS,
} from '../../domain/signal-gate.ts';
import { csvOf, exact, instant, nullable, oneOf, optional } from '../schema.ts';
import {
  ArbOpportunity,
  ExcludedCounts,
  Reference,
  ReferenceParameter,
  SignalNote,
  ValueBet,
} from '../signals/found.ts';
import { KindProperties, LineMove, LowHold, Middle, Steam } from '../signals/kinds.ts';
import { EventId } from '../values.ts';

/** Parameters in addition to the filters of the odds. */
export const SignalProperties = {
  signals: optional(
    csvOf(STREAM_KINDS, STREAM_KINDS.length, {
      description:
        'Also send signals of these kinds, as `signal` events, under the same filters. They are those of find_value, find_arbitrage, find_middles and list_movers.',
      examples: ['value,arbitrage'],
    }),
  ),
  min_edge_pct: optional(
    Type.Number({
      minimum: 0,
      description: `Lowest edge of value in per cent, inclusive; default ${MIN_EDGE_PCT_DEFAULT}.`,
    }),
  ),
  reference: ReferenceParameter,
  min_margin_pct: optional(
    Type.Number({
      minimum: 0,
      description: `Lowest margin of arbitrage in per cent, inclusive; default ${MIN_MARGIN_PCT_DEFAULT}.`,
    }),
  ),
  ...KindProperties,
} as const;

const KindSchema = oneOf(STREAM_KINDS, { description: 'Kind of signal.' });

/** Part of `hello`: the signals that the stream follows. */
export const FollowedSignals = exact(
  {
    kinds: Type.Array(KindSchema),
    min_edge_pct: nullable(Type.Number(), {
      description: 'Lowest edge of value in per cent; null if value is not followed.',
    }),
    min_margin_pct: nullable(Type.Number(), {
      description: 'Lowest margin of arbitrage in per cent; null if arbitrage is not followed.',
    }),
    reference: nullable(Reference, {
      description: 'Reference that value is measured against; null if value is not followed.',
    }),
    min_ev_pct: nullable(Type.Number(), {
      description: 'Lowest expected return of a middle in per cent; null if middles are not followed.',
    }),
    max_hold_pct: nullable(Type.Number(), {
      description: 'Highest hold in per cent; null if low hold is not followed.',
    }),
    move_pct: nullable(Type.Number(), {
      description: 'Smallest move, in per cent or percentage points; null if moves are not followed.',
    }),
    move_of: nullable(oneOf(MOVE_OF), {
      description: 'What moves are measured on; null if moves are not followed.',
    }),
    steam_pct: nullable(Type.Number(), {
      description: 'Smallest change of a price in per cent; null if steam is not followed.',
    }),
    owners: nullable(Type.Integer(), {
      description: 'Least number of owners that moved; null if steam is not followed.',
    }),
    within_s: nullable(Type.Integer(), {
      description:
        'Moves and steam compare with prices of this many seconds ago; null if neither is followed.',
    }),
    note: nullable(Type.String(), { description: 'What the tier leaves out; null if nothing.' }),
  },
  { title: 'FollowedSignals' },
);
export type FollowedSignals = Static<typeof FollowedSignals>;

export const StreamSignal = exact(
  {
    change: oneOf(['opened', 'changed', 'closed'], {
      description:
        'What happened. `changed`: something other than an age changed. `closed`: the signal is shown in its last state.',
    }),
    current: Type.Boolean({
      description:
        'True: the signal did not open now, but was already open when this reader connected, resumed or caught up.',
    }),
    conflated: Type.Boolean({
      description:
        'True: scoring took longer than a tick, so this event covers several ticks; signals that opened and closed in between are missing.',
    }),
    id: Type.String({
      description:
        'Stays the same while the signal is open, and on every node: kind, event, market, period, line and, for value, outcome.',
      examples: ['value:evt_8k2j:totals:full_time:2.5:over'],
    }),
    kind: KindSchema,
    event_id: EventId,
    opened_at: instant({
      description:
        'When the signal opened, by the clock of the server. If it was already open when the server began to follow it, when the last of its prices moved.',
    }),
    lived_ms: nullable(Type.Integer({ minimum: 0 }), {
      description: 'How many milliseconds the signal was open, when it closes; else null.',
    }),
    oldest_age_s: Type.Integer({
      minimum: 0,
      description:
        "Age in whole seconds of the signal's oldest price, that is, since its last move. For value, the prices of the reference count too.",
    }),
    value_bet: nullable(ValueBet, { description: 'As in find_value. Null for signals of other kinds.' }),
    opportunity: nullable(ArbOpportunity, { description: 'As in find_arbitrage.' }),
    middle: nullable(Middle, { description: 'As in find_middles.' }),
    low_hold: nullable(LowHold, { description: 'As in find_middles.' }),
    move: nullable(LineMove, {
      description: 'As in list_movers. What moved may also be a fair probability.',
    }),
    steam: nullable(Steam, { description: 'As in list_movers.' }),
  },
  { title: 'StreamSignal', description: 'A signal that opened, changed or closed.' },
);
export type StreamSignal = Static<typeof StreamSignal>;

export const StreamSignals = exact(
  {
    count: Type.Integer({ minimum: 0, description: 'Number of open signals.' }),
    left_out: Type.Integer({
      minimum: 0,
      description: 'Number of fixtures whose further signals are not sent until other signals close.',
    }),
    ids: nullable(Type.Array(Type.String()), {
      description:
        'The ids of all open signals, after they were sent as `current`: drop all others that you hold. Null when only the counts changed.',
    }),
    excluded: ExcludedCounts,
    note: SignalNote,
  },
  {
    title: 'StreamSignals',
    description:
      'A summary of all signals of the view and why there are no more; sent after the current signals and with heartbeats.',
  },
);
export type StreamSignals = Static<typeof StreamSignals>;
