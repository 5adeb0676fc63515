// Keeps daily counts, last uses and the requests of each day across a restart. What the keeper passes waits
// in memory and is written one batch at a time: the newest count and last use of each subject, and the sum of
// its requests. While the database is unavailable, everything keeps waiting, with a bound for the daily
// counts.

import type { KeyLastUse, KeyUse } from '../../accounts/keys/key-directory.ts';
import type { SealedSql, SqlDatabase } from '../../storage/sql.ts';
import type { DailyCount } from './daily-counts.ts';

/**
 * Maximum number of subjects whose counts wait to be written. For a further one, the subject that has waited
 * longest is dropped, so its count of today may restart at zero.
 */
const WAITING_COUNTS_MAX = 524_288;
/** Maximum number of rows in one batch. The rest follows in the next batch. */
const BATCH_ROWS_MAX = 5_000;

/** What changed since the last batch. */
export interface CountBatch {
  readonly counts: readonly DailyCount[];
  readonly uses: readonly KeyLastUse[];
  /**
   * The first and the last day whose counts are kept. The day after the last is kept too, and all others are
   * deleted. Null: nothing is deleted.
   */
  readonly keptDays: readonly [number, number] | null;
}

/** Requests of a key on one day that are still to be added in the database. */
type WaitingUse = KeyUse & { readonly day: number };

export interface CountStoreOptions {
  readonly sql: SqlDatabase;
  /** Called with the error of a failed batch, which is retried with the next one. */
  readonly onError: (error: unknown) => void;
}

export class CountStore {
  readonly #sql: SqlDatabase;
  readonly #onError: (error: unknown) => void;
  /** The counts read at start. */
  #restored: readonly DailyCount[];
  readonly #counts = new Map<string, DailyCount>();
  readonly #uses = new Map<number, KeyLastUse>();
  readonly #requests = new Map<string, WaitingUse>();
  /** The days whose daily counts the next batch keeps; null: it deletes none. */
  #countDays: readonly [number, number] | null = null;
  /** The first day whose requests per key the next batch keeps; null: it deletes none. */
  #requestsFromDay: number | null = null;
  #writing: Promise<void> | null = null;

  private constructor({ sql, onError }: CountStoreOptions, restored: readonly DailyCount[]) {
    this.#sql = sql;
    this.#onError = onError;
    this.#restored = restored;
  }

  /** Reads the counts of this day and later ones. @throws StorageError */
  static async open(options: CountStoreOptions, today: number): Promise<CountStore> {
    const restored = await options.sql.rows<DailyCount>(
      `SELECT scope, subject_high AS high, subject_low AS low, day, requests FROM daily_counts WHERE day >= $1`,
      [today],
    );
    return new CountStore(options, restored);
  }

  /**
   * The counts read at `open`, of two days: today, and tomorrow in case the clock was set back past midnight.
   * Only the first call returns them.
   */
  readCounts(today: number, tomorrow: number): DailyCount[] {
    const found = this.#restored.filter(({ day }) => day === today || day === tomorrow);
    this.#restored = [];
    return found;
  }

  /** Accepts the whole batch. Does not wait until it is written. */
  write({ counts, uses, keptDays }: CountBatch): void {
    for (const count of counts) this.#addCount(count);
    for (const use of uses) this.#uses.set(use.number, use);
    if (keptDays !== null) this.#countDays = keptDays;
    void this.flush();
  }

  /**
   * Adds requests of keys to the totals of `day`, a number from `dayOf`. Days before `keptFromDay` are
   * deleted.
   */
  addUsage(uses: readonly KeyUse[], day: number, keptFromDay: number): void {
    for (const { number, requests } of uses) this.#addRequests({ number, requests, day });
    this.#requestsFromDay = keptFromDay;
    void this.flush();
  }

  /** Writes everything queued. What the database does not accept stays queued. */
  async flush(): Promise<void> {
    this.#writing ??= this.#writeBatches().finally(() => {
      this.#writing = null;
    });
    await this.#writing;
  }

  async #writeBatches(): Promise<void> {
    try {
      while (this.#waits()) await this.#writeBatch();
    } catch (error) {
      this.#onError(error);
    }
  }

  #waits(): boolean {
    const rows = this.#counts.size + this.#uses.size + this.#requests.size;
    return rows > 0 || this.#countDays !== null || this.#requestsFromDay !== null;
  }

  async #writeBatch(): Promise<void> {
    const counts = firstOf(this.#counts);
    const uses = firstOf(this.#uses);
    const requests = firstOf(this.#requests);
    const [countDays, requestsFromDay] = [this.#countDays, this.#requestsFromDay];
    // A row of requests is added to the stored number, so a second write would count it twice. It therefore
    // leaves the queue before it is written, and later requests begin a new row. Other rows replace the
    // stored ones, and the newest wins.
    for (const [key] of requests) this.#requests.delete(key);
    this.#countDays = null;
    this.#requestsFromDay = null;
    try {
      await this.#sql.transaction(async (sql) => {
        await writeCounts(sql, valuesOf(counts));
        await writeUses(sql, valuesOf(uses));
        await writeRequests(sql, valuesOf(requests));
        if (countDays !== null) await deleteCounts(sql, countDays);
        if (requestsFromDay !== null)
          await sql.run('DELETE FROM key_usage_days WHERE day < $1', [requestsFromDay]);
      });
    } catch (error) {
      for (const [, use] of requests) this.#addRequests(use);
      this.#countDays ??= countDays;
      this.#requestsFromDay ??= requestsFromDay;
      throw error;
    }
    for (const [key, count] of counts) if (this.#counts.get(key) === count) this.#counts.delete(key);
    for (const [key, use] of uses) if (this.#uses.get(key) === use) this.#uses.delete(key);
  }

  #addCount(count: DailyCount): void {
    const key = `${count.scope} ${count.high} ${count.low}`;
    if (this.#counts.size >= WAITING_COUNTS_MAX && !this.#counts.has(key))
      this.#counts.delete(this.#counts.keys().next().value!);
    this.#counts.set(key, count);
  }

  #addRequests(use: WaitingUse): void {
    const key = `${use.number} ${use.day}`;
    const requests = use.requests + (this.#requests.get(key)?.requests ?? 0);
    this.#requests.set(key, { ...use, requests });
  }
}

function firstOf<Key, Value>(map: ReadonlyMap<Key, Value>): [Key, Value][] {
  return Array.from(map.entries().take(BATCH_ROWS_MAX));
}

function valuesOf<Value>(entries: readonly (readonly [unknown, Value])[]): Value[] {
  return entries.map(([, value]) => value);
}

/**
 * Stores daily counts. Each node writes the total of the day that it knows, so of two values the higher is
 * right. Rows are written in the order of subjects, so that two nodes cannot deadlock.
 */
async function writeCounts(sql: SealedSql, counts: readonly DailyCount[]): Promise<void> {
  const rows = counts.map(
    ({ scope, high, low, day, requests }) => [scope, high, low, day, requests] as const,
  );
  await sql.insertAll(
    'daily_counts',
    {
      columns: {
        ...{ scope: 'bigint', subject_high: 'bigint', subject_low: 'bigint' },
        ...{ day: 'bigint', requests: 'bigint' },
      },
      rows: rows.toSorted((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]),
    },
    `(scope, subject_high, subject_low) DO UPDATE SET
       requests = CASE WHEN daily_counts.day = excluded.day AND daily_counts.requests > excluded.requests
         THEN daily_counts.requests ELSE excluded.requests END,
       day = excluded.day
     WHERE excluded.day >= daily_counts.day`,
  );
}

/**
 * Deletes the counts of days that are over, and of days that cannot come soon, which a wrong clock left
 * behind. One more day is kept, because the clock of another node may be ahead.
 */
async function deleteCounts(sql: SealedSql, keptDays: readonly [number, number]): Promise<void> {
  await sql.run('DELETE FROM daily_counts WHERE day < $1 OR day > $2', [
    Math.min(...keptDays),
    Math.max(...keptDays) + 1,
  ]);
}

/**
 * Stores when keys were last used. A last use is never moved back. Rows are locked in the order of keys, so
 * that two nodes cannot deadlock.
 */
async function writeUses(sql: SealedSql, uses: readonly KeyLastUse[]): Promise<void> {
  if (uses.length === 0) return;
  const given = {
    columns: { number: 'bigint', at_ms: 'bigint' } as const,
    rows: uses.map(({ number, atMs }) => [number, atMs]),
  };
  await sql.runGiven(
    `SELECT id FROM api_keys JOIN given ON id = number ORDER BY id FOR NO KEY UPDATE OF api_keys`,
    given,
  );
  await sql.runGiven(
    `UPDATE api_keys SET last_used_at_ms = at_ms FROM given
     WHERE id = number AND coalesce(last_used_at_ms, 0) < at_ms`,
    given,
  );
}

/**
 * Adds requests to the totals of their days. Those of sessions, and of keys that were deleted meanwhile, have
 * no row in api_keys and are dropped.
 */
async function writeRequests(sql: SealedSql, uses: readonly WaitingUse[]): Promise<void> {
  if (uses.length === 0) return;
  await sql.runGiven(
    `INSERT INTO key_usage_days (key_number, day, requests)
     SELECT id, given.day, given.requests FROM given JOIN api_keys ON id = number
     ORDER BY id, given.day
     ON CONFLICT (key_number, day) DO UPDATE SET requests = key_usage_days.requests + excluded.requests`,
    {
      columns: { number: 'bigint', day: 'bigint', requests: 'bigint' },
      rows: uses.map(({ number, day, requests }) => [number, day, requests]),
    },
  );
}
