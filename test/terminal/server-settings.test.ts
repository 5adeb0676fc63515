// Which server commands ask: the one at PORT, the one that runs on the data folder, or the default port.

import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'overround-address-'));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));
