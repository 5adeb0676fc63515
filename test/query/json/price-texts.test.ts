// Prices are written as JSON.stringify writes them.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ODDS_FORMATS } from '../../../src/domain/catalogue.ts';
import { priceInFormat } from '../../../src/domain/odds-format.ts';
import { PriceTexts } from '../../../src/query/json/price-texts.ts';
import { anyPriceE4 } from '../slate-desk.ts';

const decoder = new TextDecoder();

test('PriceTexts.put writes what JSON.stringify writes for the price in its format, whichever prices came before', () => {
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  for (const format of ODDS_FORMATS) {
    for (const malayDecimals of [2, 3]) {
      const texts = new PriceTexts(format, malayDecimals);
      fc.assert(
        fc.property(fc.array(anyPriceE4, { minLength: 200, maxLength: 400, size: 'max' }), (prices) => {
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
