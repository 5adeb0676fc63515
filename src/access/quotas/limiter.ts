// Charges one request to a subject's token bucket and daily count, which are in shared memory. Any thread may
// do so.
//
// The token is taken first and returned if the daily quota turns out to be used up. In that order a token is
// returned only at the daily limit, so no other request is refused without need and admitted requests are
// counted exactly. If several nodes share limits, the token is also noted as owed (leases.ts).

import type { Subject } from '../client-address.ts';
import { countOn, type Pace, returnDaily, returnToken, takeDaily, takeToken } from './bucket.ts';
import { SLOT_DAILY, SLOT_FULL_AT } from './memory.ts';
import { NO_SLOT, type SubjectTable } from './subject-table.ts';

/** `no_token`: too many requests; a token comes back soon. `day_spent`: no request is left today. */
export type Charge = 'admitted' | 'no_token' | 'day_spent';

/**
 * Maximum number of times in a row that the keeper may free the slot during a charge. More can be caused only
 * by a bug; then the request is refused with 429.
 */
const TRIES_MAX = 8;

/** The budget of one subject. It remembers the slot in which the subject is counted. */
export class Budget {
  readonly subject: Subject;
  /** The rate on a single machine; see `paceAt`. */
  readonly pace: Pace;
  readonly perDay: number | null;
  readonly #table: SubjectTable;
  readonly #tier: number;
  readonly #spareSlot: number;
  #slot = NO_SLOT;

  /**
   * @param spare index of the tier. If the table is full, the subject uses the table's spare bucket of that
   * index.
   */
  constructor(
    table: SubjectTable,
    rules: { subject: Subject; pace: Pace; perDay: number | null; spare: number },
  ) {
    this.#table = table;
    this.subject = rules.subject;
    this.pace = rules.pace;
    this.perDay = rules.perDay;
    this.#tier = rules.spare;
    this.#spareSlot = table.capacity + rules.spare;
  }

  /** The rate that applies now. */
  paceAt(sharedMs: number): Pace {
    return this.#table.sharing.paceAt(this.pace, sharedMs);
  }

  get words(): Int32Array<SharedArrayBuffer> {
    return this.#table.words;
  }

  /**
   * First word of the subject's slot. If the subject has no slot yet, claims one. If the table is full, first
   * word of the spare slot.
   */
  claimWord(): number {
    if (this.#slot === NO_SLOT || !this.#table.holds(this.#slot, this.subject)) {
      this.#slot = this.#table.claim(this.subject);
    }
    return this.chargedWord;
  }

  /** First word of the slot, or of the spare slot, that `take` has just charged. */
  get chargedWord(): number {
    return this.#table.wordOf(this.#slot === NO_SLOT ? this.#spareSlot : this.#slot);
  }

  /** First word of the subject's slot, or NO_SLOT. */
  findWord(): number {
    if (this.#slot === NO_SLOT || !this.#table.holds(this.#slot, this.subject)) {
      this.#slot = this.#table.find(this.subject);
    }
    return this.#slot === NO_SLOT ? NO_SLOT : this.#table.wordOf(this.#slot);
  }

  /**
   * Takes one request from the budget, or nothing if the caller has reached a limit.
   * @param now shared milliseconds, and the UTC day number from `dayOf`
   */
  take(now: { readonly sharedMs: number; readonly day: number }): Charge {
    const pace = this.paceAt(now.sharedMs);
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const word = this.claimWord();
      const slot = this.#slot;
      // A spare bucket is shared by unrelated callers, so it limits their rate but has no daily count.
      const charge = slot === NO_SLOT ? this.#takePace(word, pace, now) : this.#takeFrom(slot, pace, now);
      if (slot === NO_SLOT || this.#table.holds(slot, this.subject)) return charge;
      if (charge !== 'admitted') continue;
      returnToken(this.words, word + SLOT_FULL_AT, pace);
      this.#table.sharing.forgive(slot);
      if (this.perDay !== null) returnDaily(this.words, word + SLOT_DAILY);
    }
    return 'no_token';
  }

  #takePace(word: number, pace: Pace, now: { readonly sharedMs: number }): Charge {
    return takeToken(this.words, word + SLOT_FULL_AT, pace, now.sharedMs) ? 'admitted' : 'no_token';
  }

  #takeFrom(slot: number, pace: Pace, now: { readonly sharedMs: number; readonly day: number }): Charge {
    const { words, perDay } = this;
    const { sharing } = this.#table;
    const word = this.#table.wordOf(slot);
    const daily = word + SLOT_DAILY;
    let dayMax = 0;
    if (perDay !== null) {
      const count = countOn(Atomics.load(words, daily), now.day);
      dayMax = sharing.dayMaxAt(perDay, { slot, count, sharedMs: now.sharedMs });
      if (count >= dayMax) return 'day_spent';
    }
    if (this.#takePace(word, pace, now) === 'no_token') return 'no_token';
    if (!sharing.owe(slot, { pace: this.pace, tier: this.#tier, sharedMs: now.sharedMs })) {
      returnToken(words, word + SLOT_FULL_AT, pace);
      return 'no_token';
    }
    if (perDay === null || takeDaily(words, daily, { day: now.day, max: dayMax })) return 'admitted';
    returnToken(words, word + SLOT_FULL_AT, pace);
    sharing.forgive(slot);
    return 'day_spent';
  }
}
