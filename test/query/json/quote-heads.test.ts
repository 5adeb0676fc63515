import { expect, test } from 'bun:test';
import { QuoteHeads } from '../../../src/query/json/quote-heads.ts';
import { nameOfKey } from '../../../src/query/odds/odds.ts';
import { packQuoteKey } from '../../../src/store/quote-key.ts';

const room = new Uint8Array(2_048);
const view = new DataView(room.buffer);

test('QuoteHeads.put writes the bytes of a quote before its first price, for any key, also for more keys than it caches', () => {
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
    const quote = JSON.parse(`${new TextDecoder().decode(room.slice(0, heads.put(view, 0, key)))}0}}`);
    const { prices, ...name } = quote as { prices: Record<string, number> };
    return !Bun.deepEquals(name, nameOfKey(key)) || Object.keys(prices).length !== 1;
  });
  expect(wrong).toEqual([]);
});
