// The whole server is killed with kill -9, again and again on one DATA_DIR, while keys are made over HTTP and
// openings are written. After each restart every acknowledged key works, every rotated key is still dead, and
// openings and results are unchanged.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { AccountClient } from '../support/account-client.ts';
import { call } from '../support/call.ts';
import { PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { runs } from '../support/runs.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROUNDS = runs(2);
const STREAMS = 3;

interface Acknowledged {
  readonly live: Map<string, string>;
  readonly dead: Set<string>;
  /** Ids of keys whose rotation was sent but not acknowledged. */
  readonly unsure: Set<string>;
}

test(`killing the server ${ROUNDS} times with kill -9 loses no acknowledged key and changes no opening, and every restart serves`, async () => {
  using folder = temporaryFolder();
  const dataDir = folder.path;
  const keys: Acknowledged = { live: new Map(), dead: new Set(), unsure: new Set() };
  const openings = new Map<string, string>();
  let killedBusy = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await using server = new ServerProcess({
      DATA_DIR: dataDir,
      FEED: 'simulator',
      SIMULATOR_RATE: '200',
      ...PROXY_SETTINGS,
    });
    const url = await server.listening();
    await expectServing(url, keys, round);
    const client = new AccountClient({ url, dataDir }, personOf(round));
    await client.enter();
    const busy = Promise.all(Array.from({ length: STREAMS }, () => makeKeys(client, keys)));
    // The kill comes at a different moment in every round: after this many acknowledged keys.
    const wanted = keys.live.size + 1 + ((round * 5) % 13);
    await until(`${wanted} keys are acknowledged`, () => keys.live.size >= wanted);
    await server.kill();
    killedBusy += (await busy).filter((wasCut) => wasCut).length;
    compareOpenings(dataDir, openings);
  }
  await using server = new ServerProcess({ DATA_DIR: dataDir, FEED: 'simulator', ...PROXY_SETTINGS });
  await expectServing(await server.listening(), keys, ROUNDS);
  expect(keys.live.size).toBeGreaterThan(ROUNDS);
  expect(keys.dead.size).toBeGreaterThan(0);
  expect(killedBusy).toBeGreaterThan(ROUNDS);
  expect(openings.size).toBeGreaterThan(200);
}, 600_000);

function personOf(round: number): { email: string; address: string } {
  return { email: `round-${round}@example.com`, address: `10.1.0.${round + 1}` };
}

/** Creates and rotates keys until the server is gone. @returns whether a request was cut off */
async function makeKeys(client: AccountClient, { live, dead, unsure }: Acknowledged): Promise<boolean> {
  for (let index = 0; ; index++) {
    try {
      const created = await client.send('POST', '/platform/keys', { label: `stream ${index}` });
      if (created.status !== 200) return false;
      const { key, key_id: keyId } = created.body as { key: string; key_id: string };
      live.set(keyId, key);
      if (index % 2 === 1) continue;
      unsure.add(keyId);
      const rotated = await client.send('POST', `/platform/keys/${keyId}/rotate`);
      if (rotated.status !== 200) return false;
      live.set(keyId, (rotated.body as { key: string }).key);
      dead.add(key);
      unsure.delete(keyId);
    } catch {
      return true; // the connection died with the server
    }
  }
}

async function expectServing(url: string, keys: Acknowledged, round: number): Promise<void> {
  const check = async (key: string) => {
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': `10.2.0.${round + 1}` };
    return (await call(`${url}/health`, { headers })).status;
  };
  const sure = [...keys.live].filter(([keyId]) => !keys.unsure.has(keyId));
  const [works, fails] = await Promise.all([
    Promise.all(sure.map(async ([keyId, key]) => [keyId, await check(key)])),
    Promise.all([...keys.dead].map(check)),
  ]);
  expect([round, works]).toEqual([round, sure.map(([keyId]) => [keyId, 200])]);
  expect([round, fails]).toEqual([round, fails.map(() => 401)]);
  await until('the restarted server serves a slate', async () => (await call(`${url}/ready`)).status === 200);
}

/**
 * Checks that the file is sound (opening it runs quick_check), and that all rows it had before are unchanged.
 */
function compareOpenings(dataDir: string, known: Map<string, string>): void {
  const database = openDatabase({
    path: join(dataDir, DATABASE_NAME),
    schemas: [ARCHIVE_SCHEMA],
    create: false,
  });
  const rows = database
    .query<Record<string, unknown>, []>('SELECT * FROM openings ORDER BY event_number, sequence')
    .all();
  database.close();
  const held = new Map(rows.map((row) => [`${row.event_number} ${row.quote_key}`, JSON.stringify(row)]));
  for (const [name, row] of known) expect([name, held.get(name)]).toEqual([name, row]);
  for (const [name, row] of held) known.set(name, row);
}
