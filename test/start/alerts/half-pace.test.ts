// HalfPace makes a task pause for as long as it has worked.

import { expect, test } from 'bun:test';
import { HalfPace } from '../../../src/start/alerts/half-pace.ts';

test('HalfPace pauses after some milliseconds of work, for as long as that work took', async () => {
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

test('HalfPace pauses at most 100 ms longer if HTTP threads waited for a processor, and never shorter if such a thread ended', async () => {
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
