// Closing prices, frozen at the kickoff: one row per match, with its prices as JSON. Bookmakers are stored by
// key, so another roster needs no migration. Written by the history thread, in SQLite or Postgres.

import { RESULTS_KEPT_MS } from '../limits.ts';
import type { Sql } from '../storage/sql.ts';

export const CLOSING_PRICES_SCHEMA = `
CREATE TABLE IF NOT EXISTS closing_prices (
  event_number INTEGER PRIMARY KEY,
  sport INTEGER NOT NULL,
  kickoff_ms INTEGER NOT NULL,
  frozen_at_ms INTEGER NOT NULL,
  prices TEXT NOT NULL -- JSON: a list of ClosingPrice
) STRICT;
CREATE INDEX IF NOT EXISTS closing_prices_by_age ON closing_prices (frozen_at_ms);
`;

/** One line's closing price. */
export interface ClosingPrice {
  /** The bookmaker's key in the roster. */
  readonly bookmaker: string;
  /** Index into MARKET_TYPES. */
  readonly market: number;
  /** Index into PERIODS. */
  readonly period: number;
  /** 0 for a 1x2. */
  readonly lineQuarters: number;
  /** The prices in outcome order, in ten-thousandths. */
  readonly pricesE4: readonly number[];
  /** Source time of the price, Unix ms. */
  readonly closedAtMs: number;
  /** When the source last confirmed the price before the kickoff, Unix ms. */
  readonly confirmedAtMs: number;
}

export interface MatchClosing {
  readonly eventNumber: number;
  /** Index into SPORTS. */
  readonly sport: number;
  readonly kickoffMs: number;
  readonly prices: readonly ClosingPrice[];
}

interface Row {
  readonly event_number: number;
  readonly sport: number;
  readonly kickoff_ms: number;
  readonly prices: string;
}

export class ClosingPrices {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Freezes the closing prices of a match. Frozen prices are replaced only if the match was postponed: its
   * kickoff is then later than the time of freezing.
   * @param keepsFrozen whether frozen prices stay even then. Set it for a match that was not seen to begin
   * @throws StorageError
   */
  async freeze(
    { eventNumber, sport, kickoffMs, prices }: MatchClosing,
    nowMs: number,
    { keepsFrozen = false } = {},
  ): Promise<void> {
    const onConflict = keepsFrozen
      ? 'DO NOTHING'
      : `DO UPDATE SET
         sport = excluded.sport, kickoff_ms = excluded.kickoff_ms,
         frozen_at_ms = excluded.frozen_at_ms, prices = excluded.prices
       WHERE excluded.kickoff_ms > closing_prices.frozen_at_ms`;
    await this.#sql.run(
      `INSERT INTO closing_prices (event_number, sport, kickoff_ms, frozen_at_ms, prices)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (event_number) ${onConflict}`,
      [eventNumber, sport, Math.trunc(kickoffMs), Math.trunc(nowMs), JSON.stringify(prices)],
    );
  }

  /** Deletes the frozen prices of a match that was postponed to another kickoff. @throws StorageError */
  async forget(eventNumber: number): Promise<void> {
    await this.#sql.run('DELETE FROM closing_prices WHERE event_number = $1', [eventNumber]);
  }

  /** The frozen prices of a match; null if there are none. @throws StorageError */
  async of(eventNumber: number): Promise<MatchClosing | null> {
    const [row] = await this.#sql.rows<Row>('SELECT * FROM closing_prices WHERE event_number = $1', [
      eventNumber,
    ]);
    if (row === undefined) return null;
    const prices = JSON.parse(row.prices) as readonly ClosingPrice[];
    return { eventNumber: row.event_number, sport: row.sport, kickoffMs: row.kickoff_ms, prices };
  }

  /** Deletes prices that were frozen longer ago than results are kept. @throws StorageError */
  async purge(nowMs: number): Promise<void> {
    await this.#sql.run('DELETE FROM closing_prices WHERE frozen_at_ms < $1', [
      Math.trunc(nowMs) - RESULTS_KEPT_MS,
    ]);
  }
}
