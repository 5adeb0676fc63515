// Days of time zones, also those of 23 and 25 hours.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayRange } from '../../../src/query/lists/day.ts';
import { fixtureWire, SlateDesk } from '../slate-desk.ts';

/** Home names of the fixtures that pass a filter, in order: each home side is "Home of <event>". */
function listed(desk: SlateDesk, filter: Parameters<SlateDesk['events']['select']>[0]): string[] {
  const { data } = desk.events.list({ limit: 200, ...filter }, desk.nowMs);
  return data.map((event) => event.home_team.name.slice('Home of '.length));
}

describe('dayRange', () => {
  test('a day is 23, 24 or 25 hours long where clocks change, and days meet without gap or overlap', () => {
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

  test('a fixture just after a changed midnight is on the right local day', () => {
    const desk = new SlateDesk();
    // London is at +01:00 from 2026-03-29 01:00 UTC on: the local 30th starts at 23:00 UTC.
    desk.snapshot(
      fixtureWire('before', '2026-03-29T22:59:00Z'),
      fixtureWire('after', '2026-03-29T23:00:00Z'),
      fixtureWire('winter', '2026-03-28T23:30:00Z'),
    );
    expect(listed(desk, { date: '2026-03-29', timezone: 'Europe/London' })).toEqual(['before']);
    expect(listed(desk, { date: '2026-03-30', timezone: 'Europe/London' })).toEqual(['after']);
    expect(listed(desk, { date: '2026-03-28', timezone: 'Europe/London' })).toEqual(['winter']);
  });
});
