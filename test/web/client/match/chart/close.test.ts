// The chart marks the same closing prices as /closing: from the same changes, both have one or neither has.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { MINUTE_MS } from '../../../../../src/clock.ts';
import { CLOSE_SETTLING_MS, closingTicks } from '../../../../../src/history/closing-price.ts';
import { NO_PRICES, type Tick } from '../../../../../src/history/tick.ts';
import { type ClosePoint, closeMsOf } from '../../../../../src/web/client/match/chart/close.ts';

const KICKOFF_MS = Date.UTC(2026, 2, 1, 15);

type Drawn = readonly [beforeMs: number, price: number | null];

function pointsOf(...points: readonly Drawn[]): ClosePoint[] {
  return points.map(([beforeMs, price]) => ({ atMs: KICKOFF_MS - beforeMs, price }));
}

test('a line that was gone for more than ten minutes at the kickoff has no closing price', () => {
  const opened = [60 * MINUTE_MS, 1.9] as const;
  const closeOf = (...points: readonly Drawn[]) => closeMsOf(pointsOf(...points), KICKOFF_MS);
  expect(closeOf(opened)).toBe(KICKOFF_MS - 60 * MINUTE_MS);
  expect(closeOf(opened, [CLOSE_SETTLING_MS, null], [-1, 2])).toBe(KICKOFF_MS - 60 * MINUTE_MS);
  expect(closeOf(opened, [CLOSE_SETTLING_MS + 1, null], [-1, 2])).toBeNull();
  expect(closeOf(opened, [40 * MINUTE_MS, null], [5 * MINUTE_MS, null])).toBeNull();
  expect(closeOf(opened, [40 * MINUTE_MS, null], [1, 2.1])).toBe(KICKOFF_MS - 1);
  expect(closeOf([0, 1.9])).toBeNull();
  expect(closeMsOf(pointsOf(opened), null)).toBeNull();
});

test('for any changes, the chart has the same closing price as the tape', () => {
  const change = fc.tuple(fc.nat(25), fc.option(fc.constant(1.9), { nil: null }));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), (drawn) => {
      const changes = drawn
        .toSorted(([one], [other]) => other - one)
        .map(([minutes, price]) => [(minutes - 5) * MINUTE_MS, price] as const);
      const points = pointsOf(...changes);
      const [close] = closingTicks(points.map(tickOf), KICKOFF_MS, null);
      expect(closeMsOf(points, KICKOFF_MS)).toBe(close?.tick.receivedAtMs ?? null);
    }),
  );
});

function tickOf({ atMs, price }: ClosePoint): Tick {
  return {
    ...{ eventId: 'evt_1', sport: 'football', league: 'League', home: 'One', away: 'Two' },
    ...{ kickoffMs: KICKOFF_MS, bookmaker: 'crown', marketType: '1x2', period: 'full_time', line: null },
    ...{ status: price === null ? 'suspended' : 'open', pricesE4: NO_PRICES, atMs, receivedAtMs: atMs },
    ...{ inPlay: false, scoreHome: null, scoreAway: null, standing: false },
  };
}
