// What the server checks before it starts anything: the recordings that FEED names, and the data folder.
// test/service/process.test.ts starts servers that are refused for other reasons.

import { describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/settings/config.ts';
import { requireDataDir, requireRecordings } from '../../src/start/requirements.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('requireDataDir', () => {
  test('the data folder and those above it are created', () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, 'made', 'here');
    requireDataDir(loadConfig({ DATA_DIR: dataDir }));
    expect(existsSync(dataDir)).toBe(true);
  });

  test('as a data folder, a file, a path below a file, and a place where no folder can be made are refused', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a-file');
    writeFileSync(path, 'not a folder');
    for (const dataDir of [path, join(path, 'below'), '/proc/overround']) {
      const config = loadConfig({ DATA_DIR: dataDir });
      expect(() => requireDataDir(config)).toThrow(`Cannot start: DATA_DIR is "${dataDir}"`);
    }
  });
});

test('requireRecordings refuses a file that is no recording and a missing file, and names the file', async () => {
  using folder = temporaryFolder();
  const odd = join(folder.path, 'odd.ndjson');
  writeFileSync(odd, 'GIF89a');
  const missing = join(folder.path, 'nowhere.ndjson');
  for (const [path, problem] of [
    [odd, `FEED is "replay:${odd}"`],
    [missing, `FEED names the recording ${missing}, and that file is missing`],
  ] as const) {
    const config = loadConfig({ FEED: `replay:${path}`, DATA_DIR: folder.path });
    await expect(requireRecordings(config)).rejects.toThrow(`Cannot start: ${problem}`);
  }
});
