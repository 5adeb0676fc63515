// TextMemory remembers values that were computed from texts, within a bound.

import { expect, test } from 'bun:test';
import { TextMemory } from '../../../src/domain/texts/text-memory.ts';

test('a value is remembered until the memory is full, and the next value replaces all of them', () => {
  const memory = new TextMemory<number | null>(3);
  for (const [index, text] of ['a', 'b', 'c'].entries()) expect(memory.put(text, index)).toBe(index);
  expect(['a', 'b', 'c', 'd'].map((text) => memory.get(text))).toEqual([0, 1, 2, undefined]);
  memory.put('d', null);
  expect(['a', 'b', 'c', 'd'].map((text) => memory.get(text))).toEqual([
    undefined,
    undefined,
    undefined,
    null,
  ]);
});

test('the value of a text longer than the limit is never remembered', () => {
  const memory = new TextMemory<number>(3, 4);
  expect(memory.put('12345', 1)).toBe(1);
  expect(memory.get('12345')).toBeUndefined();
  memory.put('1234', 2);
  expect(memory.get('1234')).toBe(2);
});
