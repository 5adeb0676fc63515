// Writes the archive, for the ingest worker. Rows wait in memory until `flush`, which the worker calls
// several times a second, or until ARCHIVE_FLUSH_ROWS wait; then all are written in one transaction. Nothing
// here throws: rows that cannot be written stay in memory and are retried, and the feed goes on.

import type { Database } from 'bun:sqlite';
import type { Clock } from '../clock.ts';
import { ARCHIVE_FLUSH_ROWS, ARCHIVE_ROWS_MAX, RESULTS_KEPT_MS } from '../limits.ts';
import { inTransaction } from '../storage/database.ts';
import { insertInto } from '../storage/sqlite-sql.ts';
import type { OpeningRow } from '../store/records.ts';
import {
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
  SELECT_OPENINGS,
  toOpening,
} from './tables.ts';

export interface ArchiveWriterOptions {
  /** A connection that only this thread uses, with ARCHIVE_SCHEMA in place. */
  readonly database: Database;
  readonly clock: Clock;
  /** Called for each flush, purge or row that failed; counted as `archive_errors`. */
  readonly onError: (error: unknown) => void;
}

/** Events whose openings one `purge` deletes, so that a backlog never blocks the feed for long. */
const PURGED_EVENTS_MAX = 50;

export class ArchiveWriter {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #openings = new Map<number, OpeningRow[]>();
  readonly #results = new Map<number, ArchivedResult>();
  #openingCount = 0;
  #refusedCount = 0;
  /** Set after a failure: then only `flush` retries, or every message would wait for the lock. */
  #isFailing = false;

  constructor(options: ArchiveWriterOptions) {
    const { database } = options;
    this.#database = database;
    this.#clock = options.clock;
    this.#onError = options.onError;
    this.#statements = statementsOf(database);
  }

  /** Rows waiting to be written. */
  get pendingCount(): number {
    return this.#openingCount + this.#results.size;
  }

  /** Rows dropped because too many were waiting. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** Takes the first price seen for a key. An opening that is already stored is never replaced. */
  recordOpening(eventNumber: number, opening: OpeningRow): void {
    if (!this.#hasRoom()) return;
    const waiting = this.#openings.get(eventNumber);
    if (waiting === undefined) this.#openings.set(eventNumber, [opening]);
    else waiting.push(opening);
    this.#openingCount++;
    this.#flushWhenFull();
  }

  /**
   * Takes a result. A final result replaces a stored one; an inferred result only replaces an inferred one.
   */
  recordResult(result: ArchivedResult): void {
    const waiting = this.#results.get(result.eventNumber);
    if (waiting === undefined && !this.#hasRoom()) return;
    if (waiting?.source === 'final' && result.source === 'inferred') return;
    this.#results.set(result.eventNumber, result);
    this.#flushWhenFull();
  }

  /**
   * Writes all waiting rows in one transaction.
   * @returns true when nothing waits any more; false when the file is busy, full or gone: call again later
   */
  flush(): boolean {
    if (this.pendingCount === 0) return true;
    try {
      inTransaction(this.#database, () => this.#writeRows());
    } catch (error) {
      this.#isFailing = true;
      this.#onError(error);
      return false;
    }
    this.#isFailing = false;
    this.#openings.clear();
    this.#results.clear();
    this.#openingCount = 0;
    return true;
  }

  /**
   * All openings of an event in first-seen order, including those waiting to be written. If the file cannot
   * be read, only the waiting ones.
   */
  openingsOf(eventNumber: number): OpeningRow[] {
    const byKey = new Map<number, OpeningRow>();
    try {
      for (const row of this.#statements.selectOpenings.all(eventNumber))
        byKey.set(row.quote_key, toOpening(row));
    } catch (error) {
      this.#onError(error);
    }
    for (const opening of this.#openings.get(eventNumber) ?? []) {
      if (!byKey.has(opening.key)) byKey.set(opening.key, opening);
    }
    return [...byKey.values()];
  }

  /**
   * Deletes results RESULTS_KEPT_MS after the match finished, and an event's openings that long after its
   * latest opening was recorded. As long as an event still gets new openings, its first ones stay.
   * @returns true when all expired rows are gone; false when more are left or the file failed: call again
   * later
   */
  purge(nowMs: number): boolean {
    const expiryMs = nowMs - RESULTS_KEPT_MS;
    try {
      return inTransaction(this.#database, () => {
        this.#statements.deleteResults.run(expiryMs);
        const expired = this.#statements.selectExpired.all(expiryMs, PURGED_EVENTS_MAX);
        for (const { event_number: eventNumber } of expired) {
          this.#statements.deleteOpenings.run(eventNumber);
          this.#statements.deleteEvent.run(eventNumber);
        }
        return expired.length < PURGED_EVENTS_MAX;
      });
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }

  #writeRows(): void {
    const recordedAtMs = Math.trunc(this.#clock.wallMs());
    for (const [eventNumber, openings] of this.#openings) {
      for (const opening of openings)
        this.#statements.insertOpening.run(...openingParameters(eventNumber, opening));
      this.#statements.touchEvent.run(eventNumber, recordedAtMs);
    }
    for (const result of this.#results.values())
      this.#statements.upsertResult.run(...resultParameters(result));
  }

  /**
   * Full: the file has been failing for long. The row is dropped and counted; the slate keeps its opening.
   */
  #hasRoom(): boolean {
    if (this.pendingCount < ARCHIVE_ROWS_MAX) return true;
    this.#refusedCount++;
    this.#onError(new Error(`Cannot archive a row: ${ARCHIVE_ROWS_MAX} wait to be written`));
    return false;
  }

  #flushWhenFull(): void {
    if (this.pendingCount >= ARCHIVE_FLUSH_ROWS && !this.#isFailing) this.flush();
  }
}

function statementsOf(database: Database) {
  return {
    insertOpening: database.prepare(insertInto('openings', OPENING_COLUMNS, OPENING_EXISTS)),
    touchEvent: database.prepare(insertInto('opening_events', EVENT_COLUMNS, EVENT_EXISTS)),
    upsertResult: database.prepare(insertInto('results', RESULT_COLUMNS, RESULT_EXISTS)),
    selectOpenings: database.prepare<OpeningRecord, [number]>(SELECT_OPENINGS),
    selectExpired: database.prepare<{ event_number: number }, [number, number]>(
      'SELECT event_number FROM opening_events WHERE last_recorded_at_ms < ? ORDER BY last_recorded_at_ms LIMIT ?',
    ),
    deleteOpenings: database.prepare('DELETE FROM openings WHERE event_number = ?'),
    deleteEvent: database.prepare('DELETE FROM opening_events WHERE event_number = ?'),
    deleteResults: database.prepare('DELETE FROM results WHERE finished_at_ms < ?'),
  };
}
