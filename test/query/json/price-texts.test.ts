// Prices are written as JSON.stringify writes them.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ODDS_FORMATS } from '../../../src/domain/catalogue.ts';
import { priceInFormat } from '../../../src/domain/odds-format.ts';
import { PriceTexts } from '../../../src/query/json/price-texts.ts';

const decoder = new TextDecoder();

/** Prices in ten-thousandths: everyday ones, edges of the formats, pulled lines and the largest. */
const priceE4 = fc.oneof(
  fc.integer({ min: 10_001, max: 200_000 }),
  fc.constantFrom(0, 1, 9_999, 10_000, 10_001, 19_999, 20_000, 20_001, 10_050, 2_000_000_000),
  fc.integer({ min: 0, max: 2_000_000_000 }),
);

test('PriceTexts.put writes what JSON.stringify writes for the price in its format, whichever prices came before', () => {
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  for (const format of ODDS_FORMATS) {
    for (const malayDecimals of [2, 3]) {
      const texts = new PriceTexts(format, malayDecimals);
      fc.assert(
        fc.property(fc.array(priceE4, { minLength: 200, maxLength: 400, size: 'max' }), (prices) => {
          const wrong = [...prices, ...prices].filter((price) => {
            const text = decoder.decode(bytes.subarray(3, texts.put(view, 3, price)));
            return text !== JSON.stringify(priceInFormat(price, format, malayDecimals));
          });
          expect(wrong).toEqual([]);
        }),
        { numRuns: 40 },
      );
    }
  }
});
