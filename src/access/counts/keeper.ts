// Maintains the shared memory of access control, on one thread of the process. The keeper advances the shared
// clock, detects changed keys, writes daily counts and last uses to the store, and frees idle slots. The main
// thread starts it before the HTTP threads.

import type { KeyDirectory, KeyLastUse, KeyUse } from '../../accounts/keys/key-directory.ts';
import { type Clock, DAY_MS } from '../../clock.ts';
import { USAGE_DAYS_KEPT } from '../../limits.ts';
import { readWide } from '../../memory/wide-counter.ts';
import { Leases } from '../cluster/leases.ts';
import { EpochWatch, SharedTime } from '../heartbeat.ts';
import { FLUSH_EVERY_MS, FLUSH_ROWS_MAX, HEARTBEAT_EVERY_MS } from '../limits.ts';
import { dayOf, FULL_WITHIN_MS } from '../quotas/bucket.ts';
import { attachAccessMemory, SLOT_LAST_USED_S, SLOT_REQUESTS, SLOT_SUBJECT_LOW } from '../quotas/memory.ts';
import { SubjectTable } from '../quotas/subject-table.ts';
import type { CountStore } from './count-store.ts';
import { type DailyCount, KeptTable, SCOPE_ADDRESS, SCOPE_KEY } from './daily-counts.ts';

/** A key that was used within this time keeps its slot in a crowded table. */
const IN_USE_S = 3_600;
/** A key's last use is written again only if it moved by at least this much. */
const LAST_USED_STEP_S = 10;
/** Flushes between two sweeps, which scan all slots. */
const FLUSHES_PER_SWEEP = 20;

export interface AccessKeeperOptions {
  readonly memory: SharedArrayBuffer;
  readonly store: CountStore;
  /** The keys, to be checked for changes; null if another thread does that. */
  readonly directory: KeyDirectory | null;
  readonly clock: Clock;
  /**
   * The memory of limits shared with other machines (cluster/leases.ts). Null or omitted: limits are not
   * shared with other machines.
   */
  readonly leaseMemory?: SharedArrayBuffer | null;
  /** Called with the error of every failed heartbeat or flush. The next one is the retry. */
  readonly onError: (error: unknown) => void;
}

export class AccessKeeper {
  readonly #store: CountStore;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #time: SharedTime;
  readonly #watch: EpochWatch;
  readonly #keyTable: SubjectTable;
  readonly #keys: KeptTable;
  readonly #addresses: KeptTable;
  readonly #lastUsedS: Int32Array;
  /** For each slot, how many requests have been reported to the store, and the subject that made them. */
  readonly #reportedRequests: Float64Array;
  readonly #reportedSubjects: Int32Array;
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  #flushCount = 0;
  #cleanedDay = -1;

  /** Restores today's counts. @throws Error if the database cannot be read */
  constructor(options: AccessKeeperOptions) {
    const memory = attachAccessMemory(options.memory);
    const leases = options.leaseMemory ? new Leases(options.leaseMemory) : null;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#onError = options.onError;
    this.#time = new SharedTime(memory, options.clock);
    this.#watch = new EpochWatch(memory, options.directory);
    this.#keyTable = new SubjectTable(memory.keys, memory.seed, leases?.keys);
    this.#keys = new KeptTable(this.#keyTable, SCOPE_KEY);
    const addresses = new SubjectTable(memory.addresses, memory.seed, leases?.addresses);
    this.#addresses = new KeptTable(addresses, SCOPE_ADDRESS);
    this.#lastUsedS = new Int32Array(memory.keys.capacity);
    this.#reportedRequests = new Float64Array(memory.keys.capacity);
    this.#reportedSubjects = new Int32Array(memory.keys.capacity);
    this.#restore();
    this.#watch.heartbeat(this.#time.nowMs());
  }

  /** Every bucket that is not full, four numbers each, for `restoreSpent` after a restart. */
  spentBuckets(): number[] {
    const now = { sharedMs: this.#time.nowMs(), wallMs: this.#clock.wallMs() };
    return [...this.#keys.spent(now), ...this.#addresses.spent(now)];
  }

  /** Restores what `spentBuckets` returned before a restart. Call it before anything is charged. */
  restoreSpent(numbers: Float64Array): void {
    const [sharedMs, wallMs] = [this.#time.nowMs(), this.#clock.wallMs()];
    for (let index = 0; index + 3 < numbers.length; index += 4) {
      const table = numbers[index] === SCOPE_KEY ? this.#keys : this.#addresses;
      const subject = { high: numbers[index + 1]! | 0, low: numbers[index + 2]! | 0 };
      // If the clock was set back, the difference may be hours. Limit it to the longest time that a bucket
      // takes to fill.
      const aheadMs = Math.min(Math.ceil(numbers[index + 3]! - wallMs), FULL_WITHIN_MS);
      if (aheadMs > 0 && subject.high !== 0) table.restoreSpent(subject, aheadMs, sharedMs);
    }
  }

  /** Starts the heartbeats and flushes. */
  start(): void {
    this.#timers.push(
      setInterval(() => this.#guard(() => this.#watch.heartbeat(this.#time.nowMs())), HEARTBEAT_EVERY_MS),
      setInterval(() => this.#guard(() => this.flush()), FLUSH_EVERY_MS),
    );
  }

  /** Stops the heartbeats and flushes one last time. Call it after the HTTP threads have stopped. */
  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.#guard(() => this.flush());
    this.#guard(() => this.countDay());
  }

  /**
   * Passes changed daily counts, at most FLUSH_ROWS_MAX per table, and last uses to the store. Every
   * FLUSHES_PER_SWEEP flushes it also counts the day's requests and frees idle slots.
   */
  flush(): void {
    const { today, tomorrow } = this.#days();
    const counts: DailyCount[] = [];
    const flushes = [this.#keys, this.#addresses].map((table) =>
      table.collect(FLUSH_ROWS_MAX, (count) => counts.push(count)),
    );
    const keptDays = this.#cleanedDay === today ? null : ([today, tomorrow] as const);
    this.#store.write({ counts, uses: this.#collectUses(), keptDays });
    for (const flush of flushes) flush.confirm();
    this.#cleanedDay = today;
    this.#flushCount++;
    if (this.#flushCount % FLUSHES_PER_SWEEP === 0) {
      this.countDay();
      this.sweep();
    }
  }

  /** Adds the requests that keys made since the last call to the totals of the day. */
  countDay(): void {
    const { today } = this.#days();
    this.#store.addUsage(this.#collectRequests(), today, today - USAGE_DAYS_KEPT + 1);
  }

  /**
   * Returns the requests not reported yet and marks them as reported. If the process ends before the store
   * has written them, they are missing from the day's chart.
   */
  #collectRequests(): KeyUse[] {
    const table = this.#keyTable;
    const { words, stride, capacity } = table;
    const uses: KeyUse[] = [];
    for (let slot = table.nextClaimed(0); slot < capacity; slot = table.nextClaimed(slot + 1)) {
      const word = slot * stride;
      const number = words[word + SLOT_SUBJECT_LOW] ?? 0;
      const total = readWide(words, word + SLOT_REQUESTS);
      const isSame = this.#reportedSubjects[slot] === number && total >= (this.#reportedRequests[slot] ?? 0);
      const requests = total - (isSame ? (this.#reportedRequests[slot] ?? 0) : 0);
      this.#reportedSubjects[slot] = number;
      this.#reportedRequests[slot] = total;
      if (requests > 0) uses.push({ number, requests });
    }
    return uses;
  }

  /** Frees idle slots. Keys keep their slots and usage counters unless the table is crowded. */
  sweep(): void {
    const now = { sharedMs: this.#time.nowMs(), day: this.#days().today };
    const usedAfterS = Math.floor(this.#clock.wallMs() / 1000) - IN_USE_S;
    this.#addresses.sweep(now, () => false);
    this.#keys.sweep(
      now,
      (word) =>
        !this.#keys.isCrowded || Atomics.load(this.#keyTable.words, word + SLOT_LAST_USED_S) > usedAfterS,
    );
  }

  #restore(): void {
    const { today, tomorrow } = this.#days();
    for (const count of this.#store.readCounts(today, tomorrow)) {
      const table = count.scope === SCOPE_KEY ? this.#keys : this.#addresses;
      if (!table.restore(count)) return;
    }
  }

  #collectUses(): KeyLastUse[] {
    const table = this.#keyTable;
    const { words, stride, capacity } = table;
    const uses: KeyLastUse[] = [];
    for (let slot = table.nextClaimed(0); slot < capacity; slot = table.nextClaimed(slot + 1)) {
      const word = slot * stride;
      const usedS = words[word + SLOT_LAST_USED_S] ?? 0;
      if (Math.abs(usedS - (this.#lastUsedS[slot] ?? 0)) < LAST_USED_STEP_S) continue;
      this.#lastUsedS[slot] = usedS;
      if (usedS > 0) uses.push({ number: words[word + SLOT_SUBJECT_LOW] ?? 0, atMs: usedS * 1000 });
    }
    return uses;
  }

  #days(): { today: number; tomorrow: number } {
    const wallMs = this.#clock.wallMs();
    return { today: dayOf(wallMs), tomorrow: dayOf(wallMs + DAY_MS) };
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onError(error);
    }
  }
}
