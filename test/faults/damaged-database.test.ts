// A damaged database file: as a whole, in a table's statement, or in a row. An error or the log names the
// damage, and no start replaces the file.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { createKeys } from '../support/callers.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { runService } from '../support/running-service.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';

const SMALL = { SIMULATOR_FOOTBALL_FIXTURES: '3', SIMULATOR_BASKETBALL_FIXTURES: '1' };

test('a dropped table is not created again: the start is refused and names it', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, DATABASE_NAME);
  const schemas = [
    'CREATE TABLE IF NOT EXISTS people (name TEXT)',
    'CREATE TABLE IF NOT EXISTS pets (name TEXT)',
  ];
  const database = openDatabase({ path, schemas, create: true });
  database.run('DROP TABLE people');
  database.close();
  expect(() => openDatabase({ path, schemas, create: true })).toThrow('has lost the table people');
  expect(() => openDatabase({ path, schemas, create: true })).toThrow('restore the file from a backup');
});

describe('a damaged database', () => {
  const open = (path: string): Database => openDatabase({ path, schemas: [], create: true, setsAside: true });
  const whole = (path: string): Buffer => {
    const schemas = ['CREATE TABLE IF NOT EXISTS people (name TEXT)'];
    openDatabase({ path, schemas, create: true }).close();
    return readFileSync(path);
  };

  test.each([
    ['the header is gone', (bytes: Buffer) => bytes.fill(0, 0, 100), 'is not a SQLite file'],
    ['pages are overwritten', (bytes: Buffer) => bytes.fill(0xa5, 4_096), 'is damaged'],
    ['it is cut', (bytes: Buffer) => bytes.subarray(0, 8_192), 'is damaged'],
    ['it is empty', (bytes: Buffer) => bytes.subarray(0, 0), 'is empty'],
  ])('is named in the error and renamed: %s', (_, damage, finding) => {
    using folder = temporaryFolder();
    const path = join(folder.path, DATABASE_NAME);
    const damaged = Buffer.from(damage(whole(path)));
    writeFileSync(path, damaged);
    expect(() => open(path)).toThrow(`'${path}' ${finding}`);
    expect(readFileSync(`${path}.damaged-1`).equals(damaged)).toBe(true);
    expect(() => open(path)).toThrow('put a backup at');
  });

  test('a damaged database is named in the error of a start, which renames the file with its -wal; no later start makes another file in its place', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, DATABASE_NAME);
    writeFileSync(path, whole(path).fill(0xa5, 4_096));
    const settings = { ...SMALL, DATA_DIR: folder.path };
    await using first = new ServerProcess(settings);
    expect(await first.exited()).toBe(1);
    expect(first.log).toContain(`'${path}' is damaged`);
    expect(first.log).toContain(`It was renamed to '${path}.damaged-1'`);
    // This is what a kill between the two renames leaves.
    writeFileSync(`${path}-wal`, 'commits of the damaged file');
    await using second = new ServerProcess(settings);
    expect(await second.exited()).toBe(1);
    expect(second.log).toContain(`was damaged and renamed to '${path}.damaged-1'; put a backup at '${path}'`);
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(readFileSync(`${path}.damaged-1-wal`, 'utf8')).toBe('commits of the damaged file');
  });

  test('a damaged database prevents the command line from creating keys; a start succeeds once the file was moved away or replaced by a backup', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, DATABASE_NAME);
    writeFileSync(path, '');
    expect(() => open(path)).toThrow(`'${path}' is empty. It was renamed to '${path}.damaged-1'`);
    const keys = Bun.spawnSync(
      [process.execPath, PROGRAM_PATH, 'keys', 'create', '--tier', 'free', '--create'],
      { cwd: join(import.meta.dir, '../..'), env: { ...childEnvironment(), DATA_DIR: folder.path } },
    );
    expect([keys.exitCode, keys.stderr.toString()]).toEqual([1, expect.stringContaining('put a backup at')]);
    rmSync(`${path}.damaged-1`);
    open(path).close();
    writeFileSync(`${path}.damaged-1`, 'somebody keeps it');
    open(path).close();
    writeFileSync(path, '');
    expect(() => open(path)).toThrow(`'${path}.damaged-2'`);
  });
});

describe('a row that changed on the disk', () => {
  test('a key whose tier flipped works for nobody, is 503 and retriable, and the next start names its table', async () => {
    using folder = temporaryFolder();
    const settings = { ...SMALL, DATA_DIR: folder.path };
    const [free] = await createKeys(folder.path, 'free', 1);
    const path = join(folder.path, DATABASE_NAME);
    {
      await using service = await runService(settings);
      const poll = (): Promise<Response> =>
        fetch(`${service.url}/v1/events`, { headers: { authorization: `Bearer ${free}` } });
      expect((await poll()).status).toBe(200);
      using other = new Database(path);
      other.run(`UPDATE api_keys SET tier = 'enterprise' WHERE tier = 'free'`);
      await until('the change is seen', async () => (await poll()).status === 503);
      expect(await (await poll()).json()).toMatchObject({
        error: { code: 'upstream_unavailable', is_retriable: true },
      });
      await service.get('/v1/events');
    }
    await using again = new ServerProcess(settings);
    const url = await again.serving();
    expect(again.log).toMatch(/database_row_damaged.*api_keys/);
    const refused = await fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${free}` } });
    expect(refused.status).toBe(503);
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'degraded' });
    expect(await (await fetch(`${url}/ready`)).json()).toMatchObject({
      database: { damaged_rows: 1, damaged_indexes: 0 },
    });
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'overround_database_damaged{kind="row"} 1\n',
    );
  });

  test('a trigger that misses revocations counts as damage of the file, and the start is refused', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, DATABASE_NAME);
    const schemas = [KEYS_SCHEMA];
    openDatabase({ path, schemas, create: true }).close();
    const other = new Database(path);
    other.run('DROP TRIGGER api_keys_changed');
    other.run(
      'CREATE TRIGGER api_keys_changed AFTER UPDATE OF label ON api_keys BEGIN UPDATE key_epoch SET value = 0; END',
    );
    other.close();
    expect(() => openDatabase({ path, schemas, create: true })).toThrow(
      'the statements of its tables or its version are not as they were written',
    );
  });
});
