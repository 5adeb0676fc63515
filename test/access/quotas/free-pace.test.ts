import { expect, test } from 'bun:test';
import {
  ACCOUNT_REQUEST_WEIGHT,
  FREE_NETWORKS_MAX,
  FREE_REQUESTS_BURST,
  FREE_REQUESTS_PER_SECOND,
} from '../../../src/access/limits.ts';
import { FreePace } from '../../../src/access/quotas/free-pace.ts';

test('each session has its own pace, which it shares with no other session and no network', () => {
  const pace = new FreePace();
  const send = (token: string, nowMs: number) => pace.takeSession(token, ACCOUNT_REQUEST_WEIGHT, nowMs);
  const burst = FREE_REQUESTS_BURST / ACCOUNT_REQUEST_WEIGHT;
  for (let count = 0; count < burst; count++) expect(send('Bearer one', 0)).toBe(0);
  const waitMs = send('Bearer one', 0);
  expect(waitMs).toBeWithin(1, 1_000 * (ACCOUNT_REQUEST_WEIGHT / FREE_REQUESTS_PER_SECOND) + 1);
  expect(send('Bearer two', 0)).toBe(0);
  expect(pace.take('192.0.2.1', 1, 0)).toBe(0);
  expect(send('Bearer one', waitMs)).toBe(0);
});

test('however many sessions a client invents, the requests counted for its network are not forgotten', () => {
  const pace = new FreePace();
  expect(pace.take('192.0.2.1', FREE_REQUESTS_BURST, 0)).toBe(0);
  for (let count = 0; count <= FREE_NETWORKS_MAX; count++) pace.takeSession(`Bearer ${count}`, 1, 0);
  expect(pace.take('192.0.2.1', 1, 0)).toBeGreaterThan(0);
});
