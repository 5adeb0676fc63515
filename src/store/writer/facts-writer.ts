// Writes what the store holds besides fixtures: the state of the feed, and counters. These need no batch.

import { ALL_BOOKMAKERS_MASK } from '../../domain/catalogue.ts';
import { REPLICATION_STATES, type ReplicationState } from '../../domain/replication-state.ts';
import { BOOKMAKERS_MAX } from '../../limits.ts';
import { COUNTER_NAMES, type CounterName, counterIndex } from '../counters.ts';
import { CONTROL, type StoreViews, WIDE } from '../layout.ts';
import { LiquidityWriter } from '../liquidity.ts';
import { type SourceReport, writeReports } from '../source-reports.ts';
import type { ClockSetBack } from './page-columns.ts';

export class FactsWriter {
  readonly #views: StoreViews;
  /** Counts since the last `flushTallies`, by counter index. */
  readonly #tallies = new Float64Array(COUNTER_NAMES.length);

  /** What can be staked at the prices of exchanges. */
  readonly liquidity: LiquidityWriter;

  constructor(views: StoreViews) {
    this.#views = views;
    this.liquidity = new LiquidityWriter(views);
  }

  /**
   * Records that the published slate was restored from before the start, so that readers may serve it as
   * stale.
   */
  setRestored(): void {
    Atomics.store(this.#views.control, CONTROL.restored, 1);
  }
  setReplication(state: ReplicationState): void {
    Atomics.store(this.#views.control, CONTROL.replication, REPLICATION_STATES.indexOf(state));
  }
  setConnected(connected: boolean): void {
    Atomics.store(this.#views.control, CONTROL.feedConnected, connected ? 1 : 0);
  }
  /** Records that the first snapshot is complete, so that readers may serve the slate. */
  setSnapshotComplete(): void {
    Atomics.store(this.#views.control, CONTROL.snapshotComplete, 1);
    Atomics.store(this.#views.control, CONTROL.restored, 0);
  }
  setAppliedAt(wallMs: number): void {
    Atomics.store(this.#views.wide, WIDE.feedAppliedAtMs, BigInt(Math.trunc(wallMs)));
  }
  /** Like `setAppliedAt`, for a message that every tier may know about. */
  setCommonAppliedAt(wallMs: number): void {
    Atomics.store(this.#views.wide, WIDE.commonAppliedAtMs, BigInt(Math.trunc(wallMs)));
  }
  /**
   * Records the source time of a heartbeat.
   * @param bookmakerMask the bookmakers of the source; their quotes are confirmed
   */
  setHeartbeatAt(atMs: number, bookmakerMask: number = ALL_BOOKMAKERS_MASK): void {
    this.#setConfirmations((bookmaker, heldMs) => (((bookmakerMask >> bookmaker) & 1) === 1 ? atMs : heldMs));
  }
  /** Sets when the quotes of each bookmaker were last confirmed. */
  setConfirmations(confirmedAtMs: readonly number[]): void {
    this.#setConfirmations((bookmaker) => confirmedAtMs[bookmaker] ?? 0);
  }
  #setConfirmations(next: (bookmaker: number, heldMs: number) => number): void {
    const { control, wide, bookmakerConfirmedAtMs } = this.#views;
    let latestMs = 0;
    for (let bookmaker = 0; bookmaker < BOOKMAKERS_MAX; bookmaker++) {
      const heldMs = Number(Atomics.load(bookmakerConfirmedAtMs, bookmaker));
      const atMs = Math.trunc(next(bookmaker, heldMs));
      if (atMs !== heldMs) Atomics.store(bookmakerConfirmedAtMs, bookmaker, BigInt(atMs));
      latestMs = Math.max(latestMs, atMs);
    }
    Atomics.store(wide, WIDE.heartbeatAtMs, BigInt(latestMs));
    Atomics.add(control, CONTROL.confirmations, 1);
  }
  /** Call it when the clock was set back. Lowers the times here that are later than the clock's new time. */
  setBackClock({ nowMs, byMs }: ClockSetBack): void {
    const { wide } = this.#views;
    for (const fact of [WIDE.feedAppliedAtMs, WIDE.commonAppliedAtMs]) {
      const atMs = Number(Atomics.load(wide, fact));
      if (atMs > nowMs) Atomics.store(wide, fact, BigInt(Math.trunc(atMs - byMs)));
    }
    this.#setConfirmations((_bookmaker, atMs) => (atMs > nowMs ? atMs - byMs : atMs));
  }
  setSourceReports(reports: readonly SourceReport[]): void {
    writeReports(this.#views, reports);
  }
  setQueueDepth(count: number): void {
    Atomics.store(this.#views.control, CONTROL.queueDepth, count);
  }
  count(name: CounterName, count = 1): void {
    Atomics.add(this.#views.counters, counterIndex(name), BigInt(count));
  }
  /**
   * Adds one to a counter. Readers see it after the next `flushTallies`, so counting every message stays
   * cheap. @param counter its index, from `counterIndex`
   */
  tally(counter: number): void {
    this.#tallies[counter]!++;
  }
  /** Adds the tallies to the shared counters. Called at the end of a batch. */
  flushTallies(): void {
    const { counters } = this.#views;
    for (let index = 0; index < this.#tallies.length; index++) {
      const count = this.#tallies[index]!;
      if (count === 0) continue;
      this.#tallies[index] = 0;
      Atomics.add(counters, index, BigInt(count));
    }
  }
}
