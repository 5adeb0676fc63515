// Stores counts in Postgres. What the keeper hands over is queued in memory, only the newest of each subject,
// and written in the background, one batch at a time. While Postgres is unavailable, it stays queued. The
// queue is bounded because its subjects are those of the slots in access memory.

import type { KeyLastUse, KeyUse } from '../../accounts/keys/key-directory.ts';
import type { PostgresPool } from '../../storage/postgres.ts';
import type { Sql } from '../../storage/sql.ts';
import type { CountBatch, CountStore } from './count-store.ts';
import type { DailyCount } from './daily-counts.ts';

/** Rows in one batch. More: the rest follows in the next batch. */
const BATCH_ROWS_MAX = 5_000;

/** Requests of a key on one day that are still to be added in Postgres. */
type WaitingUse = KeyUse & { readonly day: number };

export interface PostgresCountStoreOptions {
  readonly pool: PostgresPool;
  /** Called with the error of a failed batch, which is retried with the next one. */
  readonly onError: (error: unknown) => void;
}

export class PostgresCountStore implements CountStore {
  readonly #pool: PostgresPool;
  readonly #onError: (error: unknown) => void;
  /** The counts read at start. */
  #restored: readonly DailyCount[];
  readonly #counts = new Map<string, DailyCount>();
  readonly #uses = new Map<number, KeyLastUse>();
  readonly #requests = new Map<string, WaitingUse>();
  /**
   * Days before this one are to be deleted, of counts and of requests; null: nothing is to be deleted now.
   */
  #countsFromDay: number | null = null;
  #requestsFromDay: number | null = null;
  #writing: Promise<void> | null = null;

  private constructor({ pool, onError }: PostgresCountStoreOptions, restored: readonly DailyCount[]) {
    this.#pool = pool;
    this.#onError = onError;
    this.#restored = restored;
  }

  /** Reads the counts of this day and later ones. @throws StorageError */
  static async open(options: PostgresCountStoreOptions, today: number): Promise<PostgresCountStore> {
    const restored = await options.pool.rows<DailyCount>(
      `SELECT scope, subject_high AS high, subject_low AS low, day, requests FROM daily_counts WHERE day >= $1`,
      [today],
    );
    return new PostgresCountStore(options, restored);
  }

  /** The counts read at `open`. Only the first call returns them. */
  readCounts(today: number, tomorrow: number): DailyCount[] {
    const found = this.#restored.filter(({ day }) => day === today || day === tomorrow);
    this.#restored = [];
    return found;
  }

  write({ counts, uses, keptDays }: CountBatch): void {
    for (const count of counts) this.#counts.set(`${count.scope} ${count.high} ${count.low}`, count);
    for (const use of uses) this.#uses.set(use.number, use);
    if (keptDays !== null) this.#countsFromDay = Math.min(...keptDays);
    void this.flush();
  }

  addUsage(uses: readonly KeyUse[], day: number, keptFromDay: number): void {
    for (const { number, requests } of uses) this.#addRequests({ number, requests, day });
    this.#requestsFromDay = keptFromDay;
    void this.flush();
  }

  /** Writes everything queued, as far as Postgres accepts it; the rest stays queued. */
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
    return rows > 0 || this.#countsFromDay !== null || this.#requestsFromDay !== null;
  }

  async #writeBatch(): Promise<void> {
    const counts = firstOf(this.#counts);
    const uses = firstOf(this.#uses);
    const requests = firstOf(this.#requests);
    const [countsFromDay, requestsFromDay] = [this.#countsFromDay, this.#requestsFromDay];
    // Requests are sums: a row being written must not be added to, so it leaves the queue first. The other
    // rows are replaced, and the newest wins.
    for (const [key] of requests) this.#requests.delete(key);
    this.#countsFromDay = null;
    this.#requestsFromDay = null;
    try {
      await this.#pool.transaction(async (sql) => {
        await writeCounts(sql, valuesOf(counts));
        await writeUses(sql, valuesOf(uses));
        await writeRequests(sql, valuesOf(requests));
        if (countsFromDay !== null) await sql.run('DELETE FROM daily_counts WHERE day < $1', [countsFromDay]);
        if (requestsFromDay !== null)
          await sql.run('DELETE FROM key_usage_days WHERE day < $1', [requestsFromDay]);
      });
    } catch (error) {
      for (const [, use] of requests) this.#addRequests(use);
      this.#countsFromDay ??= countsFromDay;
      this.#requestsFromDay ??= requestsFromDay;
      throw error;
    }
    for (const [key, count] of counts) if (this.#counts.get(key) === count) this.#counts.delete(key);
    for (const [key, use] of uses) if (this.#uses.get(key) === use) this.#uses.delete(key);
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
 * Each node writes its knowledge of the whole day, so of two values the higher is right. Rows are written in
 * the order of subjects, so that two nodes cannot deadlock.
 */
async function writeCounts(sql: Sql, counts: readonly DailyCount[]): Promise<void> {
  if (counts.length === 0) return;
  await sql.run(
    `INSERT INTO daily_counts (scope, subject_high, subject_low, day, requests)
     SELECT scope, high, low, day, requests
     FROM json_to_recordset($1::text::json) AS given(scope BIGINT, high BIGINT, low BIGINT, day BIGINT, requests BIGINT)
     ORDER BY scope, high, low
     ON CONFLICT (scope, subject_high, subject_low) DO UPDATE SET
       requests = CASE WHEN daily_counts.day = excluded.day
         THEN greatest(daily_counts.requests, excluded.requests) ELSE excluded.requests END,
       day = excluded.day
     WHERE excluded.day >= daily_counts.day`,
    [JSON.stringify(counts)],
  );
}

async function writeUses(sql: Sql, uses: readonly KeyLastUse[]): Promise<void> {
  if (uses.length === 0) return;
  await sql.run(
    `WITH given AS (
       SELECT api_keys.id, "atMs" AS at_ms
       FROM json_to_recordset($1::text::json) AS told(number BIGINT, "atMs" BIGINT)
       JOIN api_keys ON api_keys.id = number WHERE coalesce(last_used_at_ms, 0) < "atMs"
       ORDER BY api_keys.id FOR NO KEY UPDATE OF api_keys
     )
     UPDATE api_keys SET last_used_at_ms = at_ms FROM given WHERE api_keys.id = given.id`,
    [JSON.stringify(uses)],
  );
}

/** Only for keys: a session has no row to count under, and a key may have been deleted meanwhile. */
async function writeRequests(sql: Sql, uses: readonly WaitingUse[]): Promise<void> {
  if (uses.length === 0) return;
  await sql.run(
    `INSERT INTO key_usage_days (key_number, day, requests)
     SELECT api_keys.id, day, requests
     FROM json_to_recordset($1::text::json) AS told(number BIGINT, day BIGINT, requests BIGINT)
     JOIN api_keys ON api_keys.id = number ORDER BY api_keys.id, day
     ON CONFLICT (key_number, day) DO UPDATE SET requests = key_usage_days.requests + excluded.requests`,
    [JSON.stringify(uses)],
  );
}
