// The ticks of a fixture as series of lines: filtered, thinned to a resolution, and paged.

import { MINUTE_MS, toIsoText } from '../../clock.ts';
import type {
  EventHistory,
  HistoryGap,
  HistorySeries,
  HistoryState,
  HistoryTick,
} from '../../contract/history.ts';
import { EVENT_STATUSES, indexIn, SPORT_KEYS } from '../../domain/catalogue.ts';
import { toScore } from '../../domain/settlement.ts';
import { ServiceError } from '../../errors.ts';
import { comparePositions, decodeCursor, encodeCursor, type Position } from '../../query/lists/cursor.ts';
import type { TicksWords } from '../../query/lists/history-calls.ts';
import { nameOfKey, pricesInFormat } from '../../query/odds/odds.ts';
import { type OddsFilter, passes } from '../../query/odds/odds-filter.ts';
import type { WantedLines } from '../files/rows-of-file.ts';
import type { TapeMark } from '../mark.ts';
import type { Gap, TapeRange, Tick } from '../tick.ts';
import { pricesInOrder, quoteKeyOfLine } from './past-page.ts';

/** Lengths of the buckets. They begin at whole multiples of their length, UTC. */
const BUCKET_MS: Readonly<Record<TicksWords['resolution'], number>> = {
  tick: 0,
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '1d': 1_440 * MINUTE_MS,
};

/** A tick with the store's key of its line, and its position among the ticks of the line. */
interface KeyedTick {
  readonly key: number;
  readonly tick: Tick;
  /** How many ticks of the line were published in the same millisecond before it. */
  readonly nth: number;
}

export interface SeriesRequest {
  readonly eventId: string;
  readonly filter: OddsFilter;
  readonly words: TicksWords;
  readonly range: TapeRange;
  /** In the order of publishing. */
  readonly states: readonly TapeMark[];
  readonly gaps: readonly Gap[];
}

/** The most states in one answer. If there are more, the oldest are left out, and `states_from` is later. */
const STATES_MAX = 1_000;

/** The last instant that a `Date` can have. The first one is its negative. */
const CALENDAR_MS_MAX = 8.64e15;

/** The range that a cursor was made for; null without a cursor. It may be forged. */
export function rangeOfCursor(eventId: string, filter: OddsFilter, words: TicksWords): TapeRange | null {
  if (words.cursor === undefined) return null;
  const [fromMs, toMs] = positionOf(eventId, filter, words);
  return { fromMs, toMs };
}

/** The lines that a request asks for. */
export function wantedLines(filter: OddsFilter, { line: wanted }: TicksWords): WantedLines {
  return {
    key: `${filter.key} ${wanted ?? ''}`,
    has: (line) => {
      const key = quoteKeyOfLine(line);
      return key !== null && passes(filter, key) && (wanted === undefined || line.line === wanted);
    },
  };
}

/** One page of the series of a fixture. @throws ServiceError `invalid_request` for a foreign cursor */
export function seriesPage(ticks: readonly Tick[], request: SeriesRequest): EventHistory {
  const { eventId, filter, words, range, states, gaps } = request;
  const keyed = thinned(keyedTicks(ticks, request), BUCKET_MS[words.resolution]);
  const after = words.cursor === undefined ? null : positionOf(eventId, filter, words).slice(2);
  const rest = after === null ? keyed : keyed.filter((one) => comparePositions(placeOf(one), after) > 0);
  const page = rest.slice(0, words.limit);
  const last = page.at(-1);
  const hasMore = rest.length > page.length && last !== undefined;
  const inRange = states.filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs);
  const leftOut = inRange.at(-STATES_MAX - 1);
  const statesFromMs = leftOut === undefined ? range.fromMs : leftOut.atMs + 1;
  return {
    event_id: eventId,
    from: toIsoText(range.fromMs),
    to: toIsoText(range.toMs),
    resolution: words.resolution,
    series: [...Map.groupBy(page, ({ key }) => key)].map(([key, some]) => seriesOf(key, some, filter)),
    states: inRange.filter(({ atMs }) => atMs >= statesFromMs).map(stateOf),
    states_from: toIsoText(statesFromMs),
    gaps: gaps.map(gapOf),
    next_cursor: hasMore
      ? encodeCursor(scopeOf(eventId, filter, words), [range.fromMs, range.toMs, ...placeOf(last)])
      : null,
  };
}

function stateOf({ atMs, status, score, cards }: TapeMark): HistoryState {
  return {
    at: toIsoText(atMs),
    status: EVENT_STATUSES[status]!,
    score: toScore(score),
    cards: toScore(cards),
  };
}

/** A gap as answers show it. */
export function gapOf({ fromMs, toMs, reason }: Gap): HistoryGap {
  return { from: toIsoText(fromMs), to: toMs === null ? null : toIsoText(toMs), reason };
}

/** Ticks of the lines that pass the filter, by line and then in the order of publishing. */
function keyedTicks(ticks: readonly Tick[], { filter, words }: SeriesRequest): KeyedTick[] {
  const keyed: KeyedTick[] = [];
  const lastOfKey = new Map<number, KeyedTick>();
  for (const tick of ticks) {
    const key = quoteKeyOfLine(tick);
    if (key === null || !passes(filter, key)) continue;
    if (words.line !== undefined && tick.line !== words.line) continue;
    const before = lastOfKey.get(key);
    const isSameTime = before !== undefined && before.tick.receivedAtMs === tick.receivedAtMs;
    const one = { key, tick, nth: isSameTime ? before.nth + 1 : 0 };
    lastOfKey.set(key, one);
    keyed.push(one);
  }
  return keyed.sort((left, right) => comparePositions(placeOf(left), placeOf(right)));
}

/** Keeps the last tick of each bucket of a line. @param bucketMs 0 keeps all ticks */
function thinned(keyed: readonly KeyedTick[], bucketMs: number): readonly KeyedTick[] {
  if (bucketMs === 0) return keyed;
  const bucketOf = ({ tick }: KeyedTick): number => Math.floor(tick.receivedAtMs / bucketMs);
  return keyed.filter((one, index) => {
    const next = keyed[index + 1];
    return next === undefined || next.key !== one.key || bucketOf(next) !== bucketOf(one);
  });
}

function placeOf({ key, tick, nth }: KeyedTick): readonly [number, number, number] {
  return [key, tick.receivedAtMs, nth];
}

function positionOf(
  eventId: string,
  filter: OddsFilter,
  words: TicksWords,
): readonly [fromMs: number, toMs: number, ...place: number[]] {
  const position: Position = decodeCursor(scopeOf(eventId, filter, words), words.cursor!);
  const [fromMs = Number.NaN, toMs = Number.NaN, ...place] = position.map(Number);
  const isRange = isInCalendar(fromMs) && isInCalendar(toMs) && fromMs <= toMs;
  if (position.length !== 5 || !isRange || place.some((part) => !Number.isSafeInteger(part))) {
    throw new ServiceError('invalid_request', 'Cannot read cursor: this list never sent it', {
      fix: 'Send next_cursor of the previous page unchanged, with the same filters',
    });
  }
  return [fromMs, toMs, ...place];
}

function isInCalendar(ms: number): boolean {
  return Number.isSafeInteger(ms) && Math.abs(ms) <= CALENDAR_MS_MAX;
}

function scopeOf(eventId: string, { key }: OddsFilter, { line, from, to, resolution }: TicksWords): string {
  return JSON.stringify(['history', eventId, key, line, from, to, resolution]);
}

function seriesOf(key: number, ticks: readonly KeyedTick[], { format }: OddsFilter): HistorySeries {
  return { ...nameOfKey(key), format, ticks: ticks.map(({ tick }) => tickOf(key, tick, format)) };
}

function tickOf(key: number, tick: Tick, format: OddsFilter['format']): HistoryTick {
  const { status, atMs, inPlay, scoreHome, scoreAway } = tick;
  const sport = indexIn(SPORT_KEYS, tick.sport);
  return {
    at: toIsoText(atMs),
    status,
    prices:
      status === 'withdrawn'
        ? null
        : pricesInFormat({ sport, key, pricesE4: pricesInOrder(tick, sport), format }),
    in_play: inPlay,
    score: scoreHome === null || scoreAway === null ? null : { home: scoreHome, away: scoreAway },
  };
}
