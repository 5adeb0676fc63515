// Bytes from columns, compared with JSON.stringify of the same block as objects; and JsonBytes compared with
// the language itself.

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
import { KEYLESS, type Principal } from '../../../src/domain/tiers.ts';
import { DayTexts, putAscii, putInstant, putTenThousandths } from '../../../src/query/json/json-bytes.ts';
import { QuoteHeads } from '../../../src/query/json/quote-heads.ts';
import { TextTable } from '../../../src/query/json/text-table.ts';
import { nameOfKey } from '../../../src/query/odds/odds.ts';
import { OddsEncoder } from '../../../src/query/odds/odds-encoder.ts';
import { oddsFilter } from '../../../src/query/odds/odds-filter.ts';
import type { FixtureNow } from '../../../src/query/slate/fixture-view.ts';
import { packQuoteKey } from '../../../src/store/quote-key.ts';
import { quoteWire, removeWire } from '../../feed/wire.ts';
import { misfitOf } from '../../support/shape.ts';
import { fixtureWire, SlateDesk } from '../slate-desk.ts';

const SHARP: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };
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

/** Prices in ten-thousandths: everyday ones, edges of the formats, pulled lines and the largest. */
const priceE4 = fc.oneof(
  fc.integer({ min: 10_001, max: 200_000 }),
  fc.constantFrom(0, 1, 9_999, 10_000, 10_001, 19_999, 20_000, 20_001, 10_050, 2_000_000_000),
  fc.integer({ min: 0, max: 2_000_000_000 }),
);

const quote: fc.Arbitrary<RandomQuote> = fc.record({
  market: fc.nat(2),
  period: fc.nat(1),
  lineQuarters: fc.integer({ min: -4_000, max: 4_000 }),
  bookmaker: fc.nat(6),
  prices: fc.tuple(priceE4, priceE4, priceE4),
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
    writer.putQuote(slot, key, prices[0]!, prices[1]!, third, status, atMs);
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

  test('is sorted by market, period, line, then catalogue order, whatever the order of arrival', () => {
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

  test('never shows the sharp book to a caller who may not see it', () => {
    const quotes = BOOKMAKER_KEYS.map((_, bookmaker) => ({
      market: 1,
      period: 0,
      lineQuarters: -3,
      bookmaker,
      prices: [19_500, 19_700],
      status: 0,
      atMs: 1,
    }));
    const { desk, fixture } = deskOf(0, quotes);
    const encode = (principal: Principal) =>
      decoder.decode(new OddsEncoder(desk.ingest.reader).encode(fixture, oddsFilter({}, principal)));
    expect(encode(KEYLESS)).not.toContain('pinnacle');
    expect(encode(SHARP)).toContain('pinnacle');
    expect(() => oddsFilter({ bookmakers: ['pinnacle'] }, KEYLESS)).toThrow(
      'the free tier does not include it',
    );
  });

  test('a fixture that left since is an empty block, not an error', () => {
    const { desk, fixture } = deskOf(0, []);
    desk.send(removeWire(0));
    const text = decoder.decode(new OddsEncoder(desk.ingest.reader).encode(fixture, oddsFilter({}, SHARP)));
    expect(JSON.parse(text)).toMatchObject({ event_id: fixture.view.id, odds: [] });
  });
});

describe('json bytes', () => {
  const room = new Uint8Array(2_048);
  const view = new DataView(room.buffer);
  const written = (write: (bytes: Uint8Array) => number) => decoder.decode(room.slice(0, write(room)));

  test('putTenThousandths is the shortest decimal text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_147_483_647 }), (value) => {
        expect(written((bytes) => putTenThousandths(bytes, 0, value))).toBe(String(value / 10_000));
      }),
      { numRuns: 2_000 },
    );
  });

  test('putInstant is toISOString, from 1970 to 9999, days in any order', () => {
    const ms = fc.integer({ min: 0, max: 253_402_300_799_999 });
    const day = new DayTexts(['']);
    fc.assert(
      fc.property(ms, fc.nat(172_800_000), (one, step) => {
        for (const at of [one, Math.max(0, one - step), one]) {
          expect(written(() => putInstant(view, 0, at, day, 0))).toBe(new Date(at).toISOString());
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('putInstant is right in every second of a day and every millisecond of a second', () => {
    const dayStartMs = Date.UTC(2026, 2, 1);
    const day = new DayTexts(['']);
    let wrongCount = 0;
    for (let index = 0; index < 86_400; index++) {
      const at = dayStartMs + index * 1_000 + (index % 1_000);
      if (written(() => putInstant(view, 0, at, day, 0)) !== new Date(at).toISOString()) wrongCount++;
    }
    expect(wrongCount).toBe(0);
  });

  test('putAscii writes text at a position and returns the next one', () => {
    for (const text of ['', 'a', 'abcdefghij', 'abcdefghijk', 'abcdefghij'.repeat(5)]) {
      expect(written((bytes) => putAscii(bytes, 0, text))).toBe(text);
      expect(putAscii(room, 3, text)).toBe(3 + text.length);
    }
  });

  test('TextTable.put writes any printable text at any place, also after it was emptied', () => {
    const printable = fc.string({ unit: 'binary-ascii', maxLength: 1_000 }).map(asPrintable);
    fc.assert(
      fc.property(fc.array(printable, { maxLength: 20 }), fc.nat(9), (texts, start) => {
        const table = new TextTable();
        for (let turn = 0; turn < 2; turn += 1) {
          const handles = texts.map((text) => table.add(text));
          const found = handles.map((handle) => {
            const end = table.put(view, start, handle);
            return decoder.decode(room.subarray(start, end));
          });
          expect(found).toEqual(texts);
          table.clear();
        }
      }),
    );
    expect(() => new TextTable().add('caf\u00e9')).toThrow('printable ASCII');
  });

  test('QuoteHeads.put writes the name of any key up to the first price, with more keys than it holds', () => {
    const heads = new QuoteHeads(0);
    const keys: number[] = [];
    for (let lineQuarters = -1_500; lineQuarters < 1_500; lineQuarters += 1) {
      for (const bookmaker of [0, 3, 6]) {
        for (const period of [0, 1]) keys.push(packQuoteKey(1, period, lineQuarters, bookmaker));
      }
    }
    keys.push(...Array.from({ length: 6_000 }, (_, index) => packQuoteKey(2, 0, index, 5)));
    expect(keys.length).toBeGreaterThan(20_000);
    const wrong = [...keys, ...keys.slice(0, 100)].filter((key) => {
      const quote = JSON.parse(`${written(() => heads.put(view, 0, key))}0}}`);
      const { prices, ...name } = quote as { prices: Record<string, number> };
      return !Bun.deepEquals(name, nameOfKey(key)) || Object.keys(prices).length !== 1;
    });
    expect(wrong).toEqual([]);
  });
});

/** Text of the same length with characters from space to tilde. */
function asPrintable(text: string): string {
  return Array.from(text, (character) => String.fromCharCode(32 + (character.charCodeAt(0) % 95))).join('');
}

describe('OpeningQueries.ofQuotes', () => {
  test('is the first price of each current quote the caller may see; a line that left or has none is omitted', () => {
    const desk = new SlateDesk();
    desk.snapshot(fixtureWire('e1', '2026-03-01T15:00:00Z'));
    const sharp = { bookmaker: 'pinnacle' };
    desk.send(
      quoteWire(0, 'e1', { prices: [1.9, 2] }),
      quoteWire(0, 'e1', { prices: [1.8, 2.1] }),
      quoteWire(0, 'e1', { ...sharp, prices: [1.95, 1.95] }),
      quoteWire(0, 'e1', { bookmaker: 'macau', prices: [0, 0], status: 'suspended' }),
      quoteWire(0, 'e1', { line: -1, prices: [2.1, 1.8] }),
      { ...quoteWire(0, 'e1', { line: -1 }), type: 'close' },
    );
    const fixture = desk.slate.peek(desk.nowMs)[0]!;
    const shown = (principal: Principal) =>
      desk.openings.ofQuotes(fixture, oddsFilter({}, principal)).opening;
    expect(shown(SHARP)).toMatchObject([
      {
        bookmaker: 'crown',
        line: -0.75,
        prices: { home: 1.9, away: 2 },
        opened_at: '2026-03-01T12:00:00.000Z',
      },
      { bookmaker: 'pinnacle', line: -0.75, prices: { home: 1.95, away: 1.95 } },
    ]);
    expect(shown(KEYLESS).map(({ bookmaker }) => bookmaker)).toEqual(['crown']);
  });

  test('source is upstream when the feed sent every opening shown, else first_seen', () => {
    const desk = new SlateDesk();
    desk.snapshot(fixtureWire('e1', '2026-03-01T15:00:00Z'));
    const sent = { opening: [1.7, 2.3], opened_at: '2026-02-01T00:00:00Z' };
    desk.send(quoteWire(0, 'e1', sent));
    const source = () => {
      const fixture = desk.slate.peek(desk.nowMs)[0]!;
      return desk.openings.ofQuotes(fixture, oddsFilter({}, SHARP)).source;
    };
    expect(source()).toBe('upstream');
    desk.send(quoteWire(0, 'e1', { bookmaker: 'sbobet' }));
    expect(source()).toBe('first_seen');
  });
});

function isAsian(key: string): boolean {
  return key !== 'pinnacle';
}
