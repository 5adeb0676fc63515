// What the history thread keeps in the database: closing prices and the record of signals, over a connection
// of its own. It is opened when it is first needed.

import { CLOSING_PRICES_SCHEMA, ClosingPrices } from '../../archive/closing-prices.ts';
import { finalScoreOf, SIGNAL_RECORD_SCHEMA, SignalRecord } from '../../archive/signal-record.ts';
import { ARCHIVE_SCHEMA } from '../../archive/tables.ts';
import type { MatchScores } from '../../history/past/closing-answers.ts';
import type { Config } from '../../settings/config.ts';
import type { SqlDatabase } from '../../storage/sql.ts';
import { type OpenSql, openSql } from '../data/open-sql.ts';

/** Connections to Postgres: the record is read over one of them while it is written over the other. */
const CONNECTIONS = 2;
const SCHEMAS = [ARCHIVE_SCHEMA, CLOSING_PRICES_SCHEMA, SIGNAL_RECORD_SCHEMA];

export class HistoryDatabase {
  readonly #config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  #opened: OpenSql | null = null;

  constructor(config: Pick<Config, 'dataDir' | 'databaseUrl'>) {
    this.#config = config;
  }

  get isOpen(): boolean {
    return this.#opened !== null;
  }

  /** @throws when the file cannot be opened */
  get prices(): ClosingPrices {
    return new ClosingPrices(this.sql);
  }

  get record(): SignalRecord {
    return new SignalRecord(this.sql);
  }

  /** The scores of a match; null without a result. @throws StorageError */
  async scoresOf(eventNumber: number): Promise<MatchScores | null> {
    const score = await finalScoreOf(this.sql, eventNumber);
    const half = score === null ? null : await this.record.halfTimeOf(eventNumber);
    if (score === null) return null;
    return { score, halfTimeScore: half === null ? null : { home: half.score_home, away: half.score_away } };
  }

  get sql(): SqlDatabase {
    this.#opened ??= openSql(this.#config, { schemas: SCHEMAS, connections: CONNECTIONS });
    return this.#opened.sql;
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }
}
