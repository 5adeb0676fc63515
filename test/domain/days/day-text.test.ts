// The grammar of days, in any time zone and across clock changes.

import { expect, test } from 'bun:test';
import { readDay } from '../../../src/domain/days/day-text.ts';
import { takeQueryDates } from '../../../src/names/query-dates.ts';
import { listOf } from '../../support/list-of.ts';

function dayOfWord(word: string, nowMs: number, timezone: string): string | null {
  return readDay(word, { nowMs, timezone })?.[0]?.dateText ?? null;
}

const ZONES = ['UTC', 'Europe/London', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati'];
// Instants shortly before midnight UTC, on a leap day, before clock changes in Europe and America, at a
// year's end.
const INSTANTS = listOf(`
  2026-11-23T23:58:00Z, 2028-02-29T12:00:00Z, 2027-03-28T00:58:00Z, 2027-10-31T00:58:00Z
  2027-03-14T06:58:00Z, 2027-11-07T05:58:00Z, 2026-12-31T23:58:00Z
`);

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

test('words that name no day give no day', () => {
  for (const word of ['2027-02-29', '2026-13-01', '31 Feb', 'arsenal', 'arsenal today', 'day', 'may', ''])
    expect([word, dayOfWord(word, 0, 'UTC')]).toEqual([word, null]);
});

const DAYS = [
  ...['today', 'tonight', 'this evening', 'tomorrow', 'tomorrow night', 'yesterday', 'last night'],
  ...['this weekend', 'next weekend', 'last weekend', 'weekend', 'saturday night', 'next Monday', 'Friday'],
  ...['28 Nov', 'Nov 28', '28th of November 2026', '28.11.2026', '2026-11-28', '29/02/2028', '02/01', '3/3'],
  ...listOf('day after tomorrow, heute, heute Abend, morgen, übermorgen, Sonntag, am Samstag, Wochenende'),
  ...listOf('mañana, pasado mañana, el domingo, fin de semana, demain, ce soir, samedi, domani, stasera'),
  ...['amanhã', 'depois de amanhã', 'sexta-feira', 'fim de semana', 'hier soir', 'gestern'],
];

test('a word for a day means the same day alone as within a question', () => {
  for (const timezone of ZONES) {
    for (const instant of INSTANTS) {
      for (const isPast of [false, true]) {
        const today = { nowMs: Date.parse(instant), timezone, isPast };
        for (const day of DAYS) {
          const { choices, rest } = takeQueryDates(`Arsenal ${day}`, today);
          expect([day, rest.trim()]).toEqual([day, 'Arsenal']);
          expect([day, readDay(day, today)]).toEqual([day, choices]);
          expect([day, readDay(day.toUpperCase(), today)]).toEqual([day, choices]);
        }
      }
    }
  }
});

test('a word that may be part of a name is read as a day only if it stands alone', () => {
  const today = { nowMs: Date.parse('2026-11-27T12:00:00Z') };
  for (const [word, day] of Object.entries({
    sun: '2026-11-29',
    domingo: '2026-11-29',
    sat: '2026-11-28',
    'on Mon': '2026-11-30',
  })) {
    expect([word, readDay(word, today)?.map(({ dateText }) => dateText)]).toEqual([word, [day]]);
    expect(takeQueryDates(`Phoenix ${word}`, today).choices).toBeNull();
  }
});
