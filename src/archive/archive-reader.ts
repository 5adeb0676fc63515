// The archive as the HTTP threads read it: each with a connection of its own, which cannot write.

import type { Database, Statement } from 'bun:sqlite';
import type { OpeningRow } from '../store/records.ts';
import { foldText } from './fold-text.ts';
import {
  type ArchivedResult,
  type OpeningRecord,
  type ResultRecord,
  SELECT_OPENINGS,
  toOpening,
  toResult,
} from './tables.ts';

export interface ResultsFilter {
  /** Kickoff from this Unix ms on, and before `toMs`; a match with no kickoff time counts when it finished. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Part of either team's name; case and accents are ignored. Null or absent: any. */
  readonly teamText?: string | null;
  /** Part of the league's name, likewise. */
  readonly leagueText?: string | null;
  readonly limit: number;
}

/** Results of matches, wherever they are. One suite of tests runs on every implementation. */
export interface ResultSource {
  /** Finished matches that pass the filter, the last to finish first. */
  results(filter: ResultsFilter): ArchivedResult[] | Promise<ArchivedResult[]>;
  /** One result, or null when none is kept. */
  result(eventNumber: number): ArchivedResult | null | Promise<ArchivedResult | null>;
}

// instr, not LIKE: nothing in the text is a wildcard.
const SELECT_RESULTS = `SELECT * FROM results
  WHERE coalesce(scheduled_at_ms, finished_at_ms) >= ? AND coalesce(scheduled_at_ms, finished_at_ms) < ?
  AND (instr(home_folded, ?) > 0 OR instr(away_folded, ?) > 0) AND instr(league_folded, ?) > 0
  ORDER BY finished_at_ms DESC, event_number LIMIT ?`;
export const TIME_MAX_MS = 8.64e15;

export class ArchiveReader implements ResultSource {
  readonly #selectResults: Statement<ResultRecord, [number, number, string, string, string, number]>;
  readonly #selectResult: Statement<ResultRecord, [number]>;
  readonly #selectOpenings: Statement<OpeningRecord, [number]>;

  /** @param database a connection of this reader alone, with ARCHIVE_SCHEMA in place; made read-only here */
  constructor(database: Database) {
    database.run('PRAGMA query_only = ON');
    this.#selectResults = database.prepare(SELECT_RESULTS);
    this.#selectResult = database.prepare('SELECT * FROM results WHERE event_number = ?');
    this.#selectOpenings = database.prepare(SELECT_OPENINGS);
  }

  /** Finished matches that pass the filter, the last to finish first. */
  results(filter: ResultsFilter): ArchivedResult[] {
    const team = foldText(filter.teamText ?? '');
    const league = foldText(filter.leagueText ?? '');
    const fromMs = filter.fromMs ?? -TIME_MAX_MS;
    const toMs = filter.toMs ?? TIME_MAX_MS;
    return this.#selectResults.all(fromMs, toMs, team, team, league, filter.limit).map(toResult);
  }

  /** One result, or null when none is kept. */
  result(eventNumber: number): ArchivedResult | null {
    const row = this.#selectResult.get(eventNumber);
    return row === null ? null : toResult(row);
  }

  /** Every opening on file of an event, in first-seen order: up to a second behind the slate. */
  openings(eventNumber: number): OpeningRow[] {
    return this.#selectOpenings.all(eventNumber).map(toOpening);
  }
}
