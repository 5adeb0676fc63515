// line_history: what a line did over time, in one sentence and compact points.

import { type Static, Type } from '@sinclair/typebox';
import { instantMs, toIsoText } from '../../clock.ts';
import {
  type EventClosing,
  type EventHistory,
  HistoryGap,
  HistoryQuery,
  HistorySeries,
  RESOLUTIONS,
} from '../../contract/history.ts';
import type { OddsBlock } from '../../contract/odds.ts';
import { FormatParameter, TimezoneField } from '../../contract/parameters.ts';
import { oneOf, optional, withDefault } from '../../contract/schema.ts';
import { BookmakersField, type LookupHeader, lookupInput, lookupOutput } from '../../contract/tool-parts.ts';
import { MarketTypeSchema, PeriodSchema } from '../../contract/values.ts';
import { ServiceError } from '../../errors.ts';
import { HISTORY_TICKS_MAX } from '../../limits.ts';
import { requireTimezone } from '../../query/lists/day.ts';
import type { HistoryCalls, TicksWords } from '../../query/lists/history-calls.ts';
import { type Reads, requireRead } from '../../query/lookup/asked-market.ts';
import type { OddsFilterWords } from '../../query/odds/odds-filter.ts';
import { oddsFilter } from '../../query/odds/odds-filter.ts';
import { defineTool, type Tool, type ToolContext, type ToolServices } from '../kit/tool.ts';
import { bookWithMostTicks, lineStory } from '../words/line-story.ts';
import { isFound, lookUpPast } from '../words/tape-lookup.ts';

/**
 * Maximum number of points of an answer. A coarser resolution is used to keep to it, unless the caller has
 * chosen a resolution.
 */
const POINTS_MAX = 400;

const { line, from, to } = HistoryQuery.properties;

const Input = lookupInput({
  market_type: withDefault(MarketTypeSchema, 'asian_handicap'),
  period: withDefault(PeriodSchema, 'full_time'),
  line,
  bookmakers: BookmakersField,
  format: FormatParameter,
  timezone: TimezoneField,
  from,
  to,
  resolution: optional(
    oneOf(RESOLUTIONS, {
      description: `Default: every change, or the finest steps that give at most ${POINTS_MAX} points.`,
    }),
  ),
});

const Output = lookupOutput(
  {
    resolution: oneOf(RESOLUTIONS, { description: 'The resolution used.' }),
    series: Type.Array(HistorySeries, { description: 'Sorted by line, then catalogue order of books.' }),
    gaps: Type.Array(HistoryGap, { description: 'Periods for which no prices are known.' }),
    truncated: Type.Boolean({
      description:
        'Whether there are more points than these: send `line`, `bookmakers`, or a shorter time, or choose a coarser `resolution`.',
    }),
  },
  'LineHistoryResult',
);

type Fields = Omit<Static<typeof Output>, keyof LookupHeader>;

const READS: Reads = {
  answer: 'line_history shows one market, and takes the line as an argument',
  instead: 'Send the line as `line`, the home side’s handicap or the total, and its market as `market_type`',
  line: false,
  outcome: true,
};
const DECODER = new TextDecoder();

export function lineHistoryTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'line_history',
    title: 'Line history',
    description:
      'How a line has moved: one sentence (opened, high, low, moves, now or close) and every price change, for finished matches too, if a day is named. `market_type`, `period`, `line` and `bookmakers` narrow it; `from` and `to` limit the time. Use get_opening_line for openings alone, get_closing_line for closing prices. Example: {"query": "Arsenal vs Chelsea", "market_type": "totals", "line": 2.5, "bookmakers": ["crown"]}.',
    input: Input,
    output: Output,
    run: async (input, context) => {
      const { principal, nowMs } = context;
      oddsFilter(input, principal); // Refuses what the tier may not see, whichever fixture is meant
      if (input.timezone !== undefined) requireTimezone(input.timezone);
      const found = await lookUpPast(queries, input, { principal, nowMs, next: 'get_closing_line' });
      if (!isFound(found)) return { ...found, resolution: input.resolution ?? 'tick', ...NOTHING };
      requireRead(found.words, READS);
      const asked = {
        market: found.words.market ?? input.market_type,
        ...{ period: found.words.period ?? input.period, line: input.line, bookmakers: input.bookmakers },
      };
      const words = {
        ...{ bookmakers: input.bookmakers, markets: [asked.market], period: asked.period, line: asked.line },
        ...{ format: input.format, from: input.from, to: input.to, limit: POINTS_MAX },
      };
      const read = { ...found, words };
      const history = await fewPoints(queries.history, read, { input, context });
      const fields: Fields = {
        resolution: history.resolution,
        series: history.series,
        gaps: history.gaps,
        truncated: history.next_cursor !== null,
      };
      const hasAll = history.resolution === 'tick' && history.next_cursor === null;
      const told = hasAll ? history : await toldSeries(queries.history, read, { context });
      const stood = await quotesBefore(queries.history, read, { fromMs: instantMs(told.from), context });
      const isUntilNow = input.to === undefined || instantMs(input.to) >= nowMs;
      const isInGap = told.gaps.some((gap) => gap.to === null);
      const isNow = found.isCurrent && isUntilNow && !isInGap && told.next_cursor === null;
      const closeRead = { words, rangeFromMs: instantMs(told.from), context };
      const closing =
        found.hasBegun && isUntilNow ? await closingOf(queries.history, found, closeRead) : null;
      const isEmpty = told.series.length === 0 && stood.length === 0;
      const others = isEmpty ? await seriesOf(queries.history, found, { input, context }) : [];
      const timezone = input.timezone ?? found.timezone;
      const story = { ...found, timezone, asked, isNow, closing, stood, others };
      return { ...found.header(lineStory(story, told)), ...fields };
    },
  });
}

/**
 * The closing prices of a match that has begun. Null if there are none that the plan sees, or if the range
 * begins in play: the close is no part of what a line did since then.
 */
async function closingOf(
  history: HistoryCalls,
  { eventId }: { readonly eventId: string },
  {
    words,
    rangeFromMs,
    context,
  }: { readonly words: OddsFilterWords; readonly rangeFromMs: number; readonly context: ToolContext },
): Promise<EventClosing['closing'] | null> {
  const { bookmakers, markets, period, format } = words;
  const { principal, nowMs } = context;
  try {
    const asked = { eventId, words: { bookmakers, markets, period, format }, principal, nowMs };
    const { bytes } = await history.closing(asked);
    const { kickoff_at, closing } = JSON.parse(DECODER.decode(bytes)) as EventClosing;
    return kickoff_at !== null && rangeFromMs >= instantMs(kickoff_at) ? null : closing;
  } catch (error) {
    if (error instanceof ServiceError && ['plan_limit', 'not_found'].includes(error.code)) return null;
    throw error;
  }
}

/** Series of all markets of a fixture, with few points. */
async function seriesOf(
  history: HistoryCalls,
  { eventId }: { readonly eventId: string },
  { input, context }: { readonly input: Static<typeof Input>; readonly context: ToolContext },
): Promise<EventHistory['series']> {
  const { bookmakers, from, to } = input;
  const words = { bookmakers, from, to, resolution: '1d', limit: POINTS_MAX } as const;
  const { principal, nowMs } = context;
  const { bytes } = await history.ticks({ eventId, words, principal, nowMs });
  return (JSON.parse(DECODER.decode(bytes)) as EventHistory).series;
}

/** A request for the ticks of a fixture, without its resolution. */
interface TicksRead {
  readonly eventId: string;
  readonly words: Omit<TicksWords, 'resolution'>;
}

const NOTHING = { series: [], gaps: [], truncated: false };

/**
 * The series that the sentence is made of: every change of all books or, if those are too many, of the book
 * with the most changes. Only a book with more changes than one answer may have is read in coarser steps.
 */
async function toldSeries(
  history: HistoryCalls,
  { eventId, words }: TicksRead,
  { context }: { readonly context: ToolContext },
): Promise<EventHistory> {
  const all = { ...words, limit: HISTORY_TICKS_MAX };
  const whole = await fewPoints(history, { eventId, words: all }, { input: { resolution: 'tick' }, context });
  const bookmaker = bookWithMostTicks(whole.series);
  if (whole.next_cursor === null || bookmaker === null) return whole;
  return await fewPoints(
    history,
    { eventId, words: { ...all, bookmakers: [bookmaker] } },
    { input: {}, context },
  );
}

/**
 * The quotes just before a range begins, so that the first change in the range does not count as the opening.
 * Empty if the fixture was not on the slate, or if the history begins with the range.
 */
async function quotesBefore(
  history: HistoryCalls,
  { eventId, words }: TicksRead,
  { fromMs, context }: { readonly fromMs: number; readonly context: ToolContext },
): Promise<OddsBlock['odds']> {
  const { bookmakers, markets, period, format, line } = words;
  const { principal, nowMs } = context;
  // First try the instant before the range. The plan may not reach back so far; then use the instant at which
  // the range begins.
  for (const atMs of [fromMs - 1, fromMs]) {
    try {
      const asked = { eventId, words: { bookmakers, markets, period, format }, at: toIsoText(atMs) };
      const { bytes } = await history.odds({ ...asked, principal, nowMs });
      const { odds } = JSON.parse(DECODER.decode(bytes)) as OddsBlock;
      return odds.filter((quote) => line === undefined || quote.line === line);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'not_found' || error.code === 'invalid_request') return [];
      if (error.code !== 'plan_limit') throw error;
    }
  }
  return [];
}

/** The history at the requested resolution, or else at the finest one that has few enough points. */
async function fewPoints(
  history: HistoryCalls,
  { eventId, words }: TicksRead,
  {
    input,
    context,
  }: { readonly input: Pick<Static<typeof Input>, 'resolution'>; readonly context: ToolContext },
): Promise<EventHistory> {
  const { principal, nowMs } = context;
  const resolutions = input.resolution === undefined ? RESOLUTIONS : [input.resolution];
  let last: EventHistory | null = null;
  for (const resolution of resolutions) {
    const { bytes } = await history.ticks({ eventId, words: { ...words, resolution }, principal, nowMs });
    last = JSON.parse(DECODER.decode(bytes)) as EventHistory;
    if (last.next_cursor === null) break;
  }
  return last!;
}
