// Results in Postgres, as the thread of accounts reads them for all others.

import type { PostgresPool } from '../postgres.ts';
import { type ResultSource, type ResultsFilter, TIME_MAX_MS } from './archive-reader.ts';
import { foldText } from './fold-text.ts';
import { type ArchivedResult, type ResultRecord, toResult } from './tables.ts';

export class PostgresArchiveReader implements ResultSource {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  /** @throws StorageError */
  async results(filter: ResultsFilter): Promise<ArchivedResult[]> {
    const rows = await this.#pool.rows<ResultRecord>(
      // strpos, not LIKE: nothing in the text is a wildcard.
      `SELECT * FROM results
       WHERE coalesce(scheduled_at_ms, finished_at_ms) >= $1 AND coalesce(scheduled_at_ms, finished_at_ms) < $2
       AND (strpos(home_folded, $3) > 0 OR strpos(away_folded, $3) > 0) AND strpos(league_folded, $4) > 0
       ORDER BY finished_at_ms DESC, event_number LIMIT $5`,
      [
        filter.fromMs ?? -TIME_MAX_MS,
        filter.toMs ?? TIME_MAX_MS,
        foldText(filter.teamText ?? ''),
        foldText(filter.leagueText ?? ''),
        filter.limit,
      ],
    );
    return rows.map(toResult);
  }

  /** @throws StorageError */
  async result(eventNumber: number): Promise<ArchivedResult | null> {
    const [row] = await this.#pool.rows<ResultRecord>('SELECT * FROM results WHERE event_number = $1', [
      eventNumber,
    ]);
    return row === undefined ? null : toResult(row);
  }
}
