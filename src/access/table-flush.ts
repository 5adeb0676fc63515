// The keeper's walk over one table: which slots changed since they were last written, and which may be forgotten.

import { countOn, dayOfDaily, packDaily, untilFullMs } from './bucket.ts';
import type { Subject } from './client-address.ts';
import type { DailyCount, Scope } from './daily-counts.ts';
import { FORGETTABLE_DAILY_COUNT } from './limits.ts';
import { SLOT_DAILY, SLOT_FULL_AT, type TableRegion } from './memory.ts';
import { NO_SLOT, type SubjectTable } from './subject-table.ts';

/** A bucket is full again after at most this long: the longest window of any tier is 30 s. */
const SLOWEST_PACE = { intervalMs: 1_000, windowMs: 30_000 };
const CROWDED_SHARE = 7 / 8;

export class TableFlush {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #table: SubjectTable;
  readonly #region: TableRegion;
  readonly #scope: Scope;
  /** The daily word of each slot as it was last written. */
  readonly #written: Int32Array;
  #isCrowded = false;

  constructor(words: Int32Array<SharedArrayBuffer>, table: SubjectTable, region: TableRegion, scope: Scope) {
    this.#words = words;
    this.#table = table;
    this.#region = region;
    this.#scope = scope;
    this.#written = new Int32Array(region.capacity);
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
    Atomics.store(this.#words, this.#table.wordOf(slot) + SLOT_DAILY, daily);
    this.#written[slot] = daily;
    return true;
  }

  /**
   * Hands every changed daily count to `write`, up to `rowsMax`. Call `confirm` once they are committed; without it
   * they are handed out again.
   */
  collect(rowsMax: number, write: (count: DailyCount) => void): { confirm(): void; readonly rows: number } {
    const words = this.#words;
    const { start, stride, capacity } = this.#region;
    const slots: number[] = [];
    const dailies: number[] = [];
    for (let slot = 0; slot < capacity && slots.length < rowsMax; slot++) {
      const daily = words[start + slot * stride + SLOT_DAILY] ?? 0;
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

  /**
   * Frees idle slots: bucket full and nothing counted today; in a crowded table, few requests counted today. `isInUse`
   * keeps a slot for a reason of its own. A request that comes in the very moment its idle slot is freed may go
   * uncounted.
   */
  sweep(now: { readonly sharedMs: number; readonly day: number }, isInUse: (word: number) => boolean): void {
    const words = this.#words;
    const { start, stride, capacity } = this.#region;
    const forgettableCount = this.#isCrowded ? FORGETTABLE_DAILY_COUNT : 0;
    let occupied = 0;
    for (let slot = 0; slot < capacity; slot++) {
      const word = start + slot * stride;
      if (words[word] === 0 && words[word + 1] === 0) continue;
      occupied++;
      const fullAtMs = Atomics.load(words, word + SLOT_FULL_AT);
      const daily = Atomics.load(words, word + SLOT_DAILY);
      if (untilFullMs(fullAtMs, SLOWEST_PACE, now.sharedMs) > 0) continue;
      if (countOn(daily, now.day) > forgettableCount || isInUse(word)) continue;
      const subject: Subject | null = this.#table.subjectOf(slot);
      if (subject === null) continue;
      this.#table.release(slot, subject);
      this.#written[slot] = 0;
      occupied--;
    }
    this.#isCrowded = occupied > capacity * CROWDED_SHARE;
  }
}
