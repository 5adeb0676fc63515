// The single executable, in a folder without anything of the project: every worker starts, every page is
// served, and its other commands work. Also tested are the image's file tree made from it, and the systemd
// unit that runs it.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { loadConfig, settingList } from '../../src/settings/config.ts';
import { DESCRIPTORS_WANTED } from '../../src/start/doctor/machine.ts';
import { readyRosterNames } from '../../src/start/roster.ts';
import { HTTP_STOP_GRACE_MS } from '../../src/start/serving-workers.ts';
import { VERSION } from '../../src/version.ts';
import { makeClient } from '../mcp/serve.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { freePort } from '../support/free-port.ts';
import { ServerProcess } from '../support/server-process.ts';
import { SMALL_SLATE } from '../support/small-slate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const path = join(temporary.path, 'overround');
/**
 * The working directory. Its .env and bunfig.toml belong to another project, and the executable would fail if
 * it read them.
 */
const folder = join(temporary.path, 'elsewhere');
let server: ServerProcess;
let url: string;

beforeAll(async () => {
  const build = Bun.spawn([process.execPath, 'run', 'build', 'binary', path], {
    cwd: join(import.meta.dir, '../..'),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [errors, code] = await Promise.all([build.stderr.text(), build.exited]);
  if (code !== 0) throw new Error(`The executable was not built: ${errors}`);
  mkdirSync(folder);
  writeFileSync(join(folder, '.env'), 'PORT=not-a-port\nFEED=nonsense\n');
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./missing.ts"]\n');
  server = new ServerProcess({ BOOKMAKERS: readyRosterNames()[0]! }, { binary: { path, folder } });
  url = await server.serving();
}, 120_000);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  temporary[Symbol.dispose]();
});

function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const ended = Bun.spawnSync([path, ...words], { cwd: folder, env: environment, timeout: 20_000 });
  return { code: ended.exitCode, output: ended.stdout.toString(), errors: ended.stderr.toString() };
}

test('every worker answers: HTTP, ingest, accounts with its archive, and scoring', async () => {
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
    '/record',
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

test('keys, version, doctor and the stdio server work, and nothing is written beside the executable', async () => {
  expect(run(['--version']).output).toBe(`${VERSION}\n`);
  expect(run(['doctor'], { DATA_DIR: server.dataDir }).code).toBe(0);
  const key = run(['keys', 'create', '--tier', 'standard'], { DATA_DIR: server.dataDir });
  expect(key.output).toMatch(/^isk_\w{32}\n$/);
  const events = await fetch(`${url}/v1/usage`, {
    headers: { authorization: `Bearer ${key.output.trim()}` },
  });
  expect(events.status).toBe(200);
  expect(run(['bench']).errors).toContain('the benchmarks are only in the source');
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

/**
 * Runs the tree as a container would: read-only, not as root, and with nothing of this machine except a
 * folder for data.
 */
const IN_THE_TREE = `
mount --bind "$TREE" "$TREE"
mount -o remount,bind,ro "$TREE"
mount -t tmpfs -o uid=10001,gid=10001,mode=700 data "$TREE/data"
mount -t tmpfs tmp "$TREE/tmp"
mount -t proc proc "$TREE/proc"
exec env -i $SETTINGS "$(command -v chroot)" --userspec=10001:10001 "$TREE" /usr/local/bin/overround "$@"`;

function inTree(words: readonly string[], settings: string) {
  const command = [
    'unshare',
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-euc',
    IN_THE_TREE,
    'sh',
    ...words,
  ];
  const path = `${process.env.PATH}:/usr/sbin:/sbin`;
  return Bun.spawn(command, {
    env: { PATH: path, TREE: join(temporary.path, 'tree'), SETTINGS: settings },
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

// Mounts need root, and not every container allows its root to mount.
const canMount =
  process.getuid?.() === 0 &&
  Bun.which('unshare') !== null &&
  Bun.spawnSync(['unshare', '--mount', 'mount', '-t', 'tmpfs', 'x', '/mnt']).exitCode === 0;

test.skipIf(!canMount)(
  'the file tree of the image serves, read-only and not as root, and its health check follows the server’s state',
  async () => {
    const tree = join(temporary.path, 'tree');
    const made = Bun.spawnSync(['sh', join(import.meta.dir, '../../ops/image-tree.sh'), path, tree]);
    expect([made.exitCode, made.stderr.toString()]).toEqual([0, '']);
    const port = freePort();
    const { PATH: _, LD_PRELOAD: __, ...engine } = childEnvironment();
    const all = { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: port, DATA_DIR: '/data', ...SMALL_SLATE };
    const settings = Object.entries({ ...all, ...engine })
      .map((pair) => pair.join('='))
      .join(' ');
    const notYet = inTree(['ready'], settings);
    expect(await notYet.exited).toBe(1);
    const running = inTree(['start'], settings);
    try {
      await until('the server is ready', async () => {
        expect(running.exitCode).toBeNull();
        return await fetch(`http://127.0.0.1:${port}/ready`).then(
          (response) => response.ok,
          () => false,
        );
      });
      expect(await inTree(['ready'], settings).exited).toBe(0);
    } finally {
      // Once the child runs as another user, the kernel ignores --kill-child. So the signal is sent to the
      // server itself, as a container engine does.
      process.kill(
        Number(await Bun.file(`/proc/${running.pid}/task/${running.pid}/children`).text()),
        'SIGTERM',
      );
    }
    expect(await running.exited).toBe(0);
  },
  120_000,
);

test('the Dockerfile copies what the build needs, and the image runs as another user from its one volume', async () => {
  const root = join(import.meta.dir, '../..');
  const dockerfile = await Bun.file(join(root, 'Dockerfile')).text();
  const manifest = (await Bun.file(join(root, 'package.json')).json()) as { engines: { bun: string } };
  expect(dockerfile).toContain(`FROM oven/bun:${manifest.engines.bun.replace('>=', '')}-slim AS build`);
  const ignored = await Bun.file(join(root, '.dockerignore')).text();
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
    match[1]!.split(' '),
  );
  for (const name of copied) {
    expect(existsSync(join(root, name))).toBe(true);
    expect(ignored).toContain(`!${name}\n`);
  }
  expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  const compose = Bun.YAML.parse(await Bun.file(join(root, 'compose.yaml')).text()) as {
    readonly services: { readonly overround: Readonly<Record<string, unknown>> };
  };
  expect(compose.services.overround).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    volumes: ['data:/data'],
  });
  const known = new Set(settingList({}).map(({ name }) => name));
  for (const name of Object.keys(compose.services.overround.environment as object))
    expect(known).toContain(name);
});

// On Debian, the package systemd.
test.skipIf(Bun.which('systemd-analyze') === null)(
  'the systemd unit is confined, and allows the server what it has to do',
  async () => {
    const unit = join(import.meta.dir, '../../ops/overround.service');
    const { stdout } = Bun.spawnSync(['systemd-analyze', 'security', '--offline=yes', '--no-pager', unit]);
    const exposure = /Overall exposure level for overround\.service: ([\d.]+)/.exec(stdout.toString())?.[1];
    expect(Number(exposure)).toBeLessThan(2.5);
    const text = await Bun.file(unit).text();
    expect(text).not.toMatch(/^MemoryDenyWriteExecute/m);
    // Without sched_setattr, polls would wait for the other threads. A later entry of SystemCallFilter
    // overrides an earlier one.
    expect(text).toMatch(/^SystemCallFilter=~.*@resources[\s\S]*^SystemCallFilter=sched_setattr$/m);
    const { stopDrainMs } = loadConfig({});
    const stopS = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]);
    expect(stopS * 1_000).toBeGreaterThan(stopDrainMs + HTTP_STOP_GRACE_MS + 5_000);
    const descriptors = Number(/^LimitNOFILE=(\d+)$/m.exec(text)?.[1]);
    expect(descriptors).toBeGreaterThanOrEqual(DESCRIPTORS_WANTED);
  },
);
