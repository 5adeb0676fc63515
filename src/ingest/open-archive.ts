// The archive of the ingest worker, in the file of the data folder or in Postgres: what it writes behind the
// feed, and the identities of joined fixtures.

import { join } from 'node:path';
import { ArchiveWriter } from '../archive/archive-writer.ts';
import { IdentityStore, JOINED_IDENTITIES_SCHEMA, JoinedIdentities } from '../archive/joined-identities.ts';
import { PostgresArchiveWriter } from '../archive/postgres-archive-writer.ts';
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
   * Reads the identities that the leader of a cluster has stored since the last time; if the database is
   * away, later.
   */
  followIdentities(): Promise<void>;
  /** Writes pending identities, as the leader's last act. */
  flushIdentities(): Promise<void>;
  /** Writes pending rows a last time and closes the archive. */
  close(): Promise<void>;
}

export interface IngestArchiveOptions {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  readonly clock: Clock;
  readonly numbers: NodeNumbers;
  readonly onError: (error: unknown) => void;
  /** Whether this node publishes the slate, or is a standby. */
  readonly isLeading: () => boolean;
}

/**
 * Opens it and begins to write.
 * @throws when the file cannot be opened; of Postgres main has prepared the tables
 */
export async function openIngestArchive(options: IngestArchiveOptions): Promise<IngestArchive> {
  const { databaseUrl } = options.config;
  return databaseUrl === null ? await openFile(options) : await openShared(databaseUrl, options);
}

async function openFile({ config, clock, numbers, onError }: IngestArchiveOptions): Promise<IngestArchive> {
  // Main has checked the file before it started this worker.
  const database = openDatabase({
    path: join(config.dataDir, DATABASE_NAME),
    schemas: [ARCHIVE_SCHEMA, JOINED_IDENTITIES_SCHEMA],
    create: true,
    check: false,
  });
  const archive = new ArchiveWriter({ database, clock, onError });
  const store = new IdentityStore(sqliteSql(database), () => true);
  const identities = new JoinedIdentities(store, onError);
  identities.adopt(await store.read());
  const flush = (): void => {
    archive.flush();
    void identities.flush(clock.wallMs());
    reportRows(numbers, archive);
  };
  const timers = [
    setInterval(flush, FLUSH_EVERY_MS),
    setInterval(() => archive.purge(clock.wallMs()), PURGE_EVERY_MS),
  ];
  return {
    archive,
    identities,
    followIdentities: async () => {}, // (tail) no other process writes them
    flushIdentities: () => identities.flush(clock.wallMs()),
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      flush();
      await identities.flush(clock.wallMs());
      database.close();
    },
  };
}

async function openShared(
  url: string,
  { clock, numbers, onError, isLeading }: IngestArchiveOptions,
): Promise<IngestArchive> {
  const pool = new PostgresPool({
    ...{ url, connections: CONNECTIONS },
    watch: postgresWatch(numbers, 'archive'),
  });
  const sql = postgresSql(pool);
  const archive = await PostgresArchiveWriter.open({ sql, clock, onError });
  const store = new IdentityStore(sql, isLeading);
  const identities = new JoinedIdentities(store, onError);
  const followIdentities = async (): Promise<void> => {
    try {
      identities.adopt(await store.read());
    } catch (error) {
      onError(error);
    }
  };
  await followIdentities();
  const flushIdentities = async (): Promise<void> => {
    if (isLeading()) await identities.flush(clock.wallMs());
  };
  const timers = [
    setInterval(() => {
      reportRows(numbers, archive);
      void archive.flush();
    }, FLUSH_EVERY_MS),
    setInterval(() => void flushIdentities(), FLUSH_EVERY_MS),
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
      await flushIdentities();
      await archive.close();
      await pool.close();
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
