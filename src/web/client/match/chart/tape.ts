// The price history of one line, as the chart draws it: each bookmaker's price over time, the fair price, and
// what happened in the match.

import type { EventHistory, HistoryGap, HistoryState } from '../../../../contract/history.ts';
import type { MarketType, Outcome, Period } from '../../../../domain/catalogue.ts';
import { callJson, localMsOf } from '../../data/api.ts';
import { fairLine } from '../../data/lines/fair.ts';
import { pageSettings, SHARP_BOOKS } from '../../data/page-settings.ts';
import type { MirrorQuote } from '../../data/quote.ts';
import { texts } from '../../texts.ts';
import { matchTexts } from '../match-texts.ts';
import { closeMsOf } from './close.ts';

/** The most ticks of one line that the chart draws: the first page of the history. */
const TICKS_MAX = 10_000;

export interface LineChoice {
  readonly market: MarketType;
  readonly period: Period;
  readonly line: number | null;
}

export interface ChartPoint {
  readonly atMs: number;
  /** Decimal; null while suspended or withdrawn. */
  readonly price: number | null;
}

export interface ChartSeries {
  /** A bookmaker's key, or `fair`. */
  readonly key: string;
  readonly points: readonly ChartPoint[];
  readonly closeMs: number | null;
}

export interface ChartMark {
  readonly atMs: number;
  readonly kind: 'kickoff' | 'goal' | 'card';
  /** In words, for a score `2–1`. */
  readonly text: string;
}

export interface ChartData {
  readonly fromMs: number;
  readonly toMs: number;
  readonly series: readonly ChartSeries[];
  readonly marks: readonly ChartMark[];
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number; readonly reason: string }[];
}

/**
 * Requests the history of a line, which costs one unit.
 * @throws ApiFailure, 404 where the server keeps no history
 */
export function callHistory(eventId: string, { market, period, line }: LineChoice): Promise<EventHistory> {
  const query = new URLSearchParams({ markets: market, period, limit: String(TICKS_MAX) });
  if (line !== null) query.set('line', String(line));
  return callJson<EventHistory>(historyPath(eventId, query));
}

export function historyPath(eventId: string, query: URLSearchParams): string {
  return `/v1/events/${encodeURIComponent(eventId)}/history?${query}`;
}

const ORDER = new Map(pageSettings.bookmakers.map(({ key }, index) => [key, index]));

/**
 * The chart of one outcome of a line, from the line's history. @param now prices after the history's end, as
 * the page saw them
 */
export function chartOf(
  history: EventHistory,
  outcome: Outcome,
  now: (bookmaker: string) => readonly ChartPoint[],
): ChartData {
  const kickoffMs = kickoffOf(history);
  const series = history.series
    .toSorted((one, other) => (ORDER.get(one.bookmaker) ?? 99) - (ORDER.get(other.bookmaker) ?? 99))
    .map(({ bookmaker, ticks }): ChartSeries => {
      const points = ticks.map(({ at, status, prices }) => ({
        atMs: localMsOf(at),
        price: status === 'open' ? (prices?.[outcome] ?? null) : null,
      }));
      const lastMs = points.at(-1)?.atMs ?? 0;
      for (const point of now(bookmaker)) {
        if (point.atMs > lastMs && point.price !== points.at(-1)?.price) points.push(point);
      }
      return { key: bookmaker, points, closeMs: closeMsOf(points, kickoffMs) };
    })
    .filter(({ points }) => points.length > 0);
  const fair = { key: 'fair', points: fairPoints(history, outcome), closeMs: null };
  const all = [...series, ...(fair.points.length > 0 ? [fair] : [])];
  const times = all.flatMap(({ points }) => points.map(({ atMs }) => atMs));
  return {
    fromMs: times.reduce((least, atMs) => Math.min(least, atMs), localMsOf(history.to)),
    toMs: times.reduce((most, atMs) => Math.max(most, atMs), localMsOf(history.to)),
    series: all,
    marks: marksOf(history, kickoffMs),
    gaps: history.gaps.map(gapOf(localMsOf(history.to))),
  };
}

function gapOf(endMs: number) {
  return ({ from, to, reason }: HistoryGap) => ({
    fromMs: localMsOf(from),
    toMs: to === null ? endMs : localMsOf(to),
    reason,
  });
}

function ticksOf({ series }: EventHistory) {
  return series
    .flatMap((one) => one.ticks.map((tick) => ({ ...tick, ...nameOf(one), atMs: localMsOf(tick.at) })))
    .sort((one, other) => one.atMs - other.atMs);
}

function nameOf({ bookmaker, market_type, period, line }: EventHistory['series'][number]) {
  return { bookmaker, market_type, period, line };
}

interface MatchMoment extends Pick<HistoryState, 'score' | 'cards'> {
  readonly atMs: number;
  readonly isLive: boolean;
}

/**
 * What is known of the match over time: its states, or what the ticks say if it comes from an import, which
 * has no states.
 */
function momentsOf(history: EventHistory): readonly MatchMoment[] {
  if (history.states.length === 0) {
    return ticksOf(history).map(({ atMs, in_play, score }) => ({
      atMs,
      isLive: in_play,
      score,
      cards: null,
    }));
  }
  return history.states.map(({ at, status, score, cards }) => ({
    ...{ atMs: localMsOf(at), isLive: status === 'live', score, cards },
  }));
}

function kickoffOf(history: EventHistory): number | null {
  const moments = momentsOf(history);
  const first = moments.find(({ isLive }) => isLive);
  // If the match was in play when it was first seen, its history does not show when it began.
  return first === undefined || first === moments[0] ? null : first.atMs;
}

/**
 * Kickoff, each change of the score after the first known score, and each red card after the first known
 * count.
 */
function marksOf(history: EventHistory, kickoffMs: number | null): readonly ChartMark[] {
  const marks: ChartMark[] =
    kickoffMs === null ? [] : [{ atMs: kickoffMs, kind: 'kickoff', text: matchTexts.kickoff }];
  const moments = momentsOf(history);
  let shown: string | null = null;
  let cards = moments[0]?.cards ?? { home: 0, away: 0 };
  for (const { score, atMs, cards: now } of moments) {
    for (const side of ['home', 'away'] as const) {
      if (now === null || now[side] <= cards[side]) continue;
      marks.push({ atMs, kind: 'card', text: matchTexts.redCard(texts.outcomes[side]!) });
    }
    cards = now ?? cards;
    if (score === null) continue;
    const text = `${score.home}–${score.away}`;
    if (shown !== null && text !== shown) marks.push({ atMs, kind: 'goal', text });
    shown = text;
  }
  return marks;
}

/** The fair price after every tick, by the reference in use. */
function fairPoints(history: EventHistory, outcome: Outcome): readonly ChartPoint[] {
  const standing = new Map<string, MirrorQuote>();
  const points: ChartPoint[] = [];
  const seesSharp = history.series.some(({ bookmaker }) => SHARP_BOOKS.has(bookmaker));
  for (const { atMs, bookmaker, status, prices, market_type } of ticksOf(history)) {
    if (prices === null) standing.delete(bookmaker);
    else {
      const decimals = new Map(Object.entries(prices) as [Outcome, number][]);
      standing.set(bookmaker, { bookmaker, status, decimals } as unknown as MirrorQuote);
    }
    const quotes = [...standing.values()];
    const outcomes = [...(quotes[0]?.decimals.keys() ?? [])];
    const share = fairLine(market_type, outcomes, quotes, seesSharp)?.probabilities.get(outcome);
    const price = share === undefined ? null : 1 / share;
    if (points.at(-1)?.price !== price) points.push({ atMs, price });
  }
  return points.some(({ price }) => price !== null) ? points : [];
}
