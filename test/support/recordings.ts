// The place of the recordings of real prices, if they exist: in a folder beside the checkout, never in it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

const RECORDINGS = join(import.meta.dir, '../../../shared/data/recordings');

/** The path of a recording, or null when it is not on this machine. */
export function recordingPath(name: string): string | null {
  const path = join(RECORDINGS, name);
  return existsSync(path) ? path : null;
}
