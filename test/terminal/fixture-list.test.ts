// How `overround events` reads words for days, in any time zone and across clock changes.

import { expect, test } from 'bun:test';
import { dayOfWord } from '../../src/terminal/fixture-list.ts';

const ZONES = ['UTC', 'Europe/London', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati'];
// Shortly before midnight UTC, a leap day, both clock changes in Europe and America, and the end of a year.
const INSTANTS = [
  '2026-11-23T23:58:00Z',
  '2028-02-29T12:00:00Z',
  '2027-03-28T00:58:00Z',
  '2027-10-31T00:58:00Z',
  '2027-03-14T06:58:00Z',
  '2027-11-07T05:58:00Z',
  '2026-12-31T23:58:00Z',
];

test('today, tomorrow, yesterday and weekdays are days of the calendar of the zone', () => {
  for (const timezone of ZONES) {
    for (const instant of INSTANTS) {
      const nowMs = Date.parse(instant);
      const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(nowMs);
      const shifted = (days: number) =>
        new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
      expect(dayOfWord('today', nowMs, timezone)).toBe(today);
      expect(dayOfWord('Tonight', nowMs, timezone)).toBe(today);
      expect(dayOfWord('tomorrow', nowMs, timezone)).toBe(shifted(1));
      expect(dayOfWord('yesterday', nowMs, timezone)).toBe(shifted(-1));
      for (let days = 0; days < 7; days++) {
        const day = shifted(days);
        const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(
          Date.parse(day),
        );
        expect([weekday, dayOfWord(weekday, nowMs, timezone)]).toEqual([weekday, day]);
      }
      expect(dayOfWord('2028-02-29', nowMs, timezone)).toBe('2028-02-29');
    }
  }
});

test('words that name no day name none', () => {
  for (const word of ['2027-02-29', '2026-13-01', 'arsenal', 'sun', 'day', ''])
    expect([word, dayOfWord(word, 0, 'UTC')]).toEqual([word, null]);
});
