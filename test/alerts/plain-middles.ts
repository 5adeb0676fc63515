// Middles of basketball before the match, found in the plainest way: every pair of bets on two lines is
// settled at every result of a normal distribution around the main line. For series-check.ts.

import type { Quote } from './series-check.ts';

/** The standard deviations of basketball results that docs/reference/signals.md names, in points. */
const DEVIATIONS: Readonly<Record<string, number>> = { asian_handicap: 12.5, totals: 17 };
const POINTS = 120;

/** The probability that a standard normal variable is below x, by the series of the error function. */
function belowNormal(x: number): number {
  let [term, sum] = [x, x];
  for (let n = 1; n < 200; n++) {
    term *= (-x * x) / (2 * n);
    sum += term / (2 * n + 1);
  }
  return Math.abs(x) > 6 ? (x > 0 ? 1 : 0) : 0.5 + sum / Math.sqrt(2 * Math.PI);
}

/**
 * The probability of each result, chosen so that the first outcome of the line has the probability `fair`.
 */
function resultsOf(market: string, line: number, fair: number): Map<number, number> {
  const deviation = DEVIATIONS[market]!;
  let [low, high] = [-6, 6];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (belowNormal(middle) < fair) low = middle;
    else high = middle;
  }
  const mean = (market === 'totals' ? line : -line) + deviation * low;
  const results = new Map<number, number>();
  for (let points = Math.round(mean) - POINTS; points <= Math.round(mean) + POINTS; points++) {
    if (market === 'asian_handicap' && points === 0) continue;
    const upTo = (end: number) => belowNormal((end - mean) / deviation);
    results.set(points, upTo(points + 0.5) - upTo(points - 0.5));
  }
  const sum = [...results.values()].reduce((total, one) => total + one, 0);
  return new Map([...results].map(([points, probability]) => [points, probability / sum]));
}

/** The line that most bookmakers list; of several, the most balanced, then the one nearest zero. */
function mainOf(quotes: readonly Quote[]): readonly Quote[] {
  const imbalanceOf = (own: readonly Quote[]) => {
    const [first, second] = [0, 1].map((index) => Math.max(...own.map(({ prices }) => prices[index]!)));
    return Math.abs(1 / first! - 1 / second!);
  };
  const nearness = (own: readonly Quote[]) => Math.abs(own[0]!.line!);
  return [...Map.groupBy(quotes, ({ line }) => line).values()].sort(
    (one, other) =>
      other.length - one.length ||
      (Math.abs(imbalanceOf(one) - imbalanceOf(other)) > 1e-9 ? imbalanceOf(one) - imbalanceOf(other) : 0) ||
      nearness(one) - nearness(other) ||
      one[0]!.line! - other[0]!.line!,
  )[0]!;
}

/** What a bet of one unit on an outcome of a line pays back at a result, including the stake. */
function returnedAt(points: number, above: number, isFirst: boolean, price: number): number {
  const difference = isFirst ? points - above : above - points;
  return difference > 0 ? price : difference === 0 ? 1 : 0;
}

/**
 * The expected profit for each unit staked on a pair of bets that pay the same; null if no result wins one
 * bet without losing the other.
 */
function worthOf(results: ReadonlyMap<number, number>, first: Quote, second: Quote): number | null {
  const aboveOf = ({ market, line }: Quote) => (market === 'totals' ? line! : -line!);
  const [price, otherPrice] = [first.prices[0]!, second.prices[1]!];
  const units = 1 / price + 1 / otherPrice;
  let [expected, wins] = [-1, false];
  for (const [points, probability] of results) {
    const back = returnedAt(points, aboveOf(first), true, price);
    const otherBack = returnedAt(points, aboveOf(second), false, otherPrice);
    expected += (probability * (back / price + otherBack / otherPrice)) / units;
    if (Math.min(back, otherBack) >= 1 && Math.max(back, otherBack) > 1) wins = true;
  }
  return wins ? expected : null;
}

/**
 * The event, the market and both lines of each pair of bets with a middle whose expected profit is at least
 * `least`.
 * @param ownerOf the owner of each bookmaker: two bets with one owner are no pair
 */
export function middlesOf(
  quotes: Iterable<Quote>,
  ownerOf: ReadonlyMap<string, string>,
  least: number,
): string[] {
  const byMarket = Map.groupBy(quotes, ({ event, market }) => `${event} ${market}`);
  return [...byMarket].flatMap(([key, own]) => {
    const { market } = own[0]!;
    if (market === '1x2') return [];
    const main = mainOf(own);
    const sumOf = ({ prices }: Quote) => 1 / prices[0]! + 1 / prices[1]!;
    const sharpest = main
      .filter((quote) => sumOf(quote) >= 1)
      .sort((one, other) => sumOf(one) - sumOf(other))[0];
    if (sharpest === undefined) return [];
    const results = resultsOf(market, sharpest.line!, 1 / sharpest.prices[0]! / sumOf(sharpest));
    const found = new Map<string, readonly [cost: number, worth: number | null]>();
    for (const first of own) {
      for (const second of own) {
        const gap = market === 'totals' ? second.line! - first.line! : first.line! - second.line!;
        if (gap <= 0 || ownerOf.get(first.bookmaker) === ownerOf.get(second.bookmaker)) continue;
        const place = `${key} ${first.line} ${second.line}`;
        const cost = 1 / first.prices[0]! + 1 / second.prices[1]!;
        if (cost < (found.get(place)?.[0] ?? Infinity))
          found.set(place, [cost, worthOf(results, first, second)]);
      }
    }
    return [...found].flatMap(([place, [, worth]]) => (worth !== null && worth >= least ? [place] : []));
  });
}
