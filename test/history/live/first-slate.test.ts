// How the whole slate reaches the tape: at once at the start, and in several steps later.

import { expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { EVENT_NUMBERS, KEYS, TapeWorld } from '../tape-world.ts';

test.each([true, false])(
  'the time before the first slate is a gap, unless it is short; a tape that stops before it records the gap: %p',
  async (isKilled) => {
    await using world = new TapeWorld();
    await world.start();
    const fromMs = world.nowMs;
    world.settle(HOUR_MS);
    await world.tape.step();
    const gap = { fromMs, toMs: null, reason: 'feed_lost' } as const;
    expect(world.tape.gaps()).toEqual([gap]);
    expect(await world.reading((tape) => tape.time.isKnownAt(world.nowMs - MINUTE_MS, 'all'))).toBe(false);
    if (isKilled) await world.killed(0);
    world.putFixture(1);
    world.feedIsBack();
    await world.tape.step();
    const [first] = world.tape.gaps();
    expect([first?.fromMs, first?.reason]).toEqual([fromMs, 'feed_lost']);
    expect(first?.toMs).toBeGreaterThanOrEqual(fromMs + HOUR_MS);
    expect(await world.reading((tape) => tape.time.isKnownAt(fromMs + MINUTE_MS, 'all'))).toBe(false);
    expect(await world.reading((tape) => tape.time.isKnownAt(world.nowMs, 'all'))).toBe(true);
  },
);

test('the first slate reaches the tape in one step if the ring has room for it, so that there is no gap; later slates take several steps', async () => {
  await using world = new TapeWorld({ syncStepRecords: 4 }); // a fixture with three lines
  await world.start();
  for (const event of EVENT_NUMBERS) {
    world.putFixture(event);
    for (const key of KEYS.slice(1)) world.putQuote(event, key, 10_100);
  }
  world.publish();
  world.feedIsBack();
  await world.tape.step();
  expect(world.tape.gaps()).toEqual([]);
  expect(await world.standingAt(world.nowMs)).toEqual(world.shownTexts());
  const fromMs = world.nowMs;
  world.feedIsLost();
  world.settle();
  world.feedReturns();
  for (let step = 1; step < EVENT_NUMBERS.length; step++) {
    world.settle(100);
    await world.tape.step();
    expect(world.tape.gaps()).toEqual([{ fromMs, toMs: null, reason: 'feed_lost' }]);
  }
  world.settle(100);
  await world.tape.step();
  expect(world.tape.gaps()).toEqual([{ fromMs, toMs: world.nowMs, reason: 'feed_lost' }]);
});
