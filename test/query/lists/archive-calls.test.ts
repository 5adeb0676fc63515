// The first question in words loads the code that reads names.

import { expect, test } from 'bun:test';

const CHILD = new URL('./archive-calls.child.ts', import.meta.url).pathname;

test('if the code that reads names cannot be loaded, one question fails, and the next one loads the code', async () => {
  const child = Bun.spawn([process.execPath, CHILD], { stdout: 'pipe', stderr: 'inherit' });
  expect((await child.stdout.text()).trim().split('\n')).toEqual(['Error: EMFILE', 'answered']);
}, 30_000);
