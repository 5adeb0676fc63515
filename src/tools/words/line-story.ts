// What a line did, in one sentence: where it opened, how often it moved, how high and low its price was,
// and where it is now or where it closed.

import type { EventClosing, EventHistory, HistorySeries, HistoryTick } from '../../contract/history.ts';
import type { OddsQuote } from '../../contract/odds.ts';
import type { BookmakerKey, MarketType, OddsFormat, Period } from '../../domain/catalogue.ts';
import { toDecimal } from '../../domain/shown-prices.ts';
import { bookName, joined, marketText } from './phrases.ts';

/** How many lines are named if the requested one is not on record. */
const NEAREST_LINES_MAX = 8;

/** A book's main line at a moment: the open one with the most balanced prices. */
interface MainLine {
  readonly at: string;
  readonly line: number | null;
  readonly outcome: string;
  /** The price in the format that is shown. */
  readonly price: number;
  /**
   * The decimal price, by which prices are compared: in some formats a higher number may be a lower price.
   */
  readonly decimal: number;
}

interface Story {
  readonly label: string;
  /** The IANA zone of weekdays and parts of a day; null for UTC, which the sentence then says. */
  readonly timezone: string | null;
  /** The request, for the sentence that it is not on record. */
  readonly asked: {
    readonly market: MarketType;
    readonly period: Period;
    readonly line: number | undefined;
    readonly bookmakers?: readonly BookmakerKey[] | undefined;
  };
  /**
   * Whether the last price of an open line is the current one: the match is not over, and the series are
   * complete until now.
   */
  readonly isNow: boolean;
  /** The closing prices of a match that has begun; null without any. */
  readonly closing: EventClosing['closing'] | null;
  /** The quotes just before the range begins; empty if the range has the opening. */
  readonly stood: readonly OddsQuote[];
  /** If nothing that was requested is on record: the series of other markets that are on record. */
  readonly others: readonly Pick<HistorySeries, 'market_type' | 'period' | 'line'>[];
}

/** How the main line of a book moved. */
interface Moves {
  readonly mains: readonly MainLine[];
  /** Whether a line of the book is open after the last change. */
  readonly isOpen: boolean;
}

/**
 * One sentence about the book with the most changes among the series of an answer.
 * @param history coarser than every change only if the book has too many changes for one answer
 */
export function lineStory(story: Story, history: EventHistory): string {
  const { label, closing, stood } = story;
  const bookmaker = bookWithMostTicks(history.series) ?? stood[0]?.bookmaker ?? null;
  const stoodOfBook = stood.filter((quote) => quote.bookmaker === bookmaker);
  const own = history.series.filter((one) => one.bookmaker === bookmaker);
  const shown = [...stoodOfBook.map(seriesOfQuote), ...own];
  const close = closeOf(closing ?? [], shown);
  const whole = movesOf(shown);
  const { mains } = close === null ? whole : movesOf(beforePlay(shown));
  const [first] = mains;
  if (bookmaker === null || first === undefined) return `${label}: ${nothingText(story)}.`;
  const { market_type, period, format } = shown[0]!;
  const isUnmoved = mains.length === 1 && (close === null || isSamePrice(close, first));
  const steps = history.resolution === 'tick' ? null : history.resolution;
  const unmoved = close === null ? 'and has not moved since' : 'and closed there without a move';
  const moved = isUnmoved
    ? unmoved
    : movedText(mains, { isCoarse: steps !== null, timezone: story.timezone });
  const ended = endText({ ...story, close, whole, isUnmoved, last: mains.at(-1)! });
  const parts = [`${bookName(bookmaker)} ${beganText(first, stoodOfBook)}`, moved, ended].filter(
    (part) => part !== '',
  );
  const range = mains.length === 1 ? '' : rangeText(mains, { steps, format });
  return `${label}, ${marketText(market_type, period)}: ${parts.join(', ')}${range}.`;
}

function beganText(first: MainLine, stood: readonly OddsQuote[]): string {
  if (stood.length === 0) return `opened ${lineText(first)} at ${first.price}`;
  const wasOpen = stood.some(({ status }) => status === 'open');
  return `${wasOpen ? 'was' : 'was suspended, then'} at ${first.price} on ${lineText(first)}`;
}

/** The bookmaker of the series with the most ticks; null without series. */
export function bookWithMostTicks(series: readonly HistorySeries[]): HistorySeries['bookmaker'] | null {
  const byBook = [...Map.groupBy(series, ({ bookmaker }) => bookmaker)];
  const [most] = byBook.sort(([, left], [, right]) => tickCount(right) - tickCount(left));
  return most?.[0] ?? null;
}

/** A quote from just before the range, as a series of one tick that comes before every change. */
function seriesOfQuote({ status, prices, as_of, ...name }: OddsQuote): HistorySeries {
  return { ...name, ticks: [{ at: '', status, prices, in_play: false, score: null }] };
}

function nothingText({ asked, others }: Story): string {
  const { market, period, line, bookmakers = [] } = asked;
  const at = line === undefined ? '' : ` at ${line}`;
  const by = bookmakers.length === 0 ? '' : ` by ${joined(bookmakers.map(bookName), 'or')}`;
  const lines = line === undefined ? [] : nearestLines(asked, others);
  const known = new Set(others.map((one) => marketText(one.market_type, one.period)));
  const instead =
    lines.length > 0
      ? `; on record are the lines ${joined(lines.map(String))}`
      : known.size > 0
        ? `; on record are ${joined([...known])}`
        : '';
  return `no price of the ${marketText(market, period)}${at}${by} is on record${instead}`;
}

/** The lines on record of the requested market that are nearest to the requested line, ascending. */
function nearestLines({ market, period, line = 0 }: Story['asked'], others: Story['others']): number[] {
  const own = others.filter((one) => one.market_type === market && one.period === period);
  const lines = [...new Set(own.flatMap((one) => one.line ?? []))];
  const distance = (known: number): number => Math.abs(known - line);
  const nearest = lines.toSorted((left, right) => distance(left) - distance(right));
  return nearest.slice(0, NEAREST_LINES_MAX).toSorted((left, right) => left - right);
}

interface End extends Pick<Story, 'isNow'> {
  readonly close: Omit<MainLine, 'at'> | null;
  /** The moves, with those in play. */
  readonly whole: Moves;
  readonly last: MainLine;
  readonly isUnmoved: boolean;
}

/** The close, the current price, or the last one that is known. */
function endText({ isNow, close, whole, last, isUnmoved }: End): string {
  const isCurrent = isNow && whole.isOpen;
  if (close !== null) {
    const current = whole.mains.at(-1)!;
    const isOther = !isUnmoved || !isSamePrice(current, close);
    const now = isCurrent && isOther ? `now ${lineText(current)} at ${current.price}` : '';
    return [isUnmoved ? '' : closeText(close), now].filter((part) => part !== '').join(', ');
  }
  if (isUnmoved) return isNow && !isCurrent ? 'but is not open now' : '';
  if (isCurrent) return `${last.price} now`;
  return isNow ? `${last.price} when it was last open` : `${last.price} at the last change`;
}

interface RangeWords {
  readonly steps: string | null;
  readonly format: OddsFormat;
}

function rangeText(mains: readonly MainLine[], { steps, format }: RangeWords): string {
  const prices = mains.toSorted((left, right) => left.decimal - right.decimal).map(({ price }) => price);
  // In the format `probability`, the highest number is the lowest price. High and low are those of the shown
  // numbers.
  if (format === 'probability') prices.reverse();
  const note = steps === null ? '' : `, read in steps of ${steps}`;
  return ` (high ${prices.at(-1)}, low ${prices[0]}${note})`;
}

function isSamePrice(left: Omit<MainLine, 'at'>, right: Omit<MainLine, 'at'>): boolean {
  return left.line === right.line && left.price === right.price;
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
  const own = closing.filter((one) => one.bookmaker === series[0]?.bookmaker && lines.has(one.line));
  return mainOf(own.flatMap((one) => pricedLine(one) ?? []));
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

interface MoveWords extends Pick<Story, 'timezone'> {
  /** Whether there may have been more moves. */
  readonly isCoarse: boolean;
}

/** "moved to -0.75 on Friday evening (12 moves)", or "12 moves since"; "" without a move. */
function movedText(mains: readonly MainLine[], { isCoarse, timezone }: MoveWords): string {
  const moves = mains.length - 1;
  if (moves === 0) return '';
  const count = `${isCoarse ? 'at least ' : ''}${moves} ${moves === 1 ? 'move' : 'moves'}`;
  const end = mains.at(-1)!;
  if (end.line === mains[0]!.line) return `${count} since`;
  const reached = mains.findLastIndex(({ line }) => line !== end.line) + 1;
  return `moved to ${lineText(end)} ${dayPartOf(mains[reached]!.at, timezone)} (${count})`;
}

/** "-0.75", "2.5", or the outcome of a 1x2 whose price is given. */
function lineText({ line, outcome }: Pick<MainLine, 'line' | 'outcome'>): string {
  if (line === null) return outcome;
  return line > 0 && outcome === 'home' ? `+${line}` : String(line);
}

/** "on Friday evening", or "early on Saturday" for the hours before six; with "UTC" if no zone is given. */
function dayPartOf(at: string, timezone: string | null): string {
  const { hour, dayOfWeek } = Temporal.Instant.from(at).toZonedDateTimeISO(timezone ?? 'UTC');
  const weekday = WEEKDAYS[dayOfWeek - 1];
  const part = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  const text = hour < 6 ? `early on ${weekday}` : `on ${weekday} ${part}`;
  return timezone === null ? `${text} UTC` : text;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The main line of one book after each change, without repetitions. */
function movesOf(series: readonly HistorySeries[]): Moves {
  const changes = series
    .flatMap(({ line, format, ticks }) => ticks.map((tick) => ({ line, format, tick })))
    .sort((left, right) => (left.tick.at < right.tick.at ? -1 : left.tick.at > right.tick.at ? 1 : 0));
  const open = new Map<number | null, PricedLine | null>();
  const mains: MainLine[] = [];
  changes.forEach(({ line, format, tick }, index) => {
    if (tick.status === 'open') open.set(line, pricedLine({ line, format, prices: tick.prices }));
    else open.delete(line);
    // Lines that change together are compared once all have changed.
    if (changes[index + 1]?.tick.at === tick.at) return;
    const main = mainOf(open.values());
    const held = mains.at(-1);
    if (main === null || (main.line === held?.line && main.price === held.price)) return;
    mains.push({ ...main, at: tick.at });
  });
  return { mains, isOpen: open.size > 0 };
}

/** An open line with the price of its first outcome. */
interface PricedLine extends Omit<MainLine, 'at'> {
  /** How far the prices of the line are from each other, as decimals. */
  readonly gap: number;
}

interface ShownLine {
  readonly line: number | null;
  readonly format: OddsFormat;
  readonly prices: HistoryTick['prices'];
}

/** Null if a price is missing. */
function pricedLine({ line, format, prices }: ShownLine): PricedLine | null {
  const [first, second] = Object.entries(prices ?? {});
  if (first === undefined || second === undefined) return null;
  const [outcome, price] = first;
  const decimal = toDecimal(price, format);
  return { line, outcome, price, decimal, gap: Math.abs(decimal - toDecimal(second[1], format)) };
}

/** The line with the most balanced prices. */
function mainOf(open: Iterable<PricedLine | null>): Omit<MainLine, 'at'> | null {
  let best: PricedLine | null = null;
  for (const one of open) {
    if (one !== null && one.gap < (best?.gap ?? Number.POSITIVE_INFINITY)) best = one;
  }
  return best;
}
