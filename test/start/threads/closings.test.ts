// A file of the history that cannot be read is set aside, and closing prices are frozen from the others.

import { expect, test } from 'bun:test';
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '../../../src/clock.ts';
import { STATUS_LIVE } from '../../../src/domain/catalogue.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { createLog } from '../../../src/log.ts';
import { HistoryDatabase } from '../../../src/start/record/history-database.ts';
import { openClosings } from '../../../src/start/threads/closings.ts';
import { DATABASE_NAME, openDatabase } from '../../../src/storage/database.ts';
import { createStore } from '../../../src/store/layout.ts';
import { KEYS, TapeWorld } from '../../history/tape-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a file that cannot be read is set aside, and then the closing prices are frozen', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'history');
  await using world = new TapeWorld({ path, liveTicksMax: 4 });
  await world.startWith(1);
  for (let price = 10_100; price < 10_120; price++) {
    world.settle(60_000);
    world.putQuote(1, KEYS[0]!, price);
    world.publish();
    await world.atRest();
  }
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const newest = files
    .filter((file) => file.endsWith('.parquet') && file.includes('day='))
    .toSorted()
    .at(-1)!;
  truncateSync(join(path, newest), 100);
  const { clock } = world;
  openDatabase({ path: join(folder.path, DATABASE_NAME), schemas: [], create: true }).close();
  const database = new HistoryDatabase({ dataDir: folder.path, databaseUrl: null });
  const log = createLog({ clock, json: false, level: 'error', write: () => {} });
  const parts = { database, storeBuffer: createStore(0), clock, log };
  const closings = openClosings(parts, new LocalFolder(path));
  const live = { kickoffMs: world.nowMs, eventStatus: STATUS_LIVE, nowMs: world.nowMs };
  closings.keeper.fixture(1, live);
  await closings.settle(world.tape);
  expect(world.tape.standing().setAside).toHaveLength(1);
  world.settle(HOUR_MS);
  await closings.settle(world.tape);
  const frozen = await closings.frozen(1);
  expect(frozen?.prices).toHaveLength(1);
  await database.close();
});
