// The small SQL interface that repositories use, with one driver for SQLite (sqlite-sql.ts) and one for
// Postgres (postgres-sql.ts). Each statement is written once, in the SQL that both engines share, with
// parameters $1, $2 and so on. What only Postgres needs (row locks, casts) is in the statement too; the
// SQLite driver removes it.

/** A parameter of a statement. Pass a list as JSON text. */
export type SqlValue = string | number | boolean | null;

export type SqlValues = Readonly<Record<string, string | number | null>>;

/** Runs statements on a database or inside one of its transactions. */
export interface Sql {
  /**
   * @returns the rows, with counts and times as numbers. @throws StorageError when the database does not
   * answer, or not in time
   */
  rows<Row>(statement: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** @returns how many rows changed. @throws as `rows` */
  run(statement: string, parameters?: readonly SqlValue[]): Promise<number>;
}

/** The tables that decide access. SQLite keeps a checksum with each of their rows (row-checksums.ts). */
export type SealedTable = 'accounts' | 'sessions' | 'api_keys';

/** Rows to write with one call. Postgres needs the type of each column. */
export interface GivenRows {
  readonly columns: Readonly<Record<string, 'bigint' | 'text'>>;
  /** The values of each row, in the order of `columns`. */
  readonly rows: readonly (readonly SqlValue[])[];
}

/** A row of a table with these columns. */
export type RowOf<Columns extends GivenRows['columns'], NullableColumn extends keyof Columns> = {
  readonly [Name in keyof Columns]:
    | (Columns[Name] extends 'bigint' ? number : string)
    | (Name extends NullableColumn ? null : never);
};

/** Plain statements, and checked reads and writes of sealed tables. Writes must run in a transaction. */
export interface SealedSql extends Sql {
  /**
   * Inserts rows in their order. `given.columns` names the columns of the table.
   * @param onConflict the clause for rows that exist already, such as `(id) DO NOTHING`
   */
  insertAll(table: string, given: GivenRows, onConflict: string): Promise<void>;
  /**
   * Runs a statement that reads the rows as a table named `given`; its column `row_order` numbers them.
   * @returns how many rows changed
   */
  runGiven(statement: string, given: GivenRows): Promise<number>;
  /** @returns the new row, or null when it conflicts with an existing one */
  insert<Row>(table: SealedTable, values: SqlValues): Promise<Row | null>;
  /** Sets columns of the rows that `where` selects. Damaged rows stay unchanged. @returns the changed rows */
  update<Row>(table: SealedTable, change: SealedChange): Promise<Row[]>;
  /**
   * The row whose column has this value. With `isLocked`, in a transaction, other nodes cannot change the row
   * until the transaction ends.
   * @throws StorageError when the row is damaged
   */
  find<Row>(
    table: SealedTable,
    key: { readonly column: string; readonly value: string; readonly isLocked?: boolean },
  ): Promise<Row | null>;
  /** The rows of a statement that selects all columns of the table. Damaged rows are left out. */
  list<Row>(table: SealedTable, statement: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** Makes other transactions that ask for the same lock name wait until this transaction ends. */
  lock(name: string): Promise<void>;
  /** Makes the database check foreign keys only at the end of this transaction. */
  deferReferences(): Promise<void>;
}

export interface SealedChange {
  readonly where: string;
  readonly parameters: readonly SqlValue[];
  readonly set: SqlValues;
}

export interface SqlDatabase extends SealedSql {
  /**
   * Runs `work` in one transaction. It resolves once all is committed. If it rejects, nothing was committed,
   * unless Postgres committed and only its answer was lost. After a conflict Postgres runs `work` again, so
   * it must have no effects except on rows and must await nothing except statements.
   * @param deadlineMs for all of it on Postgres; default: the deadline of a single call
   * @throws StorageError, and whatever `work` throws
   */
  transaction<Result>(work: (sql: SealedSql) => Promise<Result>, deadlineMs?: number): Promise<Result>;
}
