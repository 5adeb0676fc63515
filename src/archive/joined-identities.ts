// Under whose name a fixture of several sources stands on the slate, kept on file: its public id must be the same after a
// restart, whichever source names it first then and whether or not the others still do.

import type { Database } from 'bun:sqlite';
import { RESULTS_KEPT_MS } from '../limits.ts';

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

/** All rows in memory, and changes that wait for the file. Without a database it forgets with the process. */
export class JoinedIdentities {
  readonly #database: Database | null;
  readonly #onError: (error: unknown) => void;
  readonly #kept = new Map<string, KeptIdentity>();
  /** Null: the row goes. */
  readonly #waiting = new Map<string, KeptIdentity | null>();

  /**
   * @param database a connection of this thread alone, with JOINED_IDENTITIES_SCHEMA in place
   * @param onError told when the file is busy or full: what waits is written next time
   */
  constructor(database: Database | null, nowMs: number, onError: (error: unknown) => void = () => {}) {
    this.#database = database;
    this.#onError = onError;
    if (database === null) return;
    database.prepare('DELETE FROM joined_identities WHERE noted_at_ms < ?').run(nowMs - RESULTS_KEPT_MS);
    const rows = database
      .prepare<Row, [number]>('SELECT * FROM joined_identities ORDER BY noted_at_ms DESC LIMIT ?')
      .all(ROWS_MAX);
    for (const { fixture, teams, identity, is_turned: isTurned } of rows.toReversed()) {
      const parsed = JSON.parse(identity) as FixtureIdentity;
      this.#kept.set(fixture, { teams, identity: parsed, isTurned: isTurned === 1 });
    }
  }

  get(fixture: string): KeptIdentity | null {
    return this.#kept.get(fixture) ?? null;
  }

  set(fixture: string, kept: KeptIdentity): void {
    if (Bun.deepEquals(this.#kept.get(fixture), kept)) return;
    this.#kept.delete(fixture);
    if (this.#kept.size >= ROWS_MAX) this.delete(this.#kept.keys().next().value!);
    this.#kept.set(fixture, kept);
    this.#waiting.set(fixture, kept);
  }

  delete(fixture: string): void {
    if (this.#kept.delete(fixture)) this.#waiting.set(fixture, null);
  }

  /** Writes what has changed. Call it several times a second. */
  flush(nowMs: number): void {
    if (this.#database === null || this.#waiting.size === 0) return;
    try {
      this.#write(this.#database, nowMs);
    } catch (error) {
      this.#onError(error);
      return;
    }
    this.#waiting.clear();
  }

  #write(database: Database, nowMs: number): void {
    database
      .transaction(() => {
        const put = database.prepare('INSERT OR REPLACE INTO joined_identities VALUES (?, ?, ?, ?, ?)');
        const drop = database.prepare('DELETE FROM joined_identities WHERE fixture = ?');
        for (const [fixture, kept] of this.#waiting) {
          if (kept === null) drop.run(fixture);
          else {
            const { teams, identity, isTurned } = kept;
            put.run(fixture, teams, JSON.stringify(identity), isTurned ? 1 : 0, Math.trunc(nowMs));
          }
        }
      })
      .immediate();
  }
}
