// The archive of the ingest worker, in a file of the data folder or in Postgres: the rows that it writes in
// the background, and the identities of joined fixtures.

import { join } from 'node:path';
import { ArchiveWriter } from '../archive/archive-writer.ts';
import { IdentityStore, JOINED_IDENTITIES_SCHEMA, JoinedIdentities } from '../archive/joined-identities.ts';
import { copyOpenings } from '../archive/opening-copy.ts';
import { ARCHIVE_SCHEMA } from '../archive/tables.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../settings/config.ts';
import { DATABASE_NAME, openDatabase } from '../storage/database.ts';
import { PostgresPool } from '../storage/postgres.ts';
import { postgresSql } from '../storage/postgres-sql.ts';
import { sqliteSql } from '../storage/sqlite-sql.ts';
import { type NodeNumbers, postgresWatch } from '../telemetry/node-numbers.ts';
import type { ArchivePort } from './archive-recorder.ts';

/**
 * How often rows are written, how often expired ones are deleted, and how often a standby node reads
 * identities.
 */
const FLUSH_EVERY_MS = 250;
const PURGE_EVERY_MS = 60_000;
const FOLLOW_EVERY_MS = 1_000;
const CONNECTIONS = 2;

export interface IngestArchive {
  readonly archive: ArchivePort;
  readonly identities: JoinedIdentities;
  /**
   * Reads the identities that the leader of a cluster has stored since the last time. If the database does
   * not answer, a later call reads them.
   */
  followIdentities(): Promise<void>;
  /** Writes pending identities. Call it before this node stops leading. */
  flushIdentities(): Promise<void>;
  /** Writes pending rows a last time and closes the archive. */
  close(): Promise<void>;
}

export interface IngestArchiveOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  readonly clock: Clock;
  readonly numbers: NodeNumbers;
  readonly onError: (error: unknown) => void;
  /** Whether this node leads; false on a standby. */
  readonly isLeading: () => boolean;
}

/**
 * Opens the archive and begins to write. Main has prepared the tables in Postgres.
 * @throws when the file cannot be opened
 */
export async function openIngestArchive(options: IngestArchiveOptions): Promise<IngestArchive> {
  const { config, clock, numbers, onError, isLeading } = options;
  const isShared = config.databaseUrl !== null;
  const { database, postgres, close } = await openDatabases(options);
  const archive = new ArchiveWriter({ database, ...(postgres !== null && { postgres }), clock, onError });
  const store = new IdentityStore(postgres ?? sqliteSql(database), isShared ? isLeading : () => true);
  const identities = new JoinedIdentities(store, onError);
  const followIdentities = async (): Promise<void> => {
    if (!isShared) return; // no other process writes them
    try {
      identities.adopt(await store.read());
    } catch (error) {
      onError(error);
    }
  };
  if (isShared) await followIdentities();
  else identities.adopt(await store.read());
  const flushIdentities = async (): Promise<void> => {
    if (!isShared || isLeading()) await identities.flush(clock.wallMs());
  };
  const flush = async (): Promise<void> => {
    reportRows(numbers, archive);
    await Promise.all([archive.flush(), flushIdentities()]);
    reportRows(numbers, archive);
  };
  const timers = [
    setInterval(() => void flush(), FLUSH_EVERY_MS),
    setInterval(() => void archive.purge(clock.wallMs()), PURGE_EVERY_MS),
    setInterval(() => {
      if (!isLeading()) void followIdentities();
    }, FOLLOW_EVERY_MS),
  ];
  return {
    archive,
    identities,
    followIdentities,
    flushIdentities,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await flush();
      await close();
    },
  };
}

/** The databases of an ArchiveWriter, and how to close them. */
async function openDatabases({ config, clock, numbers, onError }: IngestArchiveOptions) {
  const { databaseUrl: url, dataDir } = config;
  if (url === null) {
    const database = openDatabase({
      path: join(dataDir, DATABASE_NAME),
      schemas: [ARCHIVE_SCHEMA, JOINED_IDENTITIES_SCHEMA],
      create: true,
      check: false, // main has checked the file before it started this worker
    });
    return { database, postgres: null, close: async () => database.close() };
  }
  const watch = postgresWatch(numbers, 'archive');
  const pool = new PostgresPool({ url, connections: CONNECTIONS, watch });
  const postgres = postgresSql(pool);
  const database = await copyOpenings(postgres, { clock, onError });
  return {
    database,
    postgres,
    close: async () => {
      await pool.close();
      database.close();
    },
  };
}

function reportRows(
  numbers: NodeNumbers,
  { pendingCount, refusedCount }: Pick<ArchiveWriter, 'pendingCount' | 'refusedCount'>,
): void {
  numbers.set('archive_waiting', pendingCount);
  numbers.set('archive_refused', refusedCount);
}
