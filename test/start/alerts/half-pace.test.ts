// HalfPace makes a task rest for as long as it has worked.

import { expect, test } from 'bun:test';
import { HalfPace } from '../../../src/start/alerts/half-pace.ts';

test('rests after some milliseconds of work, for as long as that work took', async () => {
  let nowMs = 1_000;
  const rests: number[] = [];
  const pace = new HalfPace(
    { monotonicMs: () => nowMs },
    () => 0,
    async (ms) => {
      rests.push(ms);
      nowMs += ms;
    },
  );
  for (const stepMs of [1, 1, 3, 20, 2, 1]) {
    nowMs += stepMs;
    await pace.afterStep();
  }
  expect(rests).toEqual([5, 20]);
});

test('it rests longer when HTTP threads had to wait for a processor, but not for ever, and no less when one ends', async () => {
  let nowMs = 1_000;
  let waitedMs = 7_000;
  const rests: number[] = [];
  const pace = new HalfPace(
    { monotonicMs: () => nowMs },
    () => waitedMs,
    async (ms) => {
      rests.push(ms);
      nowMs += ms;
    },
  );
  for (const waits of [2, 0, 5_000, 0, -6_000]) {
    nowMs += 5;
    waitedMs += waits;
    await pace.afterStep();
  }
  expect(rests).toEqual([25, 5, 105, 5, 5]);
});
