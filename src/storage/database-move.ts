// Moves all stored data from the SQLite file into Postgres, or back, in one transaction of the target. An
// interrupted copy therefore leaves nothing behind and can be started again. Before the commit, each table is
// read back from the target and compared with its source by row count and checksum.

import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { HOUR_MS } from '../clock.ts';
import { assert } from '../errors.ts';
import type { PostgresPool } from './postgres.ts';
import { tableNames } from './postgres-schema.ts';
import { postgresSql } from './postgres-sql.ts';
import { isIntact, SEALED_TABLES, sealAllRows } from './row-checksums.ts';
import type { GivenRows, SealedSql, SealedTable, Sql } from './sql.ts';

/** Rows held in memory at a time. */
const BATCH_ROWS = 2_000;
const COPY_DEADLINE_MS = HOUR_MS;
/**
 * The counter that changes when keys change. A new database already has its one row, so the row is updated,
 * not copied.
 */
const EPOCH_TABLE = 'key_epoch';

/** One copied table, equal on both sides; shown to the operator. */
export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
  /** Sum of the hashes of all rows, independent of their order; 16 hexadecimal digits. */
  readonly checksum: string;
}

type Value = string | number | null;
type Row = readonly Value[];

interface TableShape {
  readonly table: string;
  /** Column names, the same in both databases; `row_number` is SQLite's rowid. */
  readonly columns: readonly string[];
  /** The Postgres type of each column. */
  readonly types: readonly GivenRows['columns'][string][];
  /** The column that the database numbers automatically, or null when the table has no such column. */
  readonly numbered: string | null;
}

/**
 * Copies a file into a Postgres database whose tables exist and are empty.
 * @param tables CREATE statements of SQLite, referenced tables first
 * @throws Error for the operator when the target has rows, servers are connected to it, a row is damaged or
 * the copy differs
 */
export function copyToPostgres(
  file: Database,
  pool: PostgresPool,
  tables: readonly string[],
): Promise<CopiedTable[]> {
  return postgresSql(pool).transaction(async (sql) => {
    await refuseUsers(sql);
    const copied: CopiedTable[] = [];
    for (const shape of shapesOf(file, tables)) {
      await refuseRows(shape.table, await countIn(sql, shape.table));
      const read = new RowSum();
      for (const rows of rowsInFile(file, shape)) {
        read.add(rows);
        await insertInPostgres(sql, shape, rows);
      }
      const written = new RowSum();
      for await (const rows of rowsInPostgres(sql, shape)) written.add(rows);
      copied.push(sameOrThrow(shape.table, read, written));
      if (shape.numbered !== null)
        await continueNumbers(sql, shape.table, shape.numbered, numbersUsed(file, shape));
    }
    await sql.run(`UPDATE ${EPOCH_TABLE} SET value = $1 WHERE id = 1`, [epochOf(file)]);
    return copied;
  }, COPY_DEADLINE_MS);
}

/**
 * The other direction: copies Postgres into a file whose tables exist and are empty. @throws as
 * copyToPostgres
 */
export function copyToFile(
  pool: PostgresPool,
  file: Database,
  tables: readonly string[],
): Promise<CopiedTable[]> {
  return pool.transaction(async (sql) => {
    // Read all tables in one snapshot, even if something writes during the copy.
    await sql.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await refuseUsers(sql);
    file.run('BEGIN IMMEDIATE');
    try {
      const copied: CopiedTable[] = [];
      for (const shape of shapesOf(file, tables)) {
        await refuseRows(shape.table, countInFile(file, shape.table));
        const read = new RowSum();
        for await (const rows of rowsInPostgres(sql, shape)) {
          read.add(rows);
          insertInFile(file, shape, rows);
        }
        const sealed = SEALED_TABLES.find((table) => table === shape.table);
        if (sealed !== undefined) sealAllRows(file, sealed);
        const written = new RowSum();
        for (const rows of rowsInFile(file, shape)) written.add(rows);
        copied.push(sameOrThrow(shape.table, read, written));
        if (shape.numbered !== null) await keepNumbers(sql, file, shape.table, shape.numbered);
      }
      const [epoch] = await sql.rows<{ value: number }>(`SELECT value FROM ${EPOCH_TABLE} WHERE id = 1`);
      file.run(`UPDATE ${EPOCH_TABLE} SET value = ? WHERE id = 1`, [epoch?.value ?? 1]);
      file.run('COMMIT');
      return copied;
    } catch (error) {
      file.run('ROLLBACK');
      throw error;
    }
  }, COPY_DEADLINE_MS);
}

/** Counts rows and adds up their hashes; addition makes the order of rows irrelevant. */
class RowSum {
  count = 0;
  #sum = 0n;

  add(rows: readonly Row[]): void {
    this.count += rows.length;
    for (const row of rows) this.#sum = BigInt.asUintN(64, this.#sum + BigInt(Bun.hash(JSON.stringify(row))));
  }

  get checksum(): string {
    return this.#sum.toString(16).padStart(16, '0');
  }
}

function sameOrThrow(table: string, read: RowSum, written: RowSum): CopiedTable {
  if (read.count !== written.count || read.checksum !== written.checksum) {
    throw new Error(
      `Cannot migrate: ${table} has ${read.count} rows (${read.checksum}) and its copy ${written.count} (${written.checksum}); nothing was kept`,
    );
  }
  return { table, rows: read.count, checksum: read.checksum };
}

/** Refuses to copy while servers are connected: what they write during the copy would be lost. */
async function refuseUsers(sql: Sql): Promise<void> {
  const [users] = await sql.rows<{ count: number }>(
    `SELECT count(*) AS count FROM pg_stat_activity
     WHERE application_name = 'overround' AND datname = current_database() AND pid <> pg_backend_pid()`,
  );
  if ((users?.count ?? 0) > 0)
    throw new Error('Cannot migrate: servers are connected to the database; stop them first');
}

async function refuseRows(table: string, count: number): Promise<void> {
  if (count === 0) return;
  throw new Error(`Cannot migrate: the target has ${count} rows in ${table}; give it an empty one`);
}

async function countIn(sql: Sql, table: string): Promise<number> {
  const [row] = await sql.rows<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
  return row?.count ?? 0;
}

function countInFile(file: Database, table: string): number {
  return file.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0;
}

/** The tables as the SQLite file declares them, without the checksum column, which only SQLite files have. */
function shapesOf(file: Database, tables: readonly string[]): TableShape[] {
  return tableNames(tables)
    .filter((table) => table !== EPOCH_TABLE)
    .map((table) => {
      const info = file
        .query<{ name: string; type: string; pk: number }, []>(`PRAGMA table_info(${table})`)
        .all()
        .filter(({ name }) => name !== 'checksum');
      const listed = file
        .query<{ wr: number }, [string]>('SELECT wr FROM pragma_table_list WHERE name = ?')
        .get(table);
      const own = info.find(({ type, pk }) => pk === 1 && type === 'INTEGER' && listed?.wr === 0);
      const hasRowNumber = own === undefined && listed?.wr === 0;
      const columns = info.map(({ name }) => name);
      const types = info.map(({ type }) => (type === 'INTEGER' ? ('bigint' as const) : ('text' as const)));
      return {
        table,
        columns: hasRowNumber ? [...columns, 'row_number'] : columns,
        types: hasRowNumber ? [...types, 'bigint'] : types,
        numbered: own?.name ?? (hasRowNumber ? 'row_number' : null),
      };
    });
}

/** @throws Error for the operator at the first row that does not match its checksum */
function* rowsInFile(file: Database, { table, columns }: TableShape): Generator<Row[]> {
  const sealed = SEALED_TABLES.find((name) => name === table);
  const hasRowId = columns.includes('row_number');
  const statement = file.query<Record<string, Value>, []>(
    `SELECT ${hasRowId ? 'rowid AS row_number, ' : ''}* FROM ${table}`,
  );
  let batch: Row[] = [];
  for (const row of statement.iterate()) {
    if (sealed !== undefined) refuseDamaged(sealed, row);
    batch.push(columns.map((column) => row[column] ?? null));
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function refuseDamaged(table: SealedTable, row: Readonly<Record<string, Value>>): void {
  if (isIntact(table, row)) return;
  const id = row.key_id ?? row.id ?? '(a session)';
  throw new Error(
    `Cannot migrate: the row ${id} of ${table} is damaged; revoke or delete it, or put a backup in place of the file`,
  );
}

async function* rowsInPostgres(sql: Sql, { table, columns }: TableShape): AsyncGenerator<Row[]> {
  await sql.run(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${columns.join(', ')} FROM ${table}`);
  for (;;) {
    const rows = await sql.rows<Record<string, Value>>(`FETCH ${BATCH_ROWS} FROM copied`);
    if (rows.length === 0) break;
    yield rows.map((row) => columns.map((column) => row[column] ?? null));
  }
  await sql.run('CLOSE copied');
}

async function insertInPostgres(
  sql: SealedSql,
  { table, columns, types }: TableShape,
  rows: readonly Row[],
): Promise<void> {
  const names = columns.join(', ');
  const inserted = await sql.runGiven(`INSERT INTO ${table} (${names}) SELECT ${names} FROM given`, {
    columns: Object.fromEntries(columns.map((column, index) => [column, types[index]!])),
    rows,
  });
  assert(inserted === rows.length, 'all rows are inserted');
}

function insertInFile(file: Database, { table, columns }: TableShape, rows: readonly Row[]): void {
  const names = columns.map((column) => (column === 'row_number' ? 'rowid' : column));
  const insert = file.query<unknown, SQLQueryBindings[]>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run(...row);
}

/** The highest number a row of the table ever had. Deleted rows count too if the table has AUTOINCREMENT. */
function numbersUsed(file: Database, { table, numbered }: TableShape): number {
  const column = numbered === 'row_number' ? 'rowid' : numbered;
  const highest = file.query<{ highest: number | null }, []>(
    `SELECT max(${column}) AS highest FROM ${table}`,
  );
  const ever = file.query<{ seq: number }, [string]>('SELECT seq FROM sqlite_sequence WHERE name = ?');
  return Math.max(highest.get()?.highest ?? 0, ever.get(table)?.seq ?? 0);
}

/**
 * Makes Postgres continue after the highest number used: numbers of deleted keys must not be reused, because
 * usage counts are stored by key number.
 */
async function continueNumbers(sql: Sql, table: string, column: string, used: number): Promise<void> {
  await sql.rows('SELECT setval(pg_get_serial_sequence($1, $2), $3, $4)', [
    table,
    column,
    Math.max(1, used),
    used > 0,
  ]);
}

/**
 * Makes the file continue after the highest number used in Postgres, if the table has AUTOINCREMENT. In
 * SQLite, other tables do not remember the numbers of deleted rows.
 */
async function keepNumbers(sql: Sql, file: Database, table: string, column: string): Promise<void> {
  const known = file
    .query<{ sql: string }, [string, string]>('SELECT sql FROM sqlite_master WHERE type = ? AND name = ?')
    .get('table', table);
  if (known === null || !known.sql.includes('AUTOINCREMENT')) return;
  const [sequence] = await sql.rows<{ name: string }>('SELECT pg_get_serial_sequence($1, $2) AS name', [
    table,
    column,
  ]);
  const [used] = await sql.rows<{ last: number; is_called: boolean }>(
    `SELECT last_value AS last, is_called FROM ${sequence!.name}`,
  );
  file.run('DELETE FROM sqlite_sequence WHERE name = ?', [table]);
  file.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [
    table,
    used!.is_called ? used!.last : 0,
  ]);
}

function epochOf(file: Database): number {
  return file.query<{ value: number }, []>(`SELECT value FROM ${EPOCH_TABLE} WHERE id = 1`).get()?.value ?? 1;
}
