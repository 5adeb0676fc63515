// The file in which a running server leaves its address.

import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDir } from '../../src/start/data/server-lock.ts';
import { writeServerAddress } from '../../src/storage/server-address.ts';
import { localUrl } from '../../src/terminal/server-settings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DEFAULT = 'http://127.0.0.1:3000';

test('a server that was started with --port is found by its data folder, until it stops', () => {
  using folder = temporaryFolder();
  const DATA_DIR = folder.path;
  expect(localUrl({ DATA_DIR })).toBe(DEFAULT);
  const unlock = lockDataDir(DATA_DIR);
  writeServerAddress(DATA_DIR, 'http://0.0.0.0:3917');
  expect(localUrl({ DATA_DIR })).toBe('http://127.0.0.1:3917');
  expect(localUrl({ DATA_DIR, PORT: '3001' })).toBe('http://127.0.0.1:3001');
  unlock();
  expect(localUrl({ DATA_DIR })).toBe(DEFAULT);
});

test('the file that a killed server left behind is ignored', () => {
  using folder = temporaryFolder();
  const DATA_DIR = folder.path;
  writeServerAddress(DATA_DIR, 'http://127.0.0.1:3917');
  // A process number above the highest of Linux.
  writeFileSync(join(DATA_DIR, 'server.pid'), '4194305\n');
  expect(localUrl({ DATA_DIR })).toBe(DEFAULT);
  for (const damaged of ['', 'many\n', '-1\n']) {
    writeFileSync(join(DATA_DIR, 'server.pid'), damaged);
    expect(localUrl({ DATA_DIR })).toBe(DEFAULT);
  }
});
