// `bun run bench [word] --against <git ref>`: compares the benches of that ref, in a temporary checkout, with
// those of this tree. Each round runs both in fresh processes, one after the other. The table shows the
// median, lowest and highest of the rounds' ratios: if the machine is busy for a while, it is busy for both
// sides.

import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { amount, type Figure, markdownTable, median } from './figures.ts';

const ROOT = join(import.meta.dir, '..');
const ROUNDS = 5;
/** How many seconds one process measures, all its benches together. */
const SECONDS = 20;
/** The files that measure. Both sides use the versions of this tree. */
const RUNNER = ['run.ts', 'figures.ts', 'aims.ts', 'against.ts', 'performance-page.ts'];

/** Measures and prints the table. @throws Error if the ref cannot be checked out or a bench fails */
export async function compareAgainst(ref: string, word: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'overround-against-'));
  try {
    const there = join(folder, 'checkout');
    checkOut(ref, there);
    const rounds: { here: Map<string, Figure>; there: Map<string, Figure> }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // The order alternates, so that neither side always has the warmer machine.
      const sides = round % 2 === 0 ? [ROOT, there] : [there, ROOT];
      const measured = new Map<string, Map<string, Figure>>();
      for (const side of sides) measured.set(side, await measureIn(side, word, folder));
      rounds.push({ here: measured.get(ROOT)!, there: measured.get(there)! });
      console.log(`round ${round + 1} of ${ROUNDS} done`);
    }
    console.log(tableOfRounds(ref, rounds));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkOut(ref: string, folder: string): void {
  const make = Bun.spawnSync(
    ['sh', '-c', 'mkdir "$2" && git archive "$1" | tar -x -C "$2"', 'sh', ref, folder],
    { cwd: ROOT },
  );
  if (make.exitCode !== 0) throw new Error(`Cannot check out ${ref}: ${make.stderr.toString().trim()}`);
  const isSameLock = sameText(join(ROOT, 'bun.lock'), join(folder, 'bun.lock'));
  if (isSameLock) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else run([process.execPath, 'install', '--frozen-lockfile', '--silent'], folder);
  for (const file of RUNNER) run(['cp', join(import.meta.dir, file), join(folder, 'bench', file)], folder);
}

function sameText(left: string, right: string): boolean {
  return Bun.spawnSync(['cmp', '-s', left, right]).exitCode === 0;
}

function run(command: string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd });
  if (exitCode !== 0) throw new Error(`Cannot run ${command[0]}: ${stderr.toString().trim()}`);
}

async function measureIn(root: string, word: string, folder: string): Promise<Map<string, Figure>> {
  const json = join(folder, 'figures.json');
  const words = word === '' ? [] : [word];
  const command = [process.execPath, 'bench/run.ts', ...words, '--json', json, '--seconds', String(SECONDS)];
  const child = Bun.spawn(command, { cwd: root, stdout: 'ignore', stderr: 'pipe' });
  const [code, failure] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0)
    throw new Error(`Cannot bench in ${root === ROOT ? 'this checkout' : 'the other'}: ${failure}`);
  const { figures } = (await Bun.file(json).json()) as { figures: Figure[] };
  return new Map(figures.map((figure) => [figure.name, figure]));
}

function tableOfRounds(
  ref: string,
  rounds: readonly { here: Map<string, Figure>; there: Map<string, Figure> }[],
): string {
  const names = [...rounds[0]!.here.keys()].filter((name) => rounds[0]!.there.has(name));
  const rows = names.map((name) => {
    const pairs = rounds.map(({ here, there }) => [here.get(name)!.value, there.get(name)!.value] as const);
    const ratios = pairs.map(([here, there]) => here / there);
    const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)];
    const verdict = highest < 1 ? 'faster' : lowest > 1 ? 'slower' : '';
    return [
      name,
      amount(median(pairs.map(([here]) => here)), 'ns'),
      amount(median(pairs.map(([, there]) => there)), 'ns'),
      median(ratios).toFixed(2),
      `${lowest.toFixed(2)} to ${highest.toFixed(2)}`,
      verdict,
    ];
  });
  return markdownTable([['figure', 'here', ref, 'ratio', 'lowest to highest', ''], ...rows]);
}
