// Holds the lock of a database, or fills a disk, for a while, in a separate thread, because SQLite and the
// system block a thread that waits for them.

import { Database } from 'bun:sqlite';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

declare const self: Worker;

export type ToDisk =
  | { readonly type: 'lock'; readonly database: string; readonly ms: number }
  | { readonly type: 'fill'; readonly file: string; readonly ms: number };

/** Bytes left free on a full disk. */
const FREE_BYTES = 4_096;

self.onmessage = async ({ data }: MessageEvent<ToDisk>) => {
  if (data.type === 'lock') await lock(data.database, data.ms);
  else await fill(data.file, data.ms);
  self.postMessage('done');
};

async function lock(path: string, ms: number): Promise<void> {
  const database = new Database(path);
  database.exec('PRAGMA busy_timeout = 5000');
  database.exec('BEGIN IMMEDIATE');
  await Bun.sleep(ms);
  database.exec('ROLLBACK');
  database.close();
}

async function fill(path: string, ms: number): Promise<void> {
  const { bavail, bsize } = statfsSync(dirname(path));
  try {
    writeFileSync(path, new Uint8Array(Math.max(0, bavail * bsize - FREE_BYTES)));
  } catch (error) {
    // The server wrote meanwhile, so the disk is full already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
  await Bun.sleep(ms);
  rmSync(path);
}
