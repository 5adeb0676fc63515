// The TypeScript client as its users get it: built, packed, and installed by npm into an empty project.
// Its README runs under Node, Bun and Deno (if installed), a strict program type-checks against it, and
// a page in a browser follows a mirror with it.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../clients/typescript/src/index.ts';
import { BROWSER_NOTE, NO_BROWSER, TestBrowser } from '../support/browser.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { npmInstall } from '../support/npm-install.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const PACKAGE = join(ROOT, 'clients/typescript');
/** Where the package is built and packed. */
const workshop = temporaryFolder();
/** The project of a user. */
const folder = temporaryFolder();
const installed = join(folder.path, 'node_modules/@overround/client');
let service: RunningService;
let tarball: string;

/**
 * Settings of the type checker. It runs once on little code, so threads and garbage collection would only
 * cost time.
 */
const LEAN = { GOGC: 'off', GOMAXPROCS: '1' };

/** Runs a command in the folder. @returns its output @throws Error with its error output */
async function run(command: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: folder.path,
    env: { ...childEnvironment(), HOME: folder.path, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${errors}${output}`);
  return output;
}

/** Unpacks the client where npm would install it, and links its dependencies from the repository. */
async function unpack(missing: string): Promise<void> {
  console.warn(`The client is unpacked, not installed by npm: ${missing}`);
  mkdirSync(installed, { recursive: true });
  await run(['tar', '-xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder.path, 'node_modules', name));
}

beforeAll(async () => {
  // Packs a copy, so that nothing is built inside the repository. The copy uses the repository's packages.
  const copy = join(workshop.path, 'copy');
  cpSync(PACKAGE, copy, { recursive: true, filter: (path) => !/\/(dist|node_modules)$/.test(path) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const { PATH = '' } = process.env;
  const tools = { ...LEAN, PATH: `${join(ROOT, 'node_modules/.bin')}:${PATH}` };
  // What `prepack` does. test/service/documented-commands.test.ts runs `prepack` itself.
  await run(['tsc', '-p', copy, '--noEmit', 'false'], tools);
  const pack = ['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', workshop.path, copy];
  await run(pack, tools);
  const [name] = [...new Bun.Glob('*.tgz').scanSync(workshop.path)];
  tarball = join(workshop.path, name!);
  const missing = npmInstall(tarball, folder.path);
  if (missing !== null) await unpack(missing);
  service = await runService({
    HTTP_THREADS: '1',
    SIMULATOR_FOOTBALL_FIXTURES: '20',
    SIMULATOR_BASKETBALL_FIXTURES: '4',
  });
}, 120_000);
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
  workshop[Symbol.dispose]();
});

test('the package contains the build, its README and its licence, and nothing else', () => {
  const files = [...new Bun.Glob('**/*').scanSync(installed)].sort();
  expect(files.filter((file) => !/^dist\/[a-z-]+\.(js|d\.ts)$/.test(file))).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ]);
  expect(files).toContain('dist/index.js');
  expect(files).toContain('dist/index.d.ts');
});

/** Runs a tool of this repository on the packed file. @returns its exit code and its output */
async function judged(tool: string, ...options: string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([join(ROOT, 'node_modules/.bin', tool), tarball, ...options], {
    cwd: folder.path,
    env: { ...childEnvironment(), HOME: folder.path, NO_COLOR: '1' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, output: output + errors };
}

test('publint and “Are the types wrong?” find nothing in the packed file', async () => {
  const [packaging, types] = await Promise.all([
    judged('publint', '--strict'),
    judged('attw', '--profile', 'esm-only', '--no-emoji', '--format', 'ascii'),
  ]);
  expect(packaging).toEqual({ code: 0, output: expect.stringContaining('All good!') });
  expect(types).toEqual({ code: 0, output: expect.stringContaining('@overround/client') });
}, 120_000);

test('the package uses no API that only one runtime has', async () => {
  for (const path of new Bun.Glob('dist/*.js').scanSync(installed)) {
    const text = await Bun.file(join(installed, path)).text();
    expect([path, text.match(/from ['"]node:|\bBun\.|\bDeno\.|\bprocess\.|\bBuffer\b/)]).toEqual([
      path,
      null,
    ]);
  }
});

test('the package depends only on openapi-fetch, in the version tested here, and has the server’s version', async () => {
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

/** The code blocks of the README as one program, whose loop ends after one turn. */
async function readmeProgram(): Promise<string> {
  const page = await Bun.file(join(PACKAGE, 'README.md')).text();
  const [start, calls] = [...page.matchAll(/```ts\n([\s\S]+?)```/g)].map((match) => match[1]!);
  const lines = start!.trimEnd().split('\n');
  const loop = lines.pop()!;
  const followed = `${loop.replace('console.log(', '{ console.log(').trimEnd()} break; }`;
  return `${lines.join('\n')}\n${calls}\n${followed}\nmirror.close();\nconsole.log(data.length, scan.entries.length >= 0, mirror.state);\n`;
}

for (const [name, command] of [
  ['node', ['node', 'readme.mjs']],
  ['bun', [process.execPath, 'readme.mjs']],
  ['deno', ['deno', 'run', '--allow-net', '--allow-env', '--node-modules-dir=manual', 'readme.mjs']],
] as const) {
  test.skipIf(Bun.which(command[0]) === null)(
    `the README of the TypeScript client runs under ${name}, if it is installed`,
    async () => {
      await Bun.write(join(folder.path, 'readme.mjs'), await readmeProgram());
      const env = { OVERROUND_URL: service.url, OVERROUND_API_KEY: service.key };
      const lines = (await run(command, env)).trim().split('\n');
      expect(lines.at(-1)).toBe('5 true closed');
      expect(lines.filter((line) => line.endsWith('fixtures moved'))).toHaveLength(1);
      expect(lines.length).toBeGreaterThan(20);
    },
    120_000,
  );
}

test('a correct program type-checks in strict mode, and a wrong one does not', async () => {
  const options = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,dom.iterable,esnext.disposable',
  ];
  const program = (await readmeProgram()).replaceAll(/process\.env\.\w+/g, 'String(0)');
  await Bun.write(join(folder.path, 'right.ts'), program);
  await Bun.write(join(folder.path, 'wrong.ts'), program.replace("'scheduled'", "'over'"));
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const complaints = await run([tsc, '--singleThreaded', ...options, 'right.ts', 'wrong.ts'], LEAN).catch(
    String,
  );
  expect(complaints).toMatch(/wrong\.ts.*"over"/);
  expect(complaints).not.toContain('right.ts(');
}, 120_000);

test('the client has a function for every HTTP method that the server uses', async () => {
  const document = await service.get<{ paths: Readonly<Record<string, object>> }>('/openapi.json');
  const used = new Set(Object.values(document.paths).flatMap((operations) => Object.keys(operations)));
  expect([...used].filter((method) => method !== 'parameters').sort()).toEqual([
    'delete',
    'get',
    'patch',
    'post',
  ]);
  const client = createClient({ url: service.url });
  for (const method of ['delete', 'get', 'patch', 'post'] as const) expect(client[method]).toBeFunction();
});

test.skipIf(NO_BROWSER !== null)(
  `a mirror in a web page holds the slate, over events, WebSocket and polling${BROWSER_NOTE}`,
  async () => {
    await Bun.write(
      join(folder.path, 'page.mjs'),
      "import { createClient } from '@overround/client';\nglobalThis.createOverroundClient = createClient;\n",
    );
    const built = await Bun.build({
      entrypoints: [join(folder.path, 'page.mjs')],
      target: 'browser',
      format: 'iife',
    });
    await using browser = await TestBrowser.launch();
    const page = await browser.open(`${service.url}/docs/errors`, { bypassCSP: true });
    await page.addScriptTag({ content: await built.outputs[0]!.text() });
    const eventIds = async () => {
      const { fixtures } = await service.get<{ fixtures: readonly { event_id: string }[] }>('/v1/odds');
      return fixtures.map((fixture) => fixture.event_id);
    };
    const follow = () =>
      page.evaluate(
        async ({ url, key }) => {
          const { createOverroundClient } = globalThis as unknown as {
            createOverroundClient: typeof import('../../clients/typescript/src/index.ts').createClient;
          };
          const client = createOverroundClient({ url, key });
          const sizes: number[] = [];
          for (const via of ['events', 'websocket', 'polling'] as const) {
            const mirror = client.mirror({ via });
            let turns = 0;
            for await (const _change of mirror) if (++turns === 2) break;
            sizes.push(mirror.size);
            mirror.close();
          }
          await client.get('/v1/sports');
          return [...sizes, (await client.get('/v1/sports')).data.length];
        },
        { url: service.url, key: service.key },
      );
    let before: readonly string[];
    let held: readonly number[];
    let after = await eventIds();
    // Matches of the simulator come and leave with the clock, so this is repeated until the slate had the
    // same matches before and after.
    do {
      before = after;
      held = await follow();
      after = await eventIds();
    } while (!Bun.deepEquals(before, after));
    expect(held).toEqual([after.length, after.length, after.length, 2]);
    expect(browser.complaints).toEqual([]);
  },
  120_000,
);
