// Late throws and unhandled rejections are caught and counted with the guards, and end the process without
// them.

import { expect, test } from 'bun:test';

const CHILD = new URL('./crash-guards.child.ts', import.meta.url).pathname;

async function startChild(...args: string[]) {
  const child = Bun.spawn([process.execPath, CHILD, ...args], { stdout: 'pipe', stderr: 'ignore' });
  const { value } = await child.stdout.getReader().read();
  return { child, url: `http://127.0.0.1:${new TextDecoder().decode(value).trim()}` };
}

test('installCrashGuards: late failures are counted, and the process continues to answer', async () => {
  const { child, url } = await startChild('guarded');
  await fetch(`${url}/throw`);
  await fetch(`${url}/reject`);
  let counts: unknown;
  do {
    counts = await (await fetch(url)).json();
  } while (JSON.stringify(counts) !== '{"exception":1,"rejection":1}');
  expect(child.exitCode).toBeNull();
  child.kill();
  await child.exited;
});

test('without the guards a late throw ends the process', async () => {
  const { child, url } = await startChild();
  await fetch(`${url}/throw`);
  expect(await child.exited).not.toBe(0);
});
