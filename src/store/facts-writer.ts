// What the store says besides fixtures, which needs no batch: the state of the feed, and counters. Readers see it at once.

import { REPLICATION_STATES, type ReplicationState } from '../domain/replication-state.ts';
import { COUNTER_NAMES, type CounterName, counterIndex } from './counters.ts';
import { CONTROL, type StoreViews, WIDE } from './layout.ts';
import type { ClockSetBack } from './page-columns.ts';
import { type SourceReport, writeReports } from './source-reports.ts';

export class FactsWriter {
  readonly #views: StoreViews;
  /** Counts since the last `flushTallies`, by counter index. */
  readonly #tallies = new Float64Array(COUNTER_NAMES.length);

  constructor(views: StoreViews) {
    this.#views = views;
  }

  /** What was published is a slate of before the start: readers may serve it, as stale. */
  setRestored(): void {
    Atomics.store(this.#views.control, CONTROL.restored, 1);
  }
  /** How this node stands among those that share the slate. */
  setReplication(state: ReplicationState): void {
    Atomics.store(this.#views.control, CONTROL.replication, REPLICATION_STATES.indexOf(state));
  }
  /** The feed is connected or not. */
  setConnected(connected: boolean): void {
    Atomics.store(this.#views.control, CONTROL.feedConnected, connected ? 1 : 0);
  }
  /** The first snapshot is complete: readers may serve. */
  setSnapshotComplete(): void {
    Atomics.store(this.#views.control, CONTROL.snapshotComplete, 1);
    Atomics.store(this.#views.control, CONTROL.restored, 0);
  }
  /** A message was applied at this wall-clock time. */
  setAppliedAt(wallMs: number): void {
    Atomics.store(this.#views.wide, WIDE.feedAppliedAtMs, BigInt(Math.trunc(wallMs)));
  }
  /** As setAppliedAt, of a message that every tier may know of. */
  setCommonAppliedAt(wallMs: number): void {
    Atomics.store(this.#views.wide, WIDE.commonAppliedAtMs, BigInt(Math.trunc(wallMs)));
  }
  /** A heartbeat carried this source time. */
  setHeartbeatAt(atMs: number): void {
    Atomics.store(this.#views.wide, WIDE.heartbeatAtMs, BigInt(Math.trunc(atMs)));
  }
  /** The clock was set back, and with it what was stamped later than it says now. */
  protected setBackFacts({ nowMs, byMs }: ClockSetBack): void {
    const { wide } = this.#views;
    for (const fact of [WIDE.feedAppliedAtMs, WIDE.commonAppliedAtMs, WIDE.heartbeatAtMs]) {
      const atMs = Number(Atomics.load(wide, fact));
      if (atMs > nowMs) Atomics.store(wide, fact, BigInt(Math.trunc(atMs - byMs)));
    }
  }
  /** How the sources are doing. */
  setSourceReports(reports: readonly SourceReport[]): void {
    writeReports(this.#views, reports);
  }
  setQueueDepth(count: number): void {
    Atomics.store(this.#views.control, CONTROL.queueDepth, count);
  }
  count(name: CounterName, count = 1): void {
    Atomics.add(this.#views.counters, counterIndex(name), BigInt(count));
  }
  /** One more of `counterIndex`, told to readers with the next `flushTallies`: for what is counted with every message. */
  tally(counter: number): void {
    this.#tallies[counter]!++;
  }
  /** Call it at the end of a batch. */
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
