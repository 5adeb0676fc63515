// The SQL interface over one SQLite connection. Statements run synchronously on the calling thread. A
// transaction takes the write lock of the whole file at its start, so row locks are not needed and are
// removed from statements.

import type { Database } from 'bun:sqlite';
import { eventLoopTurn } from '../pause.ts';
import { refuseIfGone } from './database.ts';
import { insertRow, isIntact, updateRows } from './row-checksums.ts';
import type {
  GivenRows,
  SealedChange,
  SealedSql,
  SealedTable,
  SqlDatabase,
  SqlValue,
  SqlValues,
} from './sql.ts';
import { isErrorWithCode, StorageError, storageErrorOf } from './storage-errors.ts';

/**
 * How often a transaction asks for the write lock of the file. Each time the thread is blocked as long as the
 * connection's busy timeout says; in between, it does its other work.
 */
const LOCK_TRIES = 4;

/** One SqliteSql per connection, because the transactions of a connection must run one after the other. */
const OPEN = new WeakMap<Database, SqliteSql>();

export function sqliteSql(database: Database): SqlDatabase {
  const known = OPEN.get(database);
  if (known !== undefined) return known;
  const made = new SqliteSql(database);
  OPEN.set(database, made);
  return made;
}

class SqliteSql implements SqlDatabase {
  readonly #database: Database;
  readonly #statements: SqliteStatements;
  /**
   * Settles when the latest call is done. Each call waits for the call before it, so that none runs inside
   * another call's transaction.
   */
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new SqliteStatements(database);
  }

  transaction<Result>(work: (sql: SealedSql) => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      await this.#begin();
      try {
        const result = await work(this.#statements);
        refuseIfGone(this.#database);
        this.#database.run('COMMIT');
        return result;
      } catch (error) {
        // Roll back, unless SQLite has done so already, as it does when the disk is full.
        if (this.#database.inTransaction) this.#database.run('ROLLBACK');
        throw error;
      }
    });
  }

  // A read runs without a transaction, a change in a transaction of its own.
  rows: SealedSql['rows'] = (...given) => this.#inTurn(() => this.#statements.rows(...given));
  find: SealedSql['find'] = (...given) => this.#inTurn(() => this.#statements.find(...given));
  list: SealedSql['list'] = (...given) => this.#inTurn(() => this.#statements.list(...given));
  run: SealedSql['run'] = (...given) => this.transaction((sql) => sql.run(...given));
  runGiven: SealedSql['runGiven'] = (...given) => this.transaction((sql) => sql.runGiven(...given));
  insert: SealedSql['insert'] = (...given) => this.transaction((sql) => sql.insert(...given));
  insertAll: SealedSql['insertAll'] = (...given) => this.transaction((sql) => sql.insertAll(...given));
  update: SealedSql['update'] = (...given) => this.transaction((sql) => sql.update(...given));
  lock = async (): Promise<void> => {};
  deferReferences = async (): Promise<void> => {};

  async #begin(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#database.run('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (attempt === LOCK_TRIES || !isErrorWithCode(error, 'SQLITE_BUSY')) throw error;
      }
      await eventLoopTurn();
    }
  }

  /** @throws StorageError when another connection holds the lock, the disk fails or the file is gone */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const call = this.#last.then(work).catch((error: unknown) => {
      throw storageErrorOf(error) ?? error;
    });
    this.#last = call.catch(() => {});
    return call;
  }
}

/** Runs statements on the connection, inside a transaction or each one alone. */
class SqliteStatements implements SealedSql {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async rows<Row>(statement: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    return this.#database.query<Row, SqlValue[]>(toSqlite(statement)).all(...parameters);
  }

  async run(statement: string, parameters?: readonly SqlValue[]): Promise<number> {
    return this.change(statement, parameters);
  }

  change(statement: string, parameters: readonly SqlValue[] = []): number {
    return this.#database.run(toSqlite(statement), [...parameters]).changes;
  }

  /** Runs one prepared statement for each row, which is faster here than reading all rows from JSON. */
  async insertAll(table: string, { columns, rows }: GivenRows, onConflict: string): Promise<void> {
    const insert = this.#database.query<unknown, SqlValue[]>(insertInto(table, columns, onConflict));
    for (const row of rows) insert.run(...row);
  }

  async runGiven(statement: string, { columns, rows }: GivenRows): Promise<number> {
    const values = Object.keys(columns).map((name, index) => `value ->> ${index} AS ${name}`);
    const given = `WITH given AS (SELECT ${values.join(', ')}, key AS row_order FROM json_each($1))`;
    return this.change(`${given} ${statement}`, [JSON.stringify(rows)]);
  }

  async insert<Row>(table: SealedTable, values: SqlValues): Promise<Row | null> {
    return insertRow<Row>(this.#database, table, values);
  }

  async update<Row>(table: SealedTable, { where, parameters, set }: SealedChange): Promise<Row[]> {
    return updateRows<Row>(this.#database, table, { where: toSqlite(where), parameters, set });
  }

  async find<Row>(
    table: SealedTable,
    { column, value }: { readonly column: string; readonly value: string },
  ): Promise<Row | null> {
    const row = this.#database
      .query<Record<string, unknown>, [string]>(`SELECT * FROM ${table} WHERE ${column} = ?`)
      .get(value);
    // A damaged index can lead to the wrong row, which is itself intact: check that the row has the value.
    return row === null || intact(table, row)[column] !== value ? null : (row as Row);
  }

  async list<Row>(table: SealedTable, statement: string, parameters?: readonly SqlValue[]): Promise<Row[]> {
    const rows = await this.rows<Record<string, unknown>>(statement, parameters);
    return rows.filter((row) => isIntact(table, row)) as Row[];
  }

  async lock(): Promise<void> {}

  async deferReferences(): Promise<void> {
    this.#database.run('PRAGMA defer_foreign_keys = ON');
  }
}

/** The statement that inserts one row, with its values in the order of the columns. */
function insertInto(table: string, columns: GivenRows['columns'], onConflict: string): string {
  const names = Object.keys(columns);
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
    ON CONFLICT ${onConflict}`;
}

/** @returns the row if it matches its checksum @throws StorageError otherwise */
export function intact<Row extends Readonly<Record<string, unknown>>>(table: SealedTable, row: Row): Row {
  if (isIntact(table, row)) return row;
  const cause = new Error(`Damaged row of ${table}`);
  throw new StorageError('a row of its database is damaged', cause, { isBusy: false });
}

/** Translated statements, by the original. Bounded by the number of statements in the code. */
const TRANSLATIONS = new Map<string, string>();

/**
 * Removes row locks and casts, and replaces parameter syntax, `row_number`, `ctid` and `strpos` by SQLite's
 * forms.
 */
function toSqlite(statement: string): string {
  const known = TRANSLATIONS.get(statement);
  if (known !== undefined) return known;
  const translated = statement
    .replace(/\s+FOR (?:NO KEY UPDATE|KEY SHARE|UPDATE)(?: OF \w+)?(?: SKIP LOCKED)?/g, '')
    .replace(/\bctid\b/g, 'rowid')
    .replace(/\$(\d+)(?:::\w+)?/g, '?$1')
    .replace(/\brow_number\b/g, 'rowid')
    .replace(/\bstrpos\(/g, 'instr(');
  TRANSLATIONS.set(statement, translated);
  return translated;
}
