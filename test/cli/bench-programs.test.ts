// Benchmarks that are programs of their own: with --help or unknown arguments they measure nothing.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readFlags } from '../../bench/flags.ts';
import scripts from '../../package.json';

const ROOT = join(import.meta.dir, '../..');
const NAMES = ['http', 'scale', 'feed', 'streams', 'cluster', 'cluster:costs'] as const;
const NAMED = { script: 'bench:x', about: 'X.', named: 'some', canWrite: true } as const;
const BARE = { script: 'bench:y', about: 'Y.' } as const;

test.concurrent.each(NAMES)('bench:%s --help shows its usage, and exits', async (name) => {
  const script = scripts.scripts[`bench:${name}`];
  const program = Bun.spawn([process.execPath, ...script.split(' ').slice(1), '--help'], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'inherit',
  });
  expect(await program.stdout.text()).toContain(`Usage: bun run bench:${name} `);
  expect(await program.exited).toBe(0);
});

test('flags and a name are read, and unknown arguments are refused', () => {
  const nothing = { isQuick: false, isWritten: false, only: '' };
  expect(readFlags(NAMED, [])).toEqual(nothing);
  expect(readFlags(NAMED, ['hit', '--quick'])).toEqual({ ...nothing, isQuick: true, only: 'hit' });
  expect(readFlags(NAMED, ['--quick', '--write'])).toEqual({ ...nothing, isQuick: true, isWritten: true });
  // A page with one case would replace the page of all cases.
  expect(() => readFlags(NAMED, ['hit', '--write'])).toThrow('Leave out the name');
  expect(readFlags(BARE, ['--quick'])).toEqual({ ...nothing, isQuick: true });
  for (const args of [['--wirte'], ['a', 'b'], ['--quick=1']]) expect(() => readFlags(NAMED, args)).toThrow();
  for (const args of [['--write'], ['a']]) expect(() => readFlags(BARE, args)).toThrow();
});
