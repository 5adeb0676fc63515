// Numbers, times and text as bytes, compared with the output of JavaScript's own functions.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DayTexts, putAscii, putInstant, putTenThousandths } from '../../../src/query/json/json-bytes.ts';

const decoder = new TextDecoder();
const room = new Uint8Array(2_048);
const view = new DataView(room.buffer);
const written = (write: (bytes: Uint8Array) => number) => decoder.decode(room.slice(0, write(room)));

test('putTenThousandths writes the shortest decimal text', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_147_483_647 }), (value) => {
      expect(written((bytes) => putTenThousandths(bytes, 0, value))).toBe(String(value / 10_000));
    }),
    { numRuns: 2_000 },
  );
});

test('putInstant writes what toISOString returns, from 1970 to 9999, with days in any order', () => {
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

test('putInstant writes every second of a day and every millisecond of a second correctly', () => {
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
