// Reads of files that other processes may add or remove meanwhile.

import type { TapeFiles } from './past/tape-files.ts';

/**
 * The most attempts of a read, which starts again if files were added or removed meanwhile. After that many
 * attempts, the result of the last one counts.
 */
const READ_ATTEMPTS_MAX = 5;

/** Runs a read again when files were added or removed meanwhile, so that no tick is missed or doubled. */
export async function stableRead<T>(files: Pick<TapeFiles, 'changes'>, read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const { changes } = files;
    const result = await read();
    if (changes === files.changes || attempt >= READ_ATTEMPTS_MAX) return result;
  }
}
