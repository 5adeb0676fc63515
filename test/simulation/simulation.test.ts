// A hundred seeds find no fault in the code, and a thousand find each of the planted bugs. `bun run simulate`
// plays a thousand. They run in separate processes, because the simulation intercepts the calls of Atomics
// and loads changed code.

import { describe, expect, test } from 'bun:test';
import { PLANTS } from './plants.ts';
import { scriptOf, shorter } from './script.ts';

const SEEDS = 100;
const PLANT_SEEDS = 1_000;
/** This many runs are enough to halve a script. Further runs shorten it only slowly. */
const SHORTENING_RUNS = 20;
const TIME_MAX_MS = 300_000;

async function simulate(
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly text: string }> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/run.ts`, ...words], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [text, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, text: text + errors };
}

describe('the simulation', () => {
  test(
    `the simulation finds nothing in ${SEEDS} seeds`,
    async () => {
      const { code, text } = await simulate('--seeds', String(SEEDS));
      expect([code, text]).toEqual([0, `${SEEDS} seeds, nothing found.\n`]);
    },
    TIME_MAX_MS,
  );

  // With the seed that found it last. If the scripts have changed since, all seeds are searched.
  for (const [name, why, seed] of [
    ['publish-before-the-copy', 'is in no state that was published', 81],
    ['forget-a-tombstone', 'adds up to', 1],
    ['stamp-from-the-wrong-batch', 'adds up to', 1],
    ['double-refund', 'The bucket of subject', 0],
    ['reuse-a-page-early', 'because: ', 1],
  ] as const) {
    test(
      `the simulation finds the planted bug: ${name}`,
      async () => {
        const planted = ['--plant', name, '--shorten', String(SHORTENING_RUNS)];
        const known = await simulate('--seed', String(seed), ...planted);
        const { code, text } =
          known.code === 1
            ? known
            : await simulate('--seeds', String(PLANT_SEEDS), '--threads', '1', ...planted);
        expect(text).toMatch(/^seed \d+ fails; of its \d+ acts these \d+ are enough:$/m);
        expect(text).toContain(why);
        const [, all, few] = /of its (\d+) acts these (\d+)/.exec(text)!;
        expect(Number(few)).toBeLessThan(Number(all) / 2);
        expect(code).toBe(1);
      },
      TIME_MAX_MS,
    );
  }

  test('the list of planted bugs in this file is complete', () => {
    expect(Object.keys(PLANTS)).toHaveLength(5);
  });

  test('a seed always gives the same script, and every shorter version of a script has fewer acts or messages', () => {
    const acts = scriptOf(7);
    expect(scriptOf(7)).toEqual(acts);
    const size = JSON.stringify(acts).length;
    for (const fewer of shorter(acts)) expect(JSON.stringify(fewer).length).toBeLessThan(size);
  });
});
