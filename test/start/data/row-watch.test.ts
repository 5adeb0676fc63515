// The watch over rows counts the rows that are damaged now, without those that were repaired, and notices if
// the file is gone.

import { expect, test } from 'bun:test';
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { KEYS_SCHEMA } from '../../../src/accounts/schema.ts';
import { systemClock } from '../../../src/clock.ts';
import { createLog } from '../../../src/log.ts';
import { type Damage, rowChecks } from '../../../src/start/data/row-watch.ts';
import { inTransaction, isFileGone, openDatabase } from '../../../src/storage/database.ts';
import { insertRow, RowCheck } from '../../../src/storage/row-checksums.ts';
import { StorageError } from '../../../src/storage/storage-errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a damaged row counts until it is repaired, and a row that several checks find is reported once', () => {
  using folder = temporaryFolder();
  const path = `${folder.path}/a.sqlite`;
  const database = openDatabase({ path, schemas: [KEYS_SCHEMA], create: true });
  // There are so many rows that one check does not read all of them.
  for (let number = 0; number < 600; number++) {
    insertRow(database, 'accounts', {
      ...{ id: `acc_${number}`, email: `${number}@example.com`, password_hash: 'x', plan: 'free' },
      created_at_ms: 1,
    });
  }
  const lines: string[] = [];
  const log = createLog({
    clock: systemClock,
    json: true,
    level: 'error',
    write: (line) => lines.push(line),
  });
  let last: Damage = { rows: -1, indexes: -1 };
  const check = rowChecks({
    ...{ check: new RowCheck(database), isGone: () => isFileGone(database), findings: ['an index'], log },
    onCheck: (damage) => {
      last = damage;
    },
  });
  const checkAll = (): Damage => {
    while (!check());
    return last;
  };
  expect(checkAll()).toEqual({ rows: 0, indexes: 1 });
  const setPlan = database.query('UPDATE accounts SET plan = ?2 WHERE id = ?1');
  setPlan.run('acc_3', 'enterprise');
  setPlan.run('acc_550', 'enterprise');
  check();
  expect(last.rows).toBe(1);
  expect(checkAll().rows).toBe(2);
  setPlan.run('acc_3', 'free');
  check();
  expect(last.rows).toBe(2);
  expect(checkAll().rows).toBe(1);
  setPlan.run('acc_550', 'free');
  checkAll();
  expect(checkAll().rows).toBe(0);
  expect(lines).toHaveLength(2);
  // The file is moved away, put back, and replaced by a copy.
  renameSync(path, `${path}.away`);
  expect(checkAll().rows).toBe(1);
  renameSync(`${path}.away`, path);
  expect(checkAll().rows).toBe(0);
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
  expect(checkAll().rows).toBe(1);
  expect(checkAll().rows).toBe(1);
  expect(lines.slice(2).map((line) => line.includes('database_file_gone'))).toEqual([true, true]);
  database.close();
});

test('a write to a file that is gone is refused and changes nothing; writes work again when the file is back', () => {
  using folder = temporaryFolder();
  const path = `${folder.path}/a.sqlite`;
  const database = openDatabase({
    path,
    schemas: ['CREATE TABLE IF NOT EXISTS a (n INTEGER)'],
    create: true,
  });
  const add = (number: number) =>
    inTransaction(database, () => database.run('INSERT INTO a VALUES (?)', [number]));
  add(1);
  renameSync(path, `${path}.away`);
  expect(() => add(2)).toThrow('moved, deleted or replaced');
  writeFileSync(path, 'another file');
  expect(() => add(3)).toThrow(StorageError);
  rmSync(path);
  renameSync(`${path}.away`, path);
  add(4);
  expect(database.query('SELECT n FROM a').values()).toEqual([[1], [4]]);
  database.close();
});
