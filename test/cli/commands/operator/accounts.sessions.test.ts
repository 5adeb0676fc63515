// The operator ends sessions of accounts, while a service has the same data folder open.

import { expect, test } from 'bun:test';
import { AccountsBench, failureOf, PASSWORD, START_MS } from '../../../accounts/support.ts';
import { runCommand } from '../../../support/command-line.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const HOME = '192.0.2.1';

function end(folder: string, ...words: string[]): Promise<{ code: number; text: string }> {
  return run(folder, 'end', ...words);
}

async function run(folder: string, ...words: string[]): Promise<{ code: number; text: string }> {
  const clock = { wallMs: () => START_MS, monotonicMs: () => 0 };
  const { code, lines } = await runCommand(['sessions', ...words], { DATA_DIR: folder }, clock);
  return { code, text: lines.join('\n') };
}

test('sessions end ends the sessions of one account or of all, and refuses arguments that name neither', async () => {
  using bench = new AccountsBench();
  const service = await bench.service();
  const folder = bench.folder.path;
  const [ana, bo] = ['ana@example.com', 'bo@example.com'];
  await bench.signIn(service, ana);
  await bench.signIn(service, bo);
  const logIn = async (email: string): Promise<string> =>
    (await service.login({ email, password: PASSWORD }, HOME)).session_token;
  const isLive = async (token: string): Promise<boolean> => (await failureOf(bench.bearer(token))) === 'none';
  const [ofAna, ofBo] = [await logIn(ana), await logIn(bo)];

  for (const words of [[], [ana, '--all'], [ana, bo], ['--al']]) {
    expect([words, (await end(folder, ...words)).code]).toEqual([words, 2]);
  }
  for (const words of [['nobody@example.com'], ['no address']]) {
    expect([words, (await end(folder, ...words)).code]).toEqual([words, 1]);
  }
  expect([await isLive(ofAna), await isLive(ofBo)]).toEqual([true, true]);

  expect(await end(folder, ' Ana@Example.com')).toEqual({
    code: 0,
    text: `Ended 2 sessions of ${ana} in ${folder}`,
  });
  expect([await isLive(ofAna), await isLive(ofBo)]).toEqual([false, true]);
  const again = await logIn(ana);
  expect(await end(folder, '--all')).toEqual({
    code: 0,
    text: `Ended 3 sessions of all accounts in ${folder}`,
  });
  expect([await isLive(again), await isLive(ofBo)]).toEqual([false, false]);
  expect(await isLive(await logIn(ana))).toBe(true);
});

test('sessions list shows clients and last uses, but no token', async () => {
  using bench = new AccountsBench();
  const service = await bench.service();
  const folder = bench.folder.path;
  await bench.signIn(service, 'ana@example.com');
  bench.nowMs += 1_000;
  const body = { email: 'ana@example.com', password: PASSWORD };
  await service.login(body, HOME, { clientName: 'Firefox on Linux' });
  const { code, text } = await run(folder, 'list', 'Ana@example.com');
  const lines = text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  expect([code, lines.map((line) => line.client)]).toEqual([0, ['Firefox on Linux', null]]);
  expect(Object.keys(lines[0]!)).toEqual(['client', 'created_at', 'last_used_at', 'expires_at']);
  expect((await run(folder, 'list', 'nobody@example.com')).code).toBe(1);
  expect((await run(folder, 'list')).code).toBe(2);
});

test('a folder that no server has used is refused and not touched', async () => {
  using folder = temporaryFolder();
  const { code, text } = await end(folder.path, '--all');
  expect([code, text.includes(`Cannot use ${folder.path}: no server has used`)]).toEqual([1, true]);
});
