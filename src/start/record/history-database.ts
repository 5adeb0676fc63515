// What the history thread keeps in the database: closing prices and the record of signals, over a connection
// of its own. It is opened when it is first needed.

import { join } from 'node:path';
import { CLOSING_PRICES_SCHEMA, ClosingPrices } from '../../archive/closing-prices.ts';
import { finalScoreOf, SIGNAL_RECORD_SCHEMA, SignalRecord } from '../../archive/signal-record.ts';
import { ARCHIVE_SCHEMA } from '../../archive/tables.ts';
import type { MatchScores } from '../../history/past/closing-answers.ts';
import type { Config } from '../../settings/config.ts';
import { DATABASE_NAME, openDatabase } from '../../storage/database.ts';
import { PostgresPool } from '../../storage/postgres.ts';
import { postgresSql } from '../../storage/postgres-sql.ts';
import type { SqlDatabase } from '../../storage/sql.ts';
import { sqliteSql } from '../../storage/sqlite-sql.ts';

/** One for the record, which is read while it is written. */
const CONNECTIONS = 2;

export class HistoryDatabase {
  readonly #config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  #opened: { readonly sql: SqlDatabase; close(): Promise<void> } | null = null;

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
    this.#opened ??= open(this.#config);
    return this.#opened.sql;
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }
}

function open({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>) {
  if (databaseUrl !== null) {
    const pool = new PostgresPool({ url: databaseUrl, connections: CONNECTIONS });
    return { sql: postgresSql(pool), close: () => pool.close() };
  }
  const database = openDatabase({
    path: join(dataDir, DATABASE_NAME),
    schemas: [ARCHIVE_SCHEMA, CLOSING_PRICES_SCHEMA, SIGNAL_RECORD_SCHEMA],
    create: false,
    check: false,
  });
  return { sql: sqliteSql(database), close: async () => database.close() };
}
