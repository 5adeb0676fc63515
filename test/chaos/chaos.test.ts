// The quick round of `bun run chaos`: each fault once. It exits with 0 only if every answer was correct.

import { expect, test } from 'bun:test';

test('the real server answers correctly while each fault happens once', async () => {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/run.ts`, '--quick'], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [text, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect([code, errors]).toEqual([0, '']);
  expect(text).toContain('none lost');
}, 240_000);
