// Goals, breaks and red cards of simulated football follow its rates.

import { expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../../src/clock.ts';
import { writeFootballScript } from '../../../../src/feed/simulator/football/football-script.ts';
import type { Step } from '../../../../src/feed/simulator/match-script.ts';
import { Schedule } from '../../../../src/feed/simulator/schedule.ts';
import { START_MS } from '../../simulator-support.ts';

test('writeFootballScript: goals follow the rates, 45 % before the break, one match in six has a red card', () => {
  const schedule = new Schedule({ seed: 11, sport: 0, fixtures: 120 });
  const sums = { matches: 0, goals: 0, expected: 0, square: 0, first: 0, reds: 0 };
  for (const fixture of schedule.kickingOff(START_MS, START_MS + 40 * 24 * HOUR_MS)) {
    const { steps } = writeFootballScript(fixture);
    const last = steps.at(-1) as Step;
    const half = steps.find((step) => step.clock === 'ht') as Step;
    const expected = fixture.rates.home + fixture.rates.away;
    sums.matches++;
    sums.goals += last.home + last.away;
    sums.expected += expected;
    sums.square += (last.home + last.away - expected) ** 2;
    sums.first += half.home + half.away;
    sums.reds += last.homeReds + last.awayReds;
    expect(last.atMs - fixture.kickoffMs).toBeWithin(107 * MINUTE_MS, 120 * MINUTE_MS);
  }
  expect(sums.matches).toBeGreaterThan(9_000);
  expect(sums.goals / sums.expected).toBeWithin(0.96, 1.02);
  // The variance of a Poisson count is its mean.
  expect(sums.square / sums.expected).toBeWithin(0.93, 1.07);
  expect(sums.first / sums.goals).toBeWithin(0.43, 0.47);
  expect(sums.reds / sums.matches).toBeWithin(0.15, 0.21);
});
