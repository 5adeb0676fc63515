import { describe, expect, test } from 'bun:test';
import { takeQueryDates } from '../../src/names/query-dates.ts';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';
import { meantBy, slateOf } from './slate-of.ts';

/** A Saturday, late in the evening in UTC, when it is already Sunday in Tokyo. */
const NOW_MS = Date.parse('2026-11-21T20:00:00.000Z');

function datesOf(text: string, timezone?: string, isPast = false): readonly string[] | null {
  const { choices } = takeQueryDates(text, { nowMs: NOW_MS, timezone, isPast });
  return choices === null ? null : choices.map(({ dateText }) => dateText);
}

describe('takeQueryDates', () => {
  test.each([
    ['Arsenal today', ['2026-11-21']],
    ["tonight's Arsenal game", ['2026-11-21']],
    ['Arsenal tomorrow night', ['2026-11-22']],
    ['who won Arsenal yesterday?', ['2026-11-20']],
    ['Arsenal Saturday', ['2026-11-21']],
    ['Arsenal on Sunday', ['2026-11-22']],
    ['Arsenal friday', ['2026-11-27']],
    ['Arsenal last Saturday', ['2026-11-14']],
    ['Arsenal next Saturday', ['2026-11-28']],
    ['Arsenal next Friday', ['2026-11-27']],
    ['who won Arsenal on Friday', ['2026-11-20']],
    ['Arsenal this weekend', ['2026-11-21']],
    ['Arsenal 25 Nov', ['2026-11-25']],
    ['25th of November Arsenal', ['2026-11-25']],
    ['Arsenal November 25', ['2026-11-25']],
    ['Arsenal Nov 25th, 2027', ['2027-11-25']],
    ['Arsenal 2 January', ['2027-01-02']],
    ['Arsenal 2026-01-01', ['2026-01-01']],
    ['Arsenal 02/01', ['2027-01-02', '2027-02-01']],
    ['Arsenal 21/11', ['2026-11-21']],
    ['Arsenal 24.11.', ['2026-11-24']],
    ['5.12. Arsenal', ['2026-12-05']],
    ['Arsenal 5.12.2026', ['2026-12-05']],
    ['05.12.26 Arsenal', ['2026-12-05']],
    ['is Arsenal good at 2.10.', null],
    ['is Arsenal good 2.10.', null],
    ['is Arsenal good at 12.10. ', null],
    ['1. FC Union', null],
    ['Arsenal 11/21/2026', ['2026-11-21']],
    ['Arsenal 05/05', ['2027-05-05']],
    ['Sheffield Wednesday', null],
    ['Sheff Wed v Leeds', null],
    ['Schalke 04', null],
    ['May Arsenal win', null],
    ['Phoenix Suns', null],
  ])('%p means %p', (text, dates) => {
    expect(datesOf(text)).toEqual(dates as string[] | null);
  });

  test.each(['3pm', '3 p.m.', 'at 14:00', '7.30pm', '19:45 CET', '19:45 on Sunday'])(
    'a time of day is not read as a name: %p',
    (time) => {
      const { rest } = takeQueryDates(`Arsenal Chelsea ${time}`, { nowMs: NOW_MS });
      expect(rest.replace(/\bon\b/, '').trim()).toBe('Arsenal Chelsea');
    },
  );

  test("days are counted, and begin, in the caller's time zone", () => {
    expect(datesOf('Arsenal today', 'Asia/Tokyo')).toEqual(['2026-11-22']);
    const [day] = takeQueryDates('Arsenal today', { nowMs: NOW_MS, timezone: 'Asia/Tokyo' }).choices!;
    expect(new Date(day!.fromMs).toISOString()).toBe('2026-11-21T15:00:00.000Z');
    expect(day!.toMs - day!.fromMs).toBe(86_400_000);
  });

  test.each(['Arsenal 2026-13-45', 'Arsenal 31 Feb', 'Arsenal 2026-11-20 or 2026-11-21', 'Arsenal 45/13'])(
    'refuses %p',
    (text) => {
      expect(() => datesOf(text)).toThrow('Cannot read date');
    },
  );
});

describe('dates as filters', () => {
  const league = 'England Premier League';
  const index = slateOf([
    ['Arsenal', 'Chelsea', league, 0, '2026-11-21T18:00:00Z'],
    ['Arsenal', 'Everton', league, 0, '2026-11-22T18:00:00Z'],
    ['Arsenal', 'Fulham', league, 0, '2027-01-02T15:00:00Z'],
  ]);
  const ask = (query: string) => resolveFixture(index, query, { today: { nowMs: NOW_MS } });

  test.each([
    ['Arsenal today', 1],
    ['Arsenal tomorrow', 2],
    ['Arsenal sunday', 2],
    ['2 Jan Arsenal', 3],
    ['Arsenal v Fulham 2027-01-02', 3],
  ])('%p means fixture %p', (query, eventNumber) => {
    expect(meantBy(query, index, { today: { nowMs: NOW_MS } })).toBe(eventNumber);
  });

  test.each(['Arsenal v Chelsea tomorrow', 'Arsenal yesterday', 'Arsenal 3 Jan', 'Arsenal v Chelsea 02/01'])(
    '%p finds no fixture, not even one on a neighbouring day',
    (query) => {
      expect(ask(query).status).toBe('not_found');
    },
  );

  test('02/01 is ambiguous, even if only one of the two days has a fixture', () => {
    const { status, dateChoices, best } = ask('Arsenal v Fulham 02/01');
    expect(status).toBe('ambiguous');
    expect(best!.eventNumber).toBe(3);
    expect(dateChoices).toEqual({ written: '02/01', dates: ['2027-01-02', '2027-02-01'] });
  });
});

describe('an evening', () => {
  /** Kickoffs at every hour of two and a half days. */
  const HOURS = Array.from(
    { length: 60 },
    (_, hour) => Date.parse('2026-11-20T18:00:00Z') + hour * 3_600_000,
  );
  const askAt = (atMs: number, query: string, today: { nowMs: number; timezone?: string }) =>
    resolveFixture(slateOf([['Arsenal', 'Chelsea', 'England Premier League']], atMs), query, { today })
      .status;

  test.each([
    ['UTC', 12],
    ['America/New_York', 12],
    ['Asia/Singapore', 9],
    ['Australia/Sydney', 23],
  ])(
    '"tonight" in %s is from 17:00 to 06:00 there, and a match at another time of the day is ambiguous',
    (timezone, hour) => {
      const now = Temporal.ZonedDateTime.from({ timeZone: timezone, year: 2026, month: 11, day: 21, hour });
      const today = { nowMs: now.epochMilliseconds, timezone };
      for (const atMs of HOURS) {
        const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
        const hours = at.since(now.with({ hour: 0 }), { largestUnit: 'hours' }).hours;
        const isTonight = hours >= 17 && hours < 30;
        const isToday = hours >= 0 && hours < 17;
        const expected = isTonight
          ? 'matched'
          : isToday && atMs >= now.with({ hour: 0 }).epochMilliseconds
            ? 'ambiguous'
            : 'not_found';
        for (const query of ['arsenal tonight', 'arsenal this evening', 'arsenal saturday night'])
          expect([query, at.toString(), askAt(atMs, query, today)]).toEqual([query, at.toString(), expected]);
      }
    },
  );

  test('"last night" and "tomorrow night" mean the evenings of those days, and at two in the morning "tonight" is not over', () => {
    const nowMs = Date.parse('2026-11-21T12:00:00Z');
    expect(askAt(Date.parse('2026-11-20T20:00:00Z'), 'did arsenal win last night', { nowMs })).toBe(
      'matched',
    );
    expect(askAt(Date.parse('2026-11-20T14:00:00Z'), 'did arsenal win last night', { nowMs })).toBe(
      'ambiguous',
    );
    expect(askAt(Date.parse('2026-11-23T01:00:00Z'), 'arsenal tomorrow night', { nowMs })).toBe('matched');
    const early = { nowMs: Date.parse('2026-11-21T02:00:00Z') };
    for (const at of ['2026-11-20T23:30:00Z', '2026-11-21T03:00:00Z', '2026-11-21T20:00:00Z'])
      expect([at, askAt(Date.parse(at), 'arsenal tonight', early)]).toEqual([at, 'matched']);
  });
});
