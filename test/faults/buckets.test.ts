// A crash gives nobody a second burst: afterwards a bucket holds at most its former content plus the refill
// since.

import { expect, test } from 'bun:test';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BURST_OF_FREE = 30;
/** The free tier's refill: one token a second. */
const REFILL_MS = 1_000;
const UNSAVED_MS = 5_000;

test('after a kill a bucket holds at most its former tokens and the refill of the downtime and five seconds more', async () => {
  using folder = temporaryFolder();
  const settings = {
    DATA_DIR: folder.path,
    SIMULATOR_FOOTBALL_FIXTURES: '3',
    SIMULATOR_BASKETBALL_FIXTURES: '1',
  };
  const path = join(folder.path, 'buckets.bin');
  let key: string;
  let spentMs: number;
  {
    await using server = new ServerProcess(settings);
    const url = await server.serving();
    key = (await createKeys(folder.path, 'free', 1))[0]!;
    expect(await admittedOf(url, key)).toBeGreaterThanOrEqual(BURST_OF_FREE);
    spentMs = Date.now();
    await until('the buckets are kept', () => existsSync(path) && statSync(path).mtimeMs > spentMs);
    await server.kill();
  }
  await using again = new ServerProcess(settings);
  const url = await again.serving();
  const admitted = await admittedOf(url, key);
  expect(admitted).toBeLessThanOrEqual(Math.ceil((Date.now() - spentMs + UNSAVED_MS) / REFILL_MS));
  expect(admitted).toBeLessThan(BURST_OF_FREE);
});

/** Sends requests until one is refused. @returns how many were admitted */
async function admittedOf(url: string, key: string): Promise<number> {
  for (let admitted = 0; ; admitted++) {
    const response = await fetch(`${url}/v1/sports`, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    if (response.status === 429) return admitted;
    expect(response.status).toBe(200);
  }
}
