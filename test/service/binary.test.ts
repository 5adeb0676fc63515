// The one executable, in a folder that has nothing of the project: every worker lives, every page is served, and its other
// commands work.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { buildBinary } from '../../scripts/binary.ts';
import { readyRosterNames } from '../../src/start/roster.ts';
import { VERSION } from '../../src/version.ts';
import { makeClient } from '../mcp/serve.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const path = join(temporary.path, 'overround');
/** Where it runs: its .env and bunfig.toml are somebody else's and would break it. */
const folder = join(temporary.path, 'elsewhere');
let server: ServerProcess;
let url: string;

beforeAll(async () => {
  await buildBinary({ outfile: path });
  mkdirSync(folder);
  writeFileSync(join(folder, '.env'), 'PORT=not-a-port\nFEED=nonsense\n');
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./missing.ts"]\n');
  server = new ServerProcess({ BOOKMAKERS: readyRosterNames()[0]! }, { binary: { path, folder } });
  url = await server.serving();
}, 60_000);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  temporary[Symbol.dispose]();
});

function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const ended = Bun.spawnSync([path, ...words], { cwd: folder, env: environment, timeout: 20_000 });
  return { code: ended.exitCode, output: ended.stdout.toString(), errors: ended.stderr.toString() };
}

test('every worker answers: http, ingest, accounts and its archive, scoring', async () => {
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const login = { email: 'nobody@example.com', password: 'correct horse battery' };
  const refused = await fetch(`${url}/platform/login`, { ...json, body: JSON.stringify(login) });
  expect(refused.status).toBe(401);
  expect((await fetch(`${url}/v1/results?sport=football`)).status).toBe(200);
  const scan = await fetch(`${url}/v1/mcp/scan_slate`, { ...json, body: '{"limit": 1}' });
  expect(scan.status).toBe(200);
  expect(((await scan.json()) as { count: number }).count).toBeGreaterThan(0);
  expect(server.log).not.toContain('worker_');
});

test('every page is served with every file that it names', async () => {
  const pages = [
    '/',
    '/docs',
    '/docs/start',
    '/docs/agents',
    '/docs/errors',
    '/console',
    '/console/operator',
  ];
  const files = new Set<string>();
  for (const page of pages) {
    const response = await fetch(url + page, { headers: { accept: 'text/html' } });
    expect([page, response.status]).toEqual([page, 200]);
    const html = await response.text();
    for (const [, file] of html.matchAll(/(?:src|href)="(\/(?:docs\/)?assets\/[^"]+)"/g)) files.add(file!);
  }
  expect(files.size).toBeGreaterThan(7);
  for (const file of files) {
    const response = await fetch(url + file);
    expect([file, response.status]).toEqual([file, 200]);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
  }
  const texts = ['/openapi.json', '/asyncapi.json', '/llms.txt', '/metrics'];
  for (const text of texts) expect([text, (await fetch(url + text)).status]).toEqual([text, 200]);
});

test('keys, version, help and the stdio server work, and nothing is written beside it', async () => {
  expect(run(['--version']).output).toBe(`${VERSION}\n`);
  const key = run(['keys', 'create', '--tier', 'standard'], { DATA_DIR: server.dataDir });
  expect(key.output).toMatch(/^isk_\w{32}\n$/);
  const events = await fetch(`${url}/v1/usage`, {
    headers: { authorization: `Bearer ${key.output.trim()}` },
  });
  expect(events.status).toBe(200);
  expect(run(['bench']).errors).toContain('the benchmarks are in the source');
  const client = makeClient('auto');
  await client.connect(
    new StdioClientTransport({
      command: path,
      args: ['mcp'],
      cwd: folder,
      env: { OVERROUND_URL: url, OVERROUND_API_KEY: key.output.trim() },
      stderr: 'ignore',
    }),
  );
  const { resources } = await client.listResources();
  expect(resources.map(({ name }) => name)).toContain('signals');
  await client.close();
  expect(readdirSync(folder).sort()).toEqual(['.env', 'bunfig.toml']);
  expect(await server.end()).toBe(0);
});
