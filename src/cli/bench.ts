// `overround bench`: the benchmarks, in a process of their own.

import { join } from 'node:path';
import type { Command } from './command.ts';

const SCRIPT = join(import.meta.dir, '../../bench/run.ts');

export const benchCommand: Command = {
  name: 'bench',
  summary: 'Runs the benchmarks, or those whose name contains a word',
  arguments: ['[word]'],
  flags: { smoke: { help: 'a few rounds on small inputs, to see that they still work' } },
  run: ({ arguments: { word }, flags }) => {
    const words = [...(word === undefined ? [] : [word]), ...(flags.smoke === undefined ? [] : ['--smoke'])];
    return Bun.spawn([process.execPath, SCRIPT, ...words], { stdio: ['inherit', 'inherit', 'inherit'] })
      .exited;
  },
};
