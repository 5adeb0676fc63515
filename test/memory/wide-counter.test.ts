// Counters of two words, and words that only increase.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { addWide, raiseWord, readWide } from '../../src/memory/wide-counter.ts';

describe('wide counter', () => {
  test('addWide carries into the high word', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 31 - 1), { maxLength: 60 }), (amounts) => {
        const words = new Int32Array(new SharedArrayBuffer(8));
        for (const amount of amounts) addWide(words, 0, amount);
        expect(readWide(words, 0)).toBe(amounts.reduce((sum, amount) => sum + amount, 0));
      }),
    );
  });

  test('addWide carries when the low word becomes exactly 2^32', () => {
    const words = new Int32Array(new SharedArrayBuffer(8));
    for (const amount of [2 ** 31 - 1, 2 ** 31 - 1, 2]) addWide(words, 0, amount);
    expect([words[0], words[1], readWide(words, 0)]).toEqual([0, 1, 2 ** 32]);
  });

  test('raiseWord keeps the highest value', () => {
    const words = new Int32Array(new SharedArrayBuffer(4));
    for (const value of [3, 9, 4]) raiseWord(words, 0, value);
    expect(words[0]).toBe(9);
  });
});
