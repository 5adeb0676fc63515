// Under whose name a fixture of several sources stands on the slate, kept on file: its public id must be the same after a
// restart, whichever source names it first then and whether or not the others still do.

import type { Database } from 'bun:sqlite';
import { inTransaction } from '../database.ts';
import { RESULTS_KEPT_MS } from '../limits.ts';
import type { PostgresPool } from '../postgres.ts';

export const JOINED_IDENTITIES_SCHEMA = `
CREATE TABLE IF NOT EXISTS joined_identities (
  fixture TEXT PRIMARY KEY, -- the source's name, "|" and its own key
  teams TEXT NOT NULL, -- what the source called them: a key that is used again for another match is none of this
  identity TEXT NOT NULL, -- JSON
  is_turned INTEGER NOT NULL,
  noted_at_ms INTEGER NOT NULL
) STRICT;
`;

/** What of a fixture makes public ids. */
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
  /** The source has home and away the other way round. */
  readonly isTurned: boolean;
}

/** Rows kept. Full: the oldest is forgotten, which matters only if the server restarts before that match is over. */
const ROWS_MAX = 32_768;

interface Row {
  readonly fixture: string;
  readonly teams: string;
  readonly identity: string;
  readonly is_turned: number;
}

/** A row that is put, or that goes. */
export type IdentityChange = readonly [fixture: string, kept: KeptIdentity | null];

/** Where rows are kept. */
export interface IdentityStore {
  /** Writes all or nothing; a promise when it is far away. @throws when it is busy, full or gone */
  write(changes: readonly IdentityChange[], nowMs: number): void | Promise<void>;
}

/** All rows in memory, and changes that wait for their store. Without one it forgets with the process. */
export class JoinedIdentities {
  readonly #store: IdentityStore | null;
  readonly #onError: (error: unknown) => void;
  readonly #kept = new Map<string, KeptIdentity>();
  /** Null: the row goes. */
  readonly #waiting = new Map<string, KeptIdentity | null>();
  #writing: Promise<void> | null = null;

  /** @param onError told when the store is busy, full or away: what waits is written next time */
  constructor(store: IdentityStore | null = null, onError: (error: unknown) => void = () => {}) {
    this.#store = store;
    this.#onError = onError;
  }

  /**
   * Those of a file.
   * @param database a connection of this thread alone, with JOINED_IDENTITIES_SCHEMA in place
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

  /** Takes rows that the store has, oldest first, over what this process found out by itself. */
  adopt(changes: readonly IdentityChange[]): void {
    for (const [fixture, kept] of changes) {
      this.#waiting.delete(fixture);
      if (kept === null) this.#kept.delete(fixture);
      else this.#keep(fixture, kept);
    }
  }

  /** Writes what has changed, behind when the store is far away. Call it several times a second, and await the last. */
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

/** Those of a Postgres that several nodes have: the leader writes them, and whoever may lead next reads what it wrote. */
export class PostgresIdentityStore implements IdentityStore {
  readonly #pool: PostgresPool;
  readonly #mayWrite: () => boolean;
  #readUpToMs = 0;

  /** @param mayWrite whether this node leads; while it does not, what it finds out waits */
  constructor(pool: PostgresPool, mayWrite: () => boolean) {
    this.#pool = pool;
    this.#mayWrite = mayWrite;
  }

  /** What was written since the last time, the first time all. @throws StorageError */
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

/** Rows become visible this much after the time that they bear, and clocks differ. */
const WRITE_LASTS_MS = 10_000;

function toChange({ fixture, teams, identity, is_turned: isTurned }: Row): IdentityChange {
  return [fixture, { teams, identity: JSON.parse(identity) as FixtureIdentity, isTurned: isTurned === 1 }];
}
