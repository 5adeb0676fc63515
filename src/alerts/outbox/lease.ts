// Decides which node evaluates rules and sends alerts. The holder raises a counter every second. Another node
// takes over when it has seen the same count for long enough, so the clocks of nodes are never compared.

import type { Clock } from '../../clock.ts';
import type { SqlDatabase } from '../../storage/sql.ts';

/** How long a holder may send after its last successful step. */
const LEASE_LASTS_MS = 4_000;
/** How long the count must stay the same before another node takes over; longer than LEASE_LASTS_MS. */
export const TAKEOVER_AFTER_MS = 6_000;

export interface LeaseParts {
  readonly sql: SqlDatabase;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** A name for this holder that no other has. */
  readonly holder: string;
  /** Whether no other process can use the database. Then every step succeeds, and nothing is written. */
  readonly isAlone: boolean;
}

interface LeaseRow {
  readonly holder: string | null;
  readonly value: number;
}

export class OutboxLease {
  readonly #parts: LeaseParts;
  #heldUntilMs = Number.NEGATIVE_INFINITY;
  #seen: LeaseRow | null = null;
  #seenSinceMs = 0;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  get isHeld(): boolean {
    return this.#parts.clock.monotonicMs() < this.#heldUntilMs;
  }

  /**
   * Extends the lease, or takes it when it is free. Call it every second. @returns whether the lease is held
   * @throws StorageError
   */
  async step(): Promise<boolean> {
    const { sql, clock, holder, isAlone } = this.#parts;
    const nowMs = clock.monotonicMs();
    if (isAlone) {
      this.#heldUntilMs = nowMs + LEASE_LASTS_MS;
      return true;
    }
    const extended = await sql.run(
      `UPDATE alert_state SET value = value + 1 WHERE name = 'lease' AND holder = $1`,
      [holder],
    );
    if (extended === 0 && !(await this.#take(nowMs))) {
      this.#heldUntilMs = Number.NEGATIVE_INFINITY;
      return false;
    }
    this.#heldUntilMs = nowMs + LEASE_LASTS_MS;
    return this.isHeld;
  }

  /** Gives the lease up, so that another node can take it without waiting. @throws StorageError */
  async release(): Promise<void> {
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
    if (this.#parts.isAlone) return;
    await this.#parts.sql.run(
      `UPDATE alert_state SET holder = NULL, value = value + 1 WHERE name = 'lease' AND holder = $1`,
      [this.#parts.holder],
    );
  }

  async #take(nowMs: number): Promise<boolean> {
    const { sql, holder } = this.#parts;
    await sql.run(
      `INSERT INTO alert_state (name, holder, value) VALUES ('lease', NULL, 0) ON CONFLICT DO NOTHING`,
    );
    const [row] = await sql.rows<LeaseRow>(`SELECT holder, value FROM alert_state WHERE name = 'lease'`);
    if (row === undefined) return false;
    if (this.#seen?.value !== row.value || this.#seen.holder !== row.holder) {
      this.#seen = row;
      this.#seenSinceMs = nowMs;
    }
    const isFree = row.holder === null || nowMs - this.#seenSinceMs >= TAKEOVER_AFTER_MS;
    if (!isFree) return false;
    const taken = await sql.run(
      `UPDATE alert_state SET holder = $1, value = value + 1 WHERE name = 'lease' AND value = $2`,
      [holder, row.value],
    );
    return taken > 0;
  }
}
