// The closing prices of the tapes of a test's world, and their database.

import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { createLog } from '../../../src/log.ts';
import { HistoryDatabase } from '../../../src/start/record/history-database.ts';
import { type Closings, openClosings } from '../../../src/start/threads/closings.ts';
import { DATABASE_NAME, openDatabase } from '../../../src/storage/database.ts';
import { createStore } from '../../../src/store/layout.ts';
import { SlateWriter } from '../../../src/store/writer/writer.ts';
import type { TapeWorld } from '../../history/tape-world.ts';

/** An empty database in a folder. */
export function historyDatabase(dataDir: string): HistoryDatabase {
  openDatabase({ path: `${dataDir}/${DATABASE_NAME}`, schemas: [], create: true }).close();
  return new HistoryDatabase({ dataDir, databaseUrl: null });
}

/**
 * Creates the Closings of a test world. They listen to each tape that the world opens after this call.
 * @param confirmedAtMs when all sources last confirmed their prices
 */
export function closingsOf(
  world: TapeWorld,
  { database, confirmedAtMs = 0 }: { readonly database: HistoryDatabase; readonly confirmedAtMs?: number },
): Closings {
  const { clock } = world;
  const storeBuffer = createStore(0);
  new SlateWriter(storeBuffer).facts.setHeartbeatAt(confirmedAtMs);
  const log = createLog({ clock, json: false, level: 'error', write: () => {} });
  const closings = openClosings({ database, storeBuffer, clock, log }, new LocalFolder(world.path));
  world.listener = closings.keeper;
  return closings;
}
