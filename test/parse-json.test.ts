// JSON from strangers: everything that JSON.parse accepts is accepted, except deep nesting and very many
// fields, which are refused at little cost.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseJson } from '../src/parse-json.ts';

test('any JSON is parsed as JSON.parse parses it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('brackets in strings do not count as nesting, whatever the strings escape', () => {
  const strings = ['['.repeat(100), '\\', '"', '\\"', '{"[', '\\\\"['.repeat(50)];
  expect(parseJson(JSON.stringify(strings))).toEqual(strings);
});

test('deep nesting of arrays and objects is refused, whether or not it is closed', () => {
  expect(parseJson('['.repeat(64) + ']'.repeat(64))).toBeArray();
  for (const text of ['['.repeat(65_000), '['.repeat(65) + ']'.repeat(65), '{"a":'.repeat(65)])
    expect(() => parseJson(text)).toThrow('nested too deeply');
});

test('more than 512 fields are refused, in one object or in many; colons in strings do not count', () => {
  const one = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [at, at])));
  const many = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, at) => ({ [`a${at}`]: at })));
  for (const textOf of [one, many]) {
    expect(parseJson(textOf(512))).toEqual(JSON.parse(textOf(512)));
    expect(() => parseJson(textOf(513))).toThrow('too many fields');
  }
  expect(parseJson(JSON.stringify([':'.repeat(1_000)]))).toBeArray();
});
