// Lists that are updated while the slate changes equal lists that are made from the whole slate.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../../src/clock.ts';
import { EVENT_STATUSES, SPORT_KEYS } from '../../../src/domain/catalogue.ts';
import { encodeId, entityNumber } from '../../../src/domain/ids.ts';
import { compareNames, type EntityEntry, type EntityOrder } from '../../../src/query/lists/entity-order.ts';
import type { EventFilter, LeagueCounts } from '../../../src/query/lists/events.ts';
import { NameDirectory } from '../../../src/query/lookup/name-directory.ts';
import type { FixtureNow } from '../../../src/query/slate/fixture-view.ts';
import { toEvent } from '../../../src/query/slate/fixture-view.ts';
import { compareKickoff } from '../../../src/query/slate/kickoff-order.ts';
import { Slate } from '../../../src/query/slate/slate.ts';
import { quoteWire, removeWire, stateWire, type WireMessage } from '../../feed/wire.ts';
import { runs } from '../../support/runs.ts';
import { fixtureWire, SlateDesk, WINDOWS } from '../slate-desk.ts';

const EVENTS = Array.from({ length: 12 }, (_, index) => `e${index}`);
const FIRST_DAY = { fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 2, 2) };
const LEAGUES = ['es', 'en', 'ua'];

const event = fc.constantFrom(...EVENTS);
const kickoff = fc.option(
  fc
    .integer({ min: -4, max: 40 })
    .map((hours) => `2026-03-0${hours < 12 ? 1 : 2}T${pad((hours + 12) % 24)}:00:00Z`),
);
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(event, kickoff, fc.constantFrom(...LEAGUES))
      .map(([name, at, key]) => fixtureWire(name, at, { league: { key, name: `League ${key}` } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(event, fc.constantFrom(...EVENT_STATUSES), fc.option(fc.constantFrom('1h 12', '2h 80', 'ht')))
      .map(([name, status, clock]) => stateWire(0, name, { status, clock })),
  },
  { weight: 3, arbitrary: event.map((name) => quoteWire(0, name)) },
  { weight: 2, arbitrary: event.map((name) => removeWire(0, name)) },
) satisfies fc.Arbitrary<WireMessage>;
const step = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 5 }),
  laterMs: fc.constantFrom(0, 0, 60_000, HOUR_MS, 3 * HOUR_MS),
  isAsked: fc.boolean(),
});

function pad(hour: number): string {
  return String(hour).padStart(2, '0');
}

describe('updated lists of a slate', () => {
  test('updated lists give the same answers as a walk over all fixtures, at any instant, after any changes', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const desk = new SlateDesk();
        desk.snapshot(fixtureWire('e0', '2026-03-01T14:00:00Z'));
        for (const { changes, laterMs, isAsked } of steps) {
          desk.send(...changes);
          // A query reads single fixtures before the lists are updated.
          desk.slate.fixture(entityNumber('event', 0, 'e1'), desk.nowMs);
          if (isAsked) expectSame(desk, desk.nowMs + laterMs);
        }
        expectSame(desk, desk.nowMs);
      }),
      { numRuns: runs(60) },
    );
  });

  test('the names that are indexed are those of the slate, whatever came and went between two queries', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const desk = new SlateDesk();
        desk.snapshot(fixtureWire('e0', '2026-03-01T14:00:00Z'));
        for (const { changes, isAsked } of steps) {
          desk.send(...changes);
          if (!isAsked) continue;
          const fresh = new NameDirectory(desk.slate);
          expect(namesOf(desk.names, desk.nowMs)).toEqual(namesOf(fresh, desk.nowMs));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('updated lists are correct after more changes at once than can be followed one by one', () => {
    const desk = new SlateDesk();
    const many = Array.from({ length: 250 }, (_, index) => fixtureWire(`m${index}`, '2026-03-01T15:00:00Z'));
    desk.snapshot(...many);
    expectSame(desk, desk.nowMs);
    for (let batch = 0; batch < 5; batch++) desk.send(...many.map((_, index) => stateWire(0, `m${index}`)));
    desk.send(...many.slice(100).map((_, index) => removeWire(0, `m${index}`)));
    expectSame(desk, desk.nowMs);
  });

  test('lists rebuilt in steps equal those built at once, whatever changes between two steps', async () => {
    const desk = new SlateDesk();
    const many = Array.from({ length: 250 }, (_, index) => fixtureWire(`m${index}`, '2026-03-01T15:00:00Z'));
    desk.snapshot(...many);
    for (let batch = 0; batch < 5; batch++) desk.send(...many.map((_, index) => stateWire(0, `m${index}`)));
    expect(desk.slate.stepLists()).toBe(false);
    desk.send(removeWire(0, 'm0'), removeWire(0, 'm200'), fixtureWire('m300', null));
    const listed = desk.slate.whenListed();
    expect(listed).not.toBeNull();
    await listed;
    expect(desk.slate.whenListed()).toBeNull();
    expect(desk.slate.stepLists()).toBe(true);
    expectSame(desk, desk.nowMs);
  });
});

function namesOf(names: NameDirectory, nowMs: number): unknown {
  const fixtures = [...names.fixtures(nowMs).eventNumbers()].sort((left, right) => left - right);
  return {
    fixtures: fixtures.map((eventNumber) => names.fixtures(nowMs).fixture(eventNumber)),
    teams: sortedBySport(names.teams(nowMs)),
    leagues: sortedBySport(names.leagues(nowMs)),
  };
}

/**
 * Compares an order with a plain sort: the whole order, its parts by sport, and its parts from any entry on.
 */
function sortedBySport(order: EntityOrder): EntityEntry[] {
  const all = [...order.walk(undefined, null)];
  expect(all).toEqual(all.toSorted(compareNames));
  for (const sport of [undefined, ...SPORT_KEYS]) {
    const ofSport = all.filter(({ sportKey }) => sport === undefined || sportKey === sport);
    for (const after of [null, ...all.slice(0, 2), ...all.slice(-2)]) {
      const rest = ofSport.filter((entry) => after === null || compareNames(entry, after) > 0);
      expect([...order.walk(sport, after)]).toEqual(rest);
    }
  }
  return all;
}

/**
 * Compares the updated lists with plainly filtered and sorted lists of a slate that is read for the first
 * time.
 */
function expectSame(desk: SlateDesk, askedMs: number): void {
  // The feed counts as live at this instant.
  desk.ingest.writer.facts.setAppliedAt(askedMs);
  const slate = new Slate(desk.ingest.reader, WINDOWS);
  const all = walkOf(desk, slate, askedMs);
  expect(desk.slate.peek(askedMs)).toEqual(all);
  expect(desk.slate.health(askedMs)).toMatchObject({
    matches: all.length,
    odds: all.reduce((sum, { view }) => sum + view.commonQuoteCount, 0),
  });
  const sorted = all.toSorted(byKickoff);
  expect(desk.events.live(askedMs)).toEqual(sorted.filter(({ isLive }) => isLive).map(toEvent));
  const leagues = LEAGUES.map((key) => encodeId('league', entityNumber('league', 0, key)));
  const filters: EventFilter[] = [{}, { date: '2026-03-01' }, { sport: 'basketball' }];
  filters.push(...EVENT_STATUSES.map((status) => ({ status })), ...leagues.map((league) => ({ league })));
  filters.push({ status: 'live', league: leagues[0], date: '2026-03-02' });
  filters.push({ status: 'scheduled', date: '2026-03-01' }, { status: 'finished', date: '2026-03-02' });
  for (const filter of filters) {
    const expected = sorted.filter((fixture) => passes(fixture, filter)).map(toEvent);
    expect(desk.events.select(filter, askedMs).map(toEvent)).toEqual(expected);
    expect(pagesOf(desk, filter, askedMs)).toEqual(expected);
    const urgent = sorted.filter((fixture) => passes(fixture, filter)).toSorted(byUrgency);
    for (const countMax of [0, 3, 1_000]) {
      const found = desk.events.urgent(filter, askedMs, countMax);
      expect(found.fixtures).toEqual(urgent.slice(0, countMax));
      expect(found.count).toBe(urgent.length);
    }
    const around = sorted.filter(
      (fixture) =>
        passes(fixture, { ...filter, date: undefined }) &&
        (fixture.isLive || fixture.view.scheduledAt?.startsWith('2026-03-01') === true),
    );
    const { date: _, ...anyDay } = filter;
    expect(desk.events.selectAround(anyDay, FIRST_DAY, askedMs, 1_000)).toEqual(around);
    if (filter.league === undefined) expectLeagues(desk, filter, askedMs, urgent);
  }
}

/** Compares leagues and their counts with those of the fixtures that pass the filter. */
function expectLeagues(desk: SlateDesk, filter: EventFilter, nowMs: number, fixtures: readonly FixtureNow[]) {
  const counted = desk.events.leagues(filter, nowMs);
  const byLeague = Map.groupBy(fixtures, ({ view }) => view.league.id);
  const expected = [...byLeague.values()].map((each) => ({
    league: each[0]!.view.league,
    sport: each[0]!.view.sport,
    count: each.length,
    liveCount: each.filter(({ isLive }) => isLive).length,
    nextKickoffMs:
      each.filter(({ status }) => status === 'scheduled').toSorted(byKickoff)[0]?.view.scheduledAtMs ??
      Number.NaN,
  }));
  const byId = (left: LeagueCounts, right: LeagueCounts) => compareNames(left.league, right.league);
  expect(counted.toSorted(byId)).toEqual(expected.toSorted(byId));
}

function byKickoff(left: FixtureNow, right: FixtureNow): number {
  return compareKickoff(left.view, right.view);
}

const URGENCY = ['live', 'scheduled', 'finished'];

/** The order of fixtures: live ones first, then the soonest kickoffs, then finished ones. */
function byUrgency(left: FixtureNow, right: FixtureNow): number {
  return URGENCY.indexOf(left.status) - URGENCY.indexOf(right.status) || byKickoff(left, right);
}

/** Every fixture, each by its own number. */
function walkOf(desk: SlateDesk, slate: Slate, nowMs: number): FixtureNow[] {
  const { reader } = desk.ingest;
  const slots = Array.from({ length: reader.slotCount() }, (_, slot) => slot);
  const numbers = slots.map((slot) => reader.read(slot, (page) => reader.columns.eventNumber[page]!));
  const fixtures = numbers.map((number) => (number === undefined ? null : slate.fixture(number, nowMs)));
  return fixtures.filter((fixture) => fixture !== null);
}

function pagesOf(desk: SlateDesk, filter: EventFilter, nowMs: number): unknown[] {
  const events: unknown[] = [];
  let cursor: string | undefined;
  do {
    const { data, page } = desk.events.list({ ...filter, limit: 5, cursor }, nowMs);
    events.push(...data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return events;
}

function passes({ view, status }: FixtureNow, filter: EventFilter): boolean {
  return (
    (filter.sport === undefined || view.sport === filter.sport) &&
    (filter.status === undefined || status === filter.status) &&
    (filter.league === undefined || view.league.id === filter.league) &&
    (filter.date === undefined || view.scheduledAt?.slice(0, 10) === filter.date)
  );
}
