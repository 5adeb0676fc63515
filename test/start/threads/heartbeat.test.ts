// A busy thread is not mistaken for one that hangs.

import { expect, test } from 'bun:test';
import { sendHeartbeats } from '../../../src/start/threads/heartbeat.ts';

test('a thread whose work makes progress sends heartbeats, even if its timers are late', () => {
  let nowMs = 0;
  let heartbeats = 0;
  const onWork = sendHeartbeats({ postMessage: () => heartbeats++ }, { monotonicMs: () => nowMs });
  for (nowMs = 0; nowMs <= 10_000; nowMs += 50) onWork();
  expect(heartbeats).toBeGreaterThanOrEqual(15);
  expect(heartbeats).toBeLessThanOrEqual(20);
});
