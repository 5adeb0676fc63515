// On a real series of prices, a rule of each kind sends exactly the alerts that a plain program finds. Steam
// is compared with the expected results that are stored beside the series.

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { childEnvironment } from '../support/child-environment.ts';

const SERIES = new URL('../../../shared/data/series', import.meta.url).pathname;
const CHECK = new URL('./series-check.ts', import.meta.url).pathname;
/** A day and a half of answers. */
const ANSWERS = 120;

test.skipIf(!existsSync(`${SERIES}/truth`))(
  'rules on the WNBA series report what a plain program finds (skipped without shared/data)',
  async () => {
    const child = Bun.spawn([process.execPath, CHECK, SERIES, String(ANSWERS)], {
      ...{ env: childEnvironment(), stdout: 'pipe', stderr: 'pipe' },
    });
    const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) !== 0) throw new Error(errors);
    const exact = (count: number) => ({ count, missing: [], tooMany: [] });
    expect(JSON.parse(output)).toEqual({
      ...{ price: exact(3), arbitrage: exact(3), value: exact(4), match: exact(3), low_hold: exact(7) },
      ...{ middle: exact(21), move: exact(156), steam: exact(92) },
    });
  },
  60_000,
);
