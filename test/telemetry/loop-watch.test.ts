// Delays of the event loop are counted, and a job that took too long is logged by name.

import { expect, test } from 'bun:test';
import { systemClock } from '../../src/clock.ts';
import { LOOP_DELAY_BOUNDS_S, LoopWatch } from '../../src/telemetry/loop-watch.ts';
import { until } from '../support/condition.ts';

function spin(ms: number): void {
  const endMs = systemClock.monotonicMs() + ms;
  while (systemClock.monotonicMs() < endMs);
}

test('LoopWatch counts a delay of the event loop in the right bucket', async () => {
  const watch = new LoopWatch({ clock: systemClock, log: { warn: () => {} }, thread: 0 });
  const slowBuckets = () => watch.delays.buckets.slice(LOOP_DELAY_BOUNDS_S.indexOf(0.05));
  watch.start();
  await until('the watch has measured', () => watch.delays.buckets.some((count) => count > 0));
  const before = slowBuckets().reduce((sum, count) => sum + count, 0);
  spin(150);
  await until('the delay is counted', () => slowBuckets().reduce((sum, count) => sum + count, 0) > before);
  expect(watch.delays.sumUs).toBeGreaterThan(50_000);
  watch.stop();
});

test('LoopWatch.run returns what the job returns, and logs a job that takes more than 5 ms, with its name', () => {
  const logged: unknown[] = [];
  let nowMs = 0;
  const watch = new LoopWatch({
    clock: { monotonicMs: () => nowMs },
    log: { warn: (event, fields) => logged.push({ event, ...fields }) },
    thread: 3,
  });
  const job = (ms: number) => () => {
    nowMs += ms;
    return ms;
  };
  expect(watch.run('quick', job(5))).toBe(5);
  expect(watch.run('slow', job(5.12))).toBe(5.12);
  expect(() =>
    watch.run('broken', () => {
      nowMs += 70;
      throw new Error('broken');
    }),
  ).toThrow('broken');
  expect(logged).toEqual([
    { event: 'event_loop_held', job: 'slow', thread: 3, ms: 5.1 },
    { event: 'event_loop_held', job: 'broken', thread: 3, ms: 70 },
  ]);
});
