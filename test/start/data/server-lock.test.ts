// The lock on the folder of the price history, as another process sees it: it is held until its holder
// releases it.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { HistoryLock } from '../../../src/start/data/server-lock.ts';
import { SERVER_LOCK_NAME } from '../../../src/storage/file-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FILE_LOCK = join(import.meta.dir, '../../../src/storage/file-lock.ts');

/** Whether another process can get the lock. */
function isFreeElsewhere(path: string): boolean {
  const code = `import { lockFile } from ${JSON.stringify(FILE_LOCK)};
    process.exit(lockFile(${JSON.stringify(path)}) === null ? 3 : 0);`;
  const { exitCode } = Bun.spawnSync([process.execPath, '-e', code]);
  expect([0, 3]).toContain(exitCode);
  return exitCode === 0;
}

test('a new history thread does not get the lock before the former thread has released it', () => {
  using folder = temporaryFolder();
  const config = { role: 'all', dataDir: folder.path, historyDir: folder.path, historyDays: 1 } as const;
  const path = join(folder.path, SERVER_LOCK_NAME);
  const [former, next] = [new HistoryLock(config), new HistoryLock(config)];
  expect(former.take()).toBe(true);
  expect(next.take()).toBe(false);
  expect(isFreeElsewhere(path)).toBe(false);
  former.release();
  expect(next.take()).toBe(true);
  next.release();
  expect(isFreeElsewhere(path)).toBe(true);
});
