import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/storage/database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS t (x INTEGER); CREATE INDEX IF NOT EXISTS ti ON t (x)';

function open(path: string, create = true): Database {
  return openDatabase({ path, schemas: [SCHEMA], create });
}

describe('openDatabase', () => {
  test('openDatabase creates a missing file with its folder, in WAL mode, and opens it again with its rows', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'new', 'deep', 'o.sqlite');
    expect(() => open(path, false)).toThrow('does not exist');
    const first = open(path);
    first.run('INSERT INTO t VALUES (7)');
    expect(first.query('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    first.close();
    const second = open(path, false);
    expect(second.query('SELECT x FROM t').all()).toEqual([{ x: 7 }]);
    second.close();
    expect(readdirSync(join(folder.path, 'new', 'deep'))).toEqual(['o.sqlite']);
  });

  test('openDatabase refuses an empty, foreign, newer or damaged file and a text file, names the file, and changes none of them', () => {
    using folder = temporaryFolder();
    const cases: [string, string, (path: string) => void][] = [
      ['empty', 'is empty', (path) => writeFileSync(path, '')],
      ['text', 'is not a SQLite file', (path) => writeFileSync(path, 'no database at all\n'.repeat(99))],
      ['foreign', 'belongs to another program', (path) => makeForeign(path)],
      ['newer', 'schema version 99', (path) => makeNewer(path)],
      ['damaged', 'is damaged', (path) => makeDamaged(path)],
    ];
    for (const [name, message, make] of cases) {
      const path = join(folder.path, `${name}.sqlite`);
      make(path);
      const before = readFileSync(path);
      expect(() => open(path)).toThrow(message);
      expect(() => open(path)).toThrow(path);
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  test('if many processes create a file at the same time, all of them open the same file', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'o.sqlite');
    const script = `
      const { openDatabase } = await import(${JSON.stringify(join(import.meta.dir, '../../src/storage/database.ts'))});
      const database = openDatabase({ path: ${JSON.stringify(path)}, schemas: [${JSON.stringify(SCHEMA)}], create: true, busyTimeoutMs: 5000 });
      database.run('INSERT INTO t VALUES (1)');
      database.close();`;
    const children = Array.from({ length: 6 }, () => Bun.spawn([process.execPath, '-e', script]));
    expect(await Promise.all(children.map((child) => child.exited))).toEqual(new Array(6).fill(0));
    const database = open(path, false);
    expect(database.query('SELECT count(*) AS n FROM t').get()).toEqual({ n: 6 });
    database.close();
  });

  test('while another process writes, openDatabase waits longer than a running server does', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'o.sqlite');
    const writer = open(path);
    writer.run('BEGIN IMMEDIATE');
    const script = `
      const { openDatabase } = await import(${JSON.stringify(join(import.meta.dir, '../../src/storage/database.ts'))});
      console.log('opening');
      const database = openDatabase({ path: ${JSON.stringify(path)}, schemas: [${JSON.stringify(SCHEMA)}], create: false });
      console.log(database.query('PRAGMA busy_timeout').get().timeout);`;
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'pipe' });
    const reader = child.stdout.getReader();
    let output = new TextDecoder().decode((await reader.read()).value);
    expect(output).toBe('opening\n');
    const ended = await Promise.race([child.exited, Bun.sleep(1_000).then(() => 'still waits')]);
    expect(ended).toBe('still waits');
    writer.run('COMMIT');
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      output += new TextDecoder().decode(read.value);
    }
    expect([await child.exited, output]).toEqual([0, 'opening\n250\n']);
    writer.close();
  });
});

function makeForeign(path: string): void {
  const database = new Database(path);
  database.run('CREATE TABLE theirs (x)');
  database.close();
}

function makeNewer(path: string): void {
  open(path).close();
  const database = new Database(path);
  database.run('PRAGMA user_version = 99');
  database.close();
}

/** Overwrites a page in the middle of the file, after the header that identifies its program. */
function makeDamaged(path: string): void {
  const database = open(path);
  for (let row = 0; row < 3_000; row++) database.run('INSERT INTO t VALUES (?)', [row]);
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = readFileSync(path);
  bytes.fill(0xa5, Math.floor(statSync(path).size / 2), Math.floor(statSync(path).size / 2) + 4_096);
  writeFileSync(path, bytes);
}

test('a read-only connection refuses writes', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'o.sqlite');
  open(path).close();
  using database = openDatabase({ path, schemas: [], create: false, readsOnly: true });
  expect(() => database.run('DELETE FROM t')).toThrow('readonly');
});
