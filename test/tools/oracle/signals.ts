// Value and arbitrage in a fixture's quotes by the rules of the decisions page. Every bound is inclusive, and
// implausible hits are counted.

import { NullOrBetween, Rounded } from './expected.ts';
import { ageOf, isFinished, isLate, isOver, isStale } from './gate.ts';
import { type Best, bestsOf, linesOf, type Quote, takesPart } from './lines.ts';
import {
  BOOKS,
  type Format,
  fairOf,
  inFormat,
  inverseSum,
  isSharp,
  methodOf,
  outcomesOf,
  referenceOf,
  TIE,
} from './odds.ts';
import { isoOf, type OracleFixture, type OracleSlate } from './slate.ts';

export interface SignalQuestion {
  readonly markets?: readonly string[];
  readonly period?: string;
  /**
   * The bookmakers whose prices may be reported; all bookmakers if it is absent. The sharp bookmaker is the
   * reference even if it is not among them.
   */
  readonly bookmakers?: readonly string[];
  readonly minEdgePct: number;
  readonly minMarginPct: number;
}

interface Hit {
  /** The edge or the margin, as a fraction. */
  readonly strength: number;
  readonly shown: Record<string, unknown>;
  /** The bookmaker whose fair price a value hit is measured against. */
  readonly reference?: string;
}

export interface Signals {
  readonly value: readonly Hit[];
  readonly arbitrage: readonly Hit[];
  readonly droppedValue: number;
  readonly droppedArbitrage: number;
  /**
   * The number of lines with a fair price of the sharp bookmaker, and of lines at which its inverse prices
   * sum to less than 1.
   */
  readonly sharpLines: number;
  readonly sharpLeftOut: number;
  /** The sharp bookmakers whose fair prices are used, in catalogue order. */
  readonly references: readonly string[];
  readonly books: number;
  readonly excluded: Excluded;
}

export type Excluded = Record<string, number>;

interface Question {
  readonly slate: OracleSlate;
  readonly fixture: OracleFixture;
  readonly format: Format;
  readonly asked: SignalQuestion;
}

/** Edges and margins above this are implausible. */
const CAP = 0.1;

/** @param quotes the quotes that the caller may see */
export function signalsOf(quotes: readonly Quote[], question: Question): Signals {
  const { slate, fixture, asked } = question;
  const markets = asked.markets ?? [];
  const isClosed = isFinished(fixture) || isLate(slate, fixture);
  const looked = quotes.filter(
    (quote) =>
      !isClosed &&
      (markets.length === 0 || markets.includes(quote.market_type)) &&
      (asked.period === undefined || quote.period === asked.period),
  );
  const wanted = looked.filter((quote) => asked.bookmakers?.includes(quote.bookmaker) ?? true);
  const references = looked.filter(
    (quote) => isSharp(quote) && !isOver(slate, fixture, quote.period) && !isStale(slate, fixture, quote),
  );
  const current = wanted.filter((quote) => !isOver(slate, fixture, quote.period));
  const open = current.filter(takesPart);
  const fresh = open.filter((quote) => !isStale(slate, fixture, quote));
  const compared = linesOf([...new Set([...fresh, ...references])]);
  const lines = linesOf(fresh).map((line) => ({
    line,
    sharp: referenceOf(compared.find((all) => all.includes(line[0]!))!),
  }));
  const value = lines.flatMap(({ line, sharp }) => valueHits(line, sharp, question));
  const arbitrage = lines.flatMap(({ line, sharp }) => arbitrageOf(line, sharp, question));
  const several = lines.filter(
    ({ line, sharp }) => new Set([...line, sharp ?? line[0]!].map((quote) => quote.bookmaker)).size > 1,
  );
  const sharps = lines.flatMap(({ sharp }) => sharp ?? []);
  const fair = sharps.filter(({ prices }) => inverseSum(prices) >= 1 - TIE);
  return {
    value: kept(value, asked.minEdgePct),
    arbitrage: kept(arbitrage, asked.minMarginPct),
    droppedValue: value.filter(isImplausible).length,
    droppedArbitrage: arbitrage.filter(isImplausible).length,
    sharpLines: fair.length,
    sharpLeftOut: sharps.length - fair.length,
    references: BOOKS.filter((book) => fair.some(({ bookmaker }) => bookmaker === book)),
    books: new Set(lines.flatMap(({ line }) => line.map((quote) => quote.bookmaker))).size,
    excluded: {
      stale: open.length - fresh.length,
      implausible: 0, // set by the caller, because it depends on the kind of search
      suspended: current.length - open.length,
      period_over: wanted.length - current.length,
      not_started_late: isLate(slate, fixture) ? 1 : 0,
      finished: isFinished(fixture) ? 1 : 0,
      single_book: lines.length - several.length,
      no_sharp: several.filter(({ sharp }) => sharp === undefined).length,
      no_reference: 0, // counts only if the reference is not the sharp book
    },
  };
}

function isImplausible({ strength }: Hit): boolean {
  return strength > CAP + TIE;
}

/** Hits within the bounds, strongest first. */
function kept(hits: readonly Hit[], leastPct: number): Hit[] {
  const within = hits.filter((hit) => !isImplausible(hit) && hit.strength >= leastPct / 100 - TIE);
  return within.toSorted((left, right) => byStrength(left.strength, right.strength));
}

function valueHits(
  line: readonly Quote[],
  sharp: Quote | undefined,
  { slate, fixture, format }: Question,
): Hit[] {
  const { sport } = fixture.model;
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
      fair_method: methodOf(market_type),
      edge_pct: new Rounded(edge * 100, 2),
      ev_pct: returnOf(line[0]!, sport, edge * 100),
      format,
      since: isoOf(Math.max(best.quote.atMs, sharp!.atMs) + slate.shiftMs),
      ...ageOf(slate, best.quote, sharp),
    };
    return { strength: edge, shown, reference: sharp!.bookmaker };
  });
}

/**
 * The expected return of a bet according to the goal grid. If no result lands on the line, it is the whole
 * edge; otherwise it is a smaller part, which other tests define.
 */
function returnOf({ market_type, period, line }: Quote, sport: string, edgePct: number): unknown {
  if (sport !== 'football' || period !== 'full_time') return null;
  const edge = Math.round(edgePct * 100) / 100;
  const landsOn = market_type !== '1x2' && Math.abs(line! % 1) !== 0.5;
  return new NullOrBetween((landsOn ? 0 : edge) - 0.01, edge + 0.01);
}

function arbitrageOf(
  line: readonly Quote[],
  sharp: Quote | undefined,
  { slate, fixture, format }: Question,
): Hit[] {
  const { sport } = fixture.model;
  const { market_type, period } = line[0]!;
  const legs = cheapestLegs(line);
  if (legs === null) return [];
  const sum = inverseSum(legs.map((leg) => leg.decimal));
  if (sum >= 1 - TIE) return [];
  const outcomes = outcomesOf(sport, market_type);
  const marginPct = (1 / sum - 1) * 100;
  const shown = {
    market_type,
    period,
    line: line[0]!.line,
    legs: legs.map((leg, index) => ({
      outcome: outcomes[index]!,
      ...priced(leg, format),
      ...ageOf(slate, leg.quote, sharp),
    })),
    since: isoOf(Math.max(...legs.map((leg) => leg.quote.atMs)) + slate.shiftMs),
    inverse_sum: new Rounded(sum, 6),
    margin_pct: new Rounded(marginPct, 2),
    worst_pct: new Rounded(worstOf(legs, line[0]!) * 100, 2),
    best_pct: new Rounded(marginPct, 2),
  };
  return [{ strength: 1 / sum - 1, shown }];
}

/**
 * The lowest return of stakes in inverse proportion to the prices, found by settling every result that can
 * make a difference.
 */
function worstOf(legs: readonly Best[], { market_type, line }: Quote): number {
  const sum = inverseSum(legs.map((leg) => leg.decimal));
  const stakes = legs.map((leg) => 1 / leg.decimal / sum);
  if (market_type === '1x2') return 1 / sum - 1;
  // Results in quarters beyond the line, from far below to far above. Each half of a bet is settled on its
  // own line.
  const quarters = Math.round(line! * 4);
  const halves = quarters % 2 === 0 ? [quarters, quarters] : [quarters - 1, quarters + 1];
  const returns = [-3, -2, -1, 0, 1, 2, 3].map((goals) => {
    const result = 4 * (Math.round(line!) + goals);
    const paid = legs.map((leg, index) =>
      halves.reduce((total, half) => {
        const ahead = index === 0 ? result - half : half - result;
        return total + (stakes[index]! / 2) * (ahead > 0 ? leg.decimal : ahead === 0 ? 1 : 0);
      }, 0),
    );
    return paid.reduce((total, value) => total + value, 0) - 1;
  });
  return Math.min(...returns);
}

/**
 * The best prices. If one bookmaker has all of them, the leg for which it costs least moves to another
 * bookmaker.
 */
function cheapestLegs(line: readonly Quote[]): Best[] | null {
  const best = bestsOf(line);
  if (isMixed(best)) return best;
  // Sorts by cost, then outcome, then bookmaker.
  const moves = best.flatMap((leg, outcome) =>
    line
      .filter((quote) => quote.bookmaker !== leg.bookmaker)
      .map((quote) =>
        best.with(outcome, { bookmaker: quote.bookmaker, decimal: quote.prices[outcome]!, quote }),
      ),
  );
  if (moves.length === 0) return null;
  const least = Math.min(...moves.map(costOf));
  const cheapest = moves.find((legs) => costOf(legs) <= least + TIE)!;
  if (costOf(cheapest) > leastMixedCost(line) + TIE) throw new Error('moving one leg is not the cheapest');
  return cheapest;
}

/** The lowest cost of an arbitrage, found by trying every choice of legs from two or more bookmakers. */
function leastMixedCost(line: readonly Quote[]): number {
  let choices: Best[][] = [[]];
  for (let outcome = 0; outcome < line[0]!.prices.length; outcome++) {
    choices = choices.flatMap((legs) =>
      line.map((quote) => [...legs, { bookmaker: quote.bookmaker, decimal: quote.prices[outcome]!, quote }]),
    );
  }
  return Math.min(...choices.filter(isMixed).map(costOf));
}

function isMixed(legs: readonly Best[]): boolean {
  return new Set(legs.map((leg) => leg.bookmaker)).size > 1;
}

/** Sorts the strongest first. Values that differ only by rounding count as equal. */
export function byStrength(left: number, right: number): number {
  return Math.abs(right - left) <= TIE ? 0 : right - left;
}

function costOf(legs: readonly Best[]): number {
  return inverseSum(legs.map((leg) => leg.decimal));
}

function priced({ bookmaker, decimal }: Best, format: Format) {
  return { bookmaker, price: inFormat(decimal, format, bookmaker), decimal };
}
