// The scoring rules on plain objects, written to be obviously correct: the oracle for the kernels and the
// baseline for the benches.

import { BOOKMAKERS, outcomesOf } from '../../src/domain/catalogue.ts';
import { REFERENCE_CONSENSUS, REFERENCE_SHARP } from '../../src/domain/reference.ts';
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

/** The source time of a quote that has none of its own, as `slateOf` publishes it. */
const AT_MS = 1;

function atOf({ atMs = AT_MS }: PlainQuote): number {
  return atMs;
}

/** The quotes that the caller requests and may see. */
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
 * The lowest inverse sum of a line with two or more bookmakers, found by trying all choices; null with one
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
 * The best price of each outcome. If one bookmaker has all of them, one leg moves to another bookmaker: the
 * leg for which that costs least.
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
 * The quote that fair prices are computed from: that of the bookmaker `reference`, or that of a sharp
 * bookmaker. If there are several sharp ones, the one with the lowest overround among those that have a
 * margin is used, otherwise the first. If two are equal, the first is used.
 */
export function referenceOf(
  line: readonly PlainQuote[],
  outcomeCount: number,
  reference = REFERENCE_SHARP,
): PlainQuote | undefined {
  if (reference >= 0) return line.find((quote) => quote.bookmaker === reference);
  const overroundOf = (quote: PlainQuote) =>
    sumOf(quote.pricesE4.slice(0, outcomeCount).map((priceE4) => 10_000 / priceE4)) - 1;
  const sharps = line.filter(isSharp);
  const fair = sharps.filter((quote) => overroundOf(quote) >= -SLACK);
  const least = Math.min(...fair.map(overroundOf));
  return fair.find((quote) => overroundOf(quote) <= least + SLACK) ?? sharps[0];
}

/** When the sharp price of a line last moved, whatever the reference is; NaN if there is no sharp price. */
function sharpAtMsOf(line: readonly PlainQuote[], outcomeCount: number): number {
  const sharp = referenceOf(line, outcomeCount, REFERENCE_SHARP);
  return sharp === undefined ? Number.NaN : atOf(sharp);
}

interface Fair {
  readonly probability: number;
  readonly reference: number;
  readonly referenceAtMs: number;
}

/** The fair price of one outcome by a single bookmaker. */
function singleFair(reference: PlainQuote, outcome: number, outcomeCount: number): Fair | null {
  const decimals = reference.pricesE4.slice(0, outcomeCount).map((priceE4) => priceE4 / 10_000);
  const fair = fairProbabilities(decimals, reference.market === 0);
  if (fair === null) return null;
  return { probability: fair[outcome]!, reference: reference.bookmaker, referenceAtMs: atOf(reference) };
}

/**
 * The fair price of one outcome according to all owners except the judged one: the mean of log-odds, scaled
 * to one.
 */
function consensusFair(
  line: readonly PlainQuote[],
  outcome: number,
  outcomeCount: number,
  judged: number,
): Fair | null {
  const counted = line.flatMap((quote) => {
    const decimals = quote.pricesE4.slice(0, outcomeCount).map((priceE4) => priceE4 / 10_000);
    const fair = fairProbabilities(decimals, quote.market === 0);
    const isOwn = ownerOf(quote.bookmaker) === ownerOf(judged);
    const isAbsurd = sumOf(decimals.map((decimal) => 1 / decimal)) > 1.6 + SLACK;
    return fair === null || isOwn || isAbsurd ? [] : [{ quote, fair }];
  });
  const owners = Map.groupBy(counted, ({ quote }) => ownerOf(quote.bookmaker));
  if (owners.size < 3) return null;
  const logOdds = Array.from({ length: outcomeCount }, (_, index) => {
    const byOwner = [...owners.values()].map(
      (own) => sumOf(own.map(({ fair }) => Math.log(fair[index]! / (1 - fair[index]!)))) / own.length,
    );
    return sumOf(byOwner) / byOwner.length;
  });
  const even = logOdds.map((value) => 1 / (1 + Math.exp(-value)));
  return {
    probability: even[outcome]! / sumOf(even),
    reference: REFERENCE_CONSENSUS,
    referenceAtMs: Math.max(...counted.map(({ quote }) => atOf(quote))),
  };
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
  // Sharp bookmakers that the caller did not request are used only as the reference. Other such bookmakers
  // are ignored.
  const lines = linesOf(fixture, criteria, gate)
    .map((whole) => ({
      line: whole.filter((quote) => isListed(quote, criteria)),
      whole,
      sharp: referenceOf(whole, outcomesOf(fixture.sport, whole[0]!.market).length, criteria.reference),
      sharpAtMs: sharpAtMsOf(whole, outcomesOf(fixture.sport, whole[0]!.market).length),
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
    no_sharp: criteria.reference === REFERENCE_SHARP ? sharpless.length : 0,
    no_reference: criteria.reference >= 0 ? sharpless.length : 0,
  };
  let withoutConsensus = 0;
  for (const { line, whole, sharp, sharpAtMs } of lines) {
    const { market, period, lineQuarters } = line[0]!;
    const outcomeCount = outcomesOf(fixture.sport, market).length;
    for (const quote of line) books.add(quote.bookmaker);

    const fair = Array.from({ length: outcomeCount }, (_, outcome) => {
      if (criteria.reference === REFERENCE_CONSENSUS)
        return consensusFair(whole, outcome, outcomeCount, bestOf(line, outcome).bookmaker);
      return sharp === undefined ? null : singleFair(sharp, outcome, outcomeCount);
    });
    const isSingle = ownersOf(sharp === undefined ? line : [...line, sharp]) === 1;
    const lacks = criteria.reference === REFERENCE_CONSENSUS && fair.every((one) => one === null);
    if (lacks && !isSingle) withoutConsensus++;
    fair.forEach((found, outcome) => {
      if (found === null) return;
      const { probability, reference, referenceAtMs } = found;
      const { bookmaker, priceE4, atMs } = bestOf(line, outcome);
      const edge = (priceE4 / 10_000) * probability - 1;
      if (edge < criteria.minEdge - SLACK) return;
      if (edge > criteria.maxEdge + SLACK) {
        droppedValueCount++;
        return;
      }
      const fairDecimal = 1 / probability;
      valueHits.push({
        ...{ market, period, lineQuarters, outcome, bookmaker, priceE4 },
        ...{ fairDecimal, edge, atMs, sharpAtMs, reference, referenceAtMs },
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
      arbHits.push({ market, period, lineQuarters, legs, inverseSum, margin, sharpAtMs });
    }
  }
  const singleBookCount = singles.length + ownedArbCount;
  return {
    ...{ bookCount: books.size, valueHits, arbHits, droppedValueCount, droppedArbCount },
    leftOut: {
      ...leftOut,
      single_book: singleBookCount,
      no_reference: leftOut.no_reference + withoutConsensus,
    },
  };
}
