// The events of a stream that tell of value and arbitrage, and the parameters that ask for them.

import { type Static, Type } from '@sinclair/typebox';
import { MIN_EDGE_PCT_DEFAULT, MIN_MARGIN_PCT_DEFAULT, SIGNAL_KINDS } from '../domain/signal-gate.ts';
import { ArbOpportunity, ExcludedCounts, SignalNote, ValueBet } from './comparison.ts';
import { csvOf, exact, instant, nullable, oneOf, optional } from './schema.ts';
import { EventId } from './values.ts';

/** Beside the filters of the odds. */
export const SignalProperties = {
  signals: optional(
    csvOf(SIGNAL_KINDS, SIGNAL_KINDS.length, {
      description:
        'Also send signals of these kinds, as find_value and find_arbitrage report them, under the same filters: `signal` events.',
      examples: ['value,arbitrage'],
    }),
  ),
  min_edge_pct: optional(
    Type.Number({
      minimum: 0,
      description: `Least edge of value in per cent, the bound included; default ${MIN_EDGE_PCT_DEFAULT}.`,
    }),
  ),
  min_margin_pct: optional(
    Type.Number({
      minimum: 0,
      description: `Least margin of arbitrage in per cent, the bound included; default ${MIN_MARGIN_PCT_DEFAULT}.`,
    }),
  ),
} as const;

const KindSchema = oneOf(SIGNAL_KINDS, { description: 'What it is.' });

/** In `hello`: what is followed. */
export const FollowedSignals = exact(
  {
    kinds: Type.Array(KindSchema),
    min_edge_pct: nullable(Type.Number(), { description: 'Null where value is not followed.' }),
    min_margin_pct: nullable(Type.Number(), { description: 'Null where arbitrage is not followed.' }),
    note: nullable(Type.String(), { description: 'What the tier leaves out.' }),
  },
  { title: 'FollowedSignals' },
);

export const StreamSignal = exact(
  {
    change: oneOf(['opened', 'changed', 'closed'], {
      description:
        'What happened. `changed`: something of it other than an age. `closed`: it is shown as it was last.',
    }),
    current: Type.Boolean({
      description: 'True: it did not open now, but was open when this reader came, came back or caught up.',
    }),
    conflated: Type.Boolean({
      description:
        'True: scoring took longer than a tick, so this tells of several; what opened and closed in between is not told.',
    }),
    id: Type.String({
      description:
        'The same while the signal lives, and on every node: kind, event, market, period, line and, of value, outcome.',
      examples: ['value:evt_8k2j:totals:full_time:2.5:over'],
    }),
    kind: KindSchema,
    event_id: EventId,
    opened_at: instant({
      description:
        'When it opened: on the clock of the server, or since when its prices stand where it was open before anyone followed it here.',
    }),
    lived_ms: nullable(Type.Integer({ minimum: 0 }), {
      description: 'How long it was open, when it closes; else null.',
    }),
    oldest_age_s: Type.Integer({
      minimum: 0,
      description: "Whole seconds since its oldest price moved, the sharp book's included where it is value.",
    }),
    value_bet: nullable(ValueBet, { description: 'As in find_value; null for arbitrage.' }),
    opportunity: nullable(ArbOpportunity, { description: 'As in find_arbitrage; null for value.' }),
  },
  { title: 'StreamSignal', description: 'Value or arbitrage that opened, changed or closed.' },
);
export type StreamSignal = Static<typeof StreamSignal>;

export const StreamSignals = exact(
  {
    count: Type.Integer({ minimum: 0, description: 'Signals that are open.' }),
    left_out: Type.Integer({
      minimum: 0,
      description: 'Fixtures with further signals, for which there is no room until others close.',
    }),
    ids: nullable(Type.Array(Type.String()), {
      description:
        'The ids of all that are open, after they were sent as `current`: drop the others that you hold. Null where only the counts are news.',
    }),
    excluded: ExcludedCounts,
    note: SignalNote,
  },
  {
    title: 'StreamSignals',
    description:
      'All signals of the view, and why there are no more: after the current ones, and with heartbeats.',
  },
);
export type StreamSignals = Static<typeof StreamSignals>;
