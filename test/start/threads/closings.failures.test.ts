// While the database fails, closing prices are tried again after a pause, one match at a time. While the
// folder refuses writes, no closing prices are frozen, because the tape lacks the latest prices and kickoffs.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { STATUS_LIVE } from '../../../src/domain/catalogue.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { createLog } from '../../../src/log.ts';
import { HistoryDatabase } from '../../../src/start/record/history-database.ts';
import { openClosings } from '../../../src/start/threads/closings.ts';
import { DATABASE_NAME, openDatabase } from '../../../src/storage/database.ts';
import { createStore } from '../../../src/store/layout.ts';
import { EVENT_NUMBERS, KEYS, TapeWorld } from '../../history/tape-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { closingsOf, historyDatabase } from './closings-of.ts';

/** How long an attempt takes before it fails. A database that does not answer fails like this. */
const FAILS_AFTER_MS = 6_000;

test('a database that fails slowly is tried again five seconds after each failure; once it works, the prices of all matches are frozen', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'history');
  await using world = new TapeWorld({ path });
  await world.startWith(...EVENT_NUMBERS);
  for (const event of EVENT_NUMBERS) world.putQuote(event, KEYS[0]!, 10_100);
  world.publish();
  await world.atRest();
  world.settle(1_000);
  const { clock } = world;
  const triedAtMs: number[] = [];
  /** Until there is a file, each attempt to open it fails. */
  class SlowDatabase extends HistoryDatabase {
    override get prices() {
      if (this.isOpen) return super.prices;
      triedAtMs.push(clock.monotonicMs());
      world.settle(FAILS_AFTER_MS);
      return super.prices;
    }
  }
  const database = new SlowDatabase({ dataDir: folder.path, databaseUrl: null });
  const log = createLog({ clock, json: false, level: 'error', write: () => {} });
  const closings = openClosings({ database, storeBuffer: createStore(0), clock, log }, new LocalFolder(path));
  const live = {
    kickoffMs: world.nowMs,
    eventStatus: STATUS_LIVE,
    nowMs: world.nowMs,
    gapFromMs: Number.NaN,
  };
  for (const event of EVENT_NUMBERS) closings.keeper.fixture(event, live);
  for (let call = 0; call < 40; call += 1) {
    await closings.settle(world.tape);
    world.settle(500);
  }
  const pausesMs = triedAtMs.slice(1).map((atMs, index) => atMs - triedAtMs[index]! - FAILS_AFTER_MS);
  expect(triedAtMs.length).toBeGreaterThan(3);
  for (const pauseMs of pausesMs) expect([5_000, 5_500]).toContain(pauseMs);

  openDatabase({ path: join(folder.path, DATABASE_NAME), schemas: [], create: true }).close();
  for (let call = 0; call < 20; call += 1) {
    world.settle(500);
    await closings.settle(world.tape);
  }
  for (const event of EVENT_NUMBERS) expect((await closings.frozen(event))?.prices).toHaveLength(1);
  await database.close();
});

test('if the folder refuses writes from half an hour before the kickoff to a quarter of an hour after it, closing prices are frozen once the tape has the changes of that time', async () => {
  using folder = temporaryFolder();
  const database = historyDatabase(folder.path);
  await using world = new TapeWorld({ path: join(folder.path, 'history') });
  const closings = closingsOf(world, { database });
  await world.startWith(1);
  const statedMs = world.nowMs + HOUR_MS;
  const until = async (minutes: number): Promise<void> => {
    while (world.nowMs < statedMs + minutes * MINUTE_MS) {
      world.settle(MINUTE_MS / 2);
      await world.tape.step();
      await closings.settle(world.tape);
    }
  };
  world.putFixture(1, statedMs);
  world.publishPrice(19_000);
  await until(-30);
  world.onAppend = () => {
    throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  };
  await until(-1);
  world.publishPrice(17_000);
  await until(2);
  world.setLive(1, true);
  world.publish();
  const kickoffMs = world.nowMs;
  await until(15);
  expect(world.tape.standing().stopped).toBe('disk_full');
  expect(await closings.frozen(1)).toBeNull();
  world.onAppend = () => {};
  await until(16);
  expect(world.tape.gaps()).toEqual([]);
  expect(await closings.frozen(1)).toMatchObject({
    kickoffMs,
    prices: [{ pricesE4: [17_000, 17_001, 17_002] }],
  });
  await database.close();
});
