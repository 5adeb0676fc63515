// The daily volume over HTTP: 200 requests of a keyless address and 5,000 of a free key are admitted, and no
// more. Counts near the limit are written into the database first, from which the server reads them at its
// start. process.test.ts tests that a server writes counts.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { subjectOfAddress } from '../../src/access/client-address.ts';
import { CountStore } from '../../src/access/counts/count-store.ts';
import { DAILY_COUNTS_SCHEMA, SCOPE_ADDRESS, SCOPE_KEY } from '../../src/access/counts/daily-counts.ts';
import { subjectOfKey } from '../../src/access/key-cache.ts';
import { dayOf } from '../../src/access/quotas/bucket.ts';
import { hashText } from '../../src/accounts/credentials/secrets.ts';
import { SqliteKeyDirectory } from '../../src/accounts/keys/sqlite-key-directory.ts';
import { KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { systemClock } from '../../src/clock.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { type Answered, call, headerProblemsOf } from '../support/call.ts';
import { createKeys, PROXY_SETTINGS } from '../support/callers.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ADDRESS = '10.200.0.1';
const LEFT = 3;
const DAY_S = 86_400;

test('a keyless address and a free key get 429 with the daily headers once their day is used up, although most of it was used before a restart', async () => {
  using folder = temporaryFolder();
  const dataDir = folder.path;
  const [free = ''] = await createKeys(dataDir, 'free', 1);
  const [standard = ''] = await createKeys(dataDir, 'standard', 1);
  await spendDay(dataDir, free);
  const settings = { DATA_DIR: dataDir, SIMULATOR_FOOTBALL_FIXTURES: '4', ...PROXY_SETTINGS };
  const callers = [
    { headers: { 'x-forwarded-for': ADDRESS }, perDay: 200 },
    { headers: { 'x-forwarded-for': '10.200.0.2', authorization: `Bearer ${free}` }, perDay: 5_000 },
  ];
  await using service = await runService(settings);
  for (const { headers, perDay } of callers) {
    for (let left = LEFT; left > 0; left--) {
      const answered = await call(`${service.url}/v1/sports`, { headers });
      expect(answered.status).toBe(200);
      expect(answered.headers.get('x-ratelimit-scope')).toBeNull();
    }
    const refused = await call(`${service.url}/v1/sports`, { headers });
    expectDailyRefusal(refused, perDay);
    // A refused request costs no token, so the tokens of the minute are still there.
    const again = await call(`${service.url}/v1/sports`, { headers });
    expectDailyRefusal(again, perDay);
    expect(Number(again.headers.get('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(30 - LEFT);
    for (const path of ['/health', '/openapi.json', '/ready']) {
      expect([path, (await call(service.url + path, { headers })).status]).toEqual([path, 200]);
    }
  }
  const headers = { 'x-forwarded-for': ADDRESS, authorization: `Bearer ${standard}` };
  expect((await call(`${service.url}/v1/sports`, { headers })).status).toBe(200);
  const other = await call(`${service.url}/v1/sports`, { headers: { 'x-forwarded-for': '10.200.0.3' } });
  expect(other.status).toBe(200);
});

function expectDailyRefusal(answered: Answered, perDay: number): void {
  expect(answered.status).toBe(429);
  expect(headerProblemsOf(answered, null)).toEqual([]);
  expect(answered.body).toMatchObject({ error: { code: 'rate_limit_exceeded', is_retriable: true } });
  const { headers } = answered;
  expect(headers.get('x-ratelimit-scope')).toBe('daily');
  expect(headers.get('ratelimit-limit')).toBe(String(perDay));
  expect(headers.get('ratelimit-remaining')).toBe('0');
  const nowS = systemClock.wallMs() / 1000;
  const resetS = Number(headers.get('ratelimit-reset'));
  expect(resetS % DAY_S).toBe(0);
  expect(resetS - nowS).toBeGreaterThan(-1);
  expect(resetS - nowS).toBeLessThanOrEqual(DAY_S);
  expect(Math.abs(Number(headers.get('retry-after')) - (resetS - nowS))).toBeLessThan(2);
}

/** Writes counts that leave the address and the key LEFT requests today. */
async function spendDay(dataDir: string, key: string): Promise<void> {
  const database = openDatabase({
    path: join(dataDir, DATABASE_NAME),
    schemas: [KEYS_SCHEMA, DAILY_COUNTS_SCHEMA],
    create: true,
  });
  const day = dayOf(systemClock.wallMs());
  const directory = new SqliteKeyDirectory(database);
  const keyNumber = directory.findLive(hashText(key))!.number;
  const counts = [
    { scope: SCOPE_ADDRESS, ...subjectOfAddress(ADDRESS), day, requests: 200 - LEFT },
    { scope: SCOPE_KEY, ...subjectOfKey(keyNumber), day, requests: 5_000 - LEFT },
  ] as const;
  const store = await CountStore.open({ sql: sqliteSql(database), onError: fail }, day);
  store.write({ counts, uses: [], keptDays: null });
  await store.flush();
  database.close();
}

function fail(error: unknown): never {
  throw error;
}
