// The alerts thread dies or hangs: prices and the console continue, and the next thread watches the rules and
// sends what is in the outbox. Each signal is sent under one id.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AlertEndpoint } from '../faults/alert-endpoint.ts';
import { AccountClient } from '../support/account-client.ts';
import { until } from '../support/condition.ts';
import { restartCount } from '../support/prometheus.ts';
import { type RunningService, runService } from '../support/running-service.ts';

let running: RunningService;
let ada: AccountClient;
const endpoint = new AlertEndpoint();
const channel = new BroadcastChannel('overround-alerts-death');

beforeAll(async () => {
  running = await runService(
    {
      ...{ ALERTS_ALLOW: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1', SCORING_THREADS: '1' },
      ...{ SIMULATOR_SEED: '5', SIMULATOR_FOOTBALL_FIXTURES: '40', SIMULATOR_BASKETBALL_FIXTURES: '4' },
    },
    { workerUrls: { alerts: new URL('./mortal-alerts.worker.ts', import.meta.url) } },
  );
  ada = new AccountClient(running, { email: 'ada@example.com', address: '203.0.113.7' });
  await ada.enter();
  await ada.send('POST', '/platform/account/plan', { plan: 'enterprise' });
  const when = { kind: 'value', min_edge_pct: 0, closed: true, again_after_s: 0 };
  const rule = { name: 'All', when, to: { url: endpoint.url, format: 'raw' } };
  expect((await ada.send('POST', '/platform/alerts', rule)).status).toBe(200);
});
afterAll(async () => {
  channel.close();
  await running[Symbol.asyncDispose]();
  endpoint[Symbol.dispose]();
});

async function moreArrive(): Promise<void> {
  const before = endpoint.arrived.size;
  await until('alerts arrive', () => endpoint.arrived.size > before);
}

// A new thread may start for a minute before it counts as hung. So the test that makes the thread hang comes
// first.
test.each(['hang', 'exit'])(
  'alerts continue after the alerts thread has died by %s',
  async (how) => {
    await moreArrive();
    const before = await restartCount(running.url, 'alerts');
    const answered = new Set<string>();
    channel.postMessage({ how });
    await until('another was started', async () => {
      answered.add(`odds ${(await running.fetch('/v1/odds')).status}`);
      answered.add(`rules ${(await ada.send('GET', '/platform/alerts')).status}`);
      return (await restartCount(running.url, 'alerts')) === before + 1;
    });
    expect([...answered].sort()).toEqual(['odds 200', 'rules 200']);
    await moreArrive();
    expect(endpoint.counts()).toMatchObject({ doubled: 0 });
  },
  120_000,
);
