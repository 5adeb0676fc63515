import { expect, test } from 'bun:test';
import { FairTurns } from '../../../src/access/quotas/fair-turns.ts';
import { StrangersTime } from '../../../src/access/quotas/strangers-time.ts';
import { until } from '../../support/condition.ts';

test('callers without a key get 200 ms of work without a wait, then a third of the time', () => {
  let nowMs = 1_000;
  const time = new StrangersTime(() => nowMs);
  let workedMs = 0;
  const workUntil = (endMs: number): void => {
    while (nowMs < endMs) {
      const waitMs = time.waitMs();
      nowMs += waitMs;
      if (waitMs > 0) continue;
      nowMs += 10;
      workedMs += 10;
      time.spend(10);
    }
  };
  workUntil(1_200);
  expect(workedMs).toBe(200);
  workUntil(61_000);
  expect(workedMs).toBeGreaterThan(19_500);
  expect(workedMs).toBeLessThan(20_500);
  nowMs += 10_000;
  workedMs = 0;
  workUntil(nowMs + 200);
  expect(workedMs).toBe(200);
});

test('jobs of callers without a key wait once their time is used up; a job with a key that comes then does not wait', async () => {
  const done: string[] = [];
  let workedMs = 0;
  const startMs = performance.now();
  const monotonicMs = () => performance.now() - startMs + workedMs;
  const turns = new FairTurns({ monotonicMs, strangersTime: new StrangersTime(monotonicMs) });
  const ask = (name: string, hasKey: boolean): void =>
    turns.do({ name, hasKey }, () => {
      done.push(name);
      workedMs += 20;
      if (done.length === 12) ask('key', true);
    });
  for (let count = 0; count < 20; count++) ask(`stranger ${count}`, false);
  await until('all are done', () => turns.waitingCount === 0);
  expect(done.length).toBe(21);
  expect(done.indexOf('key')).toBe(12);
  // The first 200 ms of work do not wait; the next 200 ms of work take three times as long.
  expect(monotonicMs()).toBeGreaterThan(500);
});
