// Days of time zones, also those of 23 and 25 hours.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayRange } from '../../../src/query/lists/day.ts';

describe('dayRange', () => {
  test('a day is 23, 24 or 25 hours long where clocks change, and days follow each other without gap or overlap', () => {
    const hours = (date: string, zone: string) => {
      const { fromMs, toMs } = dayRange(date, zone);
      return (toMs - fromMs) / 3_600_000;
    };
    expect(hours('2026-03-29', 'Europe/London')).toBe(23);
    expect(hours('2026-10-25', 'Europe/London')).toBe(25);
    expect(hours('2026-03-08', 'America/New_York')).toBe(23);
    expect(hours('2026-03-29', 'Asia/Singapore')).toBe(24);
    const zones = [
      'Europe/London',
      'America/Sao_Paulo',
      'Australia/Lord_Howe',
      'Africa/Cairo',
      'Asia/Tehran',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 730 }), (zone, days) => {
        const day = Temporal.PlainDate.from('2025-01-01').add({ days });
        const next = day.add({ days: 1 });
        expect(dayRange(day.toString(), zone).toMs).toBe(dayRange(next.toString(), zone).fromMs);
      }),
    );
  });
});
