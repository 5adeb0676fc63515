// What is read out of a person's words, and what is asked back instead of guessed.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readQuestion } from '../../src/terminal/question.ts';

const NONE = { market: null, period: null, line: null };

test.each([
  ['arsenal', { words: 'arsenal' }],
  ['arsenal -0.75', { words: 'arsenal', market: 'asian_handicap', line: -0.75 }],
  [
    'arsenal v chelsea +1 ht',
    { words: 'arsenal v chelsea', market: 'asian_handicap', line: 1, period: 'half_time' },
  ],
  ['inter napoli over 2.5', { words: 'inter napoli', market: 'totals', line: 2.5 }],
  ['inter u2.25', { words: 'inter', market: 'totals', line: 2.25 }],
  ['inter total 3', { words: 'inter', market: 'totals', line: 3 }],
  ['lakers celtics 1x2 1H', { words: 'lakers celtics', market: '1x2', period: 'half_time' }],
  ['schalke 04', { words: 'schalke 04' }],
  ['philadelphia 76ers -3.5', { words: 'philadelphia 76ers', market: 'asian_handicap', line: -3.5 }],
  ['1860 -1', { words: '1860', market: 'asian_handicap', line: -1 }],
  ['over', { words: 'over' }],
  ['inter 2026-03-01', { words: 'inter 2026-03-01' }],
])('%s', (text, expected) => {
  expect(readQuestion(text)).toEqual({ ...NONE, ...expected } as ReturnType<typeof readQuestion>);
});

test.each([
  ['arsenal 2.5', 'a handicap or a total'],
  ['arsenal -0.3', 'lines are in quarters'],
  ['arsenal over 2.6', 'lines are in quarters'],
])('%s is asked back', (text, message) => {
  expect(() => readQuestion(text)).toThrow(message);
});

describe('any name', () => {
  test('with a line behind it comes back whole, with the line', () => {
    const name = fc
      .stringMatching(/^[a-z]{3,9}( [a-z]{3,9}){0,3}$/)
      .filter((text) => !/\b(?:over|under|total|totals|handicap)$/.test(text));
    fc.assert(
      fc.property(name, fc.integer({ min: -40, max: 40 }), (words, quarters) => {
        const line = quarters / 4;
        const shown = quarters < 0 ? String(line) : `+${line}`;
        expect(readQuestion(`${words} ${shown}`)).toMatchObject({ words, line, market: 'asian_handicap' });
        if (line >= 0)
          expect(readQuestion(`${words} over ${line}`)).toMatchObject({ words, line, market: 'totals' });
      }),
    );
  });
});
