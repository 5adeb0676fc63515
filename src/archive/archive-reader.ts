// Reads results of finished matches for the thread that answers archive queries.

import type { Sql } from '../storage/sql.ts';
import { foldText } from './fold-text.ts';
import { type ArchivedResult, type ResultRecord, toResult } from './tables.ts';

export interface ResultsFilter {
  /**
   * Earliest kickoff, Unix ms; `toMs` is exclusive. For a match without a kickoff time, the time at which it
   * finished is used instead.
   */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Part of either team's name, ignoring case and accents. Null or absent: any. */
  readonly teamText?: string | null;
  /** Part of the league's name, ignoring case and accents. Null or absent: any. */
  readonly leagueText?: string | null;
  readonly limit: number;
}

// strpos and not LIKE, because LIKE treats some characters of the text as wildcards.
const SELECT_RESULTS = `SELECT * FROM results
  WHERE coalesce(scheduled_at_ms, finished_at_ms) >= $1 AND coalesce(scheduled_at_ms, finished_at_ms) < $2
  AND (strpos(home_folded, $3) > 0 OR strpos(away_folded, $3) > 0) AND strpos(league_folded, $4) > 0
  ORDER BY finished_at_ms DESC, event_number LIMIT $5`;
const TIME_MAX_MS = 8.64e15;

export class ArchiveReader {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Finished matches that pass the filter, latest finish first. @throws StorageError */
  async results(filter: ResultsFilter): Promise<ArchivedResult[]> {
    const rows = await this.#sql.rows<ResultRecord>(SELECT_RESULTS, [
      filter.fromMs ?? -TIME_MAX_MS,
      filter.toMs ?? TIME_MAX_MS,
      foldText(filter.teamText ?? ''),
      foldText(filter.leagueText ?? ''),
      filter.limit,
    ]);
    return rows.map(toResult);
  }

  /** One result, or null when the archive has none. @throws StorageError */
  async result(eventNumber: number): Promise<ArchivedResult | null> {
    const [row] = await this.#sql.rows<ResultRecord>('SELECT * FROM results WHERE event_number = $1', [
      eventNumber,
    ]);
    return row === undefined ? null : toResult(row);
  }
}
