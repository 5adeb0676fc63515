// Bookmakers are requested by name or by region, whichever costs fewer credits.

import { describe, expect, test } from 'bun:test';
import { chooseBookmakers } from '../../../src/feed/the-odds-api/regions.ts';

describe('chooseBookmakers', () => {
  test('bookmakers are requested by name if that costs no more than their regions', () => {
    expect(chooseBookmakers(['pinnacle'])).toEqual({
      parameter: 'bookmakers',
      value: 'pinnacle',
      creditsPerMarket: 1,
    });
    const british =
      'betway boylesports casumo coral grosvenor ladbrokes_uk leovegas paddypower skybet virginbet'.split(
        ' ',
      );
    expect(chooseBookmakers(british)).toMatchObject({ parameter: 'bookmakers', creditsPerMarket: 1 });
  });

  test('the fewest regions that show all bookmakers are requested, if that is cheaper than by name', () => {
    const british =
      'betway boylesports casumo coral grosvenor ladbrokes_uk leovegas paddypower skybet virginbet smarkets';
    expect(chooseBookmakers(british.split(' '))).toEqual({
      parameter: 'regions',
      value: 'uk',
      creditsPerMarket: 1,
    });
    const both = `${british} pinnacle marathonbet betsson tipico_de nordicbet unibet_fr onexbet gtbets suprabets coolbet`;
    expect(chooseBookmakers(both.split(' '))).toEqual({
      parameter: 'regions',
      value: 'eu,uk',
      creditsPerMarket: 2,
    });
  });

  test('bookmakers are requested by name if no known region shows one of them', () => {
    const books = Array.from({ length: 21 }, (_, index) => `somebody_${index}`);
    expect(chooseBookmakers(books)).toMatchObject({ parameter: 'bookmakers', creditsPerMarket: 3 });
  });
});
