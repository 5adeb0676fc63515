// Charges one request to a subject's token bucket and daily count, which lie in shared memory; any thread.
//
// The token is taken before the daily count and returned when the day turns out to be spent. In that order a token is
// returned only when the daily limit is reached, so no other request is refused in vain and the admitted are counted
// exactly.

import { countOn, type Pace, returnDaily, returnToken, takeDaily, takeToken } from './bucket.ts';
import type { Subject } from './client-address.ts';
import { SLOT_DAILY, SLOT_FULL_AT } from './memory.ts';
import { NO_SLOT, type SubjectTable } from './subject-table.ts';

/** `no_token`: too fast, a token comes back soon. `day_spent`: no request left today. */
export type Charge = 'admitted' | 'no_token' | 'day_spent';

/** Slots lost in a row to the keeper, which only a defect can cause. Reached: the request is told to slow down. */
const TRIES_MAX = 8;

/** What one subject may use, with this thread's memory of where it is counted. */
export class Budget {
  readonly subject: Subject;
  readonly pace: Pace;
  readonly perDay: number | null;
  readonly #table: SubjectTable;
  readonly #spareSlot: number;
  #slot = NO_SLOT;

  /** @param spare which of the table's spare buckets is shared when the table is full, from 0 */
  constructor(
    table: SubjectTable,
    rules: { subject: Subject; pace: Pace; perDay: number | null; spare: number },
  ) {
    this.#table = table;
    this.subject = rules.subject;
    this.pace = rules.pace;
    this.perDay = rules.perDay;
    this.#spareSlot = table.capacity + rules.spare;
  }

  get words(): Int32Array<SharedArrayBuffer> {
    return this.#table.words;
  }

  /** The slot's first word, claimed when there is none yet. A spare slot's when the table is full. */
  claimWord(): number {
    if (this.#slot === NO_SLOT || !this.#table.holds(this.#slot, this.subject)) {
      this.#slot = this.#table.claim(this.subject);
    }
    return this.#table.wordOf(this.#slot === NO_SLOT ? this.#spareSlot : this.#slot);
  }

  /** The slot's first word, NO_SLOT when the subject has none. */
  findWord(): number {
    if (this.#slot === NO_SLOT || !this.#table.holds(this.#slot, this.subject)) {
      this.#slot = this.#table.find(this.subject);
    }
    return this.#slot === NO_SLOT ? NO_SLOT : this.#table.wordOf(this.#slot);
  }

  /**
   * Takes one request from the budget, or nothing at all.
   * @param now shared milliseconds, and the UTC day number from `dayOf`
   */
  take(now: { readonly sharedMs: number; readonly day: number }): Charge {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const word = this.claimWord();
      // A spare bucket is shared by strangers, so it has a pace and no daily count.
      const perDay = this.#slot === NO_SLOT ? null : this.perDay;
      const charge = this.#takeFrom(word, perDay, now);
      if (this.#slot === NO_SLOT || this.#table.holds(this.#slot, this.subject)) return charge;
      if (charge !== 'admitted') continue;
      returnToken(this.words, word + SLOT_FULL_AT, this.pace);
      if (perDay !== null) returnDaily(this.words, word + SLOT_DAILY);
    }
    return 'no_token';
  }

  #takeFrom(word: number, perDay: number | null, now: { sharedMs: number; day: number }): Charge {
    const { words, pace } = this;
    const fullAt = word + SLOT_FULL_AT;
    const daily = word + SLOT_DAILY;
    if (perDay !== null && countOn(Atomics.load(words, daily), now.day) >= perDay) return 'day_spent';
    if (!takeToken(words, fullAt, pace, now.sharedMs)) return 'no_token';
    if (perDay === null || takeDaily(words, daily, { day: now.day, max: perDay })) return 'admitted';
    returnToken(words, fullAt, pace);
    return 'day_spent';
  }
}
