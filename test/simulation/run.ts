// `bun run simulate`: runs seeds one after the other on every core and prints the first failure as a short
// script. CONTRIBUTING.md#a-failing-seed explains how to read it.

import { parseArgs } from 'node:util';
import type { Failure } from './explore.ts';
import { PLANTS, plant } from './plants.ts';

const USAGE = `bun run simulate [--seeds 1000] [--seed N] [--plant NAME] [--threads 2] [--shorten 1500]
  --seeds N    plays the seeds 0 to N - 1
  --seed N     plays this one alone
  --plant NAME with a bug in the code: ${Object.keys(PLANTS).join(', ')}
  --threads N  processes that share the seeds
  --shorten N  runs that shortening the script of a failing seed may take`;
const PROGRESS_EVERY = 1_000;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    plant: { type: 'string' },
    threads: { type: 'string', default: '2' },
    shorten: { type: 'string', default: '1500' },
    /** Which seeds this process runs, if another process started it. */
    shard: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** A count from the command line. @throws Error when it is not an integer or is below `least` */
function countOf(name: 'seeds' | 'seed' | 'threads' | 'shorten' | 'shard', least: number): number {
  const count = Number(values[name]);
  if (!Number.isInteger(count) || count < least)
    throw new Error(`Cannot use --${name} ${values[name]}\n${USAGE}`);
  return count;
}

async function playShard(first: number, end: number, stride: number): Promise<number> {
  if (values.plant !== undefined) plant(values.plant);
  // The simulation is loaded only here, so that a plant can change its files.
  const { explore } = await import('./explore.ts');
  let count = 0;
  const progress = (seed: number) => {
    if (++count % PROGRESS_EVERY === 0) console.log(`seed ${seed}: well so far`);
  };
  const shorteningRunsMax = countOf('shorten', 0);
  const failure = await explore({ first, end, stride, shorteningRunsMax, progress });
  if (failure === null) return 0;
  print(failure);
  return 1;
}

function print({ seed, acts, why, actCount }: Failure): void {
  const lines = acts.map((act) => `  ${JSON.stringify(act)}`);
  console.log(
    `seed ${seed} fails; of its ${actCount} acts these ${acts.length} are enough:\n${lines.join('\n')}`,
  );
  console.log(
    `because: ${why}\nagain: bun run simulate --seed ${seed}${values.plant === undefined ? '' : ` --plant ${values.plant}`}`,
  );
}

/** Starts the processes that share the seeds. The first process that finds a failure ends the others. */
async function playShared(seeds: number, threads: number): Promise<number> {
  const children = Array.from({ length: threads }, (_, shard) =>
    Bun.spawn([process.execPath, import.meta.path, ...process.argv.slice(2), '--shard', String(shard)], {
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
    }),
  );
  const codes = await Promise.all(
    children.map(async (child) => {
      const code = await child.exited;
      if (code !== 0) for (const other of children) other.kill();
      return code;
    }),
  );
  const failed = codes.some((code) => code !== 0);
  console.log(failed ? 'A seed failed.' : `${seeds} seeds, nothing found.`);
  return failed ? 1 : 0;
}

async function main(): Promise<number> {
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (values.seed !== undefined) {
    const seed = countOf('seed', 0);
    const code = await playShard(seed, seed + 1, 1);
    if (code === 0) console.log(`seed ${seed}: nothing found.`);
    return code;
  }
  const [seeds, threads] = [countOf('seeds', 1), countOf('threads', 1)];
  if (values.shard !== undefined) return playShard(countOf('shard', 0), seeds, threads);
  return playShared(seeds, threads);
}

process.exit(await main());
