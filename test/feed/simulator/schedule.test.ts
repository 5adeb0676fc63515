// The simulated slate continues for ever: steady in size, bounded in memory, and no team plays two matches at
// once.

import { expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { SimulatorEngine } from '../../../src/feed/simulator/engine.ts';
import { type ScheduledFixture as Planned, Schedule } from '../../../src/feed/simulator/schedule.ts';
import { DumbSlate, OPTIONS, START_MS, simulate, statusOf } from '../simulator-support.ts';

test('SimulatorEngine: for a day the default slate has about 120 football and 30 basketball fixtures, about 25 of them live', () => {
  const slate = new DumbSlate();
  const sizes = { football: [] as number[], basketball: [] as number[], live: [] as number[] };
  const teamsTwice: string[] = [];
  const look = (nowMs: number): void => {
    if ((nowMs - START_MS) % (30 * MINUTE_MS) !== 0) return;
    const fixtures = [...slate.fixtures.values()];
    sizes.football.push(fixtures.filter((f) => f.event.sport === 'football').length);
    sizes.basketball.push(fixtures.filter((f) => f.event.sport === 'basketball').length);
    sizes.live.push(fixtures.filter((f) => statusOf(f) === 'live').length);
    const teams = fixtures.flatMap((f) => [f.event.home.key, f.event.away.key]);
    teamsTwice.push(...teams.filter((team, i) => teams.indexOf(team) !== i));
  };
  const span = { startMs: START_MS, endMs: START_MS + DAY_MS, sliceMs: 10 * MINUTE_MS };
  simulate({ ...OPTIONS, ratePerSecond: 1 }, span, (message) => slate.apply(message), look);
  for (const size of sizes.football) expect(size).toBeWithin(105, 136);
  for (const size of sizes.basketball) expect(size).toBeWithin(22, 39);
  for (const size of sizes.live) expect(size).toBeWithin(18, 30);
  // No team has two fixtures at a time, so "Arsenal" means one fixture, unless two teams are named Arsenal.
  expect(teamsTwice).toEqual([]);
});

test('SimulatorEngine: after a week, nothing of finished matches is left', () => {
  const options = { ...OPTIONS, footballFixtures: 6, basketballFixtures: 1, ratePerSecond: 1 };
  const slate = new DumbSlate();
  const most = { fixtures: 0, rows: 0, queued: 0 };
  const keys = new Set<string>();
  let events = 0;
  let results = 0;
  const span = { startMs: START_MS, endMs: START_MS + 7 * DAY_MS, sliceMs: 30 * MINUTE_MS };
  const use = (message: Record<string, unknown>): void => {
    slate.apply(message);
    if (message.type === 'event') events++;
    if (message.type === 'event') keys.add(message.event as string);
    if (message.type === 'result') results++;
  };
  simulate(options, span, use, (_, engine) => {
    const { held } = engine;
    most.fixtures = Math.max(most.fixtures, held.fixtures);
    most.rows = Math.max(most.rows, held.rows);
    most.queued = Math.max(most.queued, held.queued);
    expect(held.fixtures).toBe(slate.fixtures.size);
  });
  expect(events).toBeGreaterThan(250);
  expect(results).toBeWithin(events - 32, events + 1);
  // No key of a fixture is used again.
  expect(keys.size).toBe(events);
  expect(most.fixtures).toBeLessThan(14);
  expect(most.rows).toBeLessThan(2_000);
  expect(most.queued).toBeLessThan(200);
});

test('Schedule: a team never plays twice within 18 hours', () => {
  for (const [sport, fixtures] of [
    [0, 120],
    [0, 1_000],
    [1, 30],
  ] as const) {
    const schedule = new Schedule({ seed: 3, sport, fixtures });
    const lastOf = new Map<string, number>();
    let closest = Number.POSITIVE_INFINITY;
    for (const fixture of schedule.kickingOff(START_MS, START_MS + 14 * DAY_MS)) {
      for (const team of [fixture.home.key, fixture.away.key]) {
        const last = lastOf.get(team);
        if (last !== undefined) closest = Math.min(closest, fixture.kickoffMs - last);
        lastOf.set(team, fixture.kickoffMs);
      }
    }
    expect(closest).toBeGreaterThan(18 * HOUR_MS);
  }
});

test('Schedule.kickingOff: gives the same fixtures in one call as in steps of a quarter of an hour, and others for another seed', () => {
  const endMs = START_MS + 2 * DAY_MS;
  const grid = 15 * MINUTE_MS;
  const whole = new Schedule({ seed: 3, sport: 0, fixtures: 120 }).kickingOff(START_MS, endMs);
  const pieces: Planned[] = [];
  const schedule = new Schedule({ seed: 3, sport: 0, fixtures: 120 });
  for (let at = START_MS; at < endMs; at += grid)
    pieces.push(...schedule.kickingOff(at, Math.min(endMs, at + grid)));
  expect(pieces.map((fixture) => fixture.key)).toEqual(whole.map((fixture) => fixture.key));
  expect(whole.length).toBe(472);
  const other = new Schedule({ seed: 4, sport: 0, fixtures: 120 }).kickingOff(START_MS, endMs);
  expect(other[0]?.key).not.toBe(whole[0]?.key as string);
});

test('SimulatorEngine.start: fixture counts are as requested, at every size', () => {
  for (const footballFixtures of [0, 1, 10, 120, 900]) {
    const slate = new DumbSlate();
    const options = { ...OPTIONS, footballFixtures, basketballFixtures: 0 };
    new SimulatorEngine(options).start(START_MS, (message) => slate.apply(message));
    const slack = 4 + footballFixtures * 0.15;
    expect(slate.fixtures.size).toBeWithin(
      Math.max(0, footballFixtures - slack),
      footballFixtures + slack + 1,
    );
  }
});
