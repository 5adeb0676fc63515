// What the service has in Postgres when DATABASE_URL is set.

import { DAILY_COUNTS_SCHEMA } from '../access/daily-counts.ts';
import { ACCOUNTS_SCHEMA, KEY_CHANGES_POSTGRES, KEY_TABLES } from '../accounts/schema.ts';
import { JOINED_IDENTITIES_SCHEMA } from '../archive/joined-identities.ts';
import { ROSTER_SCHEMA } from '../archive/roster-alignment.ts';
import { ARCHIVE_SCHEMA } from '../archive/tables.ts';
import { systemClock } from '../clock.ts';
import { SCHEMA_VERSION } from '../database-schema.ts';
import type { Log } from '../log.ts';
import { PostgresPool, type PostgresWatch } from '../postgres.ts';
import { type PostgresSchema, preparePostgres } from '../postgres-schema.ts';
import { StorageError } from '../storage-errors.ts';

/** All tables, in the order that references ask for. */
export const POSTGRES_SCHEMA: PostgresSchema = {
  tables: [
    KEY_TABLES,
    ACCOUNTS_SCHEMA,
    DAILY_COUNTS_SCHEMA,
    ARCHIVE_SCHEMA,
    JOINED_IDENTITIES_SCHEMA,
    ROSTER_SCHEMA,
  ],
  extras: [KEY_CHANGES_POSTGRES],
};

/** How long a start waits for Postgres, which may be starting too. Later: the start fails. */
const START_DEADLINE_MS = 30_000;
const TRY_EVERY_MS = 500;

export interface OpenPostgresOptions {
  readonly url: string;
  readonly connections: number;
  readonly log: Log;
  readonly watch?: PostgresWatch;
}

/**
 * A pool over a database that has all tables of this release.
 * @throws Error for the operator when Postgres does not answer within START_DEADLINE_MS or the database is not ours
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
 * Runs what a start asks of Postgres, again and again while it does not answer: a Postgres that is away for a moment
 * between two questions does not end the start.
 * @throws Error for the operator when that lasts for longer than START_DEADLINE_MS, and whatever else `ask` throws
 */
export async function askAtStart<Result>(
  { url, log }: Pick<OpenPostgresOptions, 'url' | 'log'>,
  ask: () => Promise<Result>,
): Promise<Result> {
  const untilMs = systemClock.monotonicMs() + START_DEADLINE_MS;
  let isTold = false;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      if (systemClock.monotonicMs() >= untilMs) throw notThere(url, error);
      if (!isTold) log.warn('waiting_for_database', { at: placeOf(url), error: String(error.cause) });
      isTold = true;
      await Bun.sleep(TRY_EVERY_MS);
    }
  }
}

/** Rows have no checksums of ours in Postgres, because its pages have: unless the cluster was made without them. */
async function warnOfUncheckedPages(pool: PostgresPool, log: Log): Promise<void> {
  const [row] = await pool.rows<{ data_checksums: string }>('SHOW data_checksums');
  if (row?.data_checksums === 'on') return;
  log.warn('database_pages_unchecked', { fix: 'Stop Postgres and run pg_checksums --enable' });
}

/** What the operator is told of a Postgres that does not answer. */
export function notThere(url: string, { cause }: StorageError): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(`Cannot open database: Postgres at ${placeOf(url)} does not answer (${why})`, { cause });
}

/** Where it is, without who may use it. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
