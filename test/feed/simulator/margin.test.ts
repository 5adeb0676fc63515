// The margins of simulated bookmakers.

import { expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { marginFactorOf } from '../../../src/feed/simulator/margin.ts';
import { START_MS } from '../simulator-support.ts';

test('margins are higher in a small league than in a big one, and higher the day before than at kickoff; they rise in play', () => {
  const kickoffMs = START_MS + 30 * HOUR_MS;
  const fixtureOf = (rank: number): never => ({ league: { rank }, kickoffMs }) as never;
  const early = marginFactorOf(fixtureOf(1), START_MS, 1);
  const late = marginFactorOf(fixtureOf(1), kickoffMs - MINUTE_MS, 1);
  const inPlay = marginFactorOf(fixtureOf(1), kickoffMs + MINUTE_MS, 0.99);
  const ending = marginFactorOf(fixtureOf(1), kickoffMs + 100 * MINUTE_MS, 0.02);
  expect([late < early, late < inPlay, inPlay < ending]).toEqual([true, true, true]);
  expect(marginFactorOf(fixtureOf(3), START_MS, 1)).toBeGreaterThan(early);
});
