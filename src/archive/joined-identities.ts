// When several sources quote one fixture, the fixture keeps the identity that one of them gave it. Its public
// id is made from that identity. The choice is stored, so the public id stays the same after a restart, even
// if another source then names the fixture first or the original source has dropped it.

import { RESULTS_KEPT_MS } from '../limits.ts';
import type { SqlDatabase } from '../storage/sql.ts';

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
export interface IdentityParts {
  readonly event: string;
  /** Index into SPORTS. */
  readonly sport: number;
  readonly league: { readonly key: string; readonly name: string };
  readonly home: { readonly key: string; readonly name: string };
  readonly away: { readonly key: string; readonly name: string };
}

export interface KeptIdentity {
  readonly teams: string;
  readonly identity: IdentityParts;
  /** Whether the source has home and away swapped. */
  readonly isTurned: boolean;
}

/**
 * Maximum number of rows kept. A new row replaces the oldest. A lost row matters only if the server restarts
 * before the row's match has finished.
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

/** Where changes are written: a database or, in tests, a substitute that may write synchronously. */
export interface IdentitySink {
  write(changes: readonly IdentityChange[], nowMs: number): void | Promise<void>;
}

/**
 * All rows in memory, and the changes that wait for the store. Without a store, a restart loses everything.
 */
export class JoinedIdentities {
  readonly #store: IdentitySink | null;
  readonly #onError: (error: unknown) => void;
  readonly #kept = new Map<string, KeptIdentity>();
  /** Rows to write; null for a row to delete. */
  readonly #waiting = new Map<string, KeptIdentity | null>();
  #writing: Promise<void> | null = null;

  /**
   * @param onError called when the store is busy, full or unreachable; waiting rows are written at the next
   * flush
   */
  constructor(store: IdentitySink | null = null, onError: (error: unknown) => void = () => {}) {
    this.#store = store;
    this.#onError = onError;
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
   * Writes the changes in the background. Call it several times a second. Before the store is closed, await a
   * last call.
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

/**
 * Rows in the database. If several nodes share it, the leader writes them, and each standby reads them, ready
 * to lead next.
 */
export class IdentityStore implements IdentitySink {
  readonly #sql: SqlDatabase;
  readonly #mayWrite: () => boolean;
  #readUpToMs = 0;

  /** @param mayWrite whether this node leads; while it does not, its changes wait in memory */
  constructor(sql: SqlDatabase, mayWrite: () => boolean) {
    this.#sql = sql;
    this.#mayWrite = mayWrite;
  }

  /**
   * Rows written since the last call, oldest first; the first call returns all. Rows of the ten seconds
   * before the newest known row are returned again.
   * @throws StorageError
   */
  async read(): Promise<IdentityChange[]> {
    const rows = await this.#sql.rows<Row & { readonly noted_at_ms: number }>(
      `SELECT * FROM (
         SELECT * FROM joined_identities WHERE noted_at_ms >= $1 ORDER BY noted_at_ms DESC LIMIT $2
       ) AS newest ORDER BY noted_at_ms`,
      [this.#readUpToMs - WRITE_LASTS_MS, ROWS_MAX],
    );
    this.#readUpToMs = Math.max(this.#readUpToMs, rows.at(-1)?.noted_at_ms ?? 0);
    return rows.map(toChange);
  }

  /** Writes all changes or none, and deletes expired rows. @throws when the database is busy, full or gone */
  async write(changes: readonly IdentityChange[], nowMs: number): Promise<void> {
    if (!this.#mayWrite()) throw new Error('Cannot keep identities: this node does not lead');
    const notedAtMs = Math.trunc(nowMs);
    const puts = changes.flatMap(([fixture, kept]) =>
      kept === null
        ? []
        : [[fixture, kept.teams, JSON.stringify(kept.identity), kept.isTurned ? 1 : 0, notedAtMs] as const],
    );
    const drops = changes.flatMap(([fixture, kept]) => (kept === null ? [[fixture]] : []));
    await this.#sql.transaction(async (sql) => {
      await sql.insertAll(
        'joined_identities',
        {
          columns: {
            ...{ fixture: 'text', teams: 'text', identity: 'text' },
            ...{ is_turned: 'bigint', noted_at_ms: 'bigint' },
          },
          rows: puts.toSorted(([one], [other]) => (one < other ? -1 : 1)),
        },
        `(fixture) DO UPDATE SET teams = excluded.teams, identity = excluded.identity,
           is_turned = excluded.is_turned, noted_at_ms = excluded.noted_at_ms`,
      );
      await sql.runGiven('DELETE FROM joined_identities WHERE fixture IN (SELECT fixture FROM given)', {
        columns: { fixture: 'text' },
        rows: drops,
      });
      await sql.run('DELETE FROM joined_identities WHERE noted_at_ms < $1', [notedAtMs - RESULTS_KEPT_MS]);
    });
  }
}

/**
 * The longest time between a row's `noted_at_ms` and the moment when other nodes see the row, including the
 * difference between the nodes' clocks.
 */
const WRITE_LASTS_MS = 10_000;

function toChange({ fixture, teams, identity, is_turned: isTurned }: Row): IdentityChange {
  return [fixture, { teams, identity: JSON.parse(identity) as IdentityParts, isTurned: isTurned === 1 }];
}
