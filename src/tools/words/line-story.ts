// What a line did, in one sentence: where it opened, how often it moved, how high and low its price was,
// and where it is now or where it closed.

import type { EventHistory, HistorySeries, HistoryTick } from '../../contract/history.ts';
import { bookName, marketText } from './phrases.ts';

/** A book's main line at a moment: the open one with the most balanced prices. */
interface MainLine {
  readonly at: string;
  readonly line: number | null;
  readonly outcome: string;
  readonly price: number;
}

interface Story {
  readonly label: string;
  /** Whether the fixture is on the slate, so that the last price is the one of now. */
  readonly isOnSlate: boolean;
}

/** One sentence about the book with the most changes among the series of an answer. */
export function lineStory({ label, isOnSlate }: Story, { series }: EventHistory): string {
  const byBook = Map.groupBy(series, ({ bookmaker }) => bookmaker);
  const [shown] = [...byBook.values()].sort((left, right) => tickCount(right) - tickCount(left));
  const mains = shown === undefined ? [] : mainLines(shown);
  const [first] = mains;
  const last = mains.at(-1);
  if (shown === undefined || first === undefined || last === undefined) {
    return `${label}: no price of that line is on record.`;
  }
  const { bookmaker, market_type, period } = shown[0]!;
  const moves = mains.length - 1;
  const highest = mains.reduce((best, main) => (main.price > best.price ? main : best));
  const lowest = mains.reduce((best, main) => (main.price < best.price ? main : best));
  const opened = `${bookName(bookmaker)} opened ${lineText(first)} at ${first.price}`;
  const ended = `${last.price} ${isOnSlate ? 'now' : 'at the last change'}`;
  const moved = moves === 0 ? 'and has not moved since' : `${movedText(mains)}, ${ended}`;
  const range = moves === 0 ? '' : ` (high ${highest.price}, low ${lowest.price})`;
  return `${label}, ${marketText(market_type, period)}: ${opened}, ${moved}${range}.`;
}

function tickCount(series: readonly HistorySeries[]): number {
  return series.reduce((count, { ticks }) => count + ticks.length, 0);
}

/** "moved to -0.75 on Friday evening (12 moves)", or "moved 12 times". */
function movedText(mains: readonly MainLine[]): string {
  const moves = mains.length - 1;
  const count = `${moves} ${moves === 1 ? 'move' : 'moves'}`;
  const end = mains.at(-1)!;
  if (end.line === mains[0]!.line) return `${count} since`;
  const reached = mains.findLastIndex(({ line }) => line !== end.line) + 1;
  return `moved to ${lineText(end)} on ${dayPartOf(mains[reached]!.at)} (${count})`;
}

/** "-0.75", "2.5", or the outcome of a 1x2 whose price is given. */
function lineText({ line, outcome }: MainLine): string {
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
    const main = mainOf(open, tick.at);
    const held = mains.at(-1);
    if (main !== null && (main.line !== held?.line || main.price !== held.price)) mains.push(main);
  });
  return mains;
}

function mainOf(open: ReadonlyMap<number | null, HistoryTick>, at: string): MainLine | null {
  let best: MainLine | null = null;
  let bestGap = Number.POSITIVE_INFINITY;
  for (const [line, { prices }] of open) {
    const [first, second] = Object.entries(prices ?? {});
    if (first === undefined || second === undefined) continue;
    const gap = Math.abs(first[1] - second[1]);
    if (gap >= bestGap) continue;
    bestGap = gap;
    best = { at, line, outcome: first[0], price: first[1] };
  }
  return best;
}
