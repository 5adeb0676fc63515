// The rules of fair prices implemented again over plain objects, without regard to speed; the tools must
// agree with them.

const CATALOGUE = ['crown', 'sbobet', 'macau', 'm8bet', 'pinnacle', 'nova88', 'hkjc'];

export interface PlainQuote {
  readonly bookmaker: string;
  readonly market_type: string;
  readonly period: string;
  readonly line: number | null;
  readonly prices: readonly number[];
  readonly status: string;
}

export interface PlainFair {
  readonly probabilities: readonly number[];
  readonly bookmaker: string;
  readonly line: number | null;
}

export function keyOfQuote({ bookmaker, market_type, period, line }: PlainQuote): string {
  return [bookmaker, market_type, period, line].join('|');
}

/** Quotes that take part: visible to the caller, open, every price above 1. */
export function takingPart(quotes: readonly PlainQuote[], seesSharp: boolean): PlainQuote[] {
  return quotes.filter(
    (quote) =>
      (seesSharp || quote.bookmaker !== 'pinnacle') &&
      quote.status === 'open' &&
      quote.prices.every((price) => price > 1),
  );
}

/**
 * Fair probabilities of the sharpest bookmaker on the consensus line among `quotes`, all of one market and
 * period.
 */
export function plainFair(quotes: readonly PlainQuote[]): PlainFair | null {
  const onLine = consensusQuotes(quotes).filter((quote) => inverseSum(quote.prices) >= 1 - 1e-9);
  const sharpest = onLine.toSorted(
    (left, right) =>
      nearly(inverseSum(left.prices) - inverseSum(right.prices)) ||
      CATALOGUE.indexOf(left.bookmaker) - CATALOGUE.indexOf(right.bookmaker),
  )[0];
  if (sharpest === undefined) return null;
  const { prices, bookmaker, line, market_type } = sharpest;
  const exponent = market_type === '1x2' ? bisectedExponent(prices) : null;
  const probabilities = prices.map((price) =>
    exponent === null ? 1 / price / inverseSum(prices) : price ** -exponent,
  );
  return { probabilities, bookmaker, line };
}

/** Most bookmakers, then the most balanced best prices, then nearest zero, then lower. */
function consensusQuotes(quotes: readonly PlainQuote[]): PlainQuote[] {
  const byLine = [...Map.groupBy(quotes, (quote) => quote.line ?? 0).entries()];
  byLine.sort(
    ([leftLine, left], [rightLine, right]) =>
      right.length - left.length ||
      nearly(imbalance(left) - imbalance(right)) ||
      Math.abs(leftLine) - Math.abs(rightLine) ||
      leftLine - rightLine,
  );
  return byLine[0]?.[1] ?? [];
}

function imbalance(quotes: readonly PlainQuote[]): number {
  const best = quotes[0]!.prices.map((_, outcome) =>
    Math.max(...quotes.map((quote) => quote.prices[outcome]!)),
  );
  return 1 / Math.min(...best) - 1 / Math.max(...best);
}

function bisectedExponent(prices: readonly number[]): number {
  let low = 0;
  let high = 1e6;
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    const sum = prices.reduce((total, price) => total + price ** -middle, 0);
    if (sum > 1) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function inverseSum(prices: readonly number[]): number {
  return prices.reduce((total, price) => total + 1 / price, 0);
}

function nearly(difference: number): number {
  return Math.abs(difference) < 1e-12 ? 0 : difference;
}

interface PlainRates {
  readonly home: number;
  readonly away: number;
  readonly rho: number;
}

const GOALS_MAX = 40;

/**
 * Probability of every number of remaining goals, [home][away], by the formulas of Dixon and Coles (1997).
 */
export function plainGrid({ home, away, rho }: PlainRates): number[][] {
  const homeGoals = poisson(home);
  const awayGoals = poisson(away);
  return homeGoals.map((left, x) => awayGoals.map((right, y) => left * right * tau(x, y)));
  function tau(x: number, y: number): number {
    if (x === 0 && y === 0) return 1 - home * away * rho;
    if (x === 0 && y === 1) return 1 + home * rho;
    if (x === 1 && y === 0) return 1 + away * rho;
    return x === 1 && y === 1 ? 1 - rho : 1;
  }
}

function poisson(rate: number): number[] {
  const probabilities = [Math.exp(-rate)];
  for (let goals = 1; goals <= GOALS_MAX; goals++)
    probabilities.push((probabilities[goals - 1]! * rate) / goals);
  return probabilities;
}

/** Expected sum of `value(home, away)` over a grid. */
export function expected(grid: number[][], value: (home: number, away: number) => number): number {
  return grid
    .flatMap((row, home) => row.map((probability, away) => probability * value(home, away)))
    .reduce((total, term) => total + term, 0);
}

/** Gain of one unit at decimal `price` on more than `line`, in halves on a quarter line. */
export function settledGain(difference: number, line: number, price: number): number {
  const lines = Number.isInteger(line * 2) ? [line, line] : [line - 0.25, line + 0.25];
  const gains = lines.map((half) => (difference > half ? price - 1 : difference === half ? 0 : -1));
  return (gains[0]! + gains[1]!) / 2;
}
