// The packages that a newcomer installs: documents advise only packages that this project makes, and a
// command that runs a server installs no more packages than it needs.

import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '..');

/**
 * The server, its client for TypeScript, and its client for Python, which has the same name as the server.
 */
const MADE_HERE = new Set(['overround', '@overround/client']);

/** Text files under version control, as paths from the root. */
async function textFiles(): Promise<string[]> {
  const listed = await Bun.$`git ls-files`.cwd(ROOT).text();
  return listed.split('\n').filter((path) => /\.(?:ts|tsx|py|md|gs|ipynb|json|toml|ya?ml|sh|js)$/.test(path));
}

test('documents advise only packages that this project makes, because another name would be somebody else’s package in a registry', async () => {
  const advised =
    /\b(?:pip3?|pipx|uv|uvx|poetry|npm|npx|pnpm|yarn|bun|bunx|deno)\s+(?:(?:install|add|i|exec|dlx|-y|-g|--yes|--global)\s+)*['"`]?(?:npm:)?(@overround\/[\w-]+|overround(?:-\w+)*)(?![\w/])/g;
  const adviceOf = (text: string) => [...text.matchAll(advised)].map((match) => match[1]!);
  expect(
    adviceOf("pip install 'overround[pandas]', npm i @overround/client, npx -y overround-server"),
  ).toEqual(['overround', '@overround/client', 'overround-server']);
  const files = (await textFiles()).filter((path) => path !== 'test/packages.test.ts');
  expect(files.length).toBeGreaterThan(500);
  for (const path of files) {
    const other = adviceOf(await Bun.file(join(ROOT, path)).text()).filter((name) => !MADE_HERE.has(name));
    expect([path, other]).toEqual([path, []]);
  }
});

test('commands that run a server install only the packages of production; all other commands install every package', async () => {
  const { scripts } = (await Bun.file(join(ROOT, 'package.json')).json()) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const server = ['start', 'overround', 'mcp', 'keys'];
  for (const [name, script] of Object.entries(scripts).filter(([one]) => one !== 'setup'))
    expect([name, script]).toEqual([
      name,
      expect.stringMatching(
        server.includes(name)
          ? /^bun run --silent setup --production && exec /
          : /^bun run --silent setup && /,
      ),
    ]);
  // A script in package.json is one more name to remember. So a program that few people run has no script,
  // and is run by its file.
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(20);
  expect(scripts.setup).not.toContain('--production');
});

test('src/main.ts is executable, so that `bun link` changes nothing in the tree', () => {
  expect(statSync(join(ROOT, 'src/main.ts')).mode & 0o111).toBe(0o111);
});
