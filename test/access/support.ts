// A database in a temporary folder, an access memory and keys, for the tests of access control.

import type { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountStore } from '../../src/access/counts/count-store.ts';
import { DAILY_COUNTS_SCHEMA } from '../../src/access/counts/daily-counts.ts';
import { dayOf } from '../../src/access/quotas/bucket.ts';
import { type AccessCapacity, createAccessMemory } from '../../src/access/quotas/memory.ts';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { createOperatorKey } from '../../src/accounts/keys/key-service.ts';
import { SqliteKeyDirectory } from '../../src/accounts/keys/sqlite-key-directory.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import type { Clock } from '../../src/clock.ts';
import type { TierKey } from '../../src/domain/tiers.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';

/** 2026-03-04T10:00:00Z. */
export const START_MS = Date.UTC(2026, 2, 4, 10);

export class ManualClock implements Clock {
  #wallMs = START_MS;
  #monotonicMs = 1_000;

  wallMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  advance(ms: number): void {
    this.#wallMs += ms;
    this.#monotonicMs += ms;
  }

  /** Sets only the wall clock, as an administrator may do. */
  setWall(ms: number): void {
    this.#wallMs = ms;
  }
}

/** One service's files and memory. Dispose of it with `using`. */
export class AccessBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'overround-access-'));
  readonly path = join(this.folder, DATABASE_NAME);
  readonly clock = new ManualClock();
  readonly memory: SharedArrayBuffer;
  readonly database: Database;
  readonly directory: SqliteKeyDirectory;
  readonly keys: KeyRepository;
  readonly #connections: Database[] = [];

  constructor(capacity: AccessCapacity = { keys: 64, addresses: 256 }) {
    this.memory = createAccessMemory({ seed: 0x5eed, startedAtMs: START_MS, capacity });
    this.database = this.connect();
    this.directory = new SqliteKeyDirectory(this.database);
    this.keys = new KeyRepository(sqliteSql(this.database));
  }

  /** Another connection, as another thread or process would have. */
  connect(): Database {
    const database = openDatabase({
      path: this.path,
      schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA, DAILY_COUNTS_SCHEMA],
      create: true,
      busyTimeoutMs: 5_000,
    });
    this.#connections.push(database);
    return database;
  }

  async createKey(
    tier: TierKey,
    bounds: { readonly expiresAtMs?: number; readonly allowedAddresses?: readonly string[] } = {},
  ): Promise<{ text: string; keyId: string; number: number }> {
    const options = { keys: this.keys, clock: this.clock, fillRandom };
    const { text, record } = await createOperatorKey(options, { tier, label: '', ...bounds });
    return { text, keyId: record.keyId, number: record.number };
  }

  [Symbol.dispose](): void {
    for (const database of this.#connections) database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The counts in the database of the bench, as a keeper reads them at its start. */
export function countsIn(bench: AccessBench, onError: (error: unknown) => void): Promise<CountStore> {
  return CountStore.open({ sql: sqliteSql(bench.database), onError }, dayOf(bench.clock.wallMs()));
}
