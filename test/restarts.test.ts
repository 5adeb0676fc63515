// The pauses before lost workers are restarted: they double up to a bound, and start again from the shortest
// after a reset.

import { expect, test } from 'bun:test';
import { Restarts } from '../src/restarts.ts';
import { until } from './support/condition.ts';

const PAUSES = { pauseFirstMs: 50, pauseMaxMs: 300 };

test('pauses double up to their bound, and begin with the shortest again after a reset', () => {
  const restarts = new Restarts(PAUSES);
  expect(pausesOf(restarts, 5)).toEqual([50, 100, 200, 300, 300]);
  restarts.reset();
  expect(pausesOf(restarts, 2)).toEqual([50, 100]);
  restarts.stop();
});

test('with startsAtOnce the first loss is followed by a restart without a pause', async () => {
  const restarts = new Restarts({ ...PAUSES, startsAtOnce: true });
  let starts = 0;
  expect(restarts.schedule(() => starts++)).toBe(0);
  expect(pausesOf(restarts, 2)).toEqual([50, 100]);
  await until('the first start', () => starts === 1);
  restarts.stop();
});

test('nothing is started after stop: neither a waiting restart nor one that is scheduled later', async () => {
  const restarts = new Restarts({ pauseFirstMs: 1, pauseMaxMs: 1 });
  let starts = 0;
  restarts.schedule(() => starts++);
  restarts.stop();
  restarts.schedule(() => starts++);
  const later = new Restarts({ pauseFirstMs: 5, pauseMaxMs: 5 });
  let isLater = false;
  later.schedule(() => {
    isLater = true;
  });
  await until('a later timer has run', () => isLater);
  expect(starts).toBe(0);
});

function pausesOf(restarts: Restarts, count: number): number[] {
  return Array.from({ length: count }, () => restarts.schedule(() => {}));
}
