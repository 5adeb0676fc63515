// Saves to disk the buckets that are not full, so that a caller who used up a burst does not get it back
// after a crash. The main thread writes them every two seconds to a draft file that it renames over the old
// one. A file that cannot be used is treated as missing.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccessKeeper } from '../../access/counts/keeper.ts';
import { systemClock } from '../../clock.ts';
import { BoundedLog, type Log } from '../../log.ts';

const BUCKET_FILE_NAME = 'buckets.bin';
const SAVE_EVERY_MS = 2_000;
/** First word of the file. Raise it whenever the numbers after it change meaning. */
const FORMAT = 1;

/**
 * Restores the buckets from the file, and writes them regularly from now on.
 * @returns a function that stops this and writes them one last time
 */
export function keepBuckets(keeper: AccessKeeper, dataDir: string, log: Log): () => void {
  const path = join(dataDir, BUCKET_FILE_NAME);
  const failures = new BoundedLog(log, systemClock);
  const kept = readNumbers(path);
  if (kept !== null) keeper.restoreSpent(kept);
  let hadAny = true;
  function save(): void {
    const spent = keeper.spentBuckets();
    if (spent.length === 0 && !hadAny) return; // nothing to write, and the file has nothing either
    hadAny = spent.length > 0;
    const draftPath = `${path}.draft`;
    try {
      writeFileSync(draftPath, Buffer.from(Float64Array.of(FORMAT, ...spent).buffer), { mode: 0o600 });
      renameSync(draftPath, path);
    } catch (error) {
      // Delete the draft: on a full disk, accounts need its space.
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

/** The numbers after the format word, or null if there is no file of this format. */
function readNumbers(path: string): Float64Array | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return null; // a first start; if a file exists but cannot be read, all buckets start full
  }
  if (bytes.byteLength === 0 || bytes.byteLength % 8 !== 0) return null;
  const numbers = new Float64Array(new Uint8Array(bytes).buffer);
  return numbers[0] === FORMAT ? numbers.subarray(1) : null;
}
