import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { outcomesOf, visibleBookmakerMask } from '../../src/domain/catalogue.ts';
import { consensusLine, type MarketLine, marketLines, rowsOfMarket } from '../../src/scoring/market-lines.ts';
import { runs } from '../support/runs.ts';
import { referenceOf } from './naive.ts';
import { fixtureArbitrary } from './pages.ts';
import { type PlainFixture, type PlainQuote, slateOf } from './slate.ts';
import { OPEN_GATE } from './usual-criteria.ts';

const ALL_BOOKS = visibleBookmakerMask(true);

function linesOf(fixture: PlainFixture, market: number, period: number, bookmakerMask: number): MarketLine[] {
  const { reader } = slateOf([fixture]);
  const view = { sport: fixture.sport, market, period, bookmakerMask, gate: OPEN_GATE };
  return reader.readEvent(fixture.eventNumber, (page) =>
    marketLines(reader.columns, page * reader.quotesPerFixture, reader.columns.quoteCount[page]!, view),
  )!;
}

function inverseSum(quote: PlainQuote): number {
  return quote.pricesE4.reduce((sum, priceE4) => sum + 10_000 / priceE4, 0);
}

/** The expected lines, computed from plain objects. */
function naiveLines(fixture: PlainFixture, market: number, period: number, mask: number): MarketLine[] {
  const taking = fixture.quotes
    .filter((quote) => quote.market === market && quote.period === period && quote.status === 0)
    .filter((quote) => (mask >> quote.bookmaker) & 1 && quote.pricesE4.every((priceE4) => priceE4 > 10_000))
    .toSorted((x, y) => x.lineQuarters - y.lineQuarters || x.bookmaker - y.bookmaker);
  const offered = [...new Set(taking.map((quote) => quote.lineQuarters))];
  return offered.map((lineQuarters) => {
    const line = taking.filter((quote) => quote.lineQuarters === lineQuarters);
    const outcomes = outcomesOf(fixture.sport, market);
    const best = outcomes.map((_, outcome) =>
      line.reduce((held, quote) => (quote.pricesE4[outcome]! > held.pricesE4[outcome]! ? quote : held)),
    );
    const belowOne = line.filter((quote) => inverseSum(quote) < 1 - 1e-12);
    const [first, ...others] = line.filter((quote) => !belowOne.includes(quote));
    const sharpest = others.reduce(
      (held, quote) => (held !== undefined && inverseSum(quote) < inverseSum(held) - 1e-12 ? quote : held),
      first,
    );
    return {
      lineQuarters,
      bookCount: line.length,
      bestPricesE4: best.map((quote, outcome) => quote.pricesE4[outcome]!),
      bestBookmakers: best.map((quote) => quote.bookmaker),
      sharpest:
        sharpest === undefined ? null : { bookmaker: sharpest.bookmaker, pricesE4: [...sharpest.pricesE4] },
      books: [],
      belowOneBookmakers: belowOne.map((quote) => quote.bookmaker),
      bestAtMs: best.map((quote) => quote.atMs ?? 1),
      sharpAtMs: referenceOf(line, outcomes.length)?.atMs ?? Number.NaN,
    };
  });
}

function lineOf(lineQuarters: number, bookCount: number, ...bestPricesE4: number[]): MarketLine {
  return {
    lineQuarters,
    bookCount,
    bestPricesE4,
    bestBookmakers: bestPricesE4.map(() => 0),
    sharpest: { bookmaker: 0, pricesE4: bestPricesE4 },
    books: [],
    belowOneBookmakers: [],
    bestAtMs: bestPricesE4.map(() => 0),
    sharpAtMs: 0,
  };
}

describe('marketLines', () => {
  test('finds what the naive object version finds', () => {
    const market = fc.integer({ min: 0, max: 2 });
    const period = fc.integer({ min: 0, max: 1 });
    const mask = fc.oneof(
      fc.constant(ALL_BOOKS),
      fc.integer().map((bits) => bits & ALL_BOOKS),
    );
    fc.assert(
      fc.property(fixtureArbitrary, market, period, mask, (fixture, ofMarket, ofPeriod, books) => {
        const lines = linesOf(fixture, ofMarket, ofPeriod, books);
        const expected = naiveLines(fixture, ofMarket, ofPeriod, books);
        expect(lines).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('rowsOfMarket', () => {
  test('rowsOfMarket covers every row of one market and period, including suspended ones, and no other row', () => {
    fc.assert(
      fc.property(fixtureArbitrary, (fixture) => {
        const { reader } = slateOf([fixture]);
        const page = reader.pageOf(0);
        const base = page * reader.quotesPerFixture;
        let covered = 0;
        for (let market = 0; market < 3; market++) {
          for (let period = 0; period < 2; period++) {
            const rows = rowsOfMarket(reader.columns, base, fixture.quotes.length, { market, period });
            const expected = fixture.quotes.filter((q) => q.market === market && q.period === period).length;
            expect(rows.end - rows.first).toBe(expected);
            expect(rows.first).toBe(base + covered);
            covered += expected;
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('consensusLine', () => {
  test('consensusLine is the line that most bookmakers offer', () => {
    expect(consensusLine([lineOf(-3, 2, 20_000, 20_000), lineOf(5, 3, 15_000, 30_000)])!.lineQuarters).toBe(
      5,
    );
  });
  test('consensusLine is the line with the most balanced best prices, if several are offered equally often', () => {
    const lines = [
      lineOf(0, 2, 15_000, 25_000),
      lineOf(-2, 2, 19_000, 19_500),
      lineOf(-1, 2, 17_000, 22_000),
    ];
    expect(consensusLine(lines)!.lineQuarters).toBe(-2);
  });
  test('consensusLine is the line nearest zero, then the lower one, if several are equally balanced', () => {
    const nearest = [
      lineOf(-3, 2, 19_000, 20_000),
      lineOf(-1, 2, 20_000, 19_000),
      lineOf(2, 2, 19_000, 20_000),
    ];
    expect(consensusLine(nearest)!.lineQuarters).toBe(-1);
    expect(consensusLine([lineOf(-2, 2, 19_000, 20_000), lineOf(2, 2, 20_000, 19_000)])!.lineQuarters).toBe(
      -2,
    );
  });
  test('is null without lines', () => {
    expect(consensusLine([])).toBeNull();
  });
});

describe('visibleBookmakerMask', () => {
  test('the mask has every bookmaker, except the sharp one if the caller may not see it', () => {
    expect(visibleBookmakerMask(true)).toBe(127);
    expect(visibleBookmakerMask(false)).toBe(0b1101111);
  });
});
