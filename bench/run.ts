// Runs every bench/*.bench.ts, or those whose name contains a word: `bun run bench [word] [--smoke] [--json
// <file>] [--write] [--against <git ref>]`. Each file exports `define(size)`, which checks its answers and
// registers mitata benches. All together take a minute and a quarter and end with one table, which --write
// saves under docs/. With --smoke everything runs a few times on small inputs, only to show that it still
// works; its figures mean nothing. If a bench throws, the exit code is non-zero.

import { memoryUsage } from 'bun:jsc';
import { parseArgs } from 'node:util';
import { B, measure, run } from 'mitata';
import { compareAgainst } from './against.ts';
import { aimOf } from './aims.ts';
import { type Figure, machineLine, tableOf, worstOfEachAim } from './figures.ts';
import { writePart } from './performance-page.ts';

type Size = 'smoke' | 'full';
interface BenchModule {
  readonly define: (size: Size) => void | Promise<void>;
  /**
   * Figures that take long to measure, or that are not the duration of a call. They are measured only if a
   * word on the command line selects the file.
   */
  readonly costs?: (size: Size) => Promise<readonly Figure[]>;
}
/** The fields of mitata's B that are used here. */
interface Registered {
  readonly _name: string;
  readonly _group: number;
  readonly flags: number;
  readonly f: () => unknown;
}
type Trial = Awaited<ReturnType<B['run']>>;

const BASELINE_FLAG = 2;
/** The duration of all benches together, including preparation. */
const SECONDS = 72;
/** The shares of a bench's time for warming up and for measuring. The rest is for garbage collection. */
const SHARE_OF_WARM_UP = 0.2;
const SHARE_MEASURED = 0.6;
const BENCH_NS_MAX = 642e6;
const BENCH_NS_MIN = 40e6;

const BATCH_MS = 5;
const BATCH_MAX = 4_096;
/** How many calls mitata unrolls in one turn of its loop; a batch is a multiple of it. */
const BATCH_STEP = 4;

/** The benches that are registered. */
const benches: Registered[] = [];

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      smoke: { type: 'boolean', default: false },
      json: { type: 'string' },
      against: { type: 'string' },
      write: { type: 'boolean', default: false },
      seconds: { type: 'string', default: String(SECONDS) },
    },
  });
  const [word = ''] = positionals;
  const all = [...new Bun.Glob('*.bench.ts').scanSync(import.meta.dir)].sort();
  const names = all.filter((name) => name.includes(word));
  if (names.length === 0) {
    const words = all.map((name) => name.replace('.bench.ts', '')).join(', ');
    console.error(`Cannot bench '${word}': use one of these words, or part of one: ${words}`);
    process.exit(1);
  }
  if (values.write && word !== '') {
    console.error('Cannot write the page from a part of the benches: leave out the name');
    process.exit(1);
  }
  if (values.against !== undefined) {
    await compareAgainst(values.against, word);
    return;
  }
  const size: Size = values.smoke ? 'smoke' : 'full';
  const nameBench = B.prototype.name;
  B.prototype.name = function registered(this: B, ...given: Parameters<typeof nameBench>) {
    benches.push(this as unknown as Registered);
    return nameBench.apply(this, given);
  };
  const modules: BenchModule[] = [];
  for (const name of names.sort()) modules.push((await import(`./${name}`)) as BenchModule);
  const costs: Figure[] = [];
  if (word !== '') {
    // Measure costs before the benches, because threads of some benches keep running until the process ends.
    for (const module of modules) costs.push(...((await module.costs?.(size)) ?? []));
  }
  const begunMs = word === '' ? 0 : performance.now();
  for (const { define } of modules) await define(size);
  if (size === 'smoke') {
    // This does not use mitata, whose preparation alone takes twenty seconds.
    for (const { f } of benches) for (let call = 0; call < 2; call++) await f();
    console.log(`${benches.length} benchmarks of ${names.length} files ran and answered right`);
    return;
  }
  const format = values.json === undefined ? 'mitata' : 'quiet';
  const measured = await measureAll(begunMs + Number(values.seconds) * 1_000, format);
  const figures = [...measured, ...costs];
  console.log(`\n${machineLine(Date.now())}\n\n${tableOf(figures)}`);
  if (values.write) await writePart('bench', partOf(figures));
  if (values.json !== undefined) {
    const kept = { atMs: Date.now(), machine: machineLine(Date.now()), figures };
    await Bun.write(values.json, `${JSON.stringify(kept, null, 2)}\n`);
  }
}

/**
 * The section of docs/internals/performance.md: the worst figure of each aim. The terminal shows all figures.
 */
function partOf(figures: readonly Figure[]): string {
  return `${machineLine(Date.now())} Medians of ${figures.length} figures; the worst of each aim:\n\n${tableOf(worstOfEachAim(figures))}`;
}

/** Runs the registered benches, each for its share of the remaining seconds. */
async function measureAll(endMs: number, format: 'mitata' | 'quiet'): Promise<Figure[]> {
  const measured: { name: string; group: number; isBaseline: boolean; p50: number }[] = [];
  B.prototype.run = async function timedRun(this: B): Promise<Trial> {
    const { _name: name, _group: group, flags } = this as unknown as Registered;
    const shareNs = ((endMs - performance.now()) * 1e6) / (benches.length - measured.length);
    const isBaseline = (flags & BASELINE_FLAG) !== 0;
    const { f } = this as unknown as Registered;
    const stats = await measure(f, {
      batch_samples: await warmUp(f, (SHARE_OF_WARM_UP * Math.max(0, shareNs)) / 1e6),
      min_cpu_time: Math.min(BENCH_NS_MAX, Math.max(BENCH_NS_MIN, SHARE_MEASURED * shareNs)),
      heap: () => memoryUsage().current,
    });
    measured.push({ name, group, isBaseline, p50: stats.p50 });
    return { ...trialOf(this as unknown as Registered, stats), group, baseline: isBaseline } as Trial;
  };
  const { layout } = (await run({ throw: true, format })) as unknown as { layout: { name: string | null }[] };
  return measured
    .filter(({ isBaseline }) => !isBaseline)
    .map(({ name, group, p50 }) => {
      const full = `${layout[group]?.name ?? ''}: ${name}`;
      const baseline = measured.find((other) => other.group === group && other.isBaseline);
      return { name: full, value: p50, unit: 'ns', baseline: baseline?.p50 ?? null, aim: aimOf(full) };
    });
}

/**
 * Warms up a bench for `warmUpMs`, with at least one call. Returns how many calls make one sample, if a
 * single call is too short to be timed alone. mitata's fixed 4,096 calls, in at least twelve samples, would
 * take three seconds for a call of 60 microseconds.
 */
async function warmUp(f: () => unknown, warmUpMs: number): Promise<number> {
  const endMs = performance.now() + warmUpMs;
  let perCallMs = Number.POSITIVE_INFINITY;
  do {
    const startedMs = performance.now();
    await f();
    perCallMs = Math.min(perCallMs, performance.now() - startedMs);
  } while (performance.now() < endMs);
  return Math.min(BATCH_MAX, Math.ceil(BATCH_MS / perCallMs / BATCH_STEP) * BATCH_STEP);
}

function trialOf({ _name }: Registered, stats: Awaited<ReturnType<typeof measure>>): Trial {
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
process.exit(); // threads of some benches still run
