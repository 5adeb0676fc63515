// Cursors: decoding returns what was encoded, and even a correctly signed cursor is checked again.

import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { comparePositions, decodeCursor, encodeCursor } from '../../../src/query/lists/cursor.ts';
import { codePoint } from '../../support/code-point.ts';

const part = fc.oneof(
  fc.string({ unit: codePoint }).map((text) => text.toWellFormed()),
  fc.integer(),
  fc.constant(Number.POSITIVE_INFINITY),
);

describe('cursor', () => {
  test('decode gives back the position that was encoded', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(part), (scope, position) => {
        const cursor = encodeCursor(scope, position);
        expect(decodeCursor(scope, cursor)).toEqual(position);
        expect(cursor).toMatch(/^[\w-]+$/);
      }),
    );
  });

  test('a cursor of one scope is refused in another scope', () => {
    expect(() => decodeCursor('b', encodeCursor('a', [1, 'x']))).toThrow('this list never sent it');
  });

  test('a signed text that is not a position is refused, because everyone who has the source can sign', () => {
    for (const text of ['', 'nonsense', '{}', '7', '[{}]', '[[1]]', 'null']) {
      const signature = createHash('sha256').update(`overround cursor 1\ns\n${text}`).digest('base64url');
      const forged = signature.slice(0, 16) + Buffer.from(text).toString('base64url');
      expect(() => decodeCursor('s', forged)).toThrow('this list never sent it');
    }
  });

  test('comparePositions compares field by field', () => {
    const positions = [
      [1, 'a', 'x'],
      [1, 'b', 'a'],
      [2, 'a', 'a'],
      [Number.POSITIVE_INFINITY, 'a', 'a'],
    ];
    for (let left = 0; left < positions.length; left++) {
      for (let right = 0; right < positions.length; right++) {
        expect(Math.sign(comparePositions(positions[left]!, positions[right]!))).toBe(
          Math.sign(left - right),
        );
      }
    }
  });
});
