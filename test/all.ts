// The project's one test command: type check, lint, tests and the benchmarks in smoke size. Ends with the true counts;
// each of the other steps counts as one test.

import { readdirSync } from 'node:fs';

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Reads counts from what the step printed; without it the exit code counts as one. */
  readonly read?: (output: string) => Tally | null;
}

/**
 * Rooms whose tests start whole servers, browsers or clusters and hold them to deadlines: they run one after another.
 * The others share nothing, so two processes of the runner take them side by side.
 */
const WHOLE_SERVERS = ['chaos', 'clients', 'cluster', 'faults', 'service', 'web'];

const entries = readdirSync('test', { withFileTypes: true });
const rooms = entries
  .filter((entry) => entry.isDirectory() && entry.name !== 'support')
  .map(({ name }) => name);
const files = entries.filter(({ name }) => name.endsWith('.test.ts')).map(({ name }) => name);
const aside = [...rooms.filter((room) => !WHOLE_SERVERS.includes(room)), ...files].map(
  (name) => `./test/${name}`,
);
const whole = rooms.filter((room) => WHOLE_SERVERS.includes(room)).map((name) => `./test/${name}`);

const BUN_TEST = ['bun', 'test', '--timeout', '120000'];

const STEPS: readonly Step[] = [
  { name: 'type check', command: ['bun', 'x', '--bun', 'tsc', '--noEmit'] },
  {
    name: 'type check of the pages',
    command: ['bun', 'x', '--bun', 'tsc', '--noEmit', '-p', 'src/web/client'],
  },
  {
    name: 'type check of the TypeScript client',
    command: ['bun', 'x', '--bun', 'tsc', '--noEmit', '-p', 'clients/typescript'],
  },
  { name: 'lint', command: ['bun', 'x', 'biome', 'check', '--error-on-warnings', '.'] },
  { name: 'tests of the rooms', command: [...BUN_TEST, '--parallel=2', ...aside], read: readBunTest },
  { name: 'tests of whole servers', command: [...BUN_TEST, ...whole], read: readBunTest },
  { name: 'benchmarks, smoke size', command: ['bun', 'bench/run.ts', '--smoke'] },
];

async function main(): Promise<void> {
  const total: Tally = { passed: 0, failed: 0, skipped: 0 };
  for (const step of STEPS) {
    console.log(`\n== ${step.name}`);
    const tally = await run(step);
    total.passed += tally.passed;
    total.failed += tally.failed;
    total.skipped += tally.skipped;
  }
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  process.exit(total.failed === 0 ? 0 : 1);
}

async function run(step: Step): Promise<Tally> {
  const child = Bun.spawn([...step.command], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([echo(child.stdout), echo(child.stderr), child.exited]);
  const read = step.read?.(`${output}\n${errors}`) ?? null;
  const exitedWell = child.exitCode === 0;
  if (read === null) return { passed: exitedWell ? 1 : 0, failed: exitedWell ? 0 : 1, skipped: 0 };
  // A runner that fails without a failed test (a crash, an error between tests) is a failure all the same.
  return !exitedWell && read.failed === 0 ? { ...read, failed: 1 } : read;
}

/** Passes a stream on as it comes and keeps it. */
async function echo(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    process.stdout.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
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
