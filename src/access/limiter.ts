// Charges one request to a subject's token bucket and daily count, which lie in shared memory; any thread.
//
// The token is taken before the daily count and returned when the day turns out to be spent. In that order a token is
// returned only when the daily limit is reached, so no rival is refused in vain and the admitted are counted exactly.

import { countOn, type Pace, returnDaily, returnToken, takeDaily, takeToken } from './bucket.ts';
import type { Subject } from './client-address.ts';
import { SLOT_DAILY, SLOT_FULL_AT } from './memory.ts';
import { NO_SLOT, type SubjectTable } from './subject-table.ts';

export const ADMITTED = 0;
/** No token left. */
export const PACED = 1;
/** No request left today. */
export const SPENT = 2;
export type Verdict = typeof ADMITTED | typeof PACED | typeof SPENT;

/** Slots lost in a row to the keeper before a request is told to slow down. It cannot happen without a defect. */
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

  /** Whether the last claimed slot is the subject's own, not a spare one. */
  get isOwn(): boolean {
    return this.#slot !== NO_SLOT;
  }

  /** Whether the last claimed slot is still the subject's; a spare one always is. */
  get isKept(): boolean {
    return this.#slot === NO_SLOT || this.#table.holds(this.#slot, this.subject);
  }
}

/**
 * Takes one request from the budget, or nothing at all.
 * @param nowMs shared milliseconds
 * @param day UTC day number, from `dayOf`
 */
export function takeRequest(
  words: Int32Array,
  budget: Budget,
  now: { readonly sharedMs: number; readonly day: number },
): Verdict {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const word = budget.claimWord();
    const perDay = budget.isOwn ? budget.perDay : null;
    const verdict = takeFrom(words, word, { pace: budget.pace, perDay, ...now });
    if (budget.isKept) return verdict;
    if (verdict !== ADMITTED) continue;
    returnToken(words, word + SLOT_FULL_AT, budget.pace);
    if (perDay !== null) returnDaily(words, word + SLOT_DAILY);
  }
  return PACED;
}

function takeFrom(
  words: Int32Array,
  word: number,
  rules: { pace: Pace; perDay: number | null; sharedMs: number; day: number },
): Verdict {
  const { pace, perDay, sharedMs, day } = rules;
  if (perDay !== null && countOn(Atomics.load(words, word + SLOT_DAILY), day) >= perDay) return SPENT;
  if (!takeToken(words, word + SLOT_FULL_AT, pace, sharedMs)) return PACED;
  if (perDay === null || takeDaily(words, word + SLOT_DAILY, { day, max: perDay })) return ADMITTED;
  returnToken(words, word + SLOT_FULL_AT, pace);
  return SPENT;
}
