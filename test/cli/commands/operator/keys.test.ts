import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWellFormedKey } from '../../../../src/accounts/credentials/secrets.ts';
import { START_MS } from '../../../accounts/support.ts';
import { runCommand } from '../../../support/command-line.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../../../support/test-program.ts';

const CLOCK = { wallMs: () => START_MS, monotonicMs: () => 0 };
const run = (folder: string, ...words: string[]) =>
  runCommand(['keys', ...words], { DATA_DIR: folder }, CLOCK);

async function list(folder: string): Promise<Record<string, unknown>[]> {
  const { code, output } = await run(folder, 'list');
  expect(code).toBe(0);
  return output.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('bun run keys', () => {
  test('keys create prints only the key; list, rotate and revoke work with it', async () => {
    using folder = temporaryFolder();
    const made = await run(folder.path, 'create', '--create', '--tier', 'realtime', '--label', 'ops team');
    expect([made.code, made.output.length]).toEqual([0, 1]);
    const key = made.output[0] ?? '';
    expect(isWellFormedKey(key)).toBe(true);
    const [row] = await list(folder.path);
    expect(row).toMatchObject({
      label: 'ops team',
      tier: 'realtime',
      last4: key.slice(-4),
      status: 'active',
    });
    const keyId = String(row?.key_id);
    const rotated = await run(folder.path, 'rotate', keyId);
    expect([rotated.code, rotated.output.length]).toEqual([0, 1]);
    expect(isWellFormedKey(rotated.output[0] ?? '')).toBe(true);
    expect(rotated.output[0]).not.toBe(key);
    expect(await run(folder.path, 'revoke', keyId)).toMatchObject({ code: 0, output: [] });
    expect((await list(folder.path))[0]).toMatchObject({ key_id: keyId, status: 'revoked' });
    expect((await run(folder.path, 'rotate', keyId)).code).toBe(1);
    expect((await run(folder.path, 'revoke', 'key_none')).code).toBe(1);
    expect(JSON.stringify(await list(folder.path))).not.toContain(key);
  });

  test('keys create binds a key to an expiry and to addresses, and refuses invalid ones', async () => {
    using folder = temporaryFolder();
    const create = (...flags: string[]) =>
      run(folder.path, 'create', '--create', '--tier', 'standard', ...flags);
    const bounds = [
      '--expires-at',
      '2027-01-01T00:00:00Z',
      '--allowed-addresses',
      '192.0.2.7, 2001:db8::/32',
    ];
    expect((await create(...bounds)).code).toBe(0);
    expect((await list(folder.path))[0]).toMatchObject({
      expires_at: '2027-01-01T00:00:00.000Z',
      allowed_addresses: ['192.0.2.7', '2001:db8::/32'],
    });
    for (const wrong of [
      ['--expires-at', 'tomorrow'],
      ['--expires-at', '2020-01-01T00:00:00Z'],
      ['--allowed-addresses', '192.0.2.300'],
      ['--allowed-addresses', '192.0.2.1/33'],
    ]) {
      expect([wrong, (await create(...wrong)).code]).toEqual([wrong, 1]);
    }
    expect(await list(folder.path)).toHaveLength(1);
  });

  test('keys create names the folder it wrote to; every command refuses a folder that no server has used', async () => {
    using folder = temporaryFolder();
    for (const argv of [['list'], ['create', '--tier', 'free'], ['revoke', 'key_x'], ['rotate', 'key_x']]) {
      const { code, output, errors } = await run(folder.path, ...argv);
      expect([code, output]).toEqual([1, []]);
      expect(errors.join()).toContain(`Cannot use ${folder.path}: no server has used this data folder`);
    }
    expect(readdirSync(folder.path)).toEqual([]);
    const made = await run(folder.path, 'create', '--tier', 'free', '--create');
    expect([made.code, made.errors.join().includes(folder.path)]).toEqual([0, true]);
    expect((await run(folder.path, 'create', '--tier', 'free')).code).toBe(0);
  });

  test('an unknown flag is refused, the refusal names the nearest flag, and --help lists all flags', async () => {
    using folder = temporaryFolder();
    const { code, errors } = await run(folder.path, 'create', '--teir', 'free');
    expect([code, errors[0]]).toEqual([2, 'Cannot use --teir: there is no such flag, the nearest is --tier']);
    const help = await run(folder.path, 'create', '--help');
    expect([help.code, help.errors]).toEqual([0, []]);
    for (const word of ['--tier', '--label', '--create', '--data-dir'])
      expect(help.output[0]).toContain(word);
    const group = await run(folder.path, '--help');
    for (const word of ['keys create', 'keys list', 'keys revoke', 'keys rotate']) {
      expect(group.output[0]).toContain(word);
    }
    const mistyped = await run(folder.path, 'lst');
    expect([mistyped.code, mistyped.errors[0]]).toEqual([
      2,
      "Cannot run 'keys lst': there is no such command, the nearest is 'keys list'",
    ]);
  });

  test('a command that is not understood prints the usage, changes nothing and exits with 2', async () => {
    using folder = temporaryFolder();
    for (const argv of [
      [],
      ['create'],
      ['creat'],
      ['list', 'x'],
      ['revoke'],
      ['rotate', '-x'],
      ['revoke', 'a', 'b'],
    ]) {
      const { code, output, errors } = await run(folder.path, ...argv);
      expect([code, output]).toEqual([2, []]);
      expect(errors.join()).toContain('Usage');
    }
    const twice = ['create', '--tier', 'free', '--tier', 'free'];
    for (const argv of [
      twice,
      ['create', '--tier'],
      ['create', '--label', 'x'],
      ['create', '--teir', 'free'],
    ]) {
      expect((await run(folder.path, ...argv)).code).toBe(2);
    }
    const { code, errors } = await run(folder.path, 'create', '--tier', 'gold');
    expect([code, errors.join().includes('free, standard, realtime, enterprise')]).toEqual([1, true]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('run as a command: standard output is only the key, and the file is in DATA_DIR', async () => {
    using folder = temporaryFolder();
    const command = Bun.spawnSync(
      [process.execPath, PROGRAM_PATH, 'keys', 'create', '--create', '--tier', 'free', '--label', 'l'],
      {
        cwd: join(import.meta.dir, '../../../..'),
        env: { ...process.env, DATA_DIR: join(folder.path, 'data') },
      },
    );
    expect(command.exitCode).toBe(0);
    expect(command.stdout.toString()).toMatch(/^isk_[0-9A-Za-z]{32}\n$/);
    expect(existsSync(join(folder.path, 'data', 'overround.sqlite'))).toBe(true);
  });
});
