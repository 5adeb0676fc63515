// The JSON values of a file to import: one a line, in an array, indented, one after another. However a list
// is written, the same values are read, and a file that was cut is refused instead of read in part.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { valueAt, valueRanges } from '../../../src/history/imports/import-files.ts';

const OBJECTS = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }), {
  minLength: 1,
  maxLength: 5,
});
const BYTE_ORDER_MARK = '\uFEFF';
const FORMS: readonly ((values: readonly unknown[]) => string)[] = [
  (values) => values.map((value) => JSON.stringify(value)).join('\n'),
  (values) => values.map((value) => `${JSON.stringify(value)}\r\n\r\n`).join(''),
  (values) => values.map((value) => `[${JSON.stringify(value)}]\n`).join(''),
  (values) => values.map((value) => JSON.stringify(value, null, 2)).join('\n'),
  (values) => JSON.stringify(values),
  (values) => `${JSON.stringify(values, null, '\t')}\n`,
];

function valuesOf(text: string): unknown[] {
  const bytes = new TextEncoder().encode(text);
  return valueRanges(bytes).map((range) => valueAt(bytes, range));
}

test('every form of a list is read as the same values, with and without a byte order mark', () => {
  fc.assert(
    fc.property(OBJECTS, fc.constantFrom(...FORMS), fc.boolean(), (values, form, isMarked) => {
      const read = valuesOf(`${isMarked ? BYTE_ORDER_MARK : ''}${form(values)}`);
      expect(read).toEqual(JSON.parse(JSON.stringify(values)) as unknown[]);
    }),
  );
});

test('an array that was cut anywhere is refused', () => {
  fc.assert(
    fc.property(OBJECTS, fc.nat(), (values, cut) => {
      const text = JSON.stringify(values);
      const length = 1 + (cut % (text.length - 1));
      expect(() => valuesOf(text.slice(0, length))).toThrow(SyntaxError);
    }),
  );
});

test('text between objects is refused', () => {
  for (const text of ['[{"a":1},x]', '{"a":1}\n]', '[{"a":1}}]', 'null']) {
    expect(() => valuesOf(text).map((value) => Object.keys(value as object))).toThrow();
  }
  expect(valuesOf(' \n\n')).toEqual([]);
});
