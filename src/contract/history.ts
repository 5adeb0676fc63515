// The tape: the ticks and closing prices of a fixture, the fixtures of the tape, and what the tape holds.

import { type Static, Type } from '@sinclair/typebox';
import { HISTORY_TICKS_DEFAULT, HISTORY_TICKS_MAX } from '../limits.ts';
import { NameQueryParameter } from './catalogue.ts';
import { Event } from './event.ts';
import { OddsQuery, QUOTE_NAME } from './odds.ts';
import { CursorParameter, instantParameter, LeagueParameter, LimitParameter, pageOf } from './parameters.ts';
import { dateText, exact, instant, nullable, oneOf, optional, withDefault } from './schema.ts';
import { EventId, EventStatusSchema, OddsFormatSchema, Prices, Score, SportKeySchema } from './values.ts';

export const RESOLUTIONS = ['tick', '1m', '5m', '1h', '1d'] as const;
export type HistoryStep = (typeof RESOLUTIONS)[number];
const LINE_STATUSES = ['open', 'suspended', 'withdrawn'] as const;
const GAP_REASONS = ['stopped', 'feed_lost', 'overrun', 'disk_full'] as const;

export const HistoryGap = exact(
  {
    from: instant({ description: 'Start of the gap, inclusive.' }),
    to: nullable(instant(), { description: 'End of the gap, exclusive; null while the gap lasts.' }),
    reason: oneOf(GAP_REASONS, {
      description:
        '`stopped`: the process was not running or stood still, or a file was lost. `feed_lost`: the server had no feed. `overrun`: it could not keep up, or its clock was set back. `disk_full`: it could not write.',
    }),
  },
  { title: 'HistoryGap', description: 'A time for which the price history cannot say what was published.' },
);
export type HistoryGap = Static<typeof HistoryGap>;

export const HistoryTick = exact(
  {
    at: instant({ description: 'Source time: the `as_of` that the quote had.' }),
    status: oneOf(LINE_STATUSES, {
      description: 'Status from then on; `withdrawn` when the line left the slate.',
    }),
    prices: nullable(Prices, { description: 'Null when the line was withdrawn.' }),
    in_play: Type.Boolean({ description: 'Whether the match was in play then.' }),
    score: nullable(Score, { description: 'The score then; null when unknown.' }),
  },
  { title: 'HistoryTick', description: 'One published change of the prices or the status of a line.' },
);
export type HistoryTick = Static<typeof HistoryTick>;

export const HistorySeries = exact(
  {
    ...QUOTE_NAME,
    format: OddsFormatSchema,
    ticks: Type.Array(HistoryTick, { description: 'In the order of publishing.' }),
  },
  { title: 'HistorySeries', description: 'The ticks of one line of one bookmaker.' },
);
export type HistorySeries = Static<typeof HistorySeries>;

export const HistoryState = exact(
  {
    at: instant({ description: 'When the server published the change.' }),
    status: EventStatusSchema,
    score: nullable(Score, { description: 'Null before the feed sends one.' }),
    cards: nullable(Score, { description: 'Red cards; null when the feed sends none.' }),
  },
  { title: 'HistoryState', description: 'Status, score and red cards of a match from an instant on.' },
);
export type HistoryState = Static<typeof HistoryState>;

export const EventHistory = exact(
  {
    event_id: EventId,
    from: instant({ description: 'Only ticks published at this time or later.' }),
    to: instant({ description: 'Only ticks published before this time.' }),
    resolution: oneOf(RESOLUTIONS),
    series: Type.Array(HistorySeries, {
      description: 'Sorted by market, period, line, then catalogue order of books.',
    }),
    states: Type.Array(HistoryState, {
      description:
        'Each change of status, score or red cards since `states_from`, oldest first; the same on every page. At most the newest 1,000.',
    }),
    states_from: instant({
      description:
        '`states` is complete from this time on. If there are more than 1,000 changes, it is later than `from`: to get the earlier ones, send it as `to`.',
    }),
    gaps: Type.Array(HistoryGap),
    next_cursor: nullable(Type.String(), { description: 'Cursor of the next page; null on the last one.' }),
  },
  { title: 'EventHistory' },
);
export type EventHistory = Static<typeof EventHistory>;

export const HistoryQuery = Type.Object({
  ...OddsQuery.properties,
  line: optional(
    Type.Number({
      multipleOf: 0.25,
      description: "Only this line: the home side's handicap, or the total.",
      examples: [-0.75],
    }),
  ),
  from: instantParameter('Ticks published at or after this instant. Default: as far back as the plan sees.'),
  to: instantParameter('Ticks published before this instant. Default: now.'),
  resolution: withDefault(
    oneOf(RESOLUTIONS, {
      description: '`tick`: every change. Otherwise, the last tick of each line in each bucket.',
    }),
    'tick',
  ),
  limit: withDefault(
    Type.Integer({
      minimum: 1,
      maximum: HISTORY_TICKS_MAX,
      description: 'Maximum number of ticks on a page, over all series.',
      examples: [HISTORY_TICKS_DEFAULT],
    }),
    HISTORY_TICKS_DEFAULT,
  ),
  cursor: CursorParameter,
});

export const ClosingQuote = exact(
  {
    ...QUOTE_NAME,
    prices: Prices,
    format: OddsFormatSchema,
    closed_at: instant({ description: 'Source time of this price.' }),
    confirmed_at: instant({ description: 'When the source last confirmed the price before the kickoff.' }),
  },
  {
    title: 'ClosingQuote',
    description: 'The last open price published before the kickoff at one book, market, period and line.',
  },
);

export const EventClosing = exact(
  {
    event_id: EventId,
    kickoff_at: nullable(instant(), {
      description: 'When the match was first seen live. If it never was, its last scheduled kickoff.',
    }),
    closing: Type.Array(ClosingQuote, {
      description: 'Empty until the time of the kickoff is certain, and for a match that never began.',
    }),
  },
  { title: 'EventClosing' },
);
export type EventClosing = Static<typeof EventClosing>;

export const HistoryEvent = exact(
  {
    event: Event,
    first_at: instant({
      description: 'When the first tick of the fixture that the plan sees was published.',
    }),
    last_at: instant({ description: 'When the last tick of the fixture was published.' }),
    ticks: Type.Integer({
      minimum: 1,
      description:
        'Number of ticks, from the start of the first UTC day that the plan sees in whole or in part.',
    }),
  },
  { title: 'HistoryEvent', description: 'A fixture of the price history, with its status as last known.' },
);
export type HistoryEvent = Static<typeof HistoryEvent>;

export const HistoryEventPage = pageOf(HistoryEvent, 'HistoryEventPage');
export type HistoryEventPage = Static<typeof HistoryEventPage>;

export const HistoryEventsQuery = Type.Object({
  day: optional(dateText({ description: 'UTC day of the kickoff, YYYY-MM-DD.', examples: ['2026-03-01'] })),
  sport: optional(SportKeySchema),
  league: LeagueParameter,
  q: NameQueryParameter,
  limit: LimitParameter,
  cursor: CursorParameter,
});

export const HistoryDay = exact(
  {
    day: dateText({ description: 'UTC day.', examples: ['2026-03-01'] }),
    fixtures: Type.Integer({ minimum: 0, description: 'Number of fixtures with a tick on that day.' }),
    ticks: Type.Integer({
      minimum: 0,
      description: 'Number of ticks of the whole day, including the part that the plan does not see.',
    }),
    bytes: Type.Integer({
      minimum: 0,
      description:
        'Size on disk in bytes. On a tier that does not see every bookmaker, an estimate of the part that it sees.',
    }),
  },
  { title: 'HistoryDay' },
);

export const HistoryCoverage = exact(
  {
    from: nullable(instant(), { description: 'When the first tick was published; null when there is none.' }),
    to: nullable(instant(), { description: 'When the last tick was published; null when there is none.' }),
    days: Type.Array(HistoryDay, { description: 'Days with ticks, oldest first.' }),
    gaps: Type.Array(HistoryGap, { description: 'Oldest first.' }),
  },
  { title: 'HistoryCoverage', description: 'What the price history holds, as far back as the plan sees.' },
);
export type HistoryCoverage = Static<typeof HistoryCoverage>;
