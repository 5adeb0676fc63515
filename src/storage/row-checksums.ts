// Checksums for the rows that decide access: keys, accounts and sessions. Each row stores its checksum,
// written in the same transaction. SQLite's own checks only see whether the file is well formed; these find a
// changed byte inside a value. The columns that a checksum covers are changed only through this module, and
// each reader checks its rows with `isIntact`.

import type { Database, SQLQueryBindings } from 'bun:sqlite';
import type { SealedTable, SqlValues } from './sql.ts';

/**
 * The columns each checksum covers: all that do not change with every use. Excluded is, for example, when a
 * key was last used.
 */
const COVERED = {
  accounts: ['id', 'email', 'password_hash', 'plan', 'verified_at_ms', 'created_at_ms'],
  sessions: ['token_hash', 'account_id', 'created_at_ms', 'expires_at_ms'],
  api_keys: [
    'id',
    'key_id',
    'account_id',
    'label',
    'tier',
    'hash',
    'last4',
    'status',
    'created_at_ms',
    'expires_at_ms',
    'allowed_addresses',
  ],
} as const satisfies Record<SealedTable, readonly string[]>;

export const SEALED_TABLES = Object.keys(COVERED) as readonly SealedTable[];

/** A row as `SELECT *` returns it, with its checksum. */
export type SealedRow = Readonly<Record<string, unknown>>;

/** A row with its position: `row_number` is SQLite's rowid. */
type NumberedRow = SealedRow & { readonly row_number: number };

/** A row that does not match its checksum. */
export interface DamagedRow {
  readonly table: SealedTable;
  readonly rowNumber: number;
  /** The id of the key or account as stored, which may itself be the damaged value; null for a session. */
  readonly id: string | null;
}

/**
 * CRC-32: it finds every burst error of up to 32 bits, and all but one in four thousand million other
 * changes.
 */
function checksumOf(table: SealedTable, row: SealedRow): number {
  return Bun.hash.crc32(JSON.stringify([table, ...COVERED[table].map((column) => row[column] ?? null)]));
}

/** Whether a row read with `SELECT *` matches its checksum. */
export function isIntact(table: SealedTable, row: SealedRow): boolean {
  return row.checksum === checksumOf(table, row);
}

/**
 * Inserts a row with its checksum. Call it in a transaction. @returns the row, or null when it conflicts with
 * an existing one
 */
export function insertRow<Row>(database: Database, table: SealedTable, values: SqlValues): Row | null {
  const columns = Object.keys(values);
  const row = database
    .query<NumberedRow, SQLQueryBindings[]>(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
       ON CONFLICT DO NOTHING RETURNING rowid AS row_number, *`,
    )
    .get(...Object.values(values));
  if (row === null) return null;
  sealRow(database, table, row);
  return row as Row;
}

/**
 * Updates the rows that `where` selects, with their checksums. Call it in a transaction. Damaged rows are
 * skipped: a new checksum would declare the damage valid.
 * @returns the changed rows
 */
export function updateRows<Row>(
  database: Database,
  table: SealedTable,
  change: {
    readonly where: string;
    readonly parameters: readonly SQLQueryBindings[];
    readonly set: SqlValues;
  },
): Row[] {
  const assignments = Object.keys(change.set).map((column) => `${column} = ?`);
  const update = database.query<unknown, SQLQueryBindings[]>(
    `UPDATE ${table} SET ${assignments.join(', ')}, checksum = ? WHERE rowid = ?`,
  );
  return database
    .query<NumberedRow, SQLQueryBindings[]>(
      `SELECT rowid AS row_number, * FROM ${table} WHERE ${change.where}`,
    )
    .all(...change.parameters)
    .filter((row) => isIntact(table, row))
    .map((row) => {
      const changed = { ...row, ...change.set };
      update.run(...Object.values(change.set), checksumOf(table, changed), row.row_number);
      return changed as Row;
    });
}

/** Computes the checksum of every row of a table. Used for files from releases that had no checksums. */
export function sealAllRows(database: Database, table: SealedTable): void {
  for (const row of database.query<NumberedRow, []>(`SELECT rowid AS row_number, * FROM ${table}`).all()) {
    sealRow(database, table, row);
  }
}

function sealRow(database: Database, table: SealedTable, row: NumberedRow): void {
  database.run(`UPDATE ${table} SET checksum = ? WHERE rowid = ?`, [checksumOf(table, row), row.row_number]);
}

/** Checks all rows, a batch per call, and starts again after the last one. */
export class RowCheck {
  readonly #database: Database;
  #table = 0;
  #afterRow = Number.MIN_SAFE_INTEGER;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Checks the next `rowsMax` rows of a table. @returns the damaged rows, and whether all tables have been
   * checked
   */
  next(rowsMax: number): { readonly damaged: DamagedRow[]; readonly isEnd: boolean } {
    const table = SEALED_TABLES[this.#table]!;
    const rows = this.#database
      .query<NumberedRow, [number, number]>(
        `SELECT rowid AS row_number, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
      )
      .all(this.#afterRow, rowsMax);
    this.#afterRow = rows.at(-1)?.row_number ?? this.#afterRow;
    let isEnd = false;
    if (rows.length < rowsMax) {
      this.#afterRow = Number.MIN_SAFE_INTEGER;
      this.#table = (this.#table + 1) % SEALED_TABLES.length;
      isEnd = this.#table === 0;
    }
    const damaged = rows.filter((row) => !isIntact(table, row));
    return { damaged: damaged.map((row) => damagedRowOf(table, row)), isEnd };
  }
}

function damagedRowOf(table: SealedTable, row: NumberedRow): DamagedRow {
  const id = table === 'api_keys' ? row.key_id : table === 'accounts' ? row.id : null;
  return { table, rowNumber: row.row_number, id: id === null ? null : String(id) };
}

/**
 * Runs SQLite's integrity_check on these tables. Beyond quick_check, which main has run, it finds rows
 * missing from an index and index entries without a row. @returns findings in SQLite's words, at most five
 * per table
 */
export function indexFindings(database: Database): string[] {
  return SEALED_TABLES.flatMap((table) =>
    database
      .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${table})`)
      .all()
      .map((row) => row.integrity_check)
      .filter((finding) => finding !== 'ok')
      .slice(0, 5),
  );
}
