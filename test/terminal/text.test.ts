// Tables are aligned by displayed width, fit the terminal, and contain nothing that a terminal would execute.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Column, displayOf, plainText, tableLines } from '../../src/terminal/text.ts';

const COLUMNS: readonly Column[] = [
  { title: 'fixture', isFlexible: true },
  { title: 'price', align: 'right' },
  { title: 'book' },
];
const CELL = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '横浜F・マリノス',
    'Ceará',
    '한국전력',
    '👩‍👩‍👧',
    '\x1b[31mred\x1b[0m',
    '\u202eright to left',
    'two\nlines',
  ),
);

test('every row has the same width, fits the terminal and contains no control character', () => {
  const row = fc.tuple(CELL, fc.integer().map(String), fc.constantFrom('crown', 'pinnacle'));
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 45, max: 90 }),
      (rows, width) => {
        const cells = rows.map((texts) => texts.map((text) => ({ text })));
        const lines = tableLines(COLUMNS, cells, { width, hasColour: false });
        expect(lines).toHaveLength(rows.length + 1);
        const bookAt = Bun.stringWidth(lines[0]!.slice(0, lines[0]!.indexOf('book')));
        for (const [index, line] of lines.slice(1).entries()) {
          expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
          expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
          expect(Bun.stringWidth(line.slice(0, line.lastIndexOf(rows[index]![2])))).toBe(bookAt);
        }
      },
    ),
  );
});

test('there are no colours with NO_COLOR, with TERM=dumb, or when standard output is not a terminal', () => {
  expect(displayOf({ NO_COLOR: '1' }).hasColour).toBe(false);
  expect(displayOf({ TERM: 'dumb' }).hasColour).toBe(false);
  const styledCell = [[{ text: 'a', style: 'red' as const }]];
  expect(tableLines([{ title: 'x' }], styledCell, { width: null, hasColour: false }).join()).toBe('x,a');
  expect(tableLines([{ title: 'x' }], styledCell, { width: null, hasColour: true })[1]).toBe(
    '\x1b[31ma\x1b[0m',
  );
});

test('plainText keeps readable text and removes control sequences', () => {
  expect(plainText('Ceará \x1b]0;title\x07 横浜')).toBe('Ceará  ]0;title  横浜');
});
