// Checksums of the rows that say who may do what: keys, accounts, sessions. Each is kept in its row and written in the
// row's own transaction. SQLite's checks see whether the file is well formed; a byte that changed inside a value is seen
// by these alone. Rows of these tables are written through this module, and whoever reads one asks it whether it is whole.

import type { Database, SQLQueryBindings } from 'bun:sqlite';

/** What each row's checksum covers: all of it but what moves with every use, such as when a key was last used. */
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
} as const;

export type SealedTable = keyof typeof COVERED;
export const SEALED_TABLES = Object.keys(COVERED) as readonly SealedTable[];

/** A row as `SELECT *` reads it, with its checksum. */
export type SealedRow = Readonly<Record<string, unknown>>;

type Values = Readonly<Record<string, string | number | null>>;

/** A row and where it is. `row_number` is SQLite's own number of it. */
type NumberedRow = SealedRow & { readonly row_number: number };

/** A row that does not match its checksum. */
export interface DamagedRow {
  readonly table: SealedTable;
  readonly rowNumber: number;
  /** The id of a key or account as the row has it, which may be what is damaged; null of a session. */
  readonly id: string | null;
}

/** CRC-32, which finds every burst of up to 32 bits and all but one in four thousand million of other changes. */
function checksumOf(table: SealedTable, row: SealedRow): number {
  return Bun.hash.crc32(JSON.stringify([table, ...COVERED[table].map((column) => row[column] ?? null)]));
}

/** Whether a row read with `SELECT *` is as it was written. */
export function isIntact(table: SealedTable, row: SealedRow): boolean {
  return row.checksum === checksumOf(table, row);
}

/** Inserts a row with its checksum; call it in a transaction. @returns the row, or null when one is in its way */
export function insertRow<Row>(database: Database, table: SealedTable, values: Values): Row | null {
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
 * Changes the rows that `where` finds, with their checksums; call it in a transaction. A damaged row stays as it is: its
 * checksum would say that the damage is right.
 * @returns the changed rows
 */
export function updateRows<Row>(
  database: Database,
  table: SealedTable,
  change: { readonly where: string; readonly parameters: readonly SQLQueryBindings[]; readonly set: Values },
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

/** Gives every row of a file of before checksums the checksum of what it holds. */
export function sealAllRows(database: Database, table: SealedTable): void {
  for (const row of database.query<NumberedRow, []>(`SELECT rowid AS row_number, * FROM ${table}`).all()) {
    sealRow(database, table, row);
  }
}

function sealRow(database: Database, table: SealedTable, row: NumberedRow): void {
  database.run(`UPDATE ${table} SET checksum = ? WHERE rowid = ?`, [checksumOf(table, row), row.row_number]);
}

/** Goes through all rows, a few at a time, and begins again at the end. */
export class RowCheck {
  readonly #database: Database;
  #table = 0;
  #afterRow = Number.MIN_SAFE_INTEGER;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Looks at the next `rowsMax` rows of a table. @returns the damaged ones, and whether these were the last of all */
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
 * What SQLite finds in these tables beyond its quick check, which main has run: rows that their indexes do not know, and
 * entries of indexes whose row is gone. @returns findings in SQLite's words, a few of each table
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
