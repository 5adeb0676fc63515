// Every shell block of the documents is run as printed and in the order of the page, in a fresh copy of the
// project with an empty data folder, against the one server that the README starts. Two things differ from
// the page: the port, and npx. A substitute for npx, first on PATH, runs this test's Bun and the copy of the
// project instead of downloading.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { $ } from 'bun';
import { childEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { freePort } from '../support/free-port.ts';
import { type ShellBlock, shellBlocksOf } from '../support/shell-blocks.ts';
import { SMALL_SLATE } from '../support/small-slate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';

const ROOT = join(import.meta.dir, '../..');
const PAGES = [
  'README.md',
  ...['CONTRIBUTING.md', '{docs,clients,examples,skills}/**/*.md']
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)])
    .filter((path) => !path.includes('node_modules'))
    .sort(),
];
const BLOCKS = (
  await Promise.all(PAGES.map(async (page) => shellBlocksOf(page, await Bun.file(join(ROOT, page)).text())))
).flat();
const RUN_PAGES = PAGES.filter((page) => BLOCKS.some((block) => block.page === page && block.how === 'run'));
const NPX = `#!/bin/sh
[ "$1 $2" = "-y overround" ] && { shift 2; exec overround "$@"; }
[ "$1 $2" = "-y bun@${Bun.version}" ] || { echo "npx of something else: $*" >&2; exit 9; }
shift 2
exec bun "$@"
`;
/** If the commands of a page take longer, they wait for something that will not happen. */
const PAGE_MS = 60_000;

const folder = temporaryFolder();
const clone = join(folder.path, 'overround');
const port = freePort();
const url = `http://127.0.0.1:${port}`;
const serverLog = join(folder.path, 'server.log');
const background: Bun.Subprocess[] = [];

function environment(): Record<string, string> {
  const path = [join(folder.path, 'bin'), dirname(process.execPath), process.env.PATH ?? ''].join(delimiter);
  // HOME is set only for the package cache, so that the copy installs packages that this machine has. The
  // type checker runs once on little code, so threads and garbage collection would only cost time.
  return {
    ...childEnvironment(),
    ...SMALL_SLATE,
    ...{ PATH: path, HOME: process.env.HOME ?? folder.path, PORT: String(port), LOG_LEVEL: 'warn' },
    ...{ GOGC: 'off', GOMAXPROCS: '1' },
  };
}

function optionsOf(script: string) {
  return {
    cmd: ['sh', '-eu', '-c', script.replaceAll('http://127.0.0.1:3000', url)],
    cwd: clone,
    env: environment(),
    stdin: 'ignore' as const,
  };
}

beforeAll(async () => {
  mkdirSync(join(folder.path, 'bin'));
  writeFileSync(join(folder.path, 'bin/npx'), NPX);
  chmodSync(join(folder.path, 'bin/npx'), 0o755);
  // As after the installation in docs/guide/operations.md, the installed program is a bundle.
  const program = resolve(clone, PROGRAM_PATH);
  writeFileSync(join(folder.path, 'bin/overround'), `#!/bin/sh\nexec bun "${program}" "$@"\n`);
  chmodSync(join(folder.path, 'bin/overround'), 0o755);
  mkdirSync(clone);
  await $`git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t ${clone}`.cwd(ROOT).quiet();
  const log = openSync(serverLog, 'w');
  for (const { text } of BLOCKS.filter(({ how }) => how === 'left running')) {
    const options = optionsOf(text);
    // The server runs as long as the file, and no block needs prices that move fast.
    const env = { ...options.env, SIMULATOR_RATE: '1' };
    // The block runs in its own process group, so that the final signal also reaches the processes that npx
    // and Bun started.
    background.push(Bun.spawn({ ...options, env, stdout: log, stderr: log, detached: true }));
  }
  await until('the server of the README is ready', async () => {
    if (background.some(({ exitCode }) => exitCode !== null)) {
      throw new Error(`The server of the README ended: ${readFileSync(serverLog, 'utf8')}`);
    }
    return await fetch(`${url}/ready`).then(
      (response) => response.ok,
      () => false,
    );
  });
}, 120_000);

afterAll(async () => {
  for (const { pid, exited } of background) {
    process.kill(-pid, 'SIGTERM');
    await exited;
  }
  folder[Symbol.dispose]();
});

test('README has at most 80 lines, and starts the server', async () => {
  expect((await Bun.file(join(ROOT, 'README.md')).text()).trimEnd().split('\n').length).toBeLessThanOrEqual(
    80,
  );
  expect(BLOCKS.filter(({ how }) => how === 'left running').map(({ page }) => page)).toEqual(['README.md']);
});

describe('the shell blocks of a page run as printed, one after another in one shell', () => {
  test.each(RUN_PAGES)(
    '%s',
    async (page) => {
      const blocks = BLOCKS.filter((block) => block.page === page && block.how === 'run');
      const script = blocks.map(({ text, line }) => `echo '>> line ${line}'\n${text}`).join('\n');
      const child = Bun.spawn({ ...optionsOf(script), stdout: 'pipe', stderr: 'pipe', timeout: PAGE_MS });
      const [output, errors, code] = await Promise.all([
        child.stdout.text(),
        child.stderr.text(),
        child.exited,
      ]);
      const last = output.slice(output.lastIndexOf('>> line'));
      expect({ page, code, errors: code === 0 ? '' : errors, last: code === 0 ? '' : last }).toEqual({
        page,
        code: 0,
        errors: '',
        last: '',
      });
      expect(output).not.toContain('"error":{');
      if (page === 'README.md') expect(output).toContain('"market_type":"1x2"');
      // The lines that `LINES=10 bun examples/replayed-match.ts` prints.
      if (page === 'examples/README.md') {
        const lines = output.match(/^.* {2}.+ (?:\d:\d|-) .+ {2}(?:home \d|suspended).*$/gm);
        expect(lines).toHaveLength(10);
      }
    },
    PAGE_MS,
  );
});

test.each(
  BLOCKS.filter(({ how }) => how !== 'run').map((block): [string, ShellBlock] => [
    `${block.page}:${block.line}`,
    block,
  ]),
)('%s has valid shell syntax', (_, { text }) => {
  const { exitCode, stderr } = Bun.spawnSync(['sh', '-n', '-c', text]);
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
});

test('a marker without a reason, and a shell block that is not marked sh, are refused', () => {
  expect(() => shellBlocksOf('a.md', 'x\n<!-- skip -->\n```sh\nls\n```\n')).toThrow(
    'a.md:2: a marker is "not run: <why>"',
  );
  expect(() => shellBlocksOf('a.md', '```bash\nls\n```\n')).toThrow('fence it as sh, not bash');
  expect(
    shellBlocksOf('a.md', '<!-- not run: needs docker -->\n```sh\nls\n```\n\n```sh\npwd\n```\n'),
  ).toEqual([
    { page: 'a.md', line: 1, text: 'ls\n', how: 'not run' },
    { page: 'a.md', line: 6, text: 'pwd\n', how: 'run' },
  ]);
});
