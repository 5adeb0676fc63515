// The only test command of the project: type check, lint, tests, and the benchmarks in a small size. At the
// end it prints the exact counts. Each step that is not a test run counts as one test.

import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { compileProgram } from './support/compile-program.ts';
import { makeCluster, POSTGRES_MISSING, TEST_CLUSTER } from './support/postgres-server.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { TEST_PROGRAM } from './support/test-program.ts';

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

interface Outcome {
  readonly tally: Tally;
  /**
   * The failures of the step, or of its tests, each with the output around it. They are repeated at the end.
   */
  readonly failures: readonly Failure[];
}

interface Failure {
  /** The file of a failed test; null if the step failed without a failed test. */
  readonly file: string | null;
  /** For a failed test, the runner's line without the duration; otherwise the name of the step. */
  readonly name: string;
  readonly output: string;
}

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /**
   * Reads the counts of tests from the output. If it is absent, the step counts as one test, which passes if
   * the exit code is 0.
   */
  readonly read?: (output: string) => Tally | null;
}

/**
 * Files that run one after another, because two of them at once would disturb each other: rooms whose tests
 * start clusters or damage their servers, and files that load a server or give it a short deadline. All other
 * files have their own ports, folders and databases, even if they start servers or browsers. Three processes
 * of the runner run those side by side: one of them usually waits, and the others use two processors.
 */
const ALONE = [
  ...['chaos/', 'cluster/', 'faults/'],
  ...['ingest-death.test.ts', 'mirrors/'].map((name) => `service/${name}`),
];
/**
 * Files of the rooms in ALONE that set no short deadline, and damage only processes, folders and disks of
 * their own. Other files may run beside them.
 */
const BESIDE = [
  ...['alert-kills', 'damaged-database', 'disk', 'future-stamps', 'large-slate', 'lost-feed', 'lost-source'],
  ...['production-defaults', 'record-kills', 'sharp-timing', 'tape-disk', 'tape-kills', 'warm-restart'],
].map((name) => `faults/${name}.test.ts`);

/**
 * Rooms whose files share the modules that a process of the runner has loaded. Otherwise every file would
 * load them again, make its own tables of club names, start its own browser and have all its code compiled
 * again. The files of other rooms are kept apart: they change the state of the process, or start servers in
 * most of their tests, which takes the same time either way.
 */
const SHARING = [
  ...['access/', 'accounts/', 'alerts/', 'archive/', 'contract/', 'domain/', 'feed/', 'history/', 'http/'],
  ...['ingest/', 'mcp/', 'memory/', 'names/', 'query/', 'record/', 'scoring/', 'settings/', 'start/'],
  ...['storage/', 'store/', 'stream/', 'telemetry/', 'terminal/', 'tools/', 'web/'],
];

/** Files that give a server deadlines that it would miss on a busy machine. They run last and alone. */
const LAST = ['chaos/chaos.test.ts', 'faults/stalls.test.ts'];
/** Files that start many computing processes, and set no deadline. */
const MANY_PROCESSES = ['simulation/simulation.test.ts'];
/** Files of the rooms in SHARING that only compute, and set no deadline. */
const COMPUTING = [
  ...['domain/', 'feed/simulator/', 'ingest/join/', 'names/'],
  ...['record/backtest', 'scoring/kernel', 'scoring/kinds/'],
];

const files = [...new Glob('**/*.test.ts').scanSync('test')].sort();
for (const name of [...ALONE, ...BESIDE, ...LAST, ...MANY_PROCESSES, ...COMPUTING, ...SHARING]) {
  if (!files.some((file) => file.startsWith(name))) throw new Error(`No test is called test/${name}`);
}
const startsWithOne = (file: string, names: readonly string[]): boolean =>
  names.some((name) => file.startsWith(name));
const isAlone = (file: string): boolean => startsWithOne(file, ALONE) && !BESIDE.includes(file);
const isSharing = (file: string): boolean => startsWithOne(file, SHARING);
const isComputing = (file: string): boolean => startsWithOne(file, COMPUTING);
const others = files.filter((file) => ![...LAST, ...MANY_PROCESSES].includes(file));
const paths = (some: readonly string[]): string[] => some.map((file) => `./test/${file}`);
const alone = paths(others.filter(isAlone));
const computing = paths(others.filter(isComputing));
const sharing = paths(others.filter((file) => isSharing(file) && !isComputing(file)));
const aside = paths(others.filter((file) => !isAlone(file) && !isSharing(file)));

/** How much is repeated at the end: lines around a failed test, or characters of a step without tests. */
const LINES_AROUND = 25;
const TOLD_CHARS_MAX = 4_000;

/** If more tests than this fail, none of them is run a second time. */
const SECOND_TRIES_MAX = 8;

const BUN_TEST = ['bun', 'test', '--timeout', '120000'];
const folder = temporaryFolder();
chmodSync(folder.path, 0o711); // Postgres runs as another user, and its folder is in this one
/** The bundled program and an empty Postgres, which are made while the first checks run. */
const program = join(folder.path, 'program');
const cluster = join(folder.path, 'cluster');
const made = Promise.all([compileProgram(program), POSTGRES_MISSING === null ? makeCluster(cluster) : null]);
/**
 * The folder for leftovers of tests, such as profiles of browsers that end with their process. It is deleted
 * too.
 */
const leftovers = join(folder.path, 'tmp');
mkdirSync(leftovers);
/**
 * The engine's optimisers compile code only after it has run ten times as often as usual. Most servers here
 * live for seconds, and would otherwise spend a third of that time on compiling code that they hardly run
 * again. The allocator does not give back parts of pages, because doing so takes a twentieth of the whole
 * time.
 */
const ENVIRONMENT = {
  ...process.env,
  MIMALLOC_PURGE_HOLES: '0',
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '10000',
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '1000000',
  [TEST_PROGRAM]: program,
  [TEST_CLUSTER]: cluster,
  TMPDIR: leftovers,
};
/**
 * Roughly how long each file takes, so that the runner starts the longest first and no processor waits for
 * one at the end. A file that is not listed is started in the middle. `bun test --parallel=3
 * --timings=test/timings.json --update-timings` measures the times again.
 */
const LONGEST_FIRST = ['--parallel=3', '--timings=test/timings.json'];
/**
 * The type check runs on one thread, because several threads check the same types more than once, and without
 * garbage collection. This takes less than half of the processor time and no more memory.
 */
const TYPE_CHECK = ['env', 'GOGC=off', 'bun', 'x', '--bun', 'tsc', '--noEmit', '--singleThreaded'];
/**
 * The beginning of a command that runs with low priority, so that the steps beside it get the processors
 * first.
 */
const GIVING_WAY = ['nice', '-n', '10'];

/**
 * Three rows of steps that run at the same time; the steps of one row run one after another. Tests that
 * start, damage or wait for servers leave the processors idle for a quarter of the time. In that time the
 * second row computes.
 */
const ROWS: readonly (readonly Step[])[] = [
  [
    { name: 'tests side by side', command: [...BUN_TEST, ...LONGEST_FIRST, ...aside], read: readBunTest },
    {
      name: 'tests that share modules',
      command: [...BUN_TEST, ...LONGEST_FIRST, '--no-isolate', ...sharing],
      read: readBunTest,
    },
  ],
  [
    {
      name: 'tests that compute',
      command: [...GIVING_WAY, 'bun', 'test', '--timeout', '600000', ...computing],
      read: readBunTest,
    },
  ],
  [
    { name: 'type check', command: TYPE_CHECK },
    {
      name: 'type check of the pages',
      command: [...TYPE_CHECK, '-p', 'src/web/client'],
    },
    {
      name: 'type check of the TypeScript client',
      command: [...TYPE_CHECK, '-p', 'clients/typescript'],
    },
    { name: 'lint', command: ['bun', 'x', 'biome', 'check', '--error-on-warnings', '.'] },
    { name: 'tests one after another', command: [...BUN_TEST, ...alone], read: readBunTest },
  ],
];
/** Steps without deadlines. When a row has ended, it continues with the next of these steps. */
const WHEN_A_ROW_HAS_ENDED: readonly Step[] = [
  {
    name: 'the simulation',
    command: [...GIVING_WAY, ...BUN_TEST, ...paths(MANY_PROCESSES)],
    read: readBunTest,
  },
  { name: 'benchmarks, smoke size', command: [...GIVING_WAY, 'bun', 'bench/run.ts', '--smoke'] },
];
/** What runs once all of these have ended. */
const LAST_ROW: readonly Step[] = [
  { name: 'tests with deadlines', command: [...BUN_TEST, ...paths(LAST)], read: readBunTest },
];

async function main(): Promise<void> {
  const total: Tally = { passed: 0, failed: 0, skipped: 0 };
  const failures: Failure[] = [];
  const play = async (steps: readonly Step[]): Promise<void> => {
    for (const step of steps) {
      const outcome = await run(step);
      total.passed += outcome.tally.passed;
      total.failed += outcome.tally.failed;
      total.skipped += outcome.tally.skipped;
      failures.push(...outcome.failures);
    }
  };
  const left = [...WHEN_A_ROW_HAS_ENDED];
  const playRow = async (row: readonly Step[]): Promise<void> => {
    await play(row);
    for (let step = left.shift(); step !== undefined; step = left.shift()) await play([step]);
  };
  await Promise.all(ROWS.map(playRow));
  await play(LAST_ROW);
  const settled = await secondTry(failures);
  total.passed += settled.length;
  total.failed -= settled.length;
  // The failures are repeated at the end, because ten thousand lines may be between a failure and the end,
  // and some readers start at the end of a log.
  const failed = failures.filter((failure) => !settled.includes(failure));
  if (failed.length > 0) console.log(`\n== what failed\n${failed.map(({ output }) => output).join('\n')}`);
  if (settled.length > 0)
    console.log(`\n== passed only at the second try, alone\n${settled.map(({ name }) => name).join('\n')}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  folder[Symbol.dispose]();
  process.exit(total.failed === 0 ? 0 : 1);
}

/**
 * Runs the files of failed tests once more, with nothing beside them. If the machine pauses for a while, a
 * test that waits for real processes may fail, but a real fault fails again. If more than SECOND_TRIES_MAX
 * tests failed, none is run again, because so many failures are not accidental.
 * @returns the failures that passed
 */
async function secondTry(failures: readonly Failure[]): Promise<Failure[]> {
  const files = [...new Set(failures.flatMap(({ file }) => (file === null ? [] : [file])))];
  if (files.length === 0 || failures.length > SECOND_TRIES_MAX) return [];
  const { tally, failures: again } = await run({
    name: 'second try of what failed',
    command: [...BUN_TEST, ...files.map((file) => `./${file}`)],
    read: readBunTest,
  });
  // If a runner ended too early, its output does not show the tests that it did not reach.
  if (tally.passed === 0 || again.some(({ file }) => file === null)) return [];
  return failures.filter(({ file, name }) => file !== null && !again.some((one) => one.name === name));
}

async function run(step: Step): Promise<Outcome> {
  if (step.read !== undefined) await made;
  const child = Bun.spawn([...step.command], {
    env: ENVIRONMENT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  console.log(`\n== ${step.name}`);
  const [output, errors] = await Promise.all([echo(child.stdout), echo(child.stderr), child.exited]);
  const printed = `${output}\n${errors}`;
  const failed = child.exitCode !== 0;
  const tally = step.read?.(printed) ?? { passed: failed ? 0 : 1, failed: failed ? 1 : 0, skipped: 0 };
  if (!failed) return { tally, failures: [] };
  const failures = failedTestsIn(printed);
  return {
    // A runner that fails without a failed test (a crash, an error between tests) still counts as a failure.
    tally: { ...tally, failed: Math.max(1, tally.failed) },
    failures:
      failures.length > 0
        ? failures
        : [{ file: null, name: step.name, output: `${step.name}\n${printed.slice(-TOLD_CHARS_MAX)}` }],
  };
}

/**
 * The failed tests in the output of Bun's runner, each with its file and the lines around it. The output of a
 * test comes before its result; with several processes it sometimes comes after it.
 */
function failedTestsIn(printed: string): Failure[] {
  let file = '';
  /** Failures by the line that reports them, because the runner lists them again when it ends. */
  const found = new Map<string, Failure>();
  const lines = printed.split('\n');
  for (const [index, line] of lines.entries()) {
    if (/^\S+\.test\.tsx?:$/.test(line)) file = line.slice(0, -1);
    const name = line.replace(/ \[[\d.]+m?s\]$/, '');
    if (!line.startsWith('(fail)') || found.has(name)) continue;
    const around = lines.slice(Math.max(0, index - LINES_AROUND), index + LINES_AROUND);
    found.set(name, { file, name, output: [`-- ${file}`, ...around].join('\n') });
  }
  return [...found.values()];
}

/**
 * Prints a stream line by line as it arrives, because several steps print at the same time.
 * @returns the whole text of the stream
 */
async function echo(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let printedChars = 0;
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n') + 1;
    process.stdout.write(text.slice(printedChars, end));
    printedChars = end;
  }
  process.stdout.write(text.slice(printedChars));
  return text;
}

function readBunTest(output: string): Tally | null {
  const count = (word: string) => {
    const found = output.match(new RegExp(`^\\s*(\\d+) ${word}$`, 'm'));
    return found === null ? null : Number(found[1]);
  };
  const passed = count('pass');
  if (passed === null) return null;
  return { passed, failed: count('fail') ?? 0, skipped: count('skip') ?? 0 };
}

await main();
