// Writes a data folder as this release does, for test/upgrades/upgrades.test.ts of all later releases: bun
// test/upgrades/keep-folder.ts Everything in it is made up: prices of the simulated market, an account at
// example.com, and keys that no server accepts.

import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/settings/config.ts';
import { startService } from '../../src/start/service.ts';
import { DATABASE_NAME } from '../../src/storage/database.ts';
import { backUp } from '../../src/storage/database-copy.ts';
import { SCHEMA_VERSION } from '../../src/storage/database-schema.ts';
import { VERSION } from '../../src/version.ts';
import { AccountClient } from '../support/account-client.ts';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

using folder = temporaryFolder();
const dataDir = folder.path;
const service = await startService(
  loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    NODE_ENV: 'development',
    SIMULATOR_FOOTBALL_FIXTURES: '2',
    SIMULATOR_BASKETBALL_FIXTURES: '0',
    TRUSTED_PROXIES: '127.0.0.1',
  }),
  { makesDevelopmentKey: false },
);
await until('the service is ready', async () => (await fetch(`${service.url}/ready`)).status === 200);
const ada = new AccountClient(
  { url: service.url, dataDir },
  { email: 'ada@example.com', address: '192.0.2.1' },
);
await ada.enter();
const made = await ada.send('POST', '/platform/keys', { label: 'kept' });
const ownKey = (made.body as { key: string }).key;
const [operatorKey] = await createKeys(dataDir, 'enterprise', 1);
for (const key of [ownKey, operatorKey]) {
  await fetch(`${service.url}/v1/events`, { headers: { authorization: `Bearer ${key}` } });
}
await service.stop();

const kept = join(import.meta.dir, 'folders', `${VERSION}-schema-${SCHEMA_VERSION}`);
if (existsSync(kept)) throw new Error(`Cannot keep the folder: ${kept} exists; a release is kept once`);
mkdirSync(kept, { recursive: true });
const { rows } = backUp(dataDir, join(kept, DATABASE_NAME), []);
copyFileSync(join(dataDir, 'buckets.bin'), join(kept, 'buckets.bin'));
await Bun.write(
  join(kept, 'facts.json'),
  `${JSON.stringify({ version: VERSION, schemaVersion: SCHEMA_VERSION, email: ada.email, password: ada.password, ownKey, operatorKey, rows }, null, 2)}\n`,
);
console.log(`kept ${kept}`);
process.exit(0);
