// How the whole slate reaches the tape: at once at the start, and in several steps later.

import { expect, test } from 'bun:test';
import { EVENT_NUMBERS, KEYS, TapeWorld } from '../tape-world.ts';

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
