import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { runCommand } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY = ['--from', '2026-03-01T00:00:00Z', '--to', '2026-03-02T00:00:00Z'];

test.each([['--out'], ['--to']])('an export is written to the file after %s', async (flag) => {
  using folder = temporaryFolder();
  const file = `${folder.path}/march.csv`;
  const words = ['history', 'export', ...DAY, '--format', 'csv', flag, file, '--data-dir', folder.path];
  const { code, errors } = await runCommand(words, {});
  expect([code, errors]).toEqual([0, [`Wrote 0 ticks to ${file}`]]);
  expect(existsSync(file)).toBe(true);
});

test('a time that is given twice is refused', async () => {
  const { code, errors } = await runCommand(['history', 'export', ...DAY, ...DAY, '--to', 'march.csv'], {});
  expect([code, errors[0]]).toEqual([2, 'Cannot use --from: it is given twice']);
});
