// The archive as the ingest worker writes it. Rows wait in memory until `flush`, which the worker calls several times a
// second, or until ARCHIVE_FLUSH_ROWS wait; then all are written in one transaction. Nothing here throws: rows that cannot
// be written stay in memory and are tried again, and the feed goes on.

import type { Database } from 'bun:sqlite';
import type { Clock } from '../clock.ts';
import { inTransaction } from '../database.ts';
import { ARCHIVE_FLUSH_ROWS, ARCHIVE_ROWS_MAX, RESULTS_KEPT_MS } from '../limits.ts';
import type { OpeningRow } from '../store/records.ts';
import {
  type ArchivedResult,
  OPENING_COLUMNS,
  type OpeningRecord,
  openingParameters,
  RESULT_COLUMNS,
  resultParameters,
  SELECT_OPENINGS,
  toOpening,
  UPSERT_RESULT_CLAUSE,
} from './tables.ts';

export interface ArchiveWriterOptions {
  /** A connection of this thread alone, with ARCHIVE_SCHEMA in place. */
  readonly database: Database;
  readonly clock: Clock;
  /** Called once per flush, purge or row that failed: counted as `archive_errors`. */
  readonly onError: (error: unknown) => void;
}

/** Events whose openings one `purge` deletes, so that a backlog never holds the feed for long. */
const PURGED_EVENTS_MAX = 50;

const INSERT_OPENING = `INSERT INTO openings (event_number, ${OPENING_COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (event_number, quote_key) DO NOTHING`;
const TOUCH_EVENT = `INSERT INTO opening_events (event_number, last_recorded_at_ms) VALUES (?, ?)
  ON CONFLICT (event_number) DO UPDATE SET last_recorded_at_ms = excluded.last_recorded_at_ms`;
const UPSERT_RESULT = `INSERT INTO results VALUES (${RESULT_COLUMNS.map(() => '?').join(', ')})
  ${UPSERT_RESULT_CLAUSE}`;

export class ArchiveWriter {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #openings = new Map<number, OpeningRow[]>();
  readonly #results = new Map<number, ArchivedResult>();
  #openingCount = 0;
  #refusedCount = 0;
  /** After a failure only `flush` tries again, or every message would wait for the lock. */
  #isFailing = false;

  constructor(options: ArchiveWriterOptions) {
    const { database } = options;
    this.#database = database;
    this.#clock = options.clock;
    this.#onError = options.onError;
    this.#statements = statementsOf(database);
  }

  /** Rows that wait to be written. */
  get pendingCount(): number {
    return this.#openingCount + this.#results.size;
  }

  /** Rows that found no room. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** Takes the first price seen for a key. One that is on file stays: openings are frozen. */
  recordOpening(eventNumber: number, opening: OpeningRow): void {
    if (!this.#hasRoom()) return;
    const waiting = this.#openings.get(eventNumber);
    if (waiting === undefined) this.#openings.set(eventNumber, [opening]);
    else waiting.push(opening);
    this.#openingCount++;
    this.#flushWhenFull();
  }

  /** Takes a result. A final one replaces what is on file, an inferred one only another inferred one. */
  recordResult(result: ArchivedResult): void {
    const waiting = this.#results.get(result.eventNumber);
    if (waiting === undefined && !this.#hasRoom()) return;
    if (waiting?.source === 'final' && result.source === 'inferred') return;
    this.#results.set(result.eventNumber, result);
    this.#flushWhenFull();
  }

  /**
   * Writes all that waits in one transaction.
   * @returns whether nothing waits any more; false when the file is busy, full or gone: call again later
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

  /** Every opening of an event in first-seen order, those that still wait included; none when the file fails. */
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
   * Deletes results RESULTS_KEPT_MS after they finished, and an event's openings as long after its last one was
   * recorded: while lines still appear, the first ones stay.
   * @returns whether all that expired is gone; false when more waits or the file failed: call again later
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

  /** Full means that the file has failed for long: the row is refused and counted, the slate keeps its opening. */
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
    insertOpening: database.prepare(INSERT_OPENING),
    touchEvent: database.prepare(TOUCH_EVENT),
    upsertResult: database.prepare(UPSERT_RESULT),
    selectOpenings: database.prepare<OpeningRecord, [number]>(SELECT_OPENINGS),
    selectExpired: database.prepare<{ event_number: number }, [number, number]>(
      'SELECT event_number FROM opening_events WHERE last_recorded_at_ms < ? ORDER BY last_recorded_at_ms LIMIT ?',
    ),
    deleteOpenings: database.prepare('DELETE FROM openings WHERE event_number = ?'),
    deleteEvent: database.prepare('DELETE FROM opening_events WHERE event_number = ?'),
    deleteResults: database.prepare('DELETE FROM results WHERE finished_at_ms < ?'),
  };
}
