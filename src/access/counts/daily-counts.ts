// The keeper's work on one table of budgets. It collects the daily counts to be stored and restores them, so
// that a daily quota survives a restart. It does the same for buckets that are not full, and it frees the
// slots of idle subjects.

import type { Subject } from '../client-address.ts';
import { FORGETTABLE_DAILY_COUNT, FORGETTABLE_KEY_COUNT } from '../limits.ts';
import { countOn, dayOfDaily, FULL_WITHIN_MS, packDaily, untilFullMs } from '../quotas/bucket.ts';
import { SLOT_DAILY, SLOT_FULL_AT } from '../quotas/memory.ts';
import { NO_SLOT, type SubjectTable } from '../quotas/subject-table.ts';

/** The longest window of all tiers. `untilFullMs` gets it when a slot's tier is unknown. */
const LONGEST_PACE = { intervalMs: 0, windowMs: FULL_WITHIN_MS };
const CROWDED_SHARE = 7 / 8;

/** `scope` is 1 for keys (low is the key's number) and 2 for client addresses. */
export const DAILY_COUNTS_SCHEMA = `
CREATE TABLE IF NOT EXISTS daily_counts (
  scope INTEGER NOT NULL,
  subject_high INTEGER NOT NULL,
  subject_low INTEGER NOT NULL,
  day INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (scope, subject_high, subject_low)
) STRICT, WITHOUT ROWID;
`;

export const SCOPE_KEY = 1;
export const SCOPE_ADDRESS = 2;
export type Scope = typeof SCOPE_KEY | typeof SCOPE_ADDRESS;

/** Requests of one subject on one day; `day` is a number from `dayOf`. */
export interface DailyCount {
  readonly scope: Scope;
  readonly high: number;
  readonly low: number;
  readonly day: number;
  readonly requests: number;
}

export class KeptTable {
  readonly #table: SubjectTable;
  readonly #scope: Scope;
  /** The daily word of each slot as last written. */
  readonly #written: Int32Array;
  #isCrowded = false;

  constructor(table: SubjectTable, scope: Scope) {
    this.#table = table;
    this.#scope = scope;
    this.#written = new Int32Array(table.capacity);
  }

  /** Whether more than seven eighths of the slots were still taken after the last sweep. */
  get isCrowded(): boolean {
    return this.#isCrowded;
  }

  /** Puts a stored count into the table. Returns false if there is no room. */
  restore(count: DailyCount): boolean {
    const slot = this.#table.claim(count);
    if (slot === NO_SLOT) return false;
    const daily = packDaily(count.day, count.requests);
    Atomics.store(this.#table.words, this.#table.wordOf(slot) + SLOT_DAILY, daily);
    this.#written[slot] = daily;
    return true;
  }

  /**
   * Passes every changed daily count to `write`, at most `rowsMax`. Call `confirm` once the store has
   * accepted them; otherwise the next call passes them again.
   */
  collect(rowsMax: number, write: (count: DailyCount) => void): { confirm(): void; readonly rows: number } {
    const table = this.#table;
    const { words, stride, capacity } = table;
    const slots: number[] = [];
    const dailies: number[] = [];
    let slot = table.nextClaimed(0);
    for (; slot < capacity && slots.length < rowsMax; slot = table.nextClaimed(slot + 1)) {
      const daily = words[slot * stride + SLOT_DAILY] ?? 0;
      if (daily === this.#written[slot]) continue;
      const subject = table.subjectOf(slot);
      if (subject === null) continue;
      const day = dayOfDaily(daily);
      write({ scope: this.#scope, ...subject, day, requests: countOn(daily, day) });
      slots.push(slot);
      dailies.push(daily);
    }
    const written = this.#written;
    return {
      rows: slots.length,
      confirm(): void {
        for (const [index, slot] of slots.entries()) written[slot] = dailies[index] ?? 0;
      },
    };
  }

  /**
   * The buckets that are not full, as numbers: scope, subject (high, low), and the Unix ms at which the
   * bucket is full.
   */
  spent(now: { readonly sharedMs: number; readonly wallMs: number }): number[] {
    const table = this.#table;
    const { words, stride, capacity } = table;
    const numbers: number[] = [];
    for (let slot = table.nextClaimed(0); slot < capacity; slot = table.nextClaimed(slot + 1)) {
      const aheadMs = untilFullMs(
        Atomics.load(words, slot * stride + SLOT_FULL_AT),
        LONGEST_PACE,
        now.sharedMs,
      );
      const subject = aheadMs === 0 ? null : table.subjectOf(slot);
      if (subject !== null) numbers.push(this.#scope, subject.high, subject.low, now.wallMs + aheadMs);
    }
    return numbers;
  }

  /** Sets a bucket to be full in `aheadMs`. If the table has no room for the subject, does nothing. */
  restoreSpent(subject: Subject, aheadMs: number, sharedMs: number): void {
    const slot = this.#table.claim(subject);
    if (slot === NO_SLOT) return;
    Atomics.store(this.#table.words, this.#table.wordOf(slot) + SLOT_FULL_AT, (sharedMs + aheadMs) | 0);
  }

  /**
   * Frees idle slots. A slot is idle if its bucket is full and it has no request counted today; in a crowded
   * table, few requests today. `isInUse` can keep a slot for another reason. A request that arrives at the
   * very moment its idle slot is freed may go uncounted.
   */
  sweep(now: { readonly sharedMs: number; readonly day: number }, isInUse: (word: number) => boolean): void {
    const table = this.#table;
    const { words, stride, capacity } = table;
    const fewCount = this.#scope === SCOPE_KEY ? FORGETTABLE_KEY_COUNT : FORGETTABLE_DAILY_COUNT;
    const forgettableCount = this.#isCrowded ? fewCount : 0;
    let occupied = 0;
    for (let slot = table.nextClaimed(0); slot < capacity; slot = table.nextClaimed(slot + 1)) {
      const subject = table.subjectOf(slot);
      if (subject === null) continue;
      occupied++;
      const word = slot * stride;
      const fullAtMs = Atomics.load(words, word + SLOT_FULL_AT);
      const daily = Atomics.load(words, word + SLOT_DAILY);
      if (untilFullMs(fullAtMs, LONGEST_PACE, now.sharedMs) > 0) continue;
      if (countOn(daily, now.day) > forgettableCount || isInUse(word)) continue;
      if (table.sharing.isOwing(slot)) continue;
      table.release(slot, subject);
      this.#written[slot] = 0;
      occupied--;
    }
    this.#isCrowded = occupied > capacity * CROWDED_SHARE;
  }
}
