import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NAME_WORDS_MAX, NameCache, parseName } from '../../../src/names/text/parse-name.ts';
import { codePoint } from '../../support/code-point.ts';

const NAMES = [
  ...['Arsenal W', 'Chelsea U21', "Nott'm Forest", 'Sheffield Utd', 'Paris SG', 'Inter Miami CF'],
  ...['Borussia Monchengladbach', 'Philadelphia 76ers', 'Bodø/Glimt', '1. FC Köln', 'HamKam'],
];

describe('parseName', () => {
  test('takes at most NAME_WORDS_MAX words of any text, and skips the rest quickly', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 2_000 }), (text) => {
        const { words } = parseName(text);
        expect(words.length).toBeLessThanOrEqual(NAME_WORDS_MAX);
        for (const word of words) expect(word.text).toMatch(/^[a-z0-9]{1,24}$/);
      }),
    );
  });

  test('counts the parts of compounds against NAME_WORDS_MAX', () => {
    expect(parseName(`a1 ${'sportverein '.repeat(12)}`).words.length).toBe(NAME_WORDS_MAX);
  });

  test('parsing the text of a parsed name again changes nothing', () => {
    for (const name of NAMES) expect(parseName(parseName(name).text).text).toBe(parseName(name).text);
  });
});

describe('NameCache', () => {
  test('never holds more names than its capacity, and gives the same result as parsing without a cache', () => {
    const cache = new NameCache(parseName, 8);
    for (const name of [...NAMES, ...NAMES]) {
      expect(cache.parse(name)).toEqual(parseName(name));
      expect(cache.size).toBeLessThanOrEqual(8);
    }
  });
});
