// Value and arbitrage of a fixture's quotes by the decisions page, every bound inclusive, implausible hits counted.

import { Rounded } from './expected.ts';
import { type Best, bestsOf, linesOf, type Quote } from './lines.ts';
import { type Format, fairOf, inFormat, inverseSum, outcomesOf, SHARP, TIE } from './odds.ts';

export interface SignalQuestion {
  readonly markets?: readonly string[];
  readonly period?: string;
  readonly minEdgePct: number;
  readonly minMarginPct: number;
}

export interface Hit {
  /** Edge or margin, a fraction. */
  readonly strength: number;
  readonly shown: Record<string, unknown>;
}

export interface Signals {
  readonly value: readonly Hit[];
  readonly arbitrage: readonly Hit[];
  readonly droppedValue: number;
  readonly droppedArbitrage: number;
  /** Lines with a fair price of the sharp book, and lines at which its own prices sum below 1. */
  readonly sharpLines: number;
  readonly sharpLeftOut: number;
  readonly books: number;
}

/** Edges and margins above this are implausible. */
const CAP = 0.1;

/** @param quotes what the caller may see */
export function signalsOf(
  quotes: readonly Quote[],
  { sport, format, asked }: { sport: string; format: Format; asked: SignalQuestion },
): Signals {
  const markets = asked.markets ?? [];
  const lines = linesOf(
    quotes.filter(
      (quote) =>
        (markets.length === 0 || markets.includes(quote.market_type)) &&
        (asked.period === undefined || quote.period === asked.period),
    ),
  );
  const value = lines.flatMap((line) => valueHits(line, sport, format));
  const arbitrage = lines.flatMap((line) => arbitrageOf(line, sport, format));
  const sharpSums = lines.flatMap((line) =>
    line.filter((quote) => quote.bookmaker === SHARP).map((quote) => inverseSum(quote.prices)),
  );
  return {
    value: kept(value, asked.minEdgePct),
    arbitrage: kept(arbitrage, asked.minMarginPct),
    droppedValue: value.filter(isImplausible).length,
    droppedArbitrage: arbitrage.filter(isImplausible).length,
    sharpLines: sharpSums.filter((sum) => sum >= 1 - TIE).length,
    sharpLeftOut: sharpSums.filter((sum) => sum < 1 - TIE).length,
    books: new Set(lines.flat().map((quote) => quote.bookmaker)).size,
  };
}

function isImplausible({ strength }: Hit): boolean {
  return strength > CAP + TIE;
}

/** Within the bounds, strongest first. */
function kept(hits: readonly Hit[], leastPct: number): Hit[] {
  const within = hits.filter((hit) => !isImplausible(hit) && hit.strength >= leastPct / 100 - TIE);
  return within.toSorted((left, right) => byStrength(left.strength, right.strength));
}

function valueHits(line: readonly Quote[], sport: string, format: Format): Hit[] {
  const sharp = line.find((quote) => quote.bookmaker === SHARP);
  const { market_type, period } = line[0]!;
  const fair = sharp === undefined ? null : fairOf(market_type, sharp.prices);
  if (fair === null) return [];
  return bestsOf(line).map((best, outcome) => {
    const edge = best.decimal * fair[outcome]! - 1;
    const shown = {
      market_type,
      period,
      line: line[0]!.line,
      outcome: outcomesOf(sport, market_type)[outcome]!,
      ...priced(best, format),
      fair_price: new Rounded(1 / fair[outcome]!, 4),
      edge_pct: new Rounded(edge * 100, 2),
      format,
    };
    return { strength: edge, shown };
  });
}

function arbitrageOf(line: readonly Quote[], sport: string, format: Format): Hit[] {
  const { market_type, period } = line[0]!;
  const legs = cheapestLegs(line);
  if (legs === null) return [];
  const sum = inverseSum(legs.map((leg) => leg.decimal));
  if (sum >= 1 - TIE) return [];
  const outcomes = outcomesOf(sport, market_type);
  const shown = {
    market_type,
    period,
    line: line[0]!.line,
    legs: legs.map((leg, index) => ({ outcome: outcomes[index]!, ...priced(leg, format) })),
    inverse_sum: new Rounded(sum, 6),
    margin_pct: new Rounded((1 / sum - 1) * 100, 2),
  };
  return [{ strength: 1 / sum - 1, shown }];
}

/** The best prices; where one book has them all, with the one leg moved that costs least elsewhere. */
function cheapestLegs(line: readonly Quote[]): Best[] | null {
  const best = bestsOf(line);
  if (isMixed(best)) return best;
  // By cost, then outcome, then book: as they are listed.
  const moves = best.flatMap((leg, outcome) =>
    line
      .filter((quote) => quote.bookmaker !== leg.bookmaker)
      .map(({ bookmaker, prices }) => best.with(outcome, { bookmaker, decimal: prices[outcome]! })),
  );
  if (moves.length === 0) return null;
  const least = Math.min(...moves.map(costOf));
  const cheapest = moves.find((legs) => costOf(legs) <= least + TIE)!;
  if (costOf(cheapest) > leastMixedCost(line) + TIE) throw new Error('moving one leg is not the cheapest');
  return cheapest;
}

/** By trying every choice of legs from two books or more. */
function leastMixedCost(line: readonly Quote[]): number {
  let choices: Best[][] = [[]];
  for (let outcome = 0; outcome < line[0]!.prices.length; outcome++) {
    choices = choices.flatMap((legs) =>
      line.map(({ bookmaker, prices }) => [...legs, { bookmaker, decimal: prices[outcome]! }]),
    );
  }
  return Math.min(...choices.filter(isMixed).map(costOf));
}

function isMixed(legs: readonly Best[]): boolean {
  return new Set(legs.map((leg) => leg.bookmaker)).size > 1;
}

/** Strongest first; what differs by rounding alone is equal. */
export function byStrength(left: number, right: number): number {
  return Math.abs(right - left) <= TIE ? 0 : right - left;
}

function costOf(legs: readonly Best[]): number {
  return inverseSum(legs.map((leg) => leg.decimal));
}

function priced({ bookmaker, decimal }: Best, format: Format) {
  return { bookmaker, price: inFormat(decimal, format, bookmaker), decimal };
}
