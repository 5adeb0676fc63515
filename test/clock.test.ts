import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { isCalendarDate } from '../src/clock.ts';

test('isCalendarDate agrees with Temporal on every text that looks like a day', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9999 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        let isReal = true;
        try {
          Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
        } catch {
          isReal = false;
        }
        expect(isCalendarDate(text)).toBe(isReal);
      },
    ),
  );
});
