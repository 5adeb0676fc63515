// Kills a server that sends alerts, again and again: every alert of the outbox arrives, and twice only with
// the same `webhook-id`. By hand: `bun test/faults/alert-kills.ts --kills 50`.

import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { AccountClient } from '../support/account-client.ts';
import { until } from '../support/condition.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { AlertEndpoint } from './alert-endpoint.ts';

const STARTS_MAX = 5;

export interface AlertKillReport {
  readonly kills: number;
  /**
   * How many openings and closings were in the outbox at some kill or at the end, and how many never arrived.
   */
  readonly alerts: number;
  readonly lost: number;
  /** How many requests repeated a `webhook-id`. */
  readonly repeated: number;
  /** How many openings arrived with two different ids. */
  readonly doubled: number;
}

interface Row {
  readonly body: string;
  readonly state: string;
}

export async function killWhileSending(kills: number): Promise<AlertKillReport> {
  using folder = temporaryFolder();
  using endpoint = new AlertEndpoint();
  const environment = {
    ...{ DATA_DIR: folder.path, ALERTS_ALLOW: '127.0.0.1', HISTORY_DAYS: '0', NODE_ENV: 'development' },
    ...{ SIMULATOR_SEED: '5', STOP_DRAIN_MS: '0', TRUSTED_PROXIES: '127.0.0.1' },
    ...{ SIMULATOR_FOOTBALL_FIXTURES: '40', SIMULATOR_BASKETBALL_FIXTURES: '4', SCORING_THREADS: '1' },
  };
  let server = new ServerProcess(environment);
  const url = await server.serving();
  const account = { email: 'ada@example.com', address: '203.0.113.7' };
  const ada = new AccountClient({ url, dataDir: folder.path }, account);
  await ada.enter();
  await ada.send('POST', '/platform/account/plan', { plan: 'enterprise' });
  const when = { kind: 'value', min_edge_pct: 0, closed: true, again_after_s: 0 };
  const rule = { name: 'All', when, to: { url: endpoint.url, format: 'raw' } };
  const { status, text } = await ada.send('POST', '/platform/alerts', rule);
  if (status !== 200) throw new Error(text);
  const written = new Set<string>();
  const note = (): void => {
    for (const { body } of rows(folder.path))
      for (const signal of AlertEndpoint.signalsOf(body)) written.add(signal);
  };
  const lost = () => [...written].filter((signal) => !endpoint.ids.has(signal)).length;
  for (let kill = 0; kill < kills; kill++) {
    const before = endpoint.arrived.size;
    await until('alerts arrive', () => endpoint.arrived.size > before + 3);
    // Every second kill hits a server while it sends alerts. The other kills hit a server whose alerts are
    // waiting.
    endpoint.isUp = kill % 2 === 0;
    if (!endpoint.isUp) await until('alerts wait', () => waiting(folder.path) > 0);
    await server.kill();
    note();
    if (import.meta.main) console.log(kill + 1, written.size, lost(), JSON.stringify(endpoint.counts()));
    endpoint.isUp = true;
    server = await started(environment);
  }
  note();
  await until('what waited arrives', () => lost() === 0);
  await server.end();
  return {
    ...{ kills, alerts: written.size, lost: lost() },
    ...endpoint.counts(),
  };
}

/**
 * Starts a server. If a start times out, as on a busy machine, it starts the server again, as an operator
 * would.
 */
async function started(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt++) {
    const server = new ServerProcess(environment);
    try {
      await server.serving();
      return server;
    } catch (error) {
      await server.kill();
      if (attempt === STARTS_MAX) throw error;
    }
  }
}

function rows(dataDir: string): Row[] {
  using database = new Database(join(dataDir, 'overround.sqlite'), { readonly: true });
  return database.query<Row, []>('SELECT body, state FROM alert_deliveries').all();
}

function waiting(dataDir: string): number {
  return rows(dataDir).filter(({ state }) => state === 'waiting').length;
}

if (import.meta.main) {
  const at = process.argv.indexOf('--kills');
  console.log(JSON.stringify(await killWhileSending(at < 0 ? 10 : Number(process.argv[at + 1]))));
  process.exit(0);
}
