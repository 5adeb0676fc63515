// Writes the archive to Postgres, for the ingest worker. The feed needs the openings of unfinished fixtures
// without waiting, so they are held in an in-memory SQLite database that is filled at the start. New rows
// wait in memory too and are written to Postgres in batches in the background. Nothing here throws: while
// Postgres is unreachable, rows wait and the feed goes on.

import { Database } from 'bun:sqlite';
import type { Clock } from '../clock.ts';
import { ARCHIVE_ROWS_MAX, RESULTS_KEPT_MS } from '../limits.ts';
import type { SealedSql, SqlDatabase } from '../storage/sql.ts';
import type { OpeningRow } from '../store/records.ts';
import { ArchiveWriter } from './archive-writer.ts';
import {
  ARCHIVE_SCHEMA,
  type ArchivedResult,
  EVENT_COLUMNS,
  EVENT_EXISTS,
  OPENING_COLUMNS,
  OPENING_EXISTS,
  type OpeningRecord,
  openingParameters,
  RESULT_COLUMNS,
  RESULT_EXISTS,
  resultParameters,
} from './tables.ts';

/** Rows that one transaction writes. */
const BATCH_ROWS_MAX = 5_000;
/**
 * Openings that the start loads, newest first. Full: older fixtures get the next price as their opening in
 * memory, but the stored opening is not overwritten.
 */
const LOADED_MAX = 1_000_000;
const PAGE_ROWS = 20_000;
/** How long, and how often, the start retries loading while Postgres does not answer. */
const LOAD_WITHIN_MS = 10_000;
const LOAD_EVERY_MS = 250;
/** A match whose result is inferred may still be running this long after its supposed end. */
const MAY_GO_ON_MS = 86_400_000;

const OPENING_NAMES = Object.keys(OPENING_COLUMNS) as (keyof typeof OPENING_COLUMNS)[];

/** Openings of fixtures that are not over. */
const SELECT_PAGE = `SELECT * FROM openings
  WHERE sequence < $1 AND NOT EXISTS (
    SELECT 1 FROM results WHERE results.event_number = openings.event_number
    AND (source = 'final' OR finished_at_ms < $2))
  ORDER BY sequence DESC LIMIT $3`;

interface StoredOpening extends OpeningRecord {
  readonly sequence: number;
  readonly event_number: number;
}

export interface PostgresArchiveOptions {
  readonly sql: SqlDatabase;
  readonly clock: Clock;
  /** Called for each batch, purge or row that failed; counted as `archive_errors`. */
  readonly onError: (error: unknown) => void;
}

export class PostgresArchiveWriter {
  readonly #sql: SqlDatabase;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #memory: Database;
  readonly #known: ArchiveWriter;
  readonly #openings: { readonly eventNumber: number; readonly opening: OpeningRow }[] = [];
  readonly #results = new Map<number, ArchivedResult>();
  #writing: Promise<void> | null = null;
  #refusedCount = 0;

  private constructor({ sql, clock, onError }: PostgresArchiveOptions) {
    this.#sql = sql;
    this.#clock = clock;
    this.#onError = onError;
    this.#memory = new Database(':memory:', { strict: true });
    this.#memory.run(ARCHIVE_SCHEMA);
    this.#known = new ArchiveWriter({ database: this.#memory, clock, onError });
  }

  /**
   * Opens the writer and loads stored openings. Without them the slate would show later prices as openings,
   * so a failing load is retried for LOAD_WITHIN_MS. The feed waits no longer; stored openings are never
   * overwritten anyway.
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

  /** Rows waiting to be written. */
  get pendingCount(): number {
    return this.#openings.length + this.#results.size;
  }

  /** Rows dropped because too many were waiting. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** Same as in ArchiveWriter. */
  recordOpening(eventNumber: number, opening: OpeningRow): void {
    this.#known.recordOpening(eventNumber, opening);
    if (this.#hasRoom()) this.#openings.push({ eventNumber, opening });
  }

  /** Same as in ArchiveWriter. */
  recordResult(result: ArchivedResult): void {
    const waiting = this.#results.get(result.eventNumber);
    if (waiting === undefined && !this.#hasRoom()) return;
    if (waiting?.source === 'final' && result.source === 'inferred') return;
    this.#results.set(result.eventNumber, result);
  }

  /** Same as in ArchiveWriter, but only for fixtures that are not over. */
  openingsOf(eventNumber: number): OpeningRow[] {
    return this.#known.openingsOf(eventNumber);
  }

  /**
   * Writes the waiting rows until Postgres fails. Only one write runs at a time; concurrent callers await it.
   */
  async flush(): Promise<void> {
    this.#known.flush();
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
    await this.#writing;
  }

  /** Deletes expired rows by the same rules as ArchiveWriter. */
  async purge(nowMs: number): Promise<void> {
    this.#known.purge(nowMs);
    const expiryMs = Math.trunc(nowMs) - RESULTS_KEPT_MS;
    try {
      await this.#sql.transaction(async (sql) => {
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

  /** Writes the waiting rows one last time. */
  async close(): Promise<void> {
    await this.flush();
    this.#memory.close();
  }

  async #load(): Promise<void> {
    const columns = ['sequence', ...OPENING_NAMES];
    const insert = this.#memory.prepare(
      `INSERT OR IGNORE INTO openings (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    const touch = this.#memory.prepare('INSERT OR IGNORE INTO opening_events VALUES (?, ?)');
    const nowMs = Math.trunc(this.#clock.wallMs());
    const keep = this.#memory.transaction((rows: readonly StoredOpening[]) => {
      for (const row of rows) {
        insert.run(row.sequence, ...OPENING_NAMES.map((column) => row[column]));
        touch.run(row.event_number, nowMs);
      }
    });
    let below = Number.MAX_SAFE_INTEGER;
    for (let loaded = 0; loaded < LOADED_MAX; loaded += PAGE_ROWS) {
      const rows = await this.#sql.rows<StoredOpening>(SELECT_PAGE, [below, nowMs - MAY_GO_ON_MS, PAGE_ROWS]);
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
    await this.#sql.transaction(async (sql) => {
      await writeOpenings(sql, openings, Math.trunc(this.#clock.wallMs()));
      await writeResults(sql, results);
    });
    this.#openings.splice(0, openings.length);
    for (const result of results)
      if (this.#results.get(result.eventNumber) === result) this.#results.delete(result.eventNumber);
  }

  /**
   * Full: Postgres has been unreachable for long. The row is dropped and counted; the slate keeps its
   * opening.
   */
  #hasRoom(): boolean {
    if (this.pendingCount < ARCHIVE_ROWS_MAX) return true;
    this.#refusedCount++;
    this.#onError(new Error(`Cannot archive a row: ${ARCHIVE_ROWS_MAX} wait to be written`));
    return false;
  }
}

async function writeOpenings(
  sql: SealedSql,
  openings: readonly { readonly eventNumber: number; readonly opening: OpeningRow }[],
  recordedAtMs: number,
): Promise<void> {
  const rows = openings.map(({ eventNumber, opening }) => openingParameters(eventNumber, opening));
  await sql.insertAll('openings', { columns: OPENING_COLUMNS, rows }, OPENING_EXISTS);
  // In the order of events, so that two nodes cannot deadlock; the same for results.
  const events = [...new Set(openings.map(({ eventNumber }) => eventNumber))].toSorted(
    (one, other) => one - other,
  );
  await sql.insertAll(
    'opening_events',
    { columns: EVENT_COLUMNS, rows: events.map((eventNumber) => [eventNumber, recordedAtMs]) },
    EVENT_EXISTS,
  );
}

async function writeResults(sql: SealedSql, results: readonly ArchivedResult[]): Promise<void> {
  const rows = results
    .toSorted((one, other) => one.eventNumber - other.eventNumber)
    .map((result) => resultParameters(result));
  await sql.insertAll('results', { columns: RESULT_COLUMNS, rows }, RESULT_EXISTS);
}
