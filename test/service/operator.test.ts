// The data of the operator's page: only for accounts that OPERATOR_EMAILS names.

import { expect, test } from 'bun:test';
import { AccountClient } from '../support/account-client.ts';
import { PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { runService } from '../support/running-service.ts';

interface Report {
  readonly feed: { readonly connected: boolean; readonly refused: readonly unknown[] };
  readonly slate: { readonly fixtures: number; readonly fixturesMax: number };
  readonly people: { readonly signUps: number; readonly verified: number };
  readonly threads: readonly { readonly requests: number }[];
  readonly hour: readonly { readonly messagesPerS: number; readonly requestsPerS: number }[];
}

test('the operator sees the service now and its last hour; others are refused', async () => {
  await using running = await runService({
    ...PROXY_SETTINGS,
    FEED: 'simulator',
    SIMULATOR_RATE: '50',
    // Twice as many fixtures as expected below, because the number on the slate depends on the hour.
    SIMULATOR_FOOTBALL_FIXTURES: '60',
    SIMULATOR_BASKETBALL_FIXTURES: '20',
    OPERATOR_EMAILS: 'Boss@example.com',
  });
  const clients = ['boss@example.com', 'guest@example.com'].map(
    (email, index) => new AccountClient(running, { email, address: `203.0.113.${index + 1}` }),
  );
  const [boss, guest] = clients as [AccountClient, AccountClient];
  for (const one of clients) await one.enter();
  expect((await guest.send('GET', '/platform/operator')).status).toBe(403);
  expect((await guest.send('GET', '/platform/operator', undefined, { bearer: null })).status).toBe(401);
  const answered = await boss.send('GET', '/platform/operator');
  expect(answered.status).toBe(200);
  expect(answered.headers.get('cache-control')).toBe('no-store');
  const report = answered.body as Report;
  expect(report).toMatchObject({
    feed: { connected: true, refused: [] },
    slate: { fixturesMax: 4_096 },
    people: { signUps: 2, verified: 2 },
  });
  expect(report.slate.fixtures).toBeGreaterThan(40);
  // One entry is the HTTP thread and one the query thread.
  expect(report.threads.length).toBe(2);
  let askedAtMs = Number.NEGATIVE_INFINITY;
  await until('the hour has a point, in which messages came and requests were answered', async () => {
    // Each answer computes all metrics, so it is requested only once a second.
    const nowMs = performance.now();
    if (nowMs - askedAtMs < 1_000) return false;
    askedAtMs = nowMs;
    const answer = await boss.send('GET', '/platform/operator');
    const { hour } = answer.body as Report;
    return hour.some(({ messagesPerS, requestsPerS }) => messagesPerS > 0 && requestsPerS > 0);
  });
}, 120_000);
