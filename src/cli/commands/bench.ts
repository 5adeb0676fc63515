// `overround bench`: runs the benchmarks in a process of their own.

import { join } from 'node:path';
import type { Command } from '../command.ts';

const ROOT = join(import.meta.dir, '../../..');
const SCRIPT = join(ROOT, 'bench/run.ts');

export const benchCommand: Command = {
  name: 'bench',
  summary: 'Runs the benchmarks, or those whose name contains a word',
  arguments: ['[word]'],
  flags: {
    smoke: { help: 'a few rounds on small inputs, to check that they still work' },
    json: { value: 'file', help: 'writes the figures to a file' },
    write: { help: 'writes its part of docs/internals/performance.md' },
    against: { value: 'git ref', help: 'compares with another version, in alternating processes' },
  },
  run: async ({ arguments: { word }, flags }) => {
    // In the executable and the npm package, this code is bundled into another file, and ROOT is not the
    // project.
    if (import.meta.file !== 'bench.ts') {
      throw new Error('Cannot run bench: the benchmarks are only in the source, not in an installed package');
    }
    // Install the packages of the benchmarks: a folder that only ran the server does not have them.
    const installing = Bun.spawn([process.execPath, 'run', '--silent', 'setup'], {
      cwd: ROOT,
      stdin: 'ignore',
    });
    if ((await installing.exited) !== 0)
      throw new Error('Cannot run bench: its packages cannot be installed');
    const words = Object.entries(flags).flatMap(([name, value]) =>
      name === 'smoke' || name === 'write' ? [`--${name}`] : [`--${name}`, value],
    );
    const command = [process.execPath, SCRIPT, ...(word === undefined ? [] : [word]), ...words];
    return await Bun.spawn(command, { stdio: ['inherit', 'inherit', 'inherit'] }).exited;
  },
};
