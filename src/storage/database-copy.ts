// Backup and restore of the SQLite file. A backup may be made while servers write to the file. Each copy is
// checked in full before it gets its final name.

import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DATABASE_NAME, openDatabase, openToRead } from './database.ts';
import { syncToDisk } from './database-files.ts';
import { SCHEMA_VERSION } from './database-schema.ts';
import { lockFile, SERVER_LOCK_NAME } from './file-lock.ts';
import { indexFindings, RowCheck } from './row-checksums.ts';

const ROWS_AT_ONCE = 500;

export interface CopyReport {
  /** Absolute path of the copy. */
  readonly path: string;
  readonly bytes: number;
  /** Row counts by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/**
 * Copies the database of a data folder into a new file: a snapshot of one instant, even while servers write.
 * The file appears under its name only after it has been checked.
 * @param schemas CREATE statements of the tables whose rows have checksums
 * @throws Error for the operator when there is no database, the target exists, or the copy is damaged
 */
export function backUp(dataDir: string, file: string, schemas: readonly string[]): CopyReport {
  const source = join(dataDir, DATABASE_NAME);
  if (!existsSync(source)) {
    throw new Error(
      `Cannot back up: there is no ${resolve(source)}; set DATA_DIR or --data-dir to the server's`,
    );
  }
  return writeCopy(file, schemas, (draft) => {
    const { database, schemaVersion } = openToRead(source);
    try {
      if (schemaVersion !== SCHEMA_VERSION) {
        throw new Error(
          `Cannot back up: ${resolve(source)} has schema version ${schemaVersion} and this release has ${SCHEMA_VERSION}; use the release that runs on this database`,
        );
      }
      // VACUUM INTO reads in one transaction and takes no lock that would block a writer.
      // https://www.sqlite.org/lang_vacuum.html#vacuuminto
      database.run('VACUUM INTO ?', [draft]);
    } finally {
      database.close();
    }
  });
}

/**
 * Copies a backup into an empty data folder. A missing folder is created.
 * @throws Error for the operator when a server runs on the folder, it is not empty, or the backup is damaged
 */
export function restore(file: string, dataDir: string, schemas: readonly string[]): CopyReport {
  if (!existsSync(file)) throw new Error(`Cannot restore: there is no file ${resolve(file)}`);
  if (existsSync(`${file}-wal`)) {
    throw new Error(
      `Cannot restore: ${resolve(file)} has a -wal file beside it, so it is the file of a server and not a backup; run overround backup on its folder`,
    );
  }
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new Error(`Cannot restore: ${whyTaken(dataDir)}`);
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return writeCopy(join(dataDir, DATABASE_NAME), schemas, (draft) => copyFileSync(file, draft));
}

function whyTaken(dataDir: string): string {
  const folder = resolve(dataDir);
  const lockPath = join(dataDir, SERVER_LOCK_NAME);
  if (existsSync(lockPath)) {
    const unlock = lockFile(lockPath);
    if (unlock === null) return `a server runs on ${folder}; stop it and move the folder away first`;
    unlock();
  }
  return `${folder} is not empty; move it away, or restore into a new folder and set DATA_DIR to it`;
}

/** Lets `make` write a draft file, checks the draft, then links it as `path`, which must not exist yet. */
function writeCopy(path: string, schemas: readonly string[], make: (draft: string) => void): CopyReport {
  if (existsSync(path)) throw new Error(`Cannot write ${resolve(path)}: it exists already`);
  const draft = `${path}.${process.pid}.draft`;
  try {
    make(draft);
    const rows = checkedRows(draft, schemas);
    for (const name of [draft, dirname(resolve(path))]) syncToDisk(name);
    linkSync(draft, path);
    syncToDisk(dirname(resolve(path)));
    return { path: resolve(path), bytes: statSync(path).size, rows };
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true });
  }
}

/**
 * Checks the whole file, and the rows and indexes of the tables whose rows have checksums.
 * @returns row counts by table
 * @throws Error for the operator that names the damage
 */
function checkedRows(path: string, schemas: readonly string[]): Record<string, number> {
  const database = openDatabase({ path, schemas, create: false });
  try {
    const findings = indexFindings(database);
    const check = new RowCheck(database);
    for (let isEnd = false; !isEnd; ) {
      const checked = check.next(ROWS_AT_ONCE);
      findings.push(...checked.damaged.map(({ table, rowNumber }) => `row ${rowNumber} of ${table}`));
      isEnd = checked.isEnd;
    }
    if (findings.length > 0) {
      throw new Error(`Cannot copy the database: it is damaged (${findings.slice(0, 5).join('; ')})`);
    }
    const tables = database
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        name,
        database.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${name}"`).get()!.count,
      ]),
    );
  } finally {
    database.close();
  }
}
