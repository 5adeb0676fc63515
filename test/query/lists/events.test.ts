// Lists of fixtures: every filter, the day boundary, leagues by name, and pages while the slate changes.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { EventStatus } from '../../../src/domain/catalogue.ts';
import { encodeId, entityNumber } from '../../../src/domain/ids.ts';
import { removeWire, stateWire, type WireMessage } from '../../feed/wire.ts';
import { refusalOf } from '../../support/failure.ts';
import { runs } from '../../support/runs.ts';
import { fixtureWire, SlateDesk } from '../slate-desk.ts';

const leagueId = (key: string, sport = 0) => encodeId('league', entityNumber('league', sport, key));
const eventId = (key: string, sport = 0) => encodeId('event', entityNumber('event', sport, key));

/**
 * Names of the home sides of the fixtures that pass a filter, in order. The home side of an event is called
 * "Home of <event>".
 */
function listed(desk: SlateDesk, filter: Parameters<SlateDesk['events']['select']>[0]): string[] {
  const { data } = desk.events.list({ limit: 200, ...filter }, desk.nowMs);
  return data.map((event) => event.home_team.name.slice('Home of '.length));
}

describe('EventQueries.list filters', () => {
  const LEAGUES = {
    spain: { key: 'es', name: 'La Liga' },
    england: { key: 'en', name: 'Premier League' },
    ukraine: { key: 'ua', name: 'Premier League' },
  };
  const desk = new SlateDesk();
  desk.snapshot(
    fixtureWire('late', '2026-03-02T00:30:00Z', { league: LEAGUES.spain }),
    fixtureWire('noon', '2026-03-01T12:00:00Z', { league: LEAGUES.england }),
    fixtureWire('live', '2026-03-01T11:00:00Z', { league: LEAGUES.ukraine }),
    fixtureWire('over', '2026-03-01T09:00:00Z', { league: LEAGUES.spain }),
    fixtureWire('when', null, { league: LEAGUES.spain }),
    fixtureWire('hoop', '2026-03-01T20:00:00Z', { sport: 'basketball', league: { key: 'us', name: 'NBA' } }),
    fixtureWire('hoop2', '2026-03-01T21:00:00Z', {
      sport: 'basketball',
      league: { key: 'bp', name: 'Premier League' },
    }),
    stateWire(0, 'live'),
    stateWire(0, 'over', { status: 'finished' }),
  );

  test('without a filter, fixtures are ordered by kickoff, then id, and those without a kickoff are last', () => {
    expect(listed(desk, {})).toEqual(['over', 'live', 'noon', 'hoop', 'hoop2', 'late', 'when']);
  });

  test('sport selects the fixtures of the sport', () =>
    expect(listed(desk, { sport: 'basketball' })).toEqual(['hoop', 'hoop2']));

  for (const [status, events] of [
    ['live', ['live']],
    ['finished', ['over']],
    ['scheduled', ['noon', 'hoop', 'hoop2', 'late', 'when']],
  ] as const satisfies readonly (readonly [EventStatus, readonly string[]])[]) {
    test(`status ${status} selects the fixtures with that status`, () =>
      expect(listed(desk, { status })).toEqual([...events]));
  }

  test('live() returns the matches that are being played', () => {
    expect(desk.events.live(desk.nowMs).map(({ id }) => id)).toEqual([eventId('live')]);
  });

  test('league selects by id or by name; the id of a league without fixtures selects nothing', () => {
    expect(listed(desk, { league: leagueId('es') })).toEqual(['over', 'late', 'when']);
    expect(listed(desk, { league: 'la liga' })).toEqual(['over', 'late', 'when']);
    expect(listed(desk, { league: leagueId('nowhere') })).toEqual([]);
  });

  test('a league name that several leagues have is 400, with the id of each', () => {
    const refusal = refusalOf(() => listed(desk, { league: 'Premier League' }));
    expect(refusal).toMatchObject({ code: 'invalid_request', status: 400 });
    for (const id of [leagueId('en'), leagueId('ua'), leagueId('bp', 1)]) expect(refusal.fix).toContain(id);
    expect(refusal.fix).not.toContain(leagueId('es'));
  });

  test('a league name is enough if only one league of the requested sport has it', () => {
    expect(listed(desk, { league: 'Premier League', sport: 'basketball' })).toEqual(['hoop2']);
  });

  test('a league that is an unknown name, a broken id or the id of a team is refused', () => {
    for (const league of ['Zzyzx', 'lg_nonsense', encodeId('team', 7)]) {
      expect(refusalOf(() => listed(desk, { league })).code).toBe('invalid_request');
    }
    expect(refusalOf(() => listed(desk, { league: encodeId('team', 7) })).fix).toContain('lg_');
  });

  test('date is a UTC day, and a timezone moves its boundary', () => {
    expect(listed(desk, { date: '2026-03-01' })).toEqual(['over', 'live', 'noon', 'hoop', 'hoop2']);
    expect(listed(desk, { date: '2026-03-02' })).toEqual(['late']);
    expect(listed(desk, { date: '2026-03-02', timezone: 'Asia/Tokyo' })).toEqual(['hoop', 'hoop2', 'late']);
    expect(listed(desk, { date: '2026-03-01', timezone: 'America/New_York' })).toContain('late');
  });

  test('a timezone that does not exist is 400, with or without a date', () => {
    for (const timezone of ['Mars/Olympus', '+02:00', '', 'T10:00Z', 'UTC[Europe/London]']) {
      expect(refusalOf(() => listed(desk, { timezone })).code).toBe('invalid_request');
    }
  });
});

describe('pages', () => {
  const kickoff = fc
    .integer({ min: 0, max: 5 })
    .map((hour) => (hour === 5 ? null : `2026-03-01T1${hour}:00:00Z`));
  const change = fc.record({ event: fc.nat(39), kickoff, isRemoval: fc.boolean() });

  test('while fixtures come and go between pages, no other fixture is skipped or repeated', () => {
    fc.assert(
      fc.property(
        fc.array(kickoff, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 10 }),
        (kickoffs, limit, changes) => {
          const desk = new SlateDesk();
          desk.snapshot(...kickoffs.map((time, index) => fixtureWire(`e${index}`, time)));
          const present = new Set(kickoffs.map((_, index) => `e${index}`));
          const untouched = new Set(present);
          const seen: string[] = [];
          let cursor: string | undefined;
          for (let page = 0; ; page++) {
            const answer = desk.events.list({ limit, cursor }, desk.nowMs);
            expect(answer.data.length).toBeLessThanOrEqual(limit);
            expect(answer.page.limit).toBe(limit);
            seen.push(...answer.data.map((event) => event.home_team.name.slice('Home of '.length)));
            if (answer.page.next_cursor === null) break;
            cursor = answer.page.next_cursor;
            const messages: WireMessage[] = [];
            for (const { event, kickoff: time, isRemoval } of changes[page] ?? []) {
              const name = `e${event}`;
              if (isRemoval && present.delete(name)) messages.push(removeWire(0, name));
              else if (!isRemoval && !present.has(name)) {
                present.add(name);
                messages.push(fixtureWire(name, time));
              } else continue;
              untouched.delete(name);
            }
            desk.send(...messages);
          }
          expect(seen.filter((name) => untouched.has(name)).sort()).toEqual([...untouched].sort());
        },
      ),
      { numRuns: runs(60), includeErrorInReport: true },
    );
  });

  const desk = new SlateDesk();
  desk.snapshot(...Array.from({ length: 9 }, (_, index) => fixtureWire(`e${index}`, '2026-03-01T15:00:00Z')));

  test('the last page has no cursor, even if it is exactly full', () => {
    const first = desk.events.list({ limit: 6 }, desk.nowMs);
    const second = desk.events.list({ limit: 3, cursor: first.page.next_cursor ?? '' }, desk.nowMs);
    expect([first.data.length, second.data.length, second.page.next_cursor]).toEqual([6, 3, null]);
  });

  test('a cursor is valid only for its own list and filters, but with any limit', () => {
    const { next_cursor: cursor } = desk.events.list({ limit: 2, sport: 'football' }, desk.nowMs).page;
    const list = (filter: object) => () =>
      desk.events.list({ limit: 5, cursor: cursor ?? '', ...filter }, desk.nowMs);
    expect(list({ sport: 'football' })().data).toHaveLength(5);
    for (const filter of [{}, { sport: 'basketball' }, { sport: 'football', status: 'scheduled' }]) {
      expect(refusalOf(list(filter)).code).toBe('invalid_request');
    }
  });

  test('any forged cursor is 400', () => {
    const { next_cursor: cursor } = desk.events.list({ limit: 2 }, desk.nowMs).page;
    const good = cursor ?? '';
    const edit = fc
      .tuple(fc.nat(good.length - 1), fc.constantFrom(...'aZ09-_='))
      .map(([index, character]) => {
        return good.slice(0, index) + character + good.slice(index + 1);
      });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), edit, fc.constant(`${good}A`)), (forged) => {
        fc.pre(forged !== good);
        const refusal = refusalOf(() => desk.events.list({ limit: 2, cursor: forged }, desk.nowMs));
        expect(refusal).toMatchObject({ code: 'invalid_request', status: 400 });
      }),
      { numRuns: runs(200), includeErrorInReport: true },
    );
  });
});
