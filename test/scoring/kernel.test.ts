import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BOOKMAKER_KEYS, outcomesOf } from '../../src/domain/catalogue.ts';
import { REFERENCE_CONSENSUS, REFERENCE_SHARP } from '../../src/domain/reference.ts';
import { allConfirmedAt } from '../../src/domain/signal-gate.ts';
import type { ScoreCriteria } from '../../src/scoring/criteria.ts';
import { type FixtureHits, fixtureHits } from '../../src/scoring/fixture-hits.ts';
import { COUNT_ARB, COUNT_VALUE, createScoreBuffers } from '../../src/scoring/hit-rows.ts';
import { scoreQuotes } from '../../src/scoring/kernel.ts';
import { runs } from '../support/runs.ts';
import { fairProbabilities, leastInverseSum, type NaiveScore, naiveScore } from './naive.ts';
import { criteriaArbitrary, fixtureArbitrary } from './pages.ts';
import { emptySlate, type PlainFixture, type PlainQuote, publishFixture, slateOf } from './slate.ts';
import { BEFORE_KICKOFF, OPEN_GATE, USUAL_CRITERIA } from './usual-criteria.ts';

const OPEN: ScoreCriteria = { ...USUAL_CRITERIA, minEdge: 0 };
const CROWN = 0;
const SBOBET = 1;
const MACAU = 2;
const PINNACLE = BOOKMAKER_KEYS.indexOf('pinnacle');

function quoteOf(bookmaker: number, ...decimals: number[]): PlainQuote {
  const pricesE4 = decimals.map((decimal) => Math.round(decimal * 10_000));
  return {
    market: decimals.length === 3 ? 0 : 1,
    period: 0,
    lineQuarters: 0,
    bookmaker,
    pricesE4,
    status: 0,
  };
}

function hitsOf(
  quotes: readonly PlainQuote[],
  criteria: Partial<ScoreCriteria> = {},
  sport = 0,
): FixtureHits {
  const fixture: PlainFixture = { eventNumber: 7, sport, quotes };
  return fixtureHits(slateOf([fixture]).reader, 7, { ...OPEN, ...criteria }, BEFORE_KICKOFF)!;
}

/** Numbers to nine digits. Two correct orders of floating-point operations then compare as equal. */
function rounded<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_, item) => (typeof item === 'number' ? Number(item.toPrecision(9)) + 0 : item)),
  ) as T;
}

function comparable(score: NaiveScore | FixtureHits): unknown {
  const { bookCount, valueHits, arbHits, droppedValueCount, droppedArbCount, leftOut } = score;
  // Edges near zero are compared by their difference, because relative differences are meaningless there.
  const values = valueHits.map((hit) => ({ ...hit, edge: Math.round(hit.edge * 1e10) }));
  const arbs = arbHits.map((hit) => ({ ...hit, margin: Math.round(hit.margin * 1e10) }));
  return rounded({ bookCount, values, arbs, droppedValueCount, droppedArbCount, leftOut });
}

describe('scoreQuotes', () => {
  test('finds what the naive object version finds', () => {
    fc.assert(
      fc.property(fixtureArbitrary, criteriaArbitrary, (fixture, criteria) => {
        const hits = fixtureHits(slateOf([fixture]).reader, 7, criteria, BEFORE_KICKOFF)!;
        const quoteFromMs = allConfirmedAt(
          BEFORE_KICKOFF.nowMs - (criteria.maxAgeMs ?? Number.POSITIVE_INFINITY),
        );
        const naive = naiveScore(fixture, criteria, { endedPeriodMask: 0, quoteFromMs });
        expect(comparable(hits)).toEqual(comparable(naive));
      }),
      { numRuns: runs(500) },
    );
  });

  test('misses no 1x2 line that has value, however close to the threshold', () => {
    const decimal = fc.double({ min: 1.2, max: 12, noNaN: true });
    const slight = fc.double({ min: 0, max: 0.02, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1 }),
        fc.tuple(decimal, decimal, decimal),
        slight,
        (sport, prices, above) => {
          const sharp = prices.slice(0, 3 - sport).map((price) => Math.round(price * 10_000));
          const fair = fairProbabilities(
            sharp.map((priceE4) => priceE4 / 10_000),
            true,
          );
          if (fair === null) return;
          const minEdge = 0.01;
          // For each outcome, a price that barely has value.
          fair.forEach((probability, outcome) => {
            const priceE4 = Math.ceil(((1 + minEdge) / probability) * 10_000 * (1 + above * above * above));
            const quotes = [
              {
                ...quoteOf(CROWN, 1, 1),
                market: 0,
                pricesE4: sharp.map(() => 10_001).with(outcome, priceE4),
              },
              { ...quoteOf(PINNACLE, 1, 1), market: 0, pricesE4: sharp },
            ];
            expect(hitsOf(quotes, { minEdge, maxEdge: 9 }, sport).valueHits).toHaveLength(1);
          });
        },
      ),
      { numRuns: runs(100) },
    );
  });

  test('misses no line that has value against the consensus, however close to the threshold', () => {
    const books = [CROWN, SBOBET, MACAU, PINNACLE, 3];
    const margin = fc.double({ min: 0.02, max: 0.08, noNaN: true });
    const shift = fc.double({ min: -0.25, max: 0.25, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom([0, 0], [0, 1], [1, 0], [2, 0]),
        fc.tuple(shift, shift),
        fc.array(fc.tuple(margin, shift, shift), { minLength: 5, maxLength: 5 }),
        fc.double({ min: -0.002, max: 0.02, noNaN: true }),
        ([market, sport], [first, second], others, above) => {
          const count = market === 0 && sport === 0 ? 3 : 2;
          const lines = others.map(([over, one, other], index) => {
            const weights = [1 + first + one / 8, 1 + second + other / 8, 0.6].slice(0, count);
            const sum = weights.reduce((total, weight) => total + weight, 0);
            const pricesE4 = weights.map((weight) => Math.floor((10_000 * sum) / (weight * (1 + over))));
            return { ...quoteOf(books[index]!, 1, 1), market: market!, pricesE4 };
          });
          const fixture = { eventNumber: 7, sport: sport!, quotes: lines };
          const criteria = { ...OPEN, reference: REFERENCE_CONSENSUS, maxEdge: 99 };
          for (let outcome = 0; outcome < count; outcome++) {
            // Sets the first bookmaker's price slightly above or below the lowest price that has value.
            const [hit] = naiveScore(
              {
                ...fixture,
                quotes: lines.map((quote, index) =>
                  index > 0 ? quote : { ...quote, pricesE4: quote.pricesE4.with(outcome, 900_000) },
                ),
              },
              criteria,
            ).valueHits.filter((one) => one.outcome === outcome);
            if (hit === undefined) continue;
            const priceE4 = Math.round(hit.fairDecimal * 10_000 * (1.01 + above));
            const quotes = lines.map((quote, index) =>
              index > 0 ? quote : { ...quote, pricesE4: quote.pricesE4.with(outcome, priceE4) },
            );
            const wanted = naiveScore({ ...fixture, quotes }, { ...criteria, minEdge: 0.01 });
            const found = hitsOf(quotes, { ...criteria, minEdge: 0.01 }, sport);
            expect(comparable(found)).toEqual(comparable(wanted));
          }
        },
      ),
      { numRuns: runs(150) },
    );
  });

  test('chooses the cheapest legs among all choices of two or more bookmakers', () => {
    fc.assert(
      fc.property(fixtureArbitrary, (fixture) => {
        const criteria = { ...OPEN, maxMargin: Number.POSITIVE_INFINITY };
        for (const hit of fixtureHits(slateOf([fixture]).reader, 7, criteria, BEFORE_KICKOFF)!.arbHits) {
          const outcomeCount = outcomesOf(fixture.sport, hit.market).length;
          const line = fixture.quotes.filter(
            (quote) =>
              quote.market === hit.market &&
              quote.period === hit.period &&
              quote.lineQuarters === hit.lineQuarters &&
              quote.status === 0 &&
              quote.pricesE4.every((priceE4) => priceE4 > 10_000),
          );
          expect(hit.inverseSum).toBeCloseTo(leastInverseSum(line, outcomeCount)!, 12);
          expect(new Set(hit.legs.map((leg) => leg.bookmaker)).size).toBeGreaterThan(1);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  test('includes an edge exactly at the threshold', () => {
    // The fair price is exactly 2.0, so 2.1 is an edge of exactly 5 %.
    const quotes = [quoteOf(CROWN, 2.1, 1.9), quoteOf(PINNACLE, 2, 2)];
    expect(hitsOf(quotes, { minEdge: 0.05 }).valueHits).toHaveLength(1);
    expect(hitsOf(quotes, { minEdge: 0.0501 }).valueHits).toHaveLength(0);
    expect(hitsOf(quotes, { minEdge: 0.01 }).valueHits[0]).toEqual({
      market: 1,
      period: 0,
      lineQuarters: 0,
      outcome: 0,
      bookmaker: CROWN,
      priceE4: 21_000,
      fairDecimal: 2,
      edge: expect.closeTo(0.05, 12),
      reference: PINNACLE,
      atMs: 1,
      sharpAtMs: 1,
      referenceAtMs: 1,
    });
  });

  test('includes every bound that prices meet exactly in decimals, whatever binary rounding does', () => {
    // Against a fair price of 2.0, 2 x (1 + k/10000) is an edge of exactly k/10000; two such legs give
    // exactly that margin.
    const { writer, reader } = emptySlate();
    for (let step = 1; step <= 1_000; step++) {
      const bound = step / 10_000;
      const priceE4 = 20_000 + 2 * step;
      const at = { ...OPEN, minEdge: bound, maxEdge: bound, minMargin: bound, maxMargin: bound };
      const value = [quoteOf(CROWN, priceE4 / 10_000, 1.5), quoteOf(PINNACLE, 2, 2)];
      const arb = [quoteOf(CROWN, priceE4 / 10_000, 1.5), quoteOf(SBOBET, 1.5, priceE4 / 10_000)];
      publishFixture(writer, { eventNumber: 1, sport: 0, quotes: value }, step);
      publishFixture(writer, { eventNumber: 2, sport: 0, quotes: arb }, step);
      expect(fixtureHits(reader, 1, at, BEFORE_KICKOFF)!.valueHits).toHaveLength(1);
      expect(fixtureHits(reader, 2, at, BEFORE_KICKOFF)!.arbHits).toHaveLength(1);
    }
  });

  test('shows when the sharp price moved, whatever the reference, but not to a caller who does not see the sharp bookmaker', () => {
    const quotes = [
      { ...quoteOf(CROWN, 2.3, 2.3), atMs: 1 },
      { ...quoteOf(SBOBET, 2, 2), atMs: 2 },
      { ...quoteOf(MACAU, 2, 2), atMs: 3 },
      { ...quoteOf(PINNACLE, 2, 2), atMs: 4 },
    ];
    const sharpTimes = (criteria: Partial<ScoreCriteria>) => {
      const { valueHits, arbHits } = hitsOf(quotes, { maxEdge: 9, maxMargin: 9, ...criteria });
      return new Set([...valueHits, ...arbHits].map(({ sharpAtMs }) => sharpAtMs));
    };
    for (const reference of [REFERENCE_SHARP, REFERENCE_CONSENSUS, SBOBET, PINNACLE]) {
      expect(sharpTimes({ reference })).toEqual(new Set([4]));
      // The caller asks for the prices of some bookmakers, without the sharp one.
      expect(sharpTimes({ reference, bookmakerMask: (1 << CROWN) | (1 << SBOBET) })).toEqual(new Set([4]));
      expect(sharpTimes({ reference, seesSharp: false })).toEqual(new Set([Number.NaN]));
    }
  });

  test('gives a score that is valid only until the compared sharp price is too old, whatever the reference', () => {
    const quotes = [
      { ...quoteOf(CROWN, 2.3, 2.3), atMs: -70_000 },
      { ...quoteOf(SBOBET, 2, 2), atMs: -70_000 },
      { ...quoteOf(PINNACLE, 2, 2), atMs: -90_000 },
    ];
    const asked = { bookmakerMask: (1 << CROWN) | (1 << SBOBET), reference: SBOBET, maxAgeMs: 40_000 };
    expect(hitsOf(quotes, asked).validUntilMs).toBe(-49_999);
    expect(hitsOf(quotes, { ...asked, seesSharp: false }).validUntilMs).toBe(-29_999);
  });

  test('finds no value if the sharp bookmaker’s inverse prices sum to less than 1', () => {
    const hits = hitsOf([quoteOf(CROWN, 2.2, 2.2), quoteOf(PINNACLE, 2.1, 2.1)], {
      maxEdge: 9,
      maxMargin: 9,
    });
    expect(hits.valueHits).toHaveLength(0);
    expect([hits.fairLineCount, hits.sharpLeftOutCount]).toEqual([0, 1]);
  });

  test('does not call an inverse sum of exactly 1 an arbitrage', () => {
    expect(hitsOf([quoteOf(CROWN, 2, 1.5), quoteOf(SBOBET, 1.5, 2)]).arbHits).toHaveLength(0);
    expect(
      hitsOf([quoteOf(CROWN, 3, 2, 2), quoteOf(SBOBET, 2, 3, 2), quoteOf(MACAU, 2, 2, 3)]).arbHits,
    ).toHaveLength(0);
    expect(hitsOf([quoteOf(CROWN, 2.0001, 1.5), quoteOf(SBOBET, 1.5, 2)]).arbHits).toHaveLength(1);
  });

  test('reports no arbitrage of a single bookmaker, but moves one leg to another bookmaker if that still pays', () => {
    expect(hitsOf([quoteOf(CROWN, 2.1, 2.1)]).arbHits).toHaveLength(0);
    expect(hitsOf([quoteOf(CROWN, 2.1, 2.1), quoteOf(SBOBET, 1.5, 1.5)]).arbHits).toHaveLength(0);
    const moved = hitsOf([quoteOf(CROWN, 2.1, 2.1), quoteOf(SBOBET, 1.5, 2), quoteOf(MACAU, 2, 2.05)]);
    expect(moved.arbHits[0]!.legs).toEqual([
      { bookmaker: CROWN, priceE4: 21_000, atMs: 1 },
      { bookmaker: MACAU, priceE4: 20_500, atMs: 1 },
    ]);
  });

  test('moves the leg of the first outcome if two legs cost the same elsewhere, and moves none if the sum would be exactly 1', () => {
    const tied = hitsOf([quoteOf(CROWN, 2.1, 2.1), quoteOf(SBOBET, 1.5, 2), quoteOf(MACAU, 2, 1.5)]);
    expect(tied.arbHits[0]!.legs.map((leg) => leg.bookmaker)).toEqual([MACAU, CROWN]);
    const even = hitsOf([quoteOf(CROWN, 5, 5), quoteOf(SBOBET, 1.25, 1.1)]);
    expect(even.arbHits).toHaveLength(0);
    expect(even.droppedArbCount).toBe(0);
  });

  test('resolves ties in favour of the first bookmaker in catalogue order', () => {
    const quotes = [quoteOf(SBOBET, 2.1, 2.05), quoteOf(CROWN, 2.1, 1.8), quoteOf(MACAU, 2, 2.05)];
    expect(hitsOf(quotes).arbHits[0]!.legs.map((leg) => leg.bookmaker)).toEqual([CROWN, SBOBET]);
  });

  test('counts hits that do not fit into the buffers, without writing them', () => {
    const lines = Array.from({ length: 6 }, (_, line) => [
      { ...quoteOf(CROWN, 2.1, 1.8), lineQuarters: line },
      { ...quoteOf(PINNACLE, 1.9, 1.99), lineQuarters: line },
    ]).flat();
    const { reader } = slateOf([{ eventNumber: 7, sport: 0, quotes: lines }]);
    const out = createScoreBuffers(1);
    const base = reader.pageOf(reader.slotOf(7)) * reader.quotesPerFixture;
    const end = base + lines.length;
    scoreQuotes({ columns: reader.columns, base, end, sport: 0, gate: OPEN_GATE }, OPEN, out);
    expect(out.counts[COUNT_ARB]).toBe(6);
    expect(out.counts[COUNT_VALUE]).toBe(6);
    expect(out.arb[0]).toBe(1);
  });
});

describe('fixtureHits', () => {
  test('returns undefined for an event that is not on the slate', () => {
    expect(fixtureHits(slateOf([]).reader, 7, OPEN, BEFORE_KICKOFF)).toBeUndefined();
  });

  test('refuses criteria that are not numbers', () => {
    const { reader } = slateOf([]);
    expect(() => fixtureHits(reader, 7, { ...OPEN, minEdge: Number.NaN }, BEFORE_KICKOFF)).toThrow(
      'thresholds',
    );
    expect(() => fixtureHits(reader, 7, { ...OPEN, marketMask: 8 }, BEFORE_KICKOFF)).toThrow('market mask');
  });
});
