// The parts of a question about a match: its teams, its date, its sport.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ServiceError } from '../../src/errors.ts';
import { parseFixtureQuery } from '../../src/names/parse-fixture-query.ts';

const FIRST_DAY_MS = Date.parse('2026-11-20T15:00:00.000Z');

describe('parseFixtureQuery', () => {
  test.each([
    ['2026-13-45', true],
    ['Arsenal 2026-02-29', true],
    ['Arsenal 2028-02-29', false],
    ['Arsenal 2026-00-10', true],
    ['Arsenal 0000-00-00', true],
    ['Arsenal 12026-01-01', false],
    ['Arsenal 2026-11-20 or 2026-11-21', true],
    ['Arsenal 2026-11-20 2026-11-20', false],
  ])('%p throws invalid_request: %p', (text, throws) => {
    let code: string | null = null;
    try {
      parseFixtureQuery(text, { nowMs: FIRST_DAY_MS });
    } catch (error) {
      code = (error as ServiceError).code;
    }
    expect(code).toBe(throws ? 'invalid_request' : null);
  });

  test('takes the date out of the words, wherever in the text it is', () => {
    for (const text of ['2026-11-20 Arsenal', 'Arsenal 2026-11-20', 'Arsenal (2026-11-20)']) {
      const parsed = parseFixtureQuery(text, { nowMs: FIRST_DAY_MS });
      expect(parsed.dates.choices![0]!.dateText).toBe('2026-11-20');
      expect(parsed.kind === 'names' && parsed.readings).toEqual([
        { left: 'arsenal', right: null, homeIsRight: false, isSeparated: false },
      ]);
    }
  });

  test.each([
    ['evt_abc', 'evt_abc'],
    ['odds of evt_Zz9 please', 'evt_Zz9'],
    ['evt_abc 2026-11-20', 'evt_abc'],
    ['revt_abc', null],
    ['evt_', null],
  ])('id in %p: %p', (text, idText) => {
    const parsed = parseFixtureQuery(text, { nowMs: FIRST_DAY_MS });
    expect(parsed.kind === 'id' ? parsed.idText : null).toBe(idText);
  });

  test('gives no text more than 12 readings', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b-c', 'and', '/', 'vs', 'the', '-', ','), { maxLength: 60 }),
        (words) => {
          const parsed = parseFixtureQuery(words.join(' '), { nowMs: FIRST_DAY_MS });
          expect(parsed.kind === 'names' && parsed.readings.length).toBeLessThanOrEqual(12);
        },
      ),
    );
  });
});
