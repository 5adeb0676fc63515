// Daily counts on disk, so that a day's volume survives a restart. Written by the keeper alone.

import type { Database, Statement } from 'bun:sqlite';

/** `scope` is 1 for keys (low is the key's number) and 2 for client addresses. */
export const DAILY_COUNTS_SCHEMA = `
CREATE TABLE IF NOT EXISTS daily_counts (
  scope INTEGER NOT NULL,
  subject_high INTEGER NOT NULL,
  subject_low INTEGER NOT NULL,
  day INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (scope, subject_high, subject_low)
) STRICT, WITHOUT ROWID;
`;

export const SCOPE_KEY = 1;
export const SCOPE_ADDRESS = 2;
export type Scope = typeof SCOPE_KEY | typeof SCOPE_ADDRESS;

/** Requests of one subject on one day; `day` as `dayOf` gives it. */
export interface DailyCount {
  readonly scope: Scope;
  readonly high: number;
  readonly low: number;
  readonly day: number;
  readonly requests: number;
}

export class DailyCounts {
  readonly #upsert: Statement<unknown, [number, number, number, number, number]>;
  readonly #select: Statement<DailyCount, [number, number]>;
  readonly #delete: Statement<unknown, [number, number]>;

  constructor(database: Database) {
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

  write(count: DailyCount): void {
    this.#upsert.run(count.scope, count.high, count.low, count.day, count.requests);
  }

  /** The counts of two days: today, and tomorrow's in case the clock was set back over midnight. */
  readAll(today: number, tomorrow: number): DailyCount[] {
    return this.#select.all(today, tomorrow);
  }

  /** Deletes what belongs to other days. */
  deleteOthers(today: number, tomorrow: number): void {
    this.#delete.run(today, tomorrow);
  }
}
