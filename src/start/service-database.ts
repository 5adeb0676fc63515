// Where main keeps what outlives the process: the SQLite file of the data folder, or Postgres when DATABASE_URL is set.
// Main alone makes and migrates its tables; the threads that start afterwards find them.

import { join } from 'node:path';
import { dayOf } from '../access/bucket.ts';
import { type CountStore, SqliteCountStore } from '../access/count-store.ts';
import { DAILY_COUNTS_SCHEMA } from '../access/daily-counts.ts';
import { PostgresCountStore } from '../access/postgres-count-store.ts';
import type { KeyDirectory } from '../accounts/key-directory.ts';
import { PostgresKeyRepository } from '../accounts/postgres-key-repository.ts';
import type { KeyRepository } from '../accounts/repository.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../accounts/schema.ts';
import { SqliteKeyDirectory, SqliteKeyRepository } from '../accounts/sqlite-key-repository.ts';
import { JOINED_IDENTITIES_SCHEMA } from '../archive/joined-identities.ts';
import { alignOpenings, alignSharedOpenings, ROSTER_SCHEMA } from '../archive/roster-alignment.ts';
import { ARCHIVE_SCHEMA } from '../archive/tables.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { DATABASE_NAME, isFileGone, openDatabase } from '../database.ts';
import { BOOKMAKER_KEYS } from '../domain/catalogue.ts';
import { CONTRACT_ROSTER } from '../domain/roster.ts';
import type { Log } from '../log.ts';
import { indexFindings, RowCheck } from '../row-checksums.ts';
import { asOpenError } from '../storage-errors.ts';
import type { NodeNumbers } from '../telemetry/metrics-memory.ts';
import { postgresWatch } from '../telemetry/node-metrics.ts';
import { askAtStart, openPostgres } from './postgres.ts';
import { type Damage, watchRows } from './row-watch.ts';

export interface ServiceDatabase {
  readonly counts: CountStore;
  /** Null where the worker of accounts looks for keys that changed. */
  readonly directory: KeyDirectory | null;
  readonly keys: KeyRepository;
  /** Runs what the start asks of it: of Postgres until it answers. @throws as askAtStart */
  atStart<Result>(ask: () => Promise<Result>): Promise<Result>;
  /** Writes what still waits and closes it. */
  close(): Promise<void>;
}

export interface ServiceDatabaseOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'role'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly numbers: NodeNumbers;
  /** See openDatabase. */
  readonly setsAside: boolean;
  /** Told of counts that could not be written behind. */
  readonly onError: (error: unknown) => void;
  /** Told again and again what is damaged in the file; never where accounts are in Postgres. */
  readonly onDamageLook: (damage: Damage) => void;
}

/** All tables of the SQLite file. */
export const SQLITE_SCHEMAS = [
  ACCOUNTS_SCHEMA,
  KEYS_SCHEMA,
  DAILY_COUNTS_SCHEMA,
  ARCHIVE_SCHEMA,
  JOINED_IDENTITIES_SCHEMA,
  ROSTER_SCHEMA,
] as const;

/** The roster that runs, for openings on file. */
const ROSTER_KEYS = {
  roster: BOOKMAKER_KEYS,
  unnamed: CONTRACT_ROSTER.bookmakers.map(({ key }) => key),
};

/** Opens it and brings it up to date. @throws Error for the operator when it cannot be used */
export async function openServiceDatabase(options: ServiceDatabaseOptions): Promise<ServiceDatabase> {
  const { databaseUrl } = options.config;
  return databaseUrl === null ? openFile(options) : await openShared(databaseUrl, options);
}

function openFile({ config, log, setsAside, onDamageLook }: ServiceDatabaseOptions): ServiceDatabase {
  const path = join(config.dataDir, DATABASE_NAME);
  const database = openDatabase({ path, schemas: SQLITE_SCHEMAS, create: true, setsAside });
  alignOpenings(database, ROSTER_KEYS);
  const endRowWatch = namingFile(path, () =>
    watchRows({
      check: new RowCheck(database),
      isGone: () => isFileGone(database),
      findings: indexFindings(database),
      log,
      onLook: onDamageLook,
    }),
  );
  const directory = new SqliteKeyDirectory(database);
  return {
    counts: new SqliteCountStore(database, directory),
    directory,
    keys: new SqliteKeyRepository(database),
    atStart: (ask) => ask(),
    close: async () => {
      endRowWatch();
      database.close();
    },
  };
}

/** Connections of main, which reads a little at the start and writes counts. */
const MAIN_CONNECTIONS = 2;

async function openShared(
  url: string,
  { config, clock, log, numbers, onError }: ServiceDatabaseOptions,
): Promise<ServiceDatabase> {
  const pool = await openPostgres({
    ...{ url, connections: MAIN_CONNECTIONS, log },
    watch: postgresWatch(numbers, 'counts'),
  });
  const atStart = <Result>(ask: () => Promise<Result>): Promise<Result> => askAtStart({ url, log }, ask);
  try {
    // Only who runs feeds writes openings, by its own roster.
    if (config.role !== 'serve') await atStart(() => alignSharedOpenings(pool, ROSTER_KEYS));
    const counts = await atStart(() => PostgresCountStore.open({ pool, onError }, dayOf(clock.wallMs())));
    return {
      counts,
      directory: null,
      keys: new PostgresKeyRepository(pool),
      atStart,
      close: async () => {
        await counts.flush();
        await pool.close();
      },
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** Damage that stops a check half-way is told as one that is found when the file is opened. */
function namingFile<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asOpenError(path, error);
  }
}
