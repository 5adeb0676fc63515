// Points of simulated basketball follow its rates.

import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../../../src/clock.ts';
import { VARIANCE_PER_POINT } from '../../../../src/feed/simulator/basketball/basketball-prices.ts';
import { writeBasketballScript } from '../../../../src/feed/simulator/basketball/basketball-script.ts';
import type { Step } from '../../../../src/feed/simulator/match-script.ts';
import { Schedule } from '../../../../src/feed/simulator/schedule.ts';
import { START_MS } from '../../simulator-support.ts';

test('writeBasketballScript: points follow the rates with the variance the prices assume, and no match ends level', () => {
  const schedule = new Schedule({ seed: 11, sport: 1, fixtures: 30 });
  const sums = { matches: 0, overtime: 0, points: 0, expected: 0, margin: 0, total: 0 };
  for (const fixture of schedule.kickingOff(START_MS, START_MS + 60 * 24 * HOUR_MS)) {
    const { steps, spans } = writeBasketballScript(fixture);
    const last = steps.at(-1) as Step;
    expect(last.home).not.toBe(last.away);
    expect(steps.every((step, i) => i === 0 || step.atMs >= (steps[i - 1] as Step).atMs)).toBe(true);
    if (spans.length > 4) {
      sums.overtime++;
      continue;
    }
    const { home, away } = fixture.rates;
    sums.matches++;
    sums.points += last.home + last.away;
    sums.expected += home + away;
    sums.margin += (last.home - last.away - home + away) ** 2 / (home + away);
    sums.total += (last.home + last.away - home - away) ** 2 / (home + away);
  }
  expect(sums.overtime / sums.matches).toBeWithin(0.01, 0.08);
  expect(sums.points / sums.expected).toBeWithin(0.985, 1.015);
  expect(sums.margin / sums.matches / VARIANCE_PER_POINT).toBeWithin(0.9, 1.1);
  expect(sums.total / sums.matches / VARIANCE_PER_POINT).toBeWithin(0.9, 1.1);
});
