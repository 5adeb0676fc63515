// The record of signals in the database: one row for each signal that opened, the scores and closing prices
// that grade it, and which writer keeps the record. Bookmakers and words are stored by name, so another
// roster needs no migration. Written by the history thread of one node at a time, in SQLite or Postgres.

import { RECORD_SIGNALS_MAX, RESULTS_KEPT_MS } from '../limits.ts';
import type { RowOf, Sql, SqlDatabase, SqlValue } from '../storage/sql.ts';

export const SIGNAL_RECORD_SCHEMA = `
CREATE TABLE IF NOT EXISTS signal_record (
  id TEXT NOT NULL,
  sees_sharp INTEGER NOT NULL, -- 1: found with the prices of the sharp bookmaker
  kind TEXT NOT NULL,
  event_number INTEGER NOT NULL,
  league TEXT NOT NULL,
  sport INTEGER NOT NULL,
  market_type TEXT NOT NULL,
  period TEXT NOT NULL,
  line_quarters INTEGER,
  outcome TEXT,
  bookmaker TEXT,
  price_e4 INTEGER,
  fair_price_e4 INTEGER,
  reference TEXT,
  edge_e2 INTEGER NOT NULL, -- hundredths of a per cent
  ev_e2 INTEGER,
  in_play INTEGER NOT NULL,
  from_home INTEGER NOT NULL,
  from_away INTEGER NOT NULL,
  opened_at_ms INTEGER NOT NULL,
  closed_at_ms INTEGER,
  longest_gap_ms INTEGER NOT NULL,
  score_home INTEGER, -- of its period, at the end
  score_away INTEGER,
  close_frozen_at_ms INTEGER, -- the frozen close that clv_pct was computed with
  clv_pct TEXT, -- a number; text keeps every digit in both databases
  PRIMARY KEY (sees_sharp, id)
) STRICT;
CREATE INDEX IF NOT EXISTS signal_record_by_time ON signal_record (sees_sharp, opened_at_ms, id);
CREATE INDEX IF NOT EXISTS signal_record_by_event ON signal_record (event_number);
CREATE INDEX IF NOT EXISTS signal_record_open ON signal_record (opened_at_ms) WHERE closed_at_ms IS NULL;

CREATE TABLE IF NOT EXISTS half_time_scores (
  event_number INTEGER PRIMARY KEY,
  score_home INTEGER NOT NULL,
  score_away INTEGER NOT NULL,
  seen_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS signal_watch ( -- one row: who writes the record, and until when it was kept
  name TEXT PRIMARY KEY,
  writer TEXT NOT NULL,
  seen_at_ms INTEGER
) STRICT, WITHOUT ROWID;
`;

/** The columns that the live record writes, with their types in Postgres. */
const COLUMNS = {
  id: 'text',
  sees_sharp: 'bigint',
  kind: 'text',
  event_number: 'bigint',
  league: 'text',
  sport: 'bigint', // index into SPORTS
  market_type: 'text',
  period: 'text',
  line_quarters: 'bigint',
  outcome: 'text',
  bookmaker: 'text',
  price_e4: 'bigint',
  fair_price_e4: 'bigint',
  reference: 'text',
  edge_e2: 'bigint',
  ev_e2: 'bigint',
  in_play: 'bigint',
  from_home: 'bigint',
  from_away: 'bigint',
  opened_at_ms: 'bigint',
  closed_at_ms: 'bigint',
  longest_gap_ms: 'bigint',
} as const;
type Column = keyof typeof COLUMNS;
type NullableColumn =
  | 'line_quarters'
  | 'outcome'
  | 'bookmaker'
  | 'price_e4'
  | 'fair_price_e4'
  | 'reference'
  | 'ev_e2'
  | 'closed_at_ms';

export type WrittenSignal = RowOf<typeof COLUMNS, NullableColumn>;

/** A row of `signal_record`. Grading fills in what the live record does not write. */
export interface SignalRow extends WrittenSignal {
  readonly score_home: number | null;
  readonly score_away: number | null;
  readonly clv_pct: string | null;
}

const NAMES = Object.keys(COLUMNS) as readonly Column[];

const EXISTS = `(sees_sharp, id) DO UPDATE SET
  closed_at_ms = excluded.closed_at_ms, longest_gap_ms = excluded.longest_gap_ms`;

const HALF_TIME_COLUMNS = {
  event_number: 'bigint',
  score_home: 'bigint',
  score_away: 'bigint',
  seen_at_ms: 'bigint',
} as const;

export interface HalfTimeRow {
  readonly event_number: number;
  readonly score_home: number;
  readonly score_away: number;
}

export interface RecordBatch {
  readonly signals: readonly WrittenSignal[];
  readonly halfTimes: readonly HalfTimeRow[];
  /** The time up to which the record is complete once this batch is written, Unix ms. */
  readonly seenAtMs: number;
}

/** The record as an earlier writer left it. */
export interface FormerRecord {
  /** Until when the earlier writer kept the record, Unix ms; null when there was none. */
  readonly seenAtMs: number | null;
  /** Signals whose end is not recorded yet. */
  readonly open: readonly SignalRow[];
}

/** Which rows are read, oldest first. */
export interface SignalFilter {
  readonly seesSharp: boolean;
  readonly kind: string;
  /** Null for every reference. */
  readonly reference: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  /** Null for all sports. */
  readonly sport: number | null;
  /** True for signals in play, false for signals before the match, null for both. */
  readonly inPlay: boolean | null;
  readonly minEdgePct: number;
}

/** The last row that was read: the next read continues after it. */
export interface SignalPlace {
  readonly openedAtMs: number;
  readonly id: string;
}

export class SignalRecord {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  /**
   * Makes `writer` the only writer.
   * @returns what an earlier writer left
   * @throws StorageError
   */
  begin(writer: string): Promise<FormerRecord> {
    return this.#sql.transaction(async (sql) => {
      await sql.run(
        `INSERT INTO signal_watch (name, writer) VALUES ('record', $1)
         ON CONFLICT (name) DO UPDATE SET writer = excluded.writer`,
        [writer],
      );
      const [watch] = await sql.rows<{ seen_at_ms: number | null }>('SELECT seen_at_ms FROM signal_watch');
      const open = await sql.rows<SignalRow>(
        'SELECT * FROM signal_record WHERE closed_at_ms IS NULL ORDER BY opened_at_ms, id',
      );
      return { seenAtMs: watch?.seen_at_ms ?? null, open };
    });
  }

  /**
   * Writes a batch in one transaction. Rows that exist already get only a new end and gap.
   * @returns false, with nothing written, when another writer has begun since
   * @throws StorageError
   */
  write(writer: string, { signals, halfTimes, seenAtMs }: RecordBatch): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const kept = await sql.run('UPDATE signal_watch SET seen_at_ms = $1 WHERE writer = $2', [
        Math.trunc(seenAtMs),
        writer,
      ]);
      if (kept === 0) return false;
      const rows = signals.map((signal) => NAMES.map((name): SqlValue => signal[name]));
      await sql.insertAll('signal_record', { columns: COLUMNS, rows }, EXISTS);
      const scores = halfTimes.map((half) => [
        ...[half.event_number, half.score_home, half.score_away],
        Math.trunc(seenAtMs),
      ]);
      await sql.insertAll(
        'half_time_scores',
        { columns: HALF_TIME_COLUMNS, rows: scores },
        `(event_number) DO UPDATE SET score_home = excluded.score_home, score_away = excluded.score_away`,
      );
      return true;
    });
  }

  /** Copies known scores to the signals of their match and period. @throws StorageError */
  async settle(): Promise<void> {
    for (const [period, scores] of SCORES_OF_PERIODS) {
      await this.#sql.run(
        `UPDATE signal_record SET score_home = known.score_home, score_away = known.score_away
         FROM ${scores} known
         WHERE known.event_number = signal_record.event_number AND signal_record.period = $1
           AND known.score_home IS NOT NULL AND known.score_away IS NOT NULL
           AND (signal_record.score_home IS NULL OR signal_record.score_home <> known.score_home
             OR signal_record.score_away <> known.score_away)`,
        [period],
      );
    }
  }

  /**
   * Matches that have frozen closing prices and also signals that are not graded by these prices yet.
   * @throws StorageError
   */
  async ungraded(limit: number): Promise<{ readonly eventNumber: number; readonly frozenAtMs: number }[]> {
    const rows = await this.#sql.rows<{ event_number: number; frozen_at_ms: number }>(
      `SELECT c.event_number, c.frozen_at_ms FROM closing_prices c
       WHERE EXISTS (SELECT 1 FROM signal_record r WHERE r.event_number = c.event_number
         AND COALESCE(r.close_frozen_at_ms, -1) <> c.frozen_at_ms)
       LIMIT $1`,
      [limit],
    );
    return rows.map((row) => ({ eventNumber: row.event_number, frozenAtMs: row.frozen_at_ms }));
  }

  /** Signals of a match, oldest first. @throws StorageError */
  ofEvent(eventNumber: number): Promise<SignalRow[]> {
    return this.#sql.rows<SignalRow>(
      'SELECT * FROM signal_record WHERE event_number = $1 ORDER BY opened_at_ms, id',
      [eventNumber],
    );
  }

  /**
   * Writes the closing line values of a match's signals, computed from its frozen closing prices.
   * @throws StorageError
   */
  async grade(
    grades: readonly { readonly row: SignalRow; readonly clvPct: number | null }[],
    frozenAtMs: number,
  ): Promise<void> {
    await this.#sql.runGiven(
      `UPDATE signal_record SET clv_pct = given.graded_clv, close_frozen_at_ms = given.frozen
       FROM given WHERE signal_record.id = given.graded_id AND signal_record.sees_sharp = given.graded_sight`,
      {
        columns: { graded_id: 'text', graded_sight: 'bigint', graded_clv: 'text', frozen: 'bigint' },
        rows: grades.map(({ row, clvPct }) => [
          ...[row.id, row.sees_sharp, clvPct === null ? null : String(clvPct)],
          Math.trunc(frozenAtMs),
        ]),
      },
    );
  }

  /** The next signals that pass a filter, in the order of their opening. @throws StorageError */
  page(filter: SignalFilter, after: SignalPlace | null, limit: number): Promise<SignalRow[]> {
    const { seesSharp, kind, reference, fromMs, toMs, sport, inPlay, minEdgePct } = filter;
    return this.#sql.rows<SignalRow>(
      `SELECT * FROM signal_record
       WHERE sees_sharp = $1 AND opened_at_ms >= $2 AND opened_at_ms < $3
         AND (opened_at_ms > $4 OR id > $5) AND kind = $6
         AND ($7::text IS NULL OR reference = $7::text) AND ($8::bigint IS NULL OR sport = $8::bigint)
         AND ($9::bigint IS NULL OR in_play = $9::bigint) AND edge_e2 >= $10
       ORDER BY opened_at_ms, id LIMIT $11`,
      [
        Number(seesSharp),
        Math.max(timeOf(fromMs), after?.openedAtMs ?? timeOf(Number.NEGATIVE_INFINITY)),
        timeOf(toMs),
        after?.openedAtMs ?? timeOf(Number.NEGATIVE_INFINITY),
        after?.id ?? '',
        kind,
        reference,
        sport,
        inPlay === null ? null : Number(inPlay),
        Math.ceil(Number((minEdgePct * 100).toFixed(6))),
        limit,
      ],
    );
  }

  /** The score of a match at half time; null when it is unknown. @throws StorageError */
  async halfTimeOf(eventNumber: number): Promise<HalfTimeRow | null> {
    const [row] = await this.#sql.rows<HalfTimeRow>(
      'SELECT event_number, score_home, score_away FROM half_time_scores WHERE event_number = $1',
      [eventNumber],
    );
    return row ?? null;
  }

  /**
   * Deletes the oldest signals beyond RECORD_SIGNALS_MAX. Signals found with the sharp bookmaker's prices and
   * those found without them are counted separately, so that neither displaces the other.
   * @throws StorageError
   */
  async purge(nowMs: number, signalsMax = RECORD_SIGNALS_MAX): Promise<void> {
    for (const sight of [0, 1]) {
      await this.#sql.run(
        `DELETE FROM signal_record WHERE sees_sharp = $1 AND opened_at_ms <=
          (SELECT opened_at_ms FROM signal_record WHERE sees_sharp = $1
           ORDER BY opened_at_ms DESC LIMIT 1 OFFSET $2)`,
        [sight, signalsMax],
      );
    }
    await this.#sql.run('DELETE FROM half_time_scores WHERE seen_at_ms < $1', [
      Math.trunc(nowMs) - RESULTS_KEPT_MS,
    ]);
  }
}

const SCORES_OF_PERIODS = [
  ['full_time', 'results'],
  ['half_time', 'half_time_scores'],
] as const;

/** A time as a number that both databases accept. Infinite times become times beyond every row. */
function timeOf(ms: number): number {
  if (ms === Number.NEGATIVE_INFINITY) return Number.MIN_SAFE_INTEGER;
  return ms === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : Math.ceil(ms);
}

/** The final score of a match; null without a result. @throws StorageError */
export async function finalScoreOf(
  sql: Sql,
  eventNumber: number,
): Promise<{ readonly home: number; readonly away: number } | null> {
  const [row] = await sql.rows<{ score_home: number | null; score_away: number | null }>(
    'SELECT score_home, score_away FROM results WHERE event_number = $1',
    [eventNumber],
  );
  return row === undefined || row.score_home === null || row.score_away === null
    ? null
    : { home: row.score_home, away: row.score_away };
}
