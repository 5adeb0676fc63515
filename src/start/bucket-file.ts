// The buckets that are not full, on disk: who has spent a burst has still spent it after a crash. Written by main every
// two seconds, beside the old file and renamed over it; a file that cannot be used is as good as none.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccessKeeper } from '../access/keeper.ts';
import { systemClock } from '../clock.ts';
import { BoundedLog, type Log } from '../log.ts';

const BUCKET_FILE_NAME = 'buckets.bin';
const SAVE_EVERY_MS = 2_000;
/** First word of the file; raised whenever the numbers after it change. */
const FORMAT = 1;
const FAILURE_LOG = { countMax: 3, windowMs: 600_000 };

/** Restores what was kept, and keeps what is spent from now on. @returns a function that keeps it a last time */
export function keepBuckets(keeper: AccessKeeper, dataDir: string, log: Log): () => void {
  const path = join(dataDir, BUCKET_FILE_NAME);
  const failures = new BoundedLog(log, systemClock, FAILURE_LOG);
  const kept = readNumbers(path);
  if (kept !== null) keeper.restoreSpent(kept);
  let hadAny = true;
  function save(): void {
    const spent = keeper.spentBuckets();
    if (spent.length === 0 && !hadAny) return; // nothing to say, twice
    hadAny = spent.length > 0;
    const draftPath = `${path}.draft`;
    try {
      writeFileSync(draftPath, Buffer.from(Float64Array.of(FORMAT, ...spent).buffer), { mode: 0o600 });
      renameSync(draftPath, path);
    } catch (error) {
      // On a full disk a half-written file would take the room that accounts need.
      rmSync(draftPath, { force: true, recursive: true });
      failures.warn('buckets_not_kept', { error: String(error) });
    }
  }
  const timer = setInterval(save, SAVE_EVERY_MS);
  return () => {
    clearInterval(timer);
    save();
  };
}

/** The numbers after the format, or null without a file of this format. */
function readNumbers(path: string): Float64Array | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return null; // a first start; a file that cannot be read costs callers nothing
  }
  if (bytes.byteLength === 0 || bytes.byteLength % 8 !== 0) return null;
  const numbers = new Float64Array(new Uint8Array(bytes).buffer);
  return numbers[0] === FORMAT ? numbers.subarray(1) : null;
}
