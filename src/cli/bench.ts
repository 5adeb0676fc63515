// `overround bench`: the benchmarks, in a process of their own.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './command.ts';

const SCRIPT = join(import.meta.dir, '../../bench/run.ts');

export const benchCommand: Command = {
  name: 'bench',
  summary: 'Runs the benchmarks, or those whose name contains a word',
  arguments: ['[word]'],
  flags: {
    smoke: { help: 'a few rounds on small inputs, to see that they still work' },
    json: { value: 'file', help: 'keeps the figures in a file' },
    write: { help: 'writes the page docs/performance-benches.md' },
    against: { value: 'git ref', help: 'compares with another version, in alternating processes' },
  },
  run: async ({ arguments: { word }, flags }) => {
    if (!existsSync(SCRIPT)) {
      throw new Error('Cannot run bench: the benchmarks are in the source, not in the executable');
    }
    const words = Object.entries(flags).flatMap(([name, value]) =>
      name === 'smoke' || name === 'write' ? [`--${name}`] : [`--${name}`, value],
    );
    const command = [process.execPath, SCRIPT, ...(word === undefined ? [] : [word]), ...words];
    return await Bun.spawn(command, { stdio: ['inherit', 'inherit', 'inherit'] }).exited;
  },
};
