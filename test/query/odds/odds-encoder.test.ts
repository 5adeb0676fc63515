// Bytes from columns, compared with JSON.stringify of the same block as objects.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { OddsBlock } from '../../../src/contract/odds.ts';
import {
  BOOKMAKER_KEYS,
  MARKET_TYPES,
  ODDS_FORMATS,
  type OddsFormat,
  outcomesOf,
  PERIODS,
} from '../../../src/domain/catalogue.ts';
import { entityNumber } from '../../../src/domain/ids.ts';
import { KEYLESS } from '../../../src/domain/tiers.ts';
import { OddsEncoder } from '../../../src/query/odds/odds-encoder.ts';
import { oddsFilter } from '../../../src/query/odds/odds-filter.ts';
import type { FixtureNow } from '../../../src/query/slate/fixture-view.ts';
import { packQuoteKey } from '../../../src/store/quote-key.ts';
import { removeWire } from '../../feed/wire.ts';
import { misfitOf } from '../../support/shape.ts';
import { anyPriceE4, fixtureWire, SHARP, SlateDesk } from '../slate-desk.ts';

const decoder = new TextDecoder();

interface RandomQuote {
  readonly market: number;
  readonly period: number;
  readonly lineQuarters: number;
  readonly bookmaker: number;
  readonly prices: readonly number[];
  readonly status: number;
  readonly atMs: number;
}

const quote: fc.Arbitrary<RandomQuote> = fc.record({
  market: fc.nat(2),
  period: fc.nat(1),
  lineQuarters: fc.integer({ min: -4_000, max: 4_000 }),
  bookmaker: fc.nat(6),
  prices: fc.tuple(anyPriceE4, anyPriceE4, anyPriceE4),
  status: fc.nat(1),
  atMs: fc.oneof(
    fc.integer({ min: 0, max: 253_402_300_799_999 }),
    fc.integer({ min: 1_772_366_400_000, max: 1_772_452_800_000 }),
  ),
});

/** A fixture with these quotes, written directly into the store. */
function deskOf(sport: number, quotes: readonly RandomQuote[]): { desk: SlateDesk; fixture: FixtureNow } {
  const desk = new SlateDesk();
  desk.snapshot(
    fixtureWire('e1', '2026-03-01T15:00:00Z', { sport: sport === 0 ? 'football' : 'basketball' }),
  );
  const { writer } = desk.ingest;
  const slot = writer.slotOf(entityNumber('event', sport, 'e1'));
  for (const { market, period, lineQuarters, bookmaker, prices, status, atMs } of quotes) {
    const quarters = market === 0 ? 0 : market === 2 ? Math.abs(lineQuarters) : lineQuarters;
    const key = packQuoteKey(market, period, quarters, bookmaker);
    const third = outcomesOf(sport, market).length === 3 ? prices[2]! : 0;
    writer.quotes.putQuote(slot, key, prices[0]!, prices[1]!, third, status, atMs);
  }
  writer.publish(0);
  return { desk, fixture: desk.slate.peek(desk.nowMs)[0]! };
}

const words = fc.record({
  bookmakers: fc.option(fc.uniqueArray(fc.constantFrom(...BOOKMAKER_KEYS), { minLength: 1 }), {
    nil: undefined,
  }),
  markets: fc.option(fc.uniqueArray(fc.constantFrom(...MARKET_TYPES), { minLength: 1 }), { nil: undefined }),
  period: fc.option(fc.constantFrom(...PERIODS), { nil: undefined }),
  format: fc.constantFrom<OddsFormat[]>(...ODDS_FORMATS),
});

describe('OddsEncoder.encode', () => {
  test('equals JSON.stringify(OddsQueries.block(...)) for any page, format, filter, sport and tier', () => {
    let quoteCount = 0;
    fc.assert(
      fc.property(
        fc.nat(1),
        fc.array(quote, { maxLength: 60, size: 'max' }),
        fc.array(words, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.nat(400_000),
        (sport, quotes, filters, seesSharp, laterMs) => {
          const { desk } = deskOf(sport, quotes);
          const fixture = desk.slate.peek(desk.nowMs + laterMs)[0]!;
          const encoder = new OddsEncoder(desk.ingest.reader);
          for (const filter of filters) {
            const named = seesSharp ? filter : { ...filter, bookmakers: filter.bookmakers?.filter(isAsian) };
            const held = oddsFilter(named, seesSharp ? SHARP : KEYLESS);
            const block = desk.odds.block(fixture, held);
            quoteCount += block.odds.length;
            expect(decoder.decode(encoder.encode(fixture, held))).toBe(JSON.stringify(block));
            expect(misfitOf(OddsBlock, block)).toBeNull();
          }
        },
      ),
      { numRuns: 300, includeErrorInReport: true },
    );
    expect(quoteCount).toBeGreaterThan(5_000);
  });

  test('sorts quotes by market, period, line, then catalogue order, whatever the order of arrival', () => {
    const quotes: RandomQuote[] = [];
    for (const bookmaker of [6, 0, 4]) {
      for (const lineQuarters of [10, -3, 0]) {
        for (const market of [2, 1, 0]) {
          const prices = [20_000, 20_000, 20_000];
          for (const period of [1, 0]) {
            quotes.push({ market, period, lineQuarters, bookmaker, prices, status: 0, atMs: 1 });
          }
        }
      }
    }
    const { desk, fixture } = deskOf(0, quotes);
    const filter = oddsFilter({}, SHARP);
    const text = decoder.decode(new OddsEncoder(desk.ingest.reader).encode(fixture, filter));
    const { odds } = JSON.parse(text) as OddsBlock;
    const rank = odds.map((row) => [
      MARKET_TYPES.indexOf(row.market_type),
      PERIODS.indexOf(row.period),
      row.line ?? 0,
      BOOKMAKER_KEYS.indexOf(row.bookmaker),
    ]);
    const sorted = rank.toSorted((left, right) => {
      const index = left.findIndex((value, field) => value !== right[field]);
      return index < 0 ? 0 : left[index]! - right[index]!;
    });
    expect(rank).toEqual(sorted);
    expect(rank.length).toBe(6 + 18 + 18);
  });

  test('a fixture that has left is an empty block, not an error', () => {
    const { desk, fixture } = deskOf(0, []);
    desk.send(removeWire(0));
    const text = decoder.decode(new OddsEncoder(desk.ingest.reader).encode(fixture, oddsFilter({}, SHARP)));
    expect(JSON.parse(text)).toMatchObject({ event_id: fixture.view.id, odds: [] });
  });
});

function isAsian(key: string): boolean {
  return key !== 'pinnacle';
}
