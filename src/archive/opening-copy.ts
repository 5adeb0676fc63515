// The openings of unfinished fixtures in Postgres, copied into memory at the start, because the feed needs a
// fixture's openings without waiting.

import { Database } from 'bun:sqlite';
import { type Clock, DAY_MS } from '../clock.ts';
import type { Sql } from '../storage/sql.ts';
import { ARCHIVE_SCHEMA, OPENING_COLUMNS, type OpeningRecord } from './tables.ts';

/**
 * Maximum number of openings that are copied, newest first. If an opening is not copied, a later price counts
 * as the opening in memory, but the stored opening is not overwritten.
 */
const COPIED_MAX = 1_000_000;
const PAGE_ROWS = 20_000;
/** How long, and how often, the start retries while Postgres does not answer. */
const COPY_WITHIN_MS = 10_000;
const COPY_EVERY_MS = 250;
/** How long after its supposed end a match whose result is inferred may still be running. */
const MAY_GO_ON_MS = DAY_MS;

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

/**
 * Makes the copy. Without it the slate would show later prices as openings, so a failing query is retried for
 * COPY_WITHIN_MS. The feed does not wait longer than that. Stored openings are never overwritten anyway.
 * @returns an in-memory database with the tables of the archive
 */
export async function copyOpenings(
  sql: Sql,
  { clock, onError }: { readonly clock: Clock; readonly onError: (error: unknown) => void },
): Promise<Database> {
  const copy = new Database(':memory:', { strict: true });
  copy.run(ARCHIVE_SCHEMA);
  const untilMs = clock.monotonicMs() + COPY_WITHIN_MS;
  for (;;) {
    try {
      await fill(copy, sql, Math.trunc(clock.wallMs()));
      return copy;
    } catch (error) {
      onError(error);
      if (clock.monotonicMs() >= untilMs) return copy;
      await Bun.sleep(COPY_EVERY_MS);
    }
  }
}

async function fill(copy: Database, sql: Sql, nowMs: number): Promise<void> {
  const columns = ['sequence', ...OPENING_NAMES];
  const insert = copy.prepare(
    `INSERT OR IGNORE INTO openings (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const touch = copy.prepare('INSERT OR IGNORE INTO opening_events VALUES (?, ?)');
  const keep = copy.transaction((rows: readonly StoredOpening[]) => {
    for (const row of rows) {
      insert.run(row.sequence, ...OPENING_NAMES.map((column) => row[column]));
      touch.run(row.event_number, nowMs);
    }
  });
  let below = Number.MAX_SAFE_INTEGER;
  for (let copied = 0; copied < COPIED_MAX; copied += PAGE_ROWS) {
    const rows = await sql.rows<StoredOpening>(SELECT_PAGE, [below, nowMs - MAY_GO_ON_MS, PAGE_ROWS]);
    keep(rows);
    if (rows.length < PAGE_ROWS) return;
    below = rows.at(-1)!.sequence;
  }
}
