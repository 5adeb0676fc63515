// Where the server of a data folder listens, for commands that are run in the same place without
// OVERROUND_URL.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asOpenError } from './storage-errors.ts';

/** Holds the process number of the server that has locked the folder. */
export const SERVER_OWNER_NAME = 'server.pid';
const ADDRESS_NAME = 'server.address';

/** @throws Error for the operator when the file cannot be written */
export function writeServerAddress(dataDir: string, url: string): void {
  const path = join(dataDir, ADDRESS_NAME);
  try {
    // A server that listens on every address is called on the loopback address.
    const local = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
    writeFileSync(path, `${local}\n`, { mode: 0o600 });
  } catch (error) {
    throw asOpenError(path, error);
  }
}

export function removeServerAddress(dataDir: string): void {
  rmSync(join(dataDir, ADDRESS_NAME), { force: true });
}

/**
 * The base address of the server that runs on the folder; null when none runs or its address cannot be read.
 */
export function readServerAddress(dataDir: string): string | null {
  try {
    const owner = Number(readFileSync(join(dataDir, SERVER_OWNER_NAME), 'utf8'));
    if (!Number.isSafeInteger(owner) || owner <= 0) return null;
    process.kill(owner, 0);
    const url = readFileSync(join(dataDir, ADDRESS_NAME), 'utf8').trim();
    return URL.canParse(url) ? url : null;
  } catch {
    return null; // No such file, or the process that wrote it has ended without removing it.
  }
}
