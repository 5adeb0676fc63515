// What is generated for the clients is what this server serves, and the packages are what they say.

import { expect, test } from 'bun:test';

const ROOT = new URL('../../', import.meta.url).pathname;

test('the generated parts of the clients are up to date; `bun run clients` writes them', async () => {
  const check = Bun.spawn([process.execPath, 'scripts/clients.ts', '--check'], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [errors, code] = await Promise.all([new Response(check.stderr).text(), check.exited]);
  expect([errors, code]).toEqual(['', 0]);
}, 60_000);

test('the TypeScript client needs openapi-fetch alone, in the version that is tested here, and has the server’s version', async () => {
  const [own, root] = (await Promise.all(
    ['clients/typescript/package.json', 'package.json'].map((path) => Bun.file(ROOT + path).json()),
  )) as {
    readonly version: string;
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  }[];
  const version = root!.devDependencies['openapi-fetch']!;
  expect(own!.dependencies).toEqual({ 'openapi-fetch': version });
  expect(own!.devDependencies).toEqual({ typescript: root!.devDependencies.typescript! });
  expect(own!.version).toBe(root!.version);
});
