// What the settings point at and the service cannot do without. Each is looked at before anything runs, so that the
// operator reads the name of a setting instead of the name of a system call.

import { accessSync, constants, mkdirSync } from 'node:fs';
import type { Config } from '../config.ts';
import { checkRecording } from '../feed/replay/client.ts';
import { ConfigError } from '../setting-reader.ts';

/** What is no recording stops the start with the setting's name, rather than a worker again and again. */
export async function requireRecording({ feed }: Config): Promise<void> {
  if (feed.kind !== 'replay') return;
  await checkRecording(feed.path).catch(() => {
    const allowed = 'replay:<file> with a recording, a file whose first line is a hello message';
    throw new ConfigError('FEED', `replay:${feed.path}`, allowed);
  });
}

/** Makes the data folder. @throws ConfigError when it cannot be made or written to */
export function requireDataDir({ dataDir }: Config): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigError('DATA_DIR', dataDir, `a folder that this process can make and write to (${code})`);
  }
}
