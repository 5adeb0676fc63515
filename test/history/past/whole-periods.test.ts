// Gaps that overlap are cut into gaps that follow each other and cover the same times. In a time that was
// recorded twice, callers who do not see the sharp bookmaker get the state from before that time.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { MINUTE_MS } from '../../../src/clock.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { gapsApart, gapsInWholePeriods, RepeatedTimes } from '../../../src/history/past/whole-periods.ts';
import { SETTLED_STEP_MS } from '../../../src/history/tape-source.ts';
import { GAP_REASONS, type Gap } from '../../../src/history/tick.ts';
import { TapeWorld } from '../tape-world.ts';

const gap = fc.record({
  fromMs: fc.nat(20),
  length: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 6 }),
  reason: fc.constantFrom(...GAP_REASONS),
});
const isIn = ({ fromMs, toMs }: Gap, atMs: number): boolean =>
  fromMs <= atMs && (toMs === null || atMs < toMs);

test('overlapping gaps are cut so that each time is in one of them', () => {
  fc.assert(
    fc.property(fc.array(gap, { maxLength: 6 }), (drawn) => {
      const gaps = drawn.map(
        ({ fromMs, length, reason }): Gap => ({
          ...{ fromMs, reason },
          toMs: length === null ? null : fromMs + length,
        }),
      );
      const apart = gapsApart(gaps);
      for (let atMs = 0; atMs <= 40; atMs++) {
        const holding = gaps.filter((one) => isIn(one, atMs));
        const listed = apart.filter((one) => isIn(one, atMs));
        expect(listed.length).toBe(Math.min(1, holding.length));
        if (listed.length > 0) expect(holding.map(({ reason }) => reason)).toContain(listed[0]!.reason);
      }
      expect(gapsApart(gaps.toReversed())).toEqual(apart);
    }),
  );
});

test('an instant of a repeated time is answered by the last instant before it that is in none', () => {
  fc.assert(
    fc.property(fc.array(gap, { maxLength: 6 }), (drawn) => {
      const gaps = drawn.map(
        ({ fromMs, length, reason }): Gap => ({
          ...{ fromMs: 500 * fromMs, reason },
          toMs: length === null ? null : 500 * (fromMs + length),
        }),
      );
      const repeated = gapsInWholePeriods(gaps.filter(({ reason }) => reason === 'overrun'));
      const times = new RepeatedTimes(gaps);
      for (let atMs = 0; atMs <= 40 * SETTLED_STEP_MS; atMs += 250) {
        let beforeMs = atMs;
        while (repeated.some((one) => isIn(one, beforeMs))) beforeMs--;
        expect(times.before(atMs)).toBe(beforeMs);
      }
    }),
    { numRuns: 20 },
  );
});

test('a clock that is set back to a whole second shows callers without the sharp bookmaker nothing later', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle(20 * MINUTE_MS);
  await world.tape.sealed();
  // The next publish is a millisecond later, on a whole second.
  world.setBack(10 * MINUTE_MS + (world.nowMs % SETTLED_STEP_MS) + 1);
  world.publishPrice(10_200);
  world.settle();
  world.settle(20 * MINUTE_MS);
  await world.tape.sealed();
  const { fromMs, reason } = world.tape.gaps().at(-1)!;
  expect([reason, fromMs % SETTLED_STEP_MS]).toEqual(['overrun', 0]);
  const [before, after] = await world.reading(async (tape) =>
    Promise.all(
      [fromMs + MINUTE_MS, world.nowMs].map(async (atMs) => {
        const past = await tape.fixtureAt(encodeId('event', 1), atMs, 'common');
        return past?.standing.map(({ pricesE4 }) => pricesE4.home);
      }),
    ),
  );
  expect([before, after]).toEqual([[10_100], [10_200]]);
});
