// Writes the archive, for the ingest worker. New rows wait in memory and are written in batches in the
// background: by `flush`, which the worker calls several times a second, or when ARCHIVE_FLUSH_ROWS wait.
// Nothing here throws: rows that cannot be written stay in memory and are retried, and the feed goes on.

import type { Database, Statement } from 'bun:sqlite';
import type { Clock } from '../clock.ts';
import { ARCHIVE_FLUSH_ROWS, ARCHIVE_ROWS_MAX, RESULTS_KEPT_MS } from '../limits.ts';
import type { SealedSql, SqlDatabase } from '../storage/sql.ts';
import { sqliteSql } from '../storage/sqlite-sql.ts';
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
  /**
   * A SQLite connection that only this thread uses, with ARCHIVE_SCHEMA in place. Openings are read from it
   * without waiting.
   */
  readonly database: Database;
  /** Postgres, if it holds the archive. Then `database` is a copy of its openings (opening-copy.ts). */
  readonly postgres?: SqlDatabase;
  readonly clock: Clock;
  /** Called for each batch, purge or row that failed; counted as `archive_errors`. */
  readonly onError: (error: unknown) => void;
}

/** The most rows of each kind that one transaction writes. */
const BATCH_ROWS_MAX = 5_000;
/** The most events whose openings one `purge` deletes, so that a backlog never blocks the feed for long. */
const PURGED_EVENTS_MAX = 50;

type EventOpenings = readonly [eventNumber: number, openings: readonly OpeningRow[]];

export class ArchiveWriter {
  /** The database that holds the archive. */
  readonly #sql: SqlDatabase;
  /** The SQLite copy of the openings in Postgres; null if the archive is in SQLite. */
  readonly #copy: SqlDatabase | null;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #selectOpenings: Statement<OpeningRecord, [number]>;
  readonly #openings = new Map<number, OpeningRow[]>();
  readonly #results = new Map<number, ArchivedResult>();
  #writing: Promise<boolean> | null = null;
  #openingCount = 0;
  #refusedCount = 0;
  /** Set after a failure. Then only `flush` retries, because otherwise every message would try to write. */
  #isFailing = false;

  constructor({ database, postgres, clock, onError }: ArchiveWriterOptions) {
    this.#sql = postgres ?? sqliteSql(database);
    this.#copy = postgres === undefined ? null : sqliteSql(database);
    this.#clock = clock;
    this.#onError = onError;
    this.#selectOpenings = database.prepare(SELECT_OPENINGS);
  }

  /** Rows waiting to be written. */
  get pendingCount(): number {
    return this.#openingCount + this.#results.size;
  }

  /** Rows dropped because too many were waiting. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** Adds the first price seen for a key. An opening that is already stored is never replaced. */
  recordOpening(eventNumber: number, opening: OpeningRow): void {
    if (!this.#hasRoom()) return;
    this.#openings.getOrInsertComputed(eventNumber, () => []).push(opening);
    this.#openingCount++;
    this.#flushWhenFull();
  }

  /**
   * Adds a result. A final result replaces a stored one; an inferred result only replaces an inferred one.
   */
  recordResult(result: ArchivedResult): void {
    const waiting = this.#results.get(result.eventNumber);
    if (waiting === undefined && !this.#hasRoom()) return;
    if (waiting?.source === 'final' && result.source === 'inferred') return;
    this.#results.set(result.eventNumber, result);
    this.#flushWhenFull();
  }

  /**
   * Writes the waiting rows, until none is left or the archive fails. Only one write runs at a time;
   * concurrent callers await it.
   * @returns true when nothing waits any more; false when the archive is busy, full or gone. Then call again
   * later
   */
  flush(): Promise<boolean> {
    if (this.pendingCount === 0) return Promise.resolve(true);
    this.#writing ??= this.#write();
    return this.#writing;
  }

  /**
   * All openings of an event in first-seen order, including those waiting to be written. If the file cannot
   * be read, returns only the waiting openings. With Postgres, the openings of a fixture that was over when
   * the server started are missing.
   */
  openingsOf(eventNumber: number): OpeningRow[] {
    const byKey = new Map<number, OpeningRow>();
    try {
      for (const row of this.#selectOpenings.all(eventNumber)) byKey.set(row.quote_key, toOpening(row));
    } catch (error) {
      this.#onError(error);
    }
    for (const opening of this.#openings.get(eventNumber) ?? []) {
      if (!byKey.has(opening.key)) byKey.set(opening.key, opening);
    }
    return [...byKey.values()];
  }

  /**
   * Deletes results RESULTS_KEPT_MS after the match finished. Deletes all openings of an event
   * RESULTS_KEPT_MS after the latest of them was recorded, so an event that still gets new openings keeps its
   * first ones.
   * @returns true when all expired rows are gone; false when more are left or the archive failed. Then call
   * again later
   */
  async purge(nowMs: number): Promise<boolean> {
    const expiryMs = Math.trunc(nowMs) - RESULTS_KEPT_MS;
    try {
      if (this.#copy !== null) await this.#copy.transaction((sql) => deleteExpired(sql, expiryMs));
      return await this.#sql.transaction((sql) => deleteExpired(sql, expiryMs));
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }

  async #write(): Promise<boolean> {
    try {
      while (this.pendingCount > 0) await this.#writeBatch();
      this.#isFailing = false;
      return true;
    } catch (error) {
      this.#isFailing = true;
      this.#onError(error);
      return false;
    } finally {
      // Nothing can be recorded between the last check of `pendingCount` and this line, so a caller that
      // waits for this write finds its rows written.
      this.#writing = null;
    }
  }

  async #writeBatch(): Promise<void> {
    const openings = this.#nextOpenings();
    const results = Array.from(this.#results.values().take(BATCH_ROWS_MAX));
    const recordedAtMs = Math.trunc(this.#clock.wallMs());
    await this.#sql.transaction(async (sql) => {
      await writeOpenings(sql, openings, recordedAtMs);
      await writeResults(sql, results);
    });
    if (this.#copy !== null)
      await this.#copy.transaction((sql) => writeOpenings(sql, openings, recordedAtMs));
    for (const [eventNumber, { length }] of openings) {
      // Rows that arrived during the write come after the written ones and stay.
      const rest = this.#openings.get(eventNumber)!.slice(length);
      if (rest.length > 0) this.#openings.set(eventNumber, rest);
      else this.#openings.delete(eventNumber);
      this.#openingCount -= length;
    }
    for (const result of results)
      if (this.#results.get(result.eventNumber) === result) this.#results.delete(result.eventNumber);
  }

  /** The first waiting openings, as many as fit into a batch. */
  #nextOpenings(): EventOpenings[] {
    const taken: EventOpenings[] = [];
    let room = BATCH_ROWS_MAX;
    for (const [eventNumber, openings] of this.#openings) {
      if (room === 0) break;
      const first = openings.slice(0, room);
      taken.push([eventNumber, first]);
      room -= first.length;
    }
    return taken;
  }

  /**
   * Whether one more row may wait. If not, the archive has been failing for long. Then the row is dropped and
   * counted, and its opening is only on the slate.
   */
  #hasRoom(): boolean {
    if (this.pendingCount < ARCHIVE_ROWS_MAX) return true;
    this.#refusedCount++;
    this.#onError(new Error(`Cannot archive a row: ${ARCHIVE_ROWS_MAX} wait to be written`));
    return false;
  }

  #flushWhenFull(): void {
    if (this.pendingCount >= ARCHIVE_FLUSH_ROWS && !this.#isFailing) void this.flush();
  }
}

async function writeOpenings(
  sql: SealedSql,
  waiting: readonly EventOpenings[],
  recordedAtMs: number,
): Promise<void> {
  // Sorted by event, as results are. Otherwise two nodes that write at the same time could deadlock.
  const events = waiting.toSorted(([one], [other]) => one - other);
  const rows = events.flatMap(([eventNumber, openings]) =>
    openings.map((opening) => openingParameters(eventNumber, opening)),
  );
  await sql.insertAll('openings', { columns: OPENING_COLUMNS, rows }, OPENING_EXISTS);
  const touched = events.map(([eventNumber]) => [eventNumber, recordedAtMs]);
  await sql.insertAll('opening_events', { columns: EVENT_COLUMNS, rows: touched }, EVENT_EXISTS);
}

async function writeResults(sql: SealedSql, results: readonly ArchivedResult[]): Promise<void> {
  const rows = results
    .toSorted((one, other) => one.eventNumber - other.eventNumber)
    .map((result) => resultParameters(result));
  await sql.insertAll('results', { columns: RESULT_COLUMNS, rows }, RESULT_EXISTS);
}

/** @returns whether all expired rows are gone */
async function deleteExpired(sql: SealedSql, expiryMs: number): Promise<boolean> {
  await sql.run('DELETE FROM results WHERE finished_at_ms < $1', [expiryMs]);
  const expired = await sql.rows<{ event_number: number }>(
    `SELECT event_number FROM opening_events WHERE last_recorded_at_ms < $1
     ORDER BY last_recorded_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [expiryMs, PURGED_EVENTS_MAX],
  );
  const given = {
    columns: { event_number: 'bigint' } as const,
    rows: expired.map(({ event_number: eventNumber }) => [eventNumber]),
  };
  for (const table of ['openings', 'opening_events']) {
    await sql.runGiven(`DELETE FROM ${table} WHERE event_number IN (SELECT event_number FROM given)`, given);
  }
  return expired.length < PURGED_EVENTS_MAX;
}
