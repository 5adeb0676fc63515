// ClockWatch notices that the wall clock was set back.

import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/clock.ts';
import { ClockWatch } from '../../src/ingest/clock-watch.ts';

const NOW_MS = 10 * HOUR_MS;

test('a clock that runs normally, jumps ahead or is corrected slightly does not count as set back; a step back of over a second is reported once, with its exact size', () => {
  let [wallMs, monotonicMs] = [NOW_MS, 0];
  const watch = new ClockWatch({ wallMs: () => wallMs, monotonicMs: () => monotonicMs });
  const pass = (ms: number, stepMs: number) => {
    monotonicMs += ms;
    wallMs += ms + stepMs;
    return watch.check();
  };
  expect(pass(1_000, 0)).toBeNull();
  expect(pass(1_000, HOUR_MS)).toBeNull();
  expect(pass(100, -900)).toBeNull();
  // Both clocks advance by the time between the two checks.
  expect(pass(100, -HOUR_MS)).toEqual({ nowMs: wallMs, byMs: HOUR_MS + 900 });
  expect(pass(100, 0)).toBeNull();
  expect(pass(5_000, -5_000)).toBeNull();
  expect(pass(1_000, -1_100)).toEqual({ nowMs: wallMs, byMs: 1_100 });
  expect(pass(100, 0)).toBeNull();
});
