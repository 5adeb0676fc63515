// The whole server: alerts of the simulated market arrive at an endpoint, and killing the process loses none
// that was in the outbox. `bun test/faults/alert-kills.ts --kills 50` kills it fifty times.

import { expect, test } from 'bun:test';
import { killWhileSending } from './alert-kills.ts';

test('under repeated kills every alert of the outbox arrives, and repeats have the same id', async () => {
  const report = await killWhileSending(2);
  expect(report.alerts).toBeGreaterThan(2);
  expect(report).toMatchObject({ kills: 2, lost: 0, doubled: 0 });
}, 240_000);
