// Keeps daily counts, last uses and the requests of each day across a restart.

import type { Database, Statement } from 'bun:sqlite';
import type { KeyLastUse, KeyUse } from '../../accounts/keys/key-directory.ts';
import type { SqliteKeyDirectory } from '../../accounts/keys/sqlite-key-directory.ts';
import { inTransaction } from '../../storage/database.ts';
import type { DailyCount } from './daily-counts.ts';

/** What changed since the last batch. */
export interface CountBatch {
  readonly counts: readonly DailyCount[];
  readonly uses: readonly KeyLastUse[];
  /** The days whose counts are kept; all other days are deleted. Null: nothing is deleted. */
  readonly keptDays: readonly [number, number] | null;
}

/**
 * The keeper's view of the store. No call waits: a remote store accepts the data at once and writes it later.
 * The same tests run on every implementation.
 */
export interface CountStore {
  /** The counts of two days: today, and tomorrow in case the clock was set back past midnight. */
  readCounts(today: number, tomorrow: number): DailyCount[];
  /** Accepts the whole batch, or throws and accepts nothing. */
  write(batch: CountBatch): void;
  /** Adds to the requests of a day, numbered in days since 1970. Days before `keptFromDay` are deleted. */
  addUsage(uses: readonly KeyUse[], day: number, keptFromDay: number): void;
}

/** Stores counts in the SQLite file, each batch in one transaction. */
export class SqliteCountStore implements CountStore {
  readonly #database: Database;
  readonly #directory: SqliteKeyDirectory;
  readonly #upsert: Statement<unknown, [number, number, number, number, number]>;
  readonly #select: Statement<DailyCount, [number, number]>;
  readonly #delete: Statement<unknown, [number, number]>;

  /**
   * @param database this thread's connection, the same as the directory's, with KEYS_SCHEMA and
   * DAILY_COUNTS_SCHEMA
   */
  constructor(database: Database, directory: SqliteKeyDirectory) {
    this.#database = database;
    this.#directory = directory;
    this.#upsert = database.prepare(
      `INSERT INTO daily_counts (scope, subject_high, subject_low, day, requests) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET day = excluded.day, requests = excluded.requests`,
    );
    this.#select = database.prepare(
      `SELECT scope, subject_high AS high, subject_low AS low, day, requests FROM daily_counts
       WHERE day = ? OR day = ?`,
    );
    this.#delete = database.prepare('DELETE FROM daily_counts WHERE day <> ? AND day <> ?');
  }

  readCounts(today: number, tomorrow: number): DailyCount[] {
    return this.#select.all(today, tomorrow);
  }

  write({ counts, uses, keptDays }: CountBatch): void {
    inTransaction(this.#database, () => {
      if (keptDays !== null) this.#delete.run(...keptDays);
      for (const { scope, high, low, day, requests } of counts)
        this.#upsert.run(scope, high, low, day, requests);
      this.#directory.markUsed(uses);
    });
  }

  addUsage(uses: readonly KeyUse[], day: number, keptFromDay: number): void {
    inTransaction(this.#database, () => this.#directory.addUsage(uses, day, keptFromDay));
  }
}
