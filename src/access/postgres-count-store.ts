// Counts in Postgres. What the keeper hands over waits in memory, the newest of each subject, and is written behind, one
// batch at a time; while Postgres is away it goes on waiting. It is bounded by the slots of access memory, whose subjects
// it is about.

import type { KeyLastUse, KeyUse } from '../accounts/key-directory.ts';
import type { PostgresPool, Sql } from '../postgres.ts';
import type { CountBatch, CountStore } from './count-store.ts';
import type { DailyCount } from './daily-counts.ts';

/** Rows of one batch; the rest follows in the next. */
const BATCH_ROWS_MAX = 5_000;

/** Requests of a key on a day that are still to be added. */
type WaitingUse = KeyUse & { readonly day: number };

export interface PostgresCountStoreOptions {
  readonly pool: PostgresPool;
  /** Told of a batch that failed; it is tried again with the next one. */
  readonly onError: (error: unknown) => void;
}

export class PostgresCountStore implements CountStore {
  readonly #pool: PostgresPool;
  readonly #onError: (error: unknown) => void;
  /** What was there at the start. */
  #restored: readonly DailyCount[];
  readonly #counts = new Map<string, DailyCount>();
  readonly #uses = new Map<number, KeyLastUse>();
  readonly #requests = new Map<string, WaitingUse>();
  /** From which day on counts stay, and requests; null: nothing goes now. */
  #countsFromDay: number | null = null;
  #requestsFromDay: number | null = null;
  #writing: Promise<void> | null = null;

  private constructor({ pool, onError }: PostgresCountStoreOptions, restored: readonly DailyCount[]) {
    this.#pool = pool;
    this.#onError = onError;
    this.#restored = restored;
  }

  /** Reads what there is from this day on. @throws StorageError */
  static async open(options: PostgresCountStoreOptions, today: number): Promise<PostgresCountStore> {
    const restored = await options.pool.rows<DailyCount>(
      `SELECT scope, subject_high AS high, subject_low AS low, day, requests FROM daily_counts WHERE day >= $1`,
      [today],
    );
    return new PostgresCountStore(options, restored);
  }

  /** What was there when it was opened; once. */
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

  /** Writes all that waits, as far as Postgres takes it; what it does not take goes on waiting. */
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
    // Requests are added, so what is under way must not be added to; the others are replaced, the newest wins.
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
 * Each node writes what it knows of the whole day, so of two that disagree the higher count is right. In the order of the
 * subjects, so that two nodes never wait for each other.
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

/** Of keys alone: a session has no row to count under, and a key may have been deleted meanwhile. */
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
