// The npm package, as `npx -y overround start` gets it: packed, installed into an empty folder by npm, and
// run with Node alone over a data folder of another server. Only Bun itself comes from the registry.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { buildPackage } from '../../scripts/package.ts';
import { VERSION } from '../../src/version.ts';
import { makeClient } from '../mcp/serve.ts';
import { until } from '../support/condition.ts';
import { npmInstall } from '../support/npm-install.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PACKED_BYTES_MAX = 12_000_000;
const OLD_FOLDER = join(import.meta.dir, '../upgrades/folders/0.1.0-schema-4');

const temporary = temporaryFolder();
/** The path has spaces, which must make no difference. */
const folder = join(temporary.path, 'an empty folder');
const command = join(folder, 'node_modules/.bin/overround');
const dataDir = join(folder, 'data of 0.1.0');
const tarball = await pack();
const missing = npmInstall(tarball.path, folder);
if (missing !== null) console.warn(`The npm package is not installed and run: ${missing}`);

/** A PATH with Node and the system's own programs, without Bun. */
const PATH = `${dirname(Bun.which('node') ?? '')}:/usr/bin:/bin`;

afterAll(() => temporary[Symbol.dispose]());

/** @returns the path of the tarball, and the output of npm about it */
async function pack(): Promise<{ path: string; size: number; names: string[] }> {
  const staging = join(temporary.path, 'package');
  await buildPackage(staging);
  const run = npm(['pack', '--json', '--pack-destination', temporary.path], staging);
  const [packed] = JSON.parse(run.output) as [{ filename: string; size: number; files: { path: string }[] }];
  const names = packed.files.map(({ path }) => path);
  return { path: join(temporary.path, packed.filename), size: packed.size, names };
}

function npm(words: readonly string[], cwd: string) {
  const ended = Bun.spawnSync(['npm', ...words], { cwd, stdout: 'pipe', stderr: 'pipe' });
  return { code: ended.exitCode, output: ended.stdout.toString(), errors: ended.stderr.toString() };
}

function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const ended = Bun.spawnSync([command, ...words], { cwd: folder, env: { PATH, ...environment } });
  return { code: ended.exitCode, output: ended.stdout.toString(), errors: ended.stderr.toString() };
}

test('the package is small, may be published, and has no script and no dependency but Bun', () => {
  expect(tarball.size).toBeLessThan(PACKED_BYTES_MAX);
  for (const name of ['README.md', 'LICENSE', 'THIRD-PARTY-LICENSES', 'CHANGELOG.md', 'bin/overround.js'])
    expect(tarball.names).toContain(name);
  expect(tarball.names.filter((name) => name.endsWith('.ts'))).toEqual([]);
  const manifest = JSON.parse(readFileSync(join(temporary.path, 'package/package.json'), 'utf8'));
  expect([manifest.version, manifest.private, manifest.scripts]).toEqual([VERSION, undefined, undefined]);
  const needed = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
  expect(needed.length).toBeGreaterThan(0);
  for (const [name, version] of needed) {
    expect(name).toStartWith('@oven/bun-');
    expect(version).toBe(Bun.version);
  }
});

describe.skipIf(missing !== null)('installed into an empty folder, with Node alone', () => {
  let server: ServerProcess;
  let url: string;
  let files: string[];

  beforeAll(async () => {
    cpSync(OLD_FOLDER, dataDir, { recursive: true });
    chmodSync(dataDir, 0o700);
    // These files belong to another project, and the program would fail if it read them.
    writeFileSync(join(folder, '.env'), 'PORT=not-a-port\n');
    writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./missing.ts"]\n');
    files = installedFiles();
    server = new ServerProcess(
      { PATH, DATA_DIR: dataDir, NODE_ENV: 'development' },
      { binary: { path: command, folder } },
    );
    url = await server.serving();
  }, 120_000);

  afterAll(() => server[Symbol.asyncDispose]());

  test('the program serves prices to a key of a kept data folder, and the board with its files', async () => {
    const { operatorKey } = JSON.parse(readFileSync(join(OLD_FOLDER, 'facts.json'), 'utf8'));
    const headers = { authorization: `Bearer ${operatorKey}` };
    const prices = await fetch(`${url}/v1/odds?markets=1x2&limit=1`, { headers });
    expect(prices.status).toBe(200);
    expect(await prices.text()).toMatch(/"price[^"]*":/);
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const named = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(2);
    for (const name of named) expect([name, (await fetch(url + name)).status]).toEqual([name, 200]);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    expect(server.log).not.toContain('worker_');
  });

  test('other commands return their exit codes, and the MCP server works over standard input and output', async () => {
    expect(run(['--version'])).toMatchObject({ code: 0, output: `${VERSION}\n` });
    expect(run(['strat']).code).toBe(2);
    const key = run(['keys', 'create', '--tier', 'standard'], { DATA_DIR: dataDir }).output.trim();
    expect(key).toMatch(/^isk_/);
    const client = makeClient('auto');
    await client.connect(
      new StdioClientTransport({
        command,
        args: ['mcp'],
        cwd: folder,
        env: { PATH, OVERROUND_URL: url, OVERROUND_API_KEY: key },
        stderr: 'ignore',
      }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('find_value');
    await client.close();
  });

  test('the program ends with its launcher, even if the launcher is killed', async () => {
    const key = run(['keys', 'create', '--tier', 'standard'], { DATA_DIR: dataDir }).output.trim();
    const launcher = Bun.spawn([command, 'watch', '--json'], {
      cwd: folder,
      env: { PATH, OVERROUND_URL: url, OVERROUND_API_KEY: key },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    });
    await launcher.stdout.getReader().read(); // by its first output the program runs
    const [program] = childrenOf(launcher.pid);
    expect(isRunning(program!)).toBe(true);
    launcher.kill('SIGKILL');
    await launcher.exited;
    await until('the program is gone', () => !isRunning(program!));
  });

  test('a stop signal reaches the program, and nothing was written into the installed package', async () => {
    expect(await server.end('SIGINT')).toBe(0);
    expect(server.log).toMatch(/stopping.*SIGINT/);
    expect(installedFiles()).toEqual(files);
  });

  /** Every installed file with the time of its last change. */
  function installedFiles(): string[] {
    const modules = join(folder, 'node_modules');
    return readdirSync(modules, { recursive: true, encoding: 'utf8' })
      .map((name) => `${name} ${statSync(join(modules, name)).mtimeMs}`)
      .sort();
  }
});

function childrenOf(id: number): number[] {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(id)]);
  return stdout.toString().trim().split(/\s+/).map(Number);
}

/**
 * Whether a process exists and has not ended. A process that has ended but was not waited for yet counts as
 * ended.
 */
function isRunning(id: number): boolean {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'stat=', '-p', String(id)]);
  return stdout.toString().trim() !== '' && !stdout.toString().startsWith('Z');
}
