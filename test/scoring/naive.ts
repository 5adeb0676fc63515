// The scoring rules on plain objects, written to be obviously correct: the oracle for the kernels and the
// baseline for the benches.

import { BOOKMAKERS, outcomesOf } from '../../src/domain/catalogue.ts';
import type { SignalGate } from '../../src/domain/signal-gate.ts';
import type { ScoreCriteria } from '../../src/scoring/criteria.ts';
import type { ArbHit, ArbLegHit, ValueHit } from '../../src/scoring/hit-rows.ts';
import type { LeftOut } from '../../src/scoring/score-rows.ts';
import type { PlainFixture, PlainQuote } from './slate.ts';
import { OPEN_GATE } from './usual-criteria.ts';

const SLACK = 1e-12;

export interface NaiveScore {
  readonly bookCount: number;
  readonly valueHits: ValueHit[];
  readonly arbHits: ArbHit[];
  readonly droppedValueCount: number;
  readonly droppedArbCount: number;
  readonly leftOut: LeftOut;
}

type Gate = Pick<SignalGate, 'endedPeriodMask' | 'quoteFromMs'>;

/** Source time of a quote without one, as `slateOf` publishes it. */
const AT_MS = 1;

function atOf({ atMs = AT_MS }: PlainQuote): number {
  return atMs;
}

/** The quotes that the caller asks for and may see. */
function askedOf(fixture: PlainFixture, criteria: ScoreCriteria): PlainQuote[] {
  return fixture.quotes
    .filter((quote) => (criteria.marketMask >> quote.market) & 1)
    .filter((quote) => (criteria.periodMask >> quote.period) & 1)
    .filter((quote) => criteria.seesSharp || !isSharp(quote));
}

/** Whether hits may name the quote's bookmaker. */
function isListed(quote: PlainQuote, { bookmakerMask }: ScoreCriteria): boolean {
  return ((bookmakerMask >> quote.bookmaker) & 1) === 1;
}

function isSharp({ bookmaker }: PlainQuote): boolean {
  return BOOKMAKERS[bookmaker]!.class === 'sharp';
}

function reasonOf(fixture: PlainFixture, quote: PlainQuote, gate: Gate): keyof LeftOut | null {
  if ((gate.endedPeriodMask >> quote.period) & 1) return 'period_over';
  const outcomes = outcomesOf(fixture.sport, quote.market);
  const isPriced = outcomes.every((_, outcome) => quote.pricesE4[outcome]! > 10_000);
  if (quote.status !== 0 || !isPriced) return 'suspended';
  return atOf(quote) < gate.quoteFromMs[quote.bookmaker]! ? 'stale' : null;
}

/** The quotes of a fixture that take part, grouped by line, in row order. */
function linesOf(fixture: PlainFixture, criteria: ScoreCriteria, gate: Gate): PlainQuote[][] {
  const groups = new Map<string, PlainQuote[]>();
  const taking = askedOf(fixture, criteria)
    .filter((quote) => reasonOf(fixture, quote, gate) === null)
    .toSorted(
      (x, y) =>
        x.market - y.market ||
        x.period - y.period ||
        x.lineQuarters - y.lineQuarters ||
        x.bookmaker - y.bookmaker,
    );
  for (const quote of taking) {
    const key = `${quote.market}/${quote.period}/${quote.lineQuarters}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [quote]);
    else group.push(quote);
  }
  return [...groups.values()];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Fair probabilities of a line's decimal prices, or null when the inverse prices sum to less than 1. */
export function fairProbabilities(decimals: readonly number[], byPower: boolean): number[] | null {
  const inverse = decimals.map((decimal) => 1 / decimal);
  const sum = sumOf(inverse);
  if (sum < 1 - SLACK) return null;
  if (!byPower) return inverse.map((probability) => probability / sum);
  let exponent = 1;
  for (let step = 0; step < 200; step++) {
    const excess = sumOf(inverse.map((probability) => probability ** exponent)) - 1;
    if (excess < 1e-15) break;
    exponent -= excess / sumOf(inverse.map((probability) => probability ** exponent * Math.log(probability)));
  }
  return inverse.map((probability) => probability ** exponent);
}

/** Every choice of one quote per outcome from two bookmakers or more. */
function combinations(line: readonly PlainQuote[], outcomeCount: number): ArbLegHit[][] {
  let partial: ArbLegHit[][] = [[]];
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    partial = partial.flatMap((legs) =>
      line.map((quote) => [
        ...legs,
        { bookmaker: quote.bookmaker, priceE4: quote.pricesE4[outcome]!, atMs: atOf(quote) },
      ]),
    );
  }
  return partial.filter((legs) => new Set(legs.map((leg) => ownerOf(leg.bookmaker))).size >= 2);
}

/**
 * The least inverse sum of a line with two bookmakers or more, found by trying all choices; null with one
 * bookmaker.
 */
export function leastInverseSum(line: readonly PlainQuote[], outcomeCount: number): number | null {
  const sums = combinations(line, outcomeCount).map((legs) => sumOf(legs.map((leg) => 10_000 / leg.priceE4)));
  return sums.length === 0 ? null : Math.min(...sums);
}

function bestOf(line: readonly PlainQuote[], outcome: number): ArbLegHit {
  let best = line[0]!;
  for (const quote of line) if (quote.pricesE4[outcome]! > best.pricesE4[outcome]!) best = quote;
  return { bookmaker: best.bookmaker, priceE4: best.pricesE4[outcome]!, atMs: atOf(best) };
}

/**
 * The best price of each outcome. If one bookmaker has them all, the leg that costs least to move goes to
 * another one.
 */
function legsOf(line: readonly PlainQuote[], outcomeCount: number): ArbLegHit[] | null {
  const legs = Array.from({ length: outcomeCount }, (_, outcome) => bestOf(line, outcome));
  if (new Set(legs.map((leg) => ownerOf(leg.bookmaker))).size >= 2) return legs;
  const others = line.filter((quote) => ownerOf(quote.bookmaker) !== ownerOf(legs[0]!.bookmaker));
  if (others.length === 0) return null;
  let chosen: ArbLegHit[] | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    const moved = legs.with(outcome, bestOf(others, outcome));
    const sum = sumOf(moved.map((leg) => 10_000 / leg.priceE4));
    if (sum >= least - SLACK) continue;
    least = sum;
    chosen = moved;
  }
  return chosen;
}

/** The owner of a bookmaker: its group, or itself. */
function ownerOf(bookmaker: number): string {
  const { key, group } = BOOKMAKERS[bookmaker]!;
  return group === undefined ? `alone ${key}` : `group ${group}`;
}

function ownersOf(quotes: readonly { readonly bookmaker: number }[]): number {
  return new Set(quotes.map((quote) => ownerOf(quote.bookmaker))).size;
}

/**
 * The sharp bookmaker that fair prices come from: the least overround among those that have a margin,
 * otherwise any; ties go to the first.
 */
export function referenceOf(line: readonly PlainQuote[], outcomeCount: number): PlainQuote | undefined {
  const overroundOf = (quote: PlainQuote) =>
    sumOf(quote.pricesE4.slice(0, outcomeCount).map((priceE4) => 10_000 / priceE4)) - 1;
  const sharps = line.filter(isSharp);
  const fair = sharps.filter((quote) => overroundOf(quote) >= -SLACK);
  const least = Math.min(...fair.map(overroundOf));
  return fair.find((quote) => overroundOf(quote) <= least + SLACK) ?? sharps[0];
}

export function naiveScore(
  fixture: PlainFixture,
  criteria: ScoreCriteria,
  gate: Gate = OPEN_GATE,
): NaiveScore {
  const valueHits: ValueHit[] = [];
  const arbHits: ArbHit[] = [];
  let droppedValueCount = 0;
  let droppedArbCount = 0;
  const books = new Set<number>();
  // Sharp bookmakers that the caller did not ask for are used only as the reference; others are ignored.
  const lines = linesOf(fixture, criteria, gate)
    .map((whole) => ({
      line: whole.filter((quote) => isListed(quote, criteria)),
      sharp: referenceOf(whole, outcomesOf(fixture.sport, whole[0]!.market).length),
    }))
    .filter(({ line }) => line.length > 0);
  const reasons = askedOf(fixture, criteria)
    .filter((quote) => isListed(quote, criteria))
    .map((quote) => reasonOf(fixture, quote, gate));
  const countOf = (reason: keyof LeftOut) => reasons.filter((found) => found === reason).length;
  const singles = lines.filter(
    ({ line, sharp }) => ownersOf(sharp === undefined ? line : [...line, sharp]) === 1,
  );
  let ownedArbCount = 0;
  const sharpless = lines.filter(({ line, sharp }) => ownersOf(line) > 1 && sharp === undefined);
  const leftOut: LeftOut = {
    stale: countOf('stale'),
    suspended: countOf('suspended'),
    period_over: countOf('period_over'),
    not_started_late: 0,
    finished: 0,
    single_book: 0,
    no_sharp: sharpless.length,
  };
  for (const { line, sharp } of lines) {
    const { market, period, lineQuarters } = line[0]!;
    const outcomeCount = outcomesOf(fixture.sport, market).length;
    for (const quote of line) books.add(quote.bookmaker);

    const sharpDecimals = sharp?.pricesE4.slice(0, outcomeCount).map((priceE4) => priceE4 / 10_000);
    const fair = sharpDecimals === undefined ? null : fairProbabilities(sharpDecimals, market === 0);
    fair?.forEach((probability, outcome) => {
      const { bookmaker, priceE4, atMs } = bestOf(line, outcome);
      const edge = (priceE4 / 10_000) * probability - 1;
      if (edge < criteria.minEdge - SLACK) return;
      if (edge > criteria.maxEdge + SLACK) {
        droppedValueCount++;
        return;
      }
      const fairDecimal = 1 / probability;
      const sharpAtMs = atOf(sharp!);
      valueHits.push({
        ...{ market, period, lineQuarters, outcome, bookmaker, priceE4 },
        ...{ fairDecimal, edge, atMs, sharpAtMs, reference: sharp!.bookmaker },
      });
    });

    const legs = legsOf(line, outcomeCount);
    if (legs === null) continue;
    const bestLegs = Array.from({ length: outcomeCount }, (_, outcome) => bestOf(line, outcome));
    const bestSum = sumOf(bestLegs.map((leg) => 10_000 / leg.priceE4));
    const isOwned = ownersOf(bestLegs) === 1 && new Set(bestLegs.map((leg) => leg.bookmaker)).size > 1;
    if (isOwned && bestSum < 1 - SLACK) ownedArbCount++;
    const inverseSum = sumOf(legs.map((leg) => 10_000 / leg.priceE4));
    const margin = 1 / inverseSum - 1;
    if (inverseSum >= 1 - SLACK || margin < criteria.minMargin - SLACK) continue;
    if (margin > criteria.maxMargin + SLACK) droppedArbCount++;
    else {
      const sharpAtMs = sharp === undefined ? Number.NaN : atOf(sharp);
      arbHits.push({ market, period, lineQuarters, legs, inverseSum, margin, sharpAtMs });
    }
  }
  const singleBookCount = singles.length + ownedArbCount;
  return {
    ...{ bookCount: books.size, valueHits, arbHits, droppedValueCount, droppedArbCount },
    leftOut: { ...leftOut, single_book: singleBookCount },
  };
}
