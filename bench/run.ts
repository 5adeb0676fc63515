// Runs every bench/*.bench.ts, or those whose name contains the argument: `bun run bench [name] [--smoke]`. Each file
// exports `define(size)`, which checks its answers and registers mitata benches. With --smoke everything runs a few
// times on small inputs, to show that it still works; the figures then mean nothing. A throw is a non-zero exit.

import { B, measure, run } from 'mitata';

type Size = 'smoke' | 'full';
interface BenchModule {
  readonly define: (size: Size) => void | Promise<void>;
}
/** What mitata's B holds. */
interface Registered {
  readonly _name: string;
  readonly f: () => unknown;
}
type Trial = Awaited<ReturnType<B['run']>>;

const SMOKE = { min_samples: 2, min_cpu_time: 0, warmup_samples: 0, batch_threshold: 0, gc: false };

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const size: Size = words.includes('--smoke') ? 'smoke' : 'full';
  const filter = words.find((word) => !word.startsWith('--')) ?? '';
  const names = [...new Bun.Glob('*.bench.ts').scanSync(import.meta.dir)].filter((name) =>
    name.includes(filter),
  );
  if (names.length === 0) {
    console.error(`Cannot bench '${filter}': no bench/*.bench.ts has that in its name`);
    process.exit(1);
  }
  for (const name of names.sort()) {
    const { define } = (await import(`./${name}`)) as BenchModule;
    await define(size);
  }
  if (size === 'full') {
    await run({ throw: true });
    return;
  }
  B.prototype.run = smokeRun;
  const { benchmarks } = await run({ throw: true, format: 'quiet' });
  console.log(`${benchmarks.length} benchmarks of ${names.length} files ran and answered right`);
}

/** In place of B.run, which has no setting for its 0.6 seconds per bench. */
async function smokeRun(this: B): Promise<Trial> {
  const { f, _name } = this as unknown as Registered;
  const stats = await measure(f, SMOKE);
  return {
    kind: 'static',
    alias: _name,
    args: {},
    baseline: false,
    style: { compact: false, highlight: false },
    runs: [{ name: _name, args: {}, stats, error: undefined }],
  };
}

await main();
