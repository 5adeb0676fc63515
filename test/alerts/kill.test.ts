// The whole server: alerts of the simulated market arrive at an endpoint, and killing the process loses none
// that was in the outbox.

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { AccountClient } from '../support/account-client.ts';
import { until } from '../support/condition.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KILLS = 3;

test('killed again and again, every alert of the outbox arrives, twice only with the same id', async () => {
  using folder = temporaryFolder();
  const arrived: string[] = [];
  let isUp = true;
  using endpoint = disposable(
    Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1' },
      fetch: (request) => {
        if (!isUp) return new Response('', { status: 503 });
        arrived.push(request.headers.get('webhook-id')!);
        return new Response('');
      },
    }),
  );
  const environment = {
    ...{ DATA_DIR: folder.path, ALERTS_ALLOW: '127.0.0.1', HISTORY_DAYS: '0', NODE_ENV: 'development' },
    ...{ SIMULATOR_SEED: '5', STOP_DRAIN_MS: '0', TRUSTED_PROXIES: '127.0.0.1' },
  };
  let server = new ServerProcess(environment);
  const url = await server.serving();
  const ada = new AccountClient(
    { url, dataDir: folder.path },
    { email: 'ada@example.com', address: '203.0.113.7' },
  );
  await ada.enter();
  await ada.send('POST', '/platform/account/plan', { plan: 'enterprise' });
  const to = { url: `http://127.0.0.1:${endpoint.port}/`, format: 'raw' };
  const rule = { name: 'All', when: { kind: 'value', min_edge_pct: 0, closed: true, again_after_s: 0 }, to };
  expect((await ada.send('POST', '/platform/alerts', rule)).status).toBe(200);
  for (let kill = 0; kill < KILLS; kill++) {
    const before = arrived.length;
    await until('alerts arrive', () => arrived.length > before + 3);
    isUp = false;
    await until('alerts wait', () => waiting(folder.path) > 0);
    await server.kill();
    isUp = true;
    server = new ServerProcess(environment);
    await server.serving();
  }
  const ids = rows(folder.path).map(({ message_id }) => message_id);
  await until('what waited arrives', () => ids.every((id) => arrived.includes(id)));
  expect(ids.length).toBeGreaterThan(KILLS);
  await server.end();
}, 240_000);

function rows(dataDir: string): { readonly message_id: string; readonly state: string }[] {
  using database = new Database(join(dataDir, 'overround.sqlite'), { readonly: true });
  return database
    .query<{ message_id: string; state: string }, []>('SELECT message_id, state FROM alert_deliveries')
    .all();
}

function waiting(dataDir: string): number {
  return rows(dataDir).filter(({ state }) => state === 'waiting').length;
}

function disposable<Server extends { stop(force: boolean): unknown; readonly port?: number | undefined }>(
  server: Server,
) {
  return { port: server.port!, [Symbol.dispose]: () => void server.stop(true) };
}
