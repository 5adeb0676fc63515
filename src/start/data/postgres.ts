// The service's tables and connections in Postgres, used if DATABASE_URL is set.

import { DAILY_COUNTS_SCHEMA } from '../../access/counts/daily-counts.ts';
import { ACCOUNTS_SCHEMA, KEY_CHANGES_POSTGRES, KEY_TABLES } from '../../accounts/schema.ts';
import { ALERTS_SCHEMA } from '../../alerts/schema.ts';
import { CLOSING_PRICES_SCHEMA } from '../../archive/closing-prices.ts';
import { JOINED_IDENTITIES_SCHEMA } from '../../archive/joined-identities.ts';
import { ROSTER_SCHEMA } from '../../archive/roster-alignment.ts';
import { SIGNAL_RECORD_SCHEMA } from '../../archive/signal-record.ts';
import { ARCHIVE_SCHEMA } from '../../archive/tables.ts';
import { systemClock } from '../../clock.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { SCHEMA_VERSION } from '../../storage/database-schema.ts';
import { PostgresPool, type PostgresWatch } from '../../storage/postgres.ts';
import { type PostgresSchema, preparePostgres } from '../../storage/postgres-schema.ts';
import { StorageError } from '../../storage/storage-errors.ts';

/**
 * The tables that are alike in SQLite and Postgres, apart from those of accounts and keys. The tables of keys
 * have different triggers.
 */
export const SHARED_SCHEMAS = [
  ALERTS_SCHEMA,
  DAILY_COUNTS_SCHEMA,
  ARCHIVE_SCHEMA,
  JOINED_IDENTITIES_SCHEMA,
  CLOSING_PRICES_SCHEMA,
  SIGNAL_RECORD_SCHEMA,
  ROSTER_SCHEMA,
] as const;

/** All tables, in the order that their references need. */
export const POSTGRES_SCHEMA: PostgresSchema = {
  tables: [KEY_TABLES, ACCOUNTS_SCHEMA, ...SHARED_SCHEMAS],
  extras: [KEY_CHANGES_POSTGRES],
};

/** How long a start waits for Postgres, which may be starting too. Then the start fails. */
const START_DEADLINE_MS = 30_000;
const TRY_EVERY_MS = 500;

export interface OpenPostgresOptions {
  readonly url: string;
  readonly connections: number;
  readonly log: Log;
  readonly watch?: PostgresWatch;
}

/**
 * A pool over a database that has all tables of this release. @throws Error for the operator if Postgres does
 * not answer within START_DEADLINE_MS or the database belongs to something else
 */
export async function openPostgres({
  url,
  connections,
  log,
  watch,
}: OpenPostgresOptions): Promise<PostgresPool> {
  const pool = new PostgresPool({ url, connections, ...(watch && { watch }) });
  try {
    await askAtStart({ url, log }, async () => {
      const before = await preparePostgres(pool, POSTGRES_SCHEMA);
      if (before !== SCHEMA_VERSION) log.info('database_prepared', { from: before, to: SCHEMA_VERSION });
      await warnOfUncheckedPages(pool, log);
    });
    return pool;
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/**
 * Runs a start-up query, and retries it while Postgres does not answer, so that a short outage does not end
 * the start. @throws Error for the operator if that lasts longer than START_DEADLINE_MS, and any other error
 * of `ask`
 */
export async function askAtStart<Result>(
  { url, log }: Pick<OpenPostgresOptions, 'url' | 'log'>,
  ask: () => Promise<Result>,
): Promise<Result> {
  const untilMs = systemClock.monotonicMs() + START_DEADLINE_MS;
  let hasWarned = false;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      if (systemClock.monotonicMs() >= untilMs) throw notThere(url, error);
      if (!hasWarned) log.warn('waiting_for_database', { at: placeOf(url), error: String(error.cause) });
      hasWarned = true;
      await Bun.sleep(TRY_EVERY_MS);
    }
  }
}

/**
 * Warns if this Postgres server keeps no checksums of its pages: our rows in Postgres have no checksums of
 * their own.
 */
async function warnOfUncheckedPages(pool: PostgresPool, log: Log): Promise<void> {
  const [row] = await pool.rows<{ data_checksums: string }>('SHOW data_checksums');
  if (row?.data_checksums === 'on') return;
  log.warn('database_pages_unchecked', { fix: 'Stop Postgres and run pg_checksums --enable' });
}

/** The error for the operator if Postgres does not answer. */
export function notThere(url: string, { cause }: StorageError): Error {
  const why = messageOf(cause);
  return new Error(`Cannot open database: Postgres at ${placeOf(url)} does not answer (${why})`, { cause });
}

/** The host and database of the URL, without the user and password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
