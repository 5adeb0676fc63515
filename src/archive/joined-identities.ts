// When several sources quote one fixture, the fixture keeps the identity that one of them gave it, and its
// public id is made from that. The choice is stored, so the public id stays the same after a restart, even if
// another source names the fixture first or the original source has dropped it.

import type { Database } from 'bun:sqlite';
import { RESULTS_KEPT_MS } from '../limits.ts';
import { inTransaction } from '../storage/database.ts';
import type { PostgresPool } from '../storage/postgres.ts';

export const JOINED_IDENTITIES_SCHEMA = `
CREATE TABLE IF NOT EXISTS joined_identities (
  fixture TEXT PRIMARY KEY, -- the source's name, "|" and its own key
  teams TEXT NOT NULL, -- what the source called them: a key that the source uses again for another match has other teams
  identity TEXT NOT NULL, -- JSON
  is_turned INTEGER NOT NULL,
  noted_at_ms INTEGER NOT NULL
) STRICT;
`;

/** The parts of a fixture that its public ids are made from. */
export interface FixtureIdentity {
  readonly event: string;
  /** Index into SPORTS. */
  readonly sport: number;
  readonly league: { readonly key: string; readonly name: string };
  readonly home: { readonly key: string; readonly name: string };
  readonly away: { readonly key: string; readonly name: string };
}

export interface KeptIdentity {
  readonly teams: string;
  readonly identity: FixtureIdentity;
  /** The source has home and away swapped. */
  readonly isTurned: boolean;
}

/**
 * Rows kept. Full: the oldest is dropped. That matters only if the server restarts before that match is over.
 */
const ROWS_MAX = 32_768;

interface Row {
  readonly fixture: string;
  readonly teams: string;
  readonly identity: string;
  readonly is_turned: number;
}

/** A row to write, or (null) to delete. */
export type IdentityChange = readonly [fixture: string, kept: KeptIdentity | null];

/** Where the rows are stored. */
export interface IdentityStore {
  /**
   * Writes all changes or none; returns a promise when the store is remote. @throws when it is busy, full or
   * gone
   */
  write(changes: readonly IdentityChange[], nowMs: number): void | Promise<void>;
}

/**
 * All rows in memory, and the changes that wait for the store. Without a store, a restart loses everything.
 */
export class JoinedIdentities {
  readonly #store: IdentityStore | null;
  readonly #onError: (error: unknown) => void;
  readonly #kept = new Map<string, KeptIdentity>();
  /** Null: the row is to be deleted. */
  readonly #waiting = new Map<string, KeptIdentity | null>();
  #writing: Promise<void> | null = null;

  /**
   * @param onError called when the store is busy, full or unreachable; waiting rows are written at the next
   * flush
   */
  constructor(store: IdentityStore | null = null, onError: (error: unknown) => void = () => {}) {
    this.#store = store;
    this.#onError = onError;
  }

  /**
   * Loads the rows stored in a file.
   * @param database a connection that only this thread uses, with JOINED_IDENTITIES_SCHEMA in place
   */
  static inFile(database: Database, nowMs: number, onError?: (error: unknown) => void): JoinedIdentities {
    const identities = new JoinedIdentities(new SqliteIdentityStore(database), onError);
    database.prepare('DELETE FROM joined_identities WHERE noted_at_ms < ?').run(nowMs - RESULTS_KEPT_MS);
    const rows = database
      .prepare<Row, [number]>('SELECT * FROM joined_identities ORDER BY noted_at_ms DESC LIMIT ?')
      .all(ROWS_MAX);
    identities.adopt(rows.toReversed().map(toChange));
    return identities;
  }

  get(fixture: string): KeptIdentity | null {
    return this.#kept.get(fixture) ?? null;
  }

  set(fixture: string, kept: KeptIdentity): void {
    if (Bun.deepEquals(this.#kept.get(fixture), kept)) return;
    this.#keep(fixture, kept);
    this.#waiting.set(fixture, kept);
  }

  delete(fixture: string): void {
    if (this.#kept.delete(fixture)) this.#waiting.set(fixture, null);
  }

  /** Takes rows from the store, oldest first. They replace what this process has worked out itself. */
  adopt(changes: readonly IdentityChange[]): void {
    for (const [fixture, kept] of changes) {
      this.#waiting.delete(fixture);
      if (kept === null) this.#kept.delete(fixture);
      else this.#keep(fixture, kept);
    }
  }

  /**
   * Writes the changes; a remote store is written in the background. Call it several times a second, and
   * await the last call.
   */
  async flush(nowMs: number): Promise<void> {
    if (this.#store === null || this.#writing !== null) return this.#writing ?? undefined;
    if (this.#waiting.size === 0) return;
    const changes = [...this.#waiting];
    try {
      const writing = this.#store.write(changes, nowMs);
      if (writing !== undefined) {
        this.#writing = writing;
        await writing;
      }
    } catch (error) {
      this.#onError(error);
      return;
    } finally {
      this.#writing = null;
    }
    for (const [fixture, kept] of changes)
      if (this.#waiting.get(fixture) === kept) this.#waiting.delete(fixture);
  }

  #keep(fixture: string, kept: KeptIdentity): void {
    this.#kept.delete(fixture);
    if (this.#kept.size >= ROWS_MAX) this.delete(this.#kept.keys().next().value!);
    this.#kept.set(fixture, kept);
  }
}

class SqliteIdentityStore implements IdentityStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  write(changes: readonly IdentityChange[], nowMs: number): void {
    const database = this.#database;
    inTransaction(database, () => {
      const put = database.prepare('INSERT OR REPLACE INTO joined_identities VALUES (?, ?, ?, ?, ?)');
      const drop = database.prepare('DELETE FROM joined_identities WHERE fixture = ?');
      for (const [fixture, kept] of changes) {
        if (kept === null) drop.run(fixture);
        else {
          const { teams, identity, isTurned } = kept;
          put.run(fixture, teams, JSON.stringify(identity), isTurned ? 1 : 0, Math.trunc(nowMs));
        }
      }
    });
  }
}

/**
 * Rows in a Postgres database shared by several nodes: the leader writes them, and each standby reads them,
 * ready to lead next.
 */
export class PostgresIdentityStore implements IdentityStore {
  readonly #pool: PostgresPool;
  readonly #mayWrite: () => boolean;
  #readUpToMs = 0;

  /** @param mayWrite whether this node leads; while it does not, its changes wait in memory */
  constructor(pool: PostgresPool, mayWrite: () => boolean) {
    this.#pool = pool;
    this.#mayWrite = mayWrite;
  }

  /** Rows written since the last call; the first call returns all. @throws StorageError */
  async read(): Promise<IdentityChange[]> {
    const rows = await this.#pool.rows<Row & { readonly noted_at_ms: number }>(
      `SELECT * FROM (
         SELECT * FROM joined_identities WHERE noted_at_ms >= $1 ORDER BY noted_at_ms DESC LIMIT $2
       ) AS newest ORDER BY noted_at_ms`,
      [this.#readUpToMs - WRITE_LASTS_MS, ROWS_MAX],
    );
    this.#readUpToMs = Math.max(this.#readUpToMs, rows.at(-1)?.noted_at_ms ?? 0);
    return rows.map(toChange);
  }

  async write(changes: readonly IdentityChange[], nowMs: number): Promise<void> {
    if (!this.#mayWrite()) throw new Error('Cannot keep identities: this node does not lead');
    const puts = changes.flatMap(([fixture, kept]) =>
      kept === null
        ? []
        : [
            {
              fixture,
              teams: kept.teams,
              identity: JSON.stringify(kept.identity),
              is_turned: kept.isTurned ? 1 : 0,
            },
          ],
    );
    const drops = changes.flatMap(([fixture, kept]) => (kept === null ? [fixture] : []));
    await this.#pool.transaction(async (sql) => {
      await sql.run(
        `INSERT INTO joined_identities (fixture, teams, identity, is_turned, noted_at_ms)
         SELECT fixture, teams, identity, is_turned, $2::bigint
         FROM json_to_recordset($1::text::json) AS put(fixture TEXT, teams TEXT, identity TEXT, is_turned BIGINT)
         ORDER BY fixture
         ON CONFLICT (fixture) DO UPDATE SET teams = excluded.teams, identity = excluded.identity,
           is_turned = excluded.is_turned, noted_at_ms = excluded.noted_at_ms`,
        [JSON.stringify(puts), Math.trunc(nowMs)],
      );
      await sql.run(
        `DELETE FROM joined_identities WHERE fixture IN (SELECT json_array_elements_text($1::text::json))
           OR noted_at_ms < $2`,
        [JSON.stringify(drops), Math.trunc(nowMs) - RESULTS_KEPT_MS],
      );
    });
  }
}

/** A row can become visible this long after its `noted_at_ms`, and the clocks of nodes differ. */
const WRITE_LASTS_MS = 10_000;

function toChange({ fixture, teams, identity, is_turned: isTurned }: Row): IdentityChange {
  return [fixture, { teams, identity: JSON.parse(identity) as FixtureIdentity, isTurned: isTurned === 1 }];
}
