// Steam found in the real series of shared/data is exactly the steam listed in the file beside them.

import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { childEnvironment } from '../../support/child-environment.ts';

const SERIES = new URL('../../../../shared/data/series', import.meta.url).pathname;
const CHECK = new URL('../steam-check.ts', import.meta.url).pathname;

async function casesOf(name: string): Promise<unknown> {
  const child = Bun.spawn([process.execPath, CHECK, name, SERIES], {
    env: childEnvironment(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(errors);
  return JSON.parse(output);
}

describe.skipIf(!existsSync(`${SERIES}/truth`))(
  'steam of a real series (skipped without shared/data)',
  () => {
    test('in the World Cup, exactly the 1,247 listed cases are found, from first to last moment', async () => {
      expect(await casesOf('worldcup')).toEqual({ count: 1_247, missing: [], tooMany: [] });
    });

    test('in the WNBA, exactly the 564 listed cases are found, including handicaps', async () => {
      expect(await casesOf('wnba')).toEqual({ count: 564, missing: [], tooMany: [] });
    });
  },
);
