// The side table of liquidity compared with a plain map: any fixtures and exchanges in any order, a table
// that fills, and readers that are not disturbed by writes to other entries.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LIQUIDITY_ENTRIES_MAX, LIQUIDITY_ROWS_MAX } from '../../src/limits.ts';
import type { StoredLiquidity } from '../../src/store/liquidity.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { smallStore } from './small-store.ts';

const amount = fc.double({ min: 0, max: 1e12, noNaN: true });
const liquidity: fc.Arbitrary<StoredLiquidity> = fc.record({
  bookmaker: fc.nat(31),
  currency: fc.constantFrom('USD', 'GBP', 'EUR', 'AAA', 'ZZZ'),
  atMs: fc.nat(),
  rows: fc.array(
    fc.record({
      quoteKey: fc.nat(2 ** 22),
      sizes: fc.array(amount, { minLength: 2, maxLength: 3 }),
      matched: fc.option(amount),
    }),
    { maxLength: LIQUIDITY_ROWS_MAX },
  ),
});
const eventNumber = fc.constantFrom(1, 2, 3, 2 ** 52 - 1);

describe('liquidity', () => {
  test('readers get the liquidity that was put last, by fixture and exchange, until the fixture leaves', () => {
    const operation = fc.oneof(
      { weight: 4, arbitrary: fc.record({ event: eventNumber, put: liquidity }) },
      { weight: 1, arbitrary: fc.record({ event: eventNumber, put: fc.constant(null) }) },
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
        const buffer = smallStore();
        const writer = new SlateWriter(buffer);
        const reader = new SlateReader(buffer);
        const model = new Map<number, Map<number, StoredLiquidity>>();
        for (const { event, put } of operations) {
          if (put === null) {
            model.delete(event);
            writer.facts.liquidity.remove(event);
          } else {
            model.set(event, (model.get(event) ?? new Map()).set(put.bookmaker, put));
            writer.facts.liquidity.put(event, put);
          }
          for (const [number, byBookmaker] of model) {
            const expected = [...byBookmaker.values()].sort((one, other) => one.bookmaker - other.bookmaker);
            expect(reader.liquidityOf(number)).toEqual(expected);
          }
          if (put === null) expect(reader.liquidityOf(event)).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('in a full table, the entry that was written the longest time ago is replaced', () => {
    const buffer = smallStore({ liquidityEntries: LIQUIDITY_ENTRIES_MAX });
    const writer = new SlateWriter(buffer);
    const reader = new SlateReader(buffer);
    const of = (atMs: number): StoredLiquidity => ({ bookmaker: 0, currency: 'USD', atMs, rows: [] });
    for (let event = 1; event <= LIQUIDITY_ENTRIES_MAX; event++) writer.facts.liquidity.put(event, of(event));
    writer.facts.liquidity.put(1, of(0)); // written again: now the second entry is the oldest
    writer.facts.liquidity.put(LIQUIDITY_ENTRIES_MAX + 1, of(7));
    expect(reader.liquidityOf(1)).toEqual([of(0)]);
    expect(reader.liquidityOf(2)).toEqual([]);
    expect(reader.liquidityOf(LIQUIDITY_ENTRIES_MAX + 1)).toEqual([of(7)]);
  });

  test('a new writer begins with an empty table', () => {
    const buffer = smallStore();
    new SlateWriter(buffer).facts.liquidity.put(1, { bookmaker: 0, currency: 'USD', atMs: 0, rows: [] });
    expect(new SlateReader(buffer).liquidityOf(1)).toHaveLength(1);
    new SlateWriter(buffer);
    expect(new SlateReader(buffer).liquidityOf(1)).toEqual([]);
  });
});
