// What a line did, in one sentence: where it opened, how often it moved, how high and low its price was,
// and where it is now or where it closed.

import type { EventClosing, EventHistory, HistorySeries, HistoryTick } from '../../contract/history.ts';
import type { MarketType, Period } from '../../domain/catalogue.ts';
import { bookName, joined, marketText } from './phrases.ts';

/** A book's main line at a moment: the open one with the most balanced prices. */
interface MainLine {
  readonly at: string;
  readonly line: number | null;
  readonly outcome: string;
  readonly price: number;
}

interface Story {
  readonly label: string;
  /** What was requested, for the sentence that it is not on record. */
  readonly asked: {
    readonly market: MarketType;
    readonly period: Period;
    readonly line: number | undefined;
  };
  /**
   * Whether the fixture is on the slate and the series reach until now, so that the last price is the current
   * one.
   */
  readonly isNow: boolean;
  /** The closing prices of a match that has left the slate; null without any. */
  readonly closing: EventClosing['closing'] | null;
  /** If nothing that was requested is on record: series of other markets that are. */
  readonly others: readonly Pick<HistorySeries, 'market_type' | 'period'>[];
}

/** One sentence about the book with the most changes among the series of an answer. */
export function lineStory({ label, asked, isNow, closing, others }: Story, { series }: EventHistory): string {
  const byBook = Map.groupBy(series, ({ bookmaker }) => bookmaker);
  const [shown] = [...byBook.values()].sort((left, right) => tickCount(right) - tickCount(left));
  const close = shown === undefined ? null : closeOf(closing ?? [], shown);
  const mains = shown === undefined ? [] : mainLines(close === null ? shown : beforePlay(shown));
  const [first] = mains;
  const last = mains.at(-1);
  if (shown === undefined || first === undefined || last === undefined) {
    const line = asked.line === undefined ? '' : ` at ${asked.line}`;
    const known = new Set(others.map(({ market_type, period }) => marketText(market_type, period)));
    const instead = known.size === 0 ? '' : `; on record are ${joined([...known])}`;
    return `${label}: no price of the ${marketText(asked.market, asked.period)}${line} is on record${instead}.`;
  }
  const { bookmaker, market_type, period } = shown[0]!;
  const moves = mains.length - 1;
  const highest = mains.reduce((best, main) => (main.price > best.price ? main : best));
  const lowest = mains.reduce((best, main) => (main.price < best.price ? main : best));
  const opened = `${bookName(bookmaker)} opened ${lineText(first)} at ${first.price}`;
  const ended = close === null ? `${last.price} ${isNow ? 'now' : 'at the last change'}` : closeText(close);
  const isStill = close === null || (close.line === first.line && close.price === first.price);
  const unmoved = isStill ? 'and has not moved since' : closeText(close);
  const moved = moves === 0 ? unmoved : `${movedText(mains)}, ${ended}`;
  const range = moves === 0 ? '' : ` (high ${highest.price}, low ${lowest.price})`;
  return `${label}, ${marketText(market_type, period)}: ${opened}, ${moved}${range}.`;
}

/**
 * The main line at the close: from the closing prices of the series' bookmaker, at lines of the series. Null
 * if there are none.
 */
function closeOf(
  closing: EventClosing['closing'],
  series: readonly HistorySeries[],
): Omit<MainLine, 'at'> | null {
  const lines = new Set(series.map(({ line }) => line));
  const { bookmaker } = series[0]!;
  const own = closing.filter((one) => one.bookmaker === bookmaker && lines.has(one.line));
  return mainOf(own.map(({ line, prices }) => [line, prices]));
}

/** The series without prices in play: they are no part of how a line moved to its close. */
function beforePlay(series: readonly HistorySeries[]): readonly HistorySeries[] {
  const before = series.map((one) => ({ ...one, ticks: one.ticks.filter((tick) => !tick.in_play) }));
  return before.some(({ ticks }) => ticks.length > 0) ? before : series;
}

function closeText(close: Omit<MainLine, 'at'>): string {
  return `closed ${lineText(close)} at ${close.price}`;
}

function tickCount(series: readonly HistorySeries[]): number {
  return series.reduce((count, { ticks }) => count + ticks.length, 0);
}

/** "moved to -0.75 on Friday evening (12 moves)", or "12 moves since". */
function movedText(mains: readonly MainLine[]): string {
  const moves = mains.length - 1;
  const count = `${moves} ${moves === 1 ? 'move' : 'moves'}`;
  const end = mains.at(-1)!;
  if (end.line === mains[0]!.line) return `${count} since`;
  const reached = mains.findLastIndex(({ line }) => line !== end.line) + 1;
  return `moved to ${lineText(end)} on ${dayPartOf(mains[reached]!.at)} (${count})`;
}

/** "-0.75", "2.5", or the outcome of a 1x2 whose price is given. */
function lineText({ line, outcome }: Pick<MainLine, 'line' | 'outcome'>): string {
  if (line === null) return outcome;
  return line > 0 && outcome === 'home' ? `+${line}` : String(line);
}

/** "Friday evening", UTC. */
function dayPartOf(at: string): string {
  const instant = Temporal.Instant.from(at).toZonedDateTimeISO('UTC');
  const { hour } = instant;
  const part = hour < 6 ? 'night' : hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  return `${WEEKDAYS[instant.dayOfWeek - 1]} ${part}`;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The main line of one book after each change, without repetitions. */
function mainLines(series: readonly HistorySeries[]): MainLine[] {
  const changes = series
    .flatMap(({ line, ticks }) => ticks.map((tick) => ({ line, tick })))
    .sort((left, right) => (left.tick.at < right.tick.at ? -1 : left.tick.at > right.tick.at ? 1 : 0));
  const open = new Map<number | null, HistoryTick>();
  const mains: MainLine[] = [];
  changes.forEach(({ line, tick }, index) => {
    if (tick.status === 'open') open.set(line, tick);
    else open.delete(line);
    // Lines that change together are compared once all have changed.
    if (changes[index + 1]?.tick.at === tick.at) return;
    const main = mainOf(Array.from(open, ([each, { prices }]) => [each, prices]));
    const held = mains.at(-1);
    if (main === null || (main.line === held?.line && main.price === held.price)) return;
    mains.push({ ...main, at: tick.at });
  });
  return mains;
}

/** The line with the most balanced prices, and the price of its first outcome. */
function mainOf(
  open: readonly (readonly [line: number | null, prices: HistoryTick['prices']])[],
): Omit<MainLine, 'at'> | null {
  let best: Omit<MainLine, 'at'> | null = null;
  let bestGap = Number.POSITIVE_INFINITY;
  for (const [line, prices] of open) {
    const [first, second] = Object.entries(prices ?? {});
    if (first === undefined || second === undefined) continue;
    const gap = Math.abs(first[1] - second[1]);
    if (gap >= bestGap) continue;
    bestGap = gap;
    best = { line, outcome: first[0], price: first[1] };
  }
  return best;
}
