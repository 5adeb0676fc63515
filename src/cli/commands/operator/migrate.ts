// `overround migrate --to postgres|sqlite`: moves the data of a data folder into the Postgres of
// DATABASE_URL, or back.

import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig } from '../../../settings/config.ts';
import { notThere, POSTGRES_SCHEMA, placeOf } from '../../../start/data/postgres.ts';
import { lockDataDir } from '../../../start/data/server-lock.ts';
import { SQLITE_SCHEMAS } from '../../../start/data/service-database.ts';
import { DATABASE_NAME, openDatabase } from '../../../storage/database.ts';
import { type CopiedTable, copyToFile, copyToPostgres } from '../../../storage/database-move.ts';
import { PostgresPool } from '../../../storage/postgres.ts';
import { preparePostgres } from '../../../storage/postgres-schema.ts';
import { StorageError } from '../../../storage/storage-errors.ts';
import { type Command, FOLDER_FLAG, settingsOf, UsageError } from '../../command.ts';

/** One statement of a copy may take long; nothing else waits for it. */
const STATEMENT_DEADLINE_MS = 60_000;

export const migrateCommand: Command = {
  name: 'migrate',
  summary:
    'Moves the database (accounts, keys, alert rules, openings, results, signals) from DATA_DIR into DATABASE_URL, or back',
  flags: {
    to: {
      value: 'postgres|sqlite',
      help: 'the target; it must be empty, and no server may be running',
      isRequired: true,
    },
    ...FOLDER_FLAG,
  },
  run: async (input) => {
    const to = input.flags.to!;
    if (to !== 'postgres' && to !== 'sqlite') {
      throw new UsageError(`Cannot migrate to '${to}': --to is postgres or sqlite`);
    }
    const { dataDir, databaseUrl } = loadConfig(settingsOf(input));
    if (databaseUrl === null) throw new Error('Cannot migrate: DATABASE_URL is not set');
    const folder = resolve(dataDir);
    const path = join(folder, DATABASE_NAME);
    if (to === 'postgres' && !existsSync(path)) {
      throw new Error(`Cannot migrate: there is no ${path}; set DATA_DIR or --data-dir to the server's`);
    }
    if (to === 'sqlite') mkdirSync(folder, { recursive: true, mode: 0o700 });
    const unlock = lockDataDir(folder);
    const pool = new PostgresPool({
      ...{ url: databaseUrl, connections: 1, deadlineMs: STATEMENT_DEADLINE_MS },
    });
    const file = openDatabase({ path, schemas: SQLITE_SCHEMAS, create: true, durability: 'power' });
    try {
      await preparePostgres(pool, POSTGRES_SCHEMA);
      const copied =
        to === 'postgres'
          ? await copyToPostgres(file, pool, POSTGRES_SCHEMA.tables)
          : await copyToFile(pool, file, POSTGRES_SCHEMA.tables);
      for (const table of copied) input.writeOutput(lineOf(table));
      const [from, into] = [folder, placeOf(databaseUrl)];
      input.writeError(
        to === 'postgres'
          ? `Moved ${from} into ${into}`
          : `Moved ${into} into ${from}; unset DATABASE_URL now`,
      );
      return 0;
    } catch (error) {
      throw error instanceof StorageError ? notThere(databaseUrl, error) : error;
    } finally {
      await pool.close();
      file.close();
      unlock();
    }
  },
};

function lineOf({ table, rows, checksum }: CopiedTable): string {
  return `${table.padEnd(20)} ${String(rows).padStart(9)} rows  ${checksum}`;
}
