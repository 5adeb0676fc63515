// The command line as a user types it: help, refusals that name the nearest word, and the output of a start.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { childEnvironment } from '../support/child-environment.ts';
import { listOf } from '../support/list-of.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';
import { runForText } from './text-run.ts';

const ROOT = join(import.meta.dir, '../..');

/** Runs a command in a process of its own, to its end. */
function started(words: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, PROGRAM_PATH, ...words], {
    cwd: ROOT,
    env: { ...childEnvironment(), HOME: '/' },
    timeout: 20_000,
  });
  return { code: exitCode, output: stdout.toString(), errors: stderr.toString() };
}

test('--help lists every command, and each has its own help', async () => {
  const { code, output, errors } = started(['--help']);
  expect([code, errors]).toEqual([0, '']);
  for (const name of listOf(`
    start, feed serve, record, import football-data, import the-odds-api, import betfair-history
    history, history export, history replay, keys create, keys list, keys revoke, keys rotate, mcp
    bench
  `)) {
    expect(output).toContain(`\n  ${name} `);
    const own = await runForText([...name.split(' '), '--help']);
    expect([own.code, own.output.includes(`Usage: overround ${name}`)]).toEqual([0, true]);
  }
});

test('help also works as a word, and --version prints the version', async () => {
  for (const [one, other] of [
    [['help'], ['--help']],
    [
      ['help', 'keys', 'create'],
      ['keys', 'create', '--help'],
    ],
    [
      ['keys', 'help'],
      ['keys', '--help'],
    ],
  ] as const) {
    expect(await runForText(one)).toEqual(await runForText(other));
  }
  expect(started(['--version']).output).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  [[], 'no command is given'],
  [['strat'], "there is no such command, the nearest is 'start'"],
  [['strat', '--port', '1'], "Cannot run 'strat': there is no such command, the nearest is 'start'"],
  [['kyes', 'list'], "Cannot run 'kyes list': there is no such command, the nearest is 'keys list'"],
  [['kyes'], "Cannot run 'kyes': there is no such command, the nearest is 'keys'"],
  [['keys', 'crate'], "Cannot run 'keys crate': there is no such command, the nearest is 'keys create'"],
  [['import', 'nothing'], "Cannot run 'import nothing': there is no such command, the nearest is 'import "],
  [['keys'], "Cannot run 'keys': it takes a second word, as in 'keys create', 'keys list'"],
  [['import'], "Cannot run 'import': it takes a second word, as in 'import football-data'"],
  [['start', '--prot', '1'], 'there is no such flag, the nearest is --port'],
  [['start', '--port'], "'--port <value>' argument missing"],
  [['start', 'now'], "'now': it is one argument too many"],
  [['bench', '--smok'], 'the nearest is --smoke'],
  [['backtest', 'day.ndjson', '--reference', 'sharp,crown'], 'name only one'],
  [['backtest', 'day.ndjson', '--min-edge', '5', '--max-edge', '2'], 'no edge is between them'],
  [['mcp', '--verbose'], 'this command takes no flags'],
] as const)('the words %j are refused with exit code 2', async (words, problem) => {
  const { code, output, errors } = await runForText(words);
  expect([code, output]).toEqual([2, '']);
  expect(errors).toContain(problem);
});

test('a refused command prints to standard error alone, and its process exits with 2', () => {
  expect(started(['strat'])).toEqual({
    code: 2,
    output: '',
    errors: expect.stringContaining("the nearest is 'start'"),
  });
});

test.each([
  [{ FEEDS: 'x' }, 'Cannot start: there is no setting FEEDS, the nearest is FEED'],
  [{ HTTP_THREAD: '2' }, 'the nearest is HTTP_THREADS'],
  [{ PROT: '2' }, 'the nearest is PORT'],
  [{ SMTP_ULR: 'smtp://user:secret@mail' }, 'the nearest is SMTP_URL'],
  [{ FEED: 'replay:/nowhere/day.ndjson' }, 'the recording /nowhere/day.ndjson, and that file is missing'],
] as const)('a start with %j is refused', async (environment, problem) => {
  using folder = temporaryFolder();
  const { code, errors } = await runForText(['start'], { DATA_DIR: folder.path, PORT: '0', ...environment });
  expect(code).toBe(1);
  expect(errors).toContain(problem);
  expect(errors).not.toContain('secret');
});

test('a start prints its address, its folder and its key; later starts mask the key', async () => {
  using folder = temporaryFolder();
  const settings = {
    DATA_DIR: folder.path,
    SIMULATOR_FOOTBALL_FIXTURES: '5',
    SIMULATOR_BASKETBALL_FIXTURES: '2',
  };
  const first = new ServerProcess(settings);
  await first.serving();
  const [, key] = await first.logged(/key="(isk_\w{32})"/);
  expect(first.log).toContain(`data_dir="${folder.path}"`);
  expect(first.log).toContain('another="bun run overround keys create --tier standard"');
  expect(await first.end()).toBe(0);
  const second = new ServerProcess(settings);
  await second.serving();
  await second.logged(new RegExp(`keys active=1 newest="isk_…${key!.slice(-4)}" tier="enterprise"`));
  expect(second.log).not.toContain(key!);
  expect(await second.end()).toBe(0);
}, 120_000);
