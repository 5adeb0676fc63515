// What the keeper does with one table of budgets: hands out its daily counts and takes them back, so that a day's volume
// survives a restart, the same with what is spent of its buckets, and frees the slots of subjects that are idle.

import { countOn, dayOfDaily, FULL_WITHIN_MS, packDaily, untilFullMs } from './bucket.ts';
import type { Subject } from './client-address.ts';
import { FORGETTABLE_DAILY_COUNT } from './limits.ts';
import { SLOT_DAILY, SLOT_FULL_AT } from './memory.ts';
import { NO_SLOT, type SubjectTable } from './subject-table.ts';

/** A bucket that is not full by then belongs to no tier. */
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

/** Requests of one subject on one day; `day` as `dayOf` gives it. */
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
  /** The daily word of each slot as it was last written. */
  readonly #written: Int32Array;
  #isCrowded = false;

  constructor(table: SubjectTable, scope: Scope) {
    this.#table = table;
    this.#scope = scope;
    this.#written = new Int32Array(table.capacity);
  }

  /** Whether the last sweep left more than seven eighths of the slots taken. */
  get isCrowded(): boolean {
    return this.#isCrowded;
  }

  /** Puts a count read from disk into the table; false when there is no room. */
  restore(count: DailyCount): boolean {
    const slot = this.#table.claim(count);
    if (slot === NO_SLOT) return false;
    const daily = packDaily(count.day, count.requests);
    Atomics.store(this.#table.words, this.#table.wordOf(slot) + SLOT_DAILY, daily);
    this.#written[slot] = daily;
    return true;
  }

  /**
   * Hands every changed daily count to `write`, up to `rowsMax`. Call `confirm` once they are committed; without it
   * they are handed out again.
   */
  collect(rowsMax: number, write: (count: DailyCount) => void): { confirm(): void; readonly rows: number } {
    const { words, stride, capacity } = this.#table;
    const slots: number[] = [];
    const dailies: number[] = [];
    for (let slot = 0; slot < capacity && slots.length < rowsMax; slot++) {
      const daily = words[slot * stride + SLOT_DAILY] ?? 0;
      if (daily === this.#written[slot]) continue;
      const subject = this.#table.subjectOf(slot);
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

  /** The buckets that are not full, as numbers: scope, subject, and the Unix ms at which each is full. */
  spent(now: { readonly sharedMs: number; readonly wallMs: number }): number[] {
    const { words, stride, capacity } = this.#table;
    const numbers: number[] = [];
    for (let slot = 0; slot < capacity; slot++) {
      const aheadMs = untilFullMs(
        Atomics.load(words, slot * stride + SLOT_FULL_AT),
        LONGEST_PACE,
        now.sharedMs,
      );
      const subject = aheadMs === 0 ? null : this.#table.subjectOf(slot);
      if (subject !== null) numbers.push(this.#scope, subject.high, subject.low, now.wallMs + aheadMs);
    }
    return numbers;
  }

  /** Makes a bucket full no sooner than in `aheadMs`. Without room for the subject nothing happens. */
  restoreSpent(subject: Subject, aheadMs: number, sharedMs: number): void {
    const slot = this.#table.claim(subject);
    if (slot === NO_SLOT) return;
    Atomics.store(this.#table.words, this.#table.wordOf(slot) + SLOT_FULL_AT, (sharedMs + aheadMs) | 0);
  }

  /**
   * Frees idle slots: bucket full and nothing counted today; in a crowded table, few requests counted today. `isInUse`
   * keeps a slot for a reason of its own. A request that comes in the very moment its idle slot is freed may go
   * uncounted.
   */
  sweep(now: { readonly sharedMs: number; readonly day: number }, isInUse: (word: number) => boolean): void {
    const { words, stride, capacity } = this.#table;
    const forgettableCount = this.#isCrowded ? FORGETTABLE_DAILY_COUNT : 0;
    let occupied = 0;
    for (let slot = 0; slot < capacity; slot++) {
      const subject = this.#table.subjectOf(slot);
      if (subject === null) continue;
      occupied++;
      const word = slot * stride;
      const fullAtMs = Atomics.load(words, word + SLOT_FULL_AT);
      const daily = Atomics.load(words, word + SLOT_DAILY);
      if (untilFullMs(fullAtMs, LONGEST_PACE, now.sharedMs) > 0) continue;
      if (countOn(daily, now.day) > forgettableCount || isInUse(word)) continue;
      if (this.#table.sharing.isOwing(slot)) continue;
      this.#table.release(slot, subject);
      this.#written[slot] = 0;
      occupied--;
    }
    this.#isCrowded = occupied > capacity * CROWDED_SHARE;
  }
}
