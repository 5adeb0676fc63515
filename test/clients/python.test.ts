// The Python client: its own tests, and the programs of its README exactly as printed, against the real
// server.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { PYTHON, PYTHON_NOTE } from '../support/python.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PACKAGE = new URL('../../clients/python/', import.meta.url).pathname;

test.skipIf(PYTHON === null)(
  `its own tests pass${PYTHON_NOTE}`,
  async () => {
    const { path, env } = PYTHON!;
    const tests = Bun.spawn([path, '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'], {
      cwd: PACKAGE,
      env: { ...process.env, ...env },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [errors, code] = await Promise.all([new Response(tests.stderr).text(), tests.exited]);
    expect(code, errors).toBe(0);
    expect(errors).toMatch(/Ran \d\d tests[\s\S]*\nOK\n$/);
  },
  120_000,
);

test.skipIf(PYTHON === null)(
  `the programs of its README run as printed${PYTHON_NOTE}`,
  async () => {
    const { path, env, hasPandas } = PYTHON!;
    using folder = temporaryFolder();
    const page = await Bun.file(join(PACKAGE, 'README.md')).text();
    const [start, calls, frame] = [...page.matchAll(/```python\n([\s\S]+?)```/g)].map((match) => match[1]!);
    // The first program runs forever; here it stops after its second line.
    const stopped = start!.replace(
      /(print\(.*\))\n/,
      '$1\n        if change.cursor != (seen := globals().get("seen") or change.cursor): break\n',
    );
    await Bun.write(
      join(folder.path, 'readme.py'),
      [stopped, calls, hasPandas ? frame : '', 'print("done")\n'].join('\n'),
    );
    await using service = await runService({ HTTP_THREADS: '1' });
    const program = Bun.spawn([path, join(folder.path, 'readme.py')], {
      env: { ...process.env, ...env, OVERROUND_URL: service.url, OVERROUND_API_KEY: service.key },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [output, errors, code] = await Promise.all([
      new Response(program.stdout).text(),
      new Response(program.stderr).text(),
      program.exited,
    ]);
    expect([errors, code]).toEqual(['', 0]);
    const lines = output.trim().split('\n');
    expect(lines.filter((line) => line.endsWith('fixtures moved'))).toHaveLength(2);
    expect(lines.at(-1)).toBe('done');
    if (hasPandas) expect(output).toMatch(/asian_handicap +crown +\d+/);
  },
  120_000,
);
