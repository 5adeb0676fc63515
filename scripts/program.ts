// Runs one of the programs that share a script of package.json: `bun run chaos load`, `bun run names
// accuracy`. The first word chooses the program, and the other words are passed on to it.

import { join } from 'node:path';

const ROOT = join(import.meta.dir, '..');

/**
 * The program for each script of package.json and first word. '' is the one for no word, or for a word not
 * listed.
 */
const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  build: { binary: 'scripts/binary.ts', package: 'scripts/package.ts' },
  chaos: { '': 'test/chaos/run.ts', load: 'test/chaos/load.ts' },
  cluster: { '': 'scripts/cluster/run.ts', faults: 'test/cluster/run.ts' },
  names: { accuracy: 'test/names/accuracy.ts', calibrate: 'test/names/calibrate.ts' },
};

const [script = '', ...words] = process.argv.slice(2);
const programs = PROGRAMS[script] ?? {};
const isNamed = words[0] !== undefined && words[0] !== '' && words[0] in programs;
const file = programs[isNamed ? words[0]! : ''];
if (file === undefined) {
  const allowed = Object.keys(programs).filter((word) => word !== '');
  console.error(`Usage: bun run ${script} ${allowed.join('|')}`);
  process.exit(2);
}
const program = Bun.spawn([process.execPath, join(ROOT, file), ...(isNamed ? words.slice(1) : words)], {
  stdio: ['inherit', 'inherit', 'inherit'],
});
// Ctrl-C reaches both processes, but a signal that is sent only to this one must be passed on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => program.kill(signal));
process.exit(await program.exited);
