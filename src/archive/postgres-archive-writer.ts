// The archive in Postgres as the ingest worker writes it. What the feed needs at once, the first prices of fixtures that
// are not over, is in a database in memory, which the start fills; whatever is new waits there too until Postgres has
// taken it, a batch at a time, behind the feed. Nothing here throws: while Postgres is away rows wait, and the feed goes on.

import { Database } from 'bun:sqlite';
import type { Clock } from '../clock.ts';
import { ARCHIVE_ROWS_MAX, RESULTS_KEPT_MS } from '../limits.ts';
import type { PostgresPool, Sql } from '../postgres.ts';
import type { OpeningRow } from '../store/records.ts';
import { ArchiveWriter } from './archive-writer.ts';
import {
  ARCHIVE_SCHEMA,
  type ArchivedResult,
  OPENING_COLUMNS,
  type OpeningRecord,
  openingParameters,
  RESULT_COLUMNS,
  resultParameters,
  UPSERT_RESULT_CLAUSE,
} from './tables.ts';

/** Rows that one transaction writes. */
const BATCH_ROWS_MAX = 5_000;
/** Openings that the start reads, the newest. More: those of fixtures seen long ago are first seen again, and not written. */
const LOADED_MAX = 1_000_000;
const PAGE_ROWS = 20_000;
/** How long the start asks for them while Postgres does not answer, and how often. */
const LOAD_WITHIN_MS = 10_000;
const LOAD_EVERY_MS = 250;
/** A match whose result is inferred may go on for this long. */
const MAY_GO_ON_MS = 86_400_000;

/** Of fixtures that are not over. */
const SELECT_PAGE = `SELECT sequence, event_number, ${OPENING_COLUMNS.join(', ')} FROM openings
  WHERE sequence < $1 AND NOT EXISTS (
    SELECT 1 FROM results WHERE results.event_number = openings.event_number
    AND (source = 'final' OR finished_at_ms < $2))
  ORDER BY sequence DESC LIMIT $3`;

interface StoredOpening extends OpeningRecord {
  readonly sequence: number;
  readonly event_number: number;
}

export interface PostgresArchiveOptions {
  readonly pool: PostgresPool;
  readonly clock: Clock;
  /** Called once per batch, purge or row that failed: counted as `archive_errors`. */
  readonly onError: (error: unknown) => void;
}

export class PostgresArchiveWriter {
  readonly #pool: PostgresPool;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #memory: Database;
  readonly #known: ArchiveWriter;
  readonly #openings: { readonly eventNumber: number; readonly opening: OpeningRow }[] = [];
  readonly #results = new Map<number, ArchivedResult>();
  #writing: Promise<void> | null = null;
  #refusedCount = 0;

  private constructor({ pool, clock, onError }: PostgresArchiveOptions) {
    this.#pool = pool;
    this.#clock = clock;
    this.#onError = onError;
    this.#memory = new Database(':memory:', { strict: true });
    this.#memory.run(ARCHIVE_SCHEMA);
    this.#known = new ArchiveWriter({ database: this.#memory, clock, onError });
  }

  /**
   * Opens it with the openings there are. Postgres may stumble, and without them the slate would show later prices as the
   * first, so it is asked again for LOAD_WITHIN_MS. The feed waits no longer than that: those on file stay the first all
   * the same.
   */
  static async open(options: PostgresArchiveOptions): Promise<PostgresArchiveWriter> {
    const writer = new PostgresArchiveWriter(options);
    const { clock, onError } = options;
    const untilMs = clock.monotonicMs() + LOAD_WITHIN_MS;
    for (;;) {
      try {
        await writer.#load();
        return writer;
      } catch (error) {
        onError(error);
        if (clock.monotonicMs() >= untilMs) return writer;
        await Bun.sleep(LOAD_EVERY_MS);
      }
    }
  }

  /** Rows that wait to be written. */
  get pendingCount(): number {
    return this.#openings.length + this.#results.size;
  }

  /** Rows that found no room. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** As ArchiveWriter does. */
  recordOpening(eventNumber: number, opening: OpeningRow): void {
    this.#known.recordOpening(eventNumber, opening);
    if (this.#hasRoom()) this.#openings.push({ eventNumber, opening });
  }

  /** As ArchiveWriter does. */
  recordResult(result: ArchivedResult): void {
    const waiting = this.#results.get(result.eventNumber);
    if (waiting === undefined && !this.#hasRoom()) return;
    if (waiting?.source === 'final' && result.source === 'inferred') return;
    this.#results.set(result.eventNumber, result);
  }

  /** As ArchiveWriter does, of fixtures that are not over. */
  openingsOf(eventNumber: number): OpeningRow[] {
    return this.#known.openingsOf(eventNumber);
  }

  /** Writes what waits, as far as Postgres takes it. One call at a time does; others wait for it. */
  async flush(): Promise<void> {
    this.#known.flush();
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
    await this.#writing;
  }

  /** Deletes what has expired, as ArchiveWriter does. */
  async purge(nowMs: number): Promise<void> {
    this.#known.purge(nowMs);
    const expiryMs = Math.trunc(nowMs) - RESULTS_KEPT_MS;
    try {
      await this.#pool.transaction(async (sql) => {
        await sql.run('DELETE FROM results WHERE finished_at_ms < $1', [expiryMs]);
        await sql.run(
          `WITH expired AS (
             DELETE FROM opening_events WHERE event_number IN (
               SELECT event_number FROM opening_events WHERE last_recorded_at_ms < $1
               ORDER BY last_recorded_at_ms LIMIT 50 FOR UPDATE SKIP LOCKED)
             RETURNING event_number)
           DELETE FROM openings USING expired WHERE openings.event_number = expired.event_number`,
          [expiryMs],
        );
      });
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Writes what waits a last time. */
  async close(): Promise<void> {
    await this.flush();
    this.#memory.close();
  }

  async #load(): Promise<void> {
    const insert = this.#memory.prepare(
      `INSERT OR IGNORE INTO openings (sequence, event_number, ${OPENING_COLUMNS.join(', ')})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const touch = this.#memory.prepare('INSERT OR IGNORE INTO opening_events VALUES (?, ?)');
    const nowMs = Math.trunc(this.#clock.wallMs());
    const keep = this.#memory.transaction((rows: readonly StoredOpening[]) => {
      for (const { sequence, event_number: eventNumber, ...row } of rows) {
        insert.run(sequence, eventNumber, ...OPENING_COLUMNS.map((column) => row[column]));
        touch.run(eventNumber, nowMs);
      }
    });
    let below = Number.MAX_SAFE_INTEGER;
    for (let loaded = 0; loaded < LOADED_MAX; loaded += PAGE_ROWS) {
      const rows = await this.#pool.rows<StoredOpening>(SELECT_PAGE, [
        below,
        nowMs - MAY_GO_ON_MS,
        PAGE_ROWS,
      ]);
      keep(rows);
      if (rows.length < PAGE_ROWS) return;
      below = rows.at(-1)!.sequence;
    }
  }

  async #write(): Promise<void> {
    try {
      while (this.pendingCount > 0) await this.#writeBatch();
    } catch (error) {
      this.#onError(error);
    }
  }

  async #writeBatch(): Promise<void> {
    const openings = this.#openings.slice(0, BATCH_ROWS_MAX);
    const results = Array.from(this.#results.values().take(BATCH_ROWS_MAX));
    await this.#pool.transaction(async (sql) => {
      await writeOpenings(sql, openings, Math.trunc(this.#clock.wallMs()));
      await writeResults(sql, results);
    });
    this.#openings.splice(0, openings.length);
    for (const result of results)
      if (this.#results.get(result.eventNumber) === result) this.#results.delete(result.eventNumber);
  }

  /** Full means that Postgres has been away for long: the row is refused and counted, the slate keeps its opening. */
  #hasRoom(): boolean {
    if (this.pendingCount < ARCHIVE_ROWS_MAX) return true;
    this.#refusedCount++;
    this.#onError(new Error(`Cannot archive a row: ${ARCHIVE_ROWS_MAX} wait to be written`));
    return false;
  }
}

/** An opening on file stays, whichever node put it there. */
async function writeOpenings(
  sql: Sql,
  openings: readonly { readonly eventNumber: number; readonly opening: OpeningRow }[],
  recordedAtMs: number,
): Promise<void> {
  if (openings.length === 0) return;
  const rows = openings.map(({ eventNumber, opening }, place) => [
    place,
    ...openingParameters(eventNumber, opening),
  ]);
  const columns = ['event_number', ...OPENING_COLUMNS];
  await sql.run(
    `INSERT INTO openings (${columns.join(', ')})
     SELECT ${columns.map((_, index) => `(entry ->> ${index + 1})::bigint`).join(', ')}
     FROM json_array_elements($1::text::json) AS entry ORDER BY (entry ->> 0)::bigint
     ON CONFLICT (event_number, quote_key) DO NOTHING`,
    [JSON.stringify(rows)],
  );
  const events = [...new Set(openings.map(({ eventNumber }) => eventNumber))].toSorted(
    (one, other) => one - other,
  );
  await sql.run(
    `INSERT INTO opening_events (event_number, last_recorded_at_ms)
     SELECT event::bigint, $2::bigint FROM json_array_elements_text($1::text::json) AS event
     ON CONFLICT (event_number) DO UPDATE SET last_recorded_at_ms = excluded.last_recorded_at_ms`,
    [JSON.stringify(events), recordedAtMs],
  );
}

async function writeResults(sql: Sql, results: readonly ArchivedResult[]): Promise<void> {
  if (results.length === 0) return;
  const rows = results
    .toSorted((one, other) => one.eventNumber - other.eventNumber)
    .map((result) => resultParameters(result));
  const values = RESULT_COLUMNS.map(([, type], index) => `(entry ->> ${index})::${type}`);
  await sql.run(
    `INSERT INTO results (${RESULT_COLUMNS.map(([name]) => name).join(', ')})
     SELECT ${values.join(', ')} FROM json_array_elements($1::text::json) AS entry
     ${UPSERT_RESULT_CLAUSE}`,
    [JSON.stringify(rows)],
  );
}
