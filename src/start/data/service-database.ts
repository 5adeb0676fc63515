// Opens the database that outlives the process: the SQLite file of the data folder, or Postgres if
// DATABASE_URL is set. Only the main thread creates and migrates its tables; threads that start later find
// them ready.

import { join } from 'node:path';
import { CountStore } from '../../access/counts/count-store.ts';
import { dayOf } from '../../access/quotas/bucket.ts';
import type { KeyDirectory } from '../../accounts/keys/key-directory.ts';
import { KeyRepository } from '../../accounts/keys/key-repository.ts';
import { SqliteKeyDirectory } from '../../accounts/keys/sqlite-key-directory.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../accounts/schema.ts';
import { alignOpenings } from '../../archive/roster-alignment.ts';
import type { Clock } from '../../clock.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { CONTRACT_ROSTER } from '../../domain/roster.ts';
import type { Log } from '../../log.ts';
import type { Config } from '../../settings/config.ts';
import { DATABASE_NAME, isFileGone, openDatabase } from '../../storage/database.ts';
import { postgresSql } from '../../storage/postgres-sql.ts';
import { indexFindings, RowCheck } from '../../storage/row-checksums.ts';
import { sqliteSql } from '../../storage/sqlite-sql.ts';
import { asOpenError } from '../../storage/storage-errors.ts';
import { type NodeNumbers, postgresWatch } from '../../telemetry/node-numbers.ts';
import { askAtStart, openPostgres, SHARED_SCHEMAS } from './postgres.ts';
import { type Damage, watchRows } from './row-watch.ts';

export interface ServiceDatabase {
  readonly counts: CountStore;
  /** Null if the worker of accounts checks for changed keys. */
  readonly directory: KeyDirectory | null;
  readonly keys: KeyRepository;
  /** Runs a start-up query; on Postgres, retries it until Postgres answers. @throws as `askAtStart` does */
  atStart<Result>(ask: () => Promise<Result>): Promise<Result>;
  /** Writes what is still queued and closes the database. */
  close(): Promise<void>;
}

export interface ServiceDatabaseOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'role'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly numbers: NodeNumbers;
  /** Called with the error when request counts cannot be written in the background. */
  readonly onError: (error: unknown) => void;
  /** Called after each check with the damage in the file; never if accounts are in Postgres. */
  readonly onDamageCheck: (damage: Damage) => void;
}

/** All tables of the SQLite file. */
export const SQLITE_SCHEMAS = [ACCOUNTS_SCHEMA, KEYS_SCHEMA, ...SHARED_SCHEMAS] as const;

/** The bookmakers of the running roster, to match stored openings to. */
const ROSTER_KEYS = {
  roster: BOOKMAKER_KEYS,
  unnamed: CONTRACT_ROSTER.bookmakers.map(({ key }) => key),
};

/** Opens the database and migrates it. @throws Error for the operator if it cannot be used */
export async function openServiceDatabase(options: ServiceDatabaseOptions): Promise<ServiceDatabase> {
  const { databaseUrl } = options.config;
  return databaseUrl === null ? openFile(options) : openShared(databaseUrl, options);
}

async function openFile(options: ServiceDatabaseOptions): Promise<ServiceDatabase> {
  const { config, clock, log, onError, onDamageCheck } = options;
  const path = join(config.dataDir, DATABASE_NAME);
  const database = openDatabase({ path, schemas: SQLITE_SCHEMAS, create: true, setsAside: true });
  const sql = sqliteSql(database);
  await alignOpenings(sql, ROSTER_KEYS);
  const counts = await CountStore.open({ sql, onError }, dayOf(clock.wallMs()));
  const endRowWatch = namingFile(path, () =>
    watchRows({
      check: new RowCheck(database),
      isGone: () => isFileGone(database),
      findings: indexFindings(database),
      log,
      onCheck: onDamageCheck,
    }),
  );
  return {
    counts,
    directory: new SqliteKeyDirectory(database),
    keys: new KeyRepository(sql),
    atStart: (ask) => ask(),
    close: async () => {
      await counts.flush();
      endRowWatch();
      database.close();
    },
  };
}

/** Connections of the main thread, which reads a little at the start and writes counts. */
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
    // Only a node that runs feeds writes openings, and only by its own roster. So other nodes do not change
    // the stored openings.
    const sql = postgresSql(pool);
    if (config.role !== 'serve') await atStart(() => alignOpenings(sql, ROSTER_KEYS));
    const counts = await atStart(() => CountStore.open({ sql, onError }, dayOf(clock.wallMs())));
    return {
      counts,
      directory: null,
      keys: new KeyRepository(sql),
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

/** Damage that stops a check half-way is reported like damage found when the file is opened. */
function namingFile<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asOpenError(path, error);
  }
}
