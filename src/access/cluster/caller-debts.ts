// The requests that a node has admitted but not yet reported to Redis: for each caller, the milliseconds that
// its bucket takes to refill them.
//
// While limits are shared, every owed request counts in full, because another node may have used the refill.
// While limits are divided, each node refills a bucket only at its share of the rate, so a request takes as
// many times longer to refill as there are nodes. After an outage a caller therefore owes only what its share
// has not refilled yet, not everything it sent.

import type { Clock } from '../../clock.ts';
import { TIERS } from '../../domain/tiers.ts';
import type { SharedTime } from '../heartbeat.ts';
import { CALLER_FORGOTTEN_MS, FORGETTABLE_DAILY_COUNT } from '../limits.ts';
import { countOn, dayOf, dayOfDaily, PACES, type Pace, packDaily, untilFullMs } from '../quotas/bucket.ts';
import { type AccessMemory, SLOT_DAILY, SLOT_FULL_AT } from '../quotas/memory.ts';
import { SubjectTable } from '../quotas/subject-table.ts';
import { type Leases, settledFrom, shareDivisor } from './leases.ts';
import type { Owed, OwedDaily, Standing } from './limit-store.ts';

/**
 * A bucket in shared memory may need its window and at most this many milliseconds more until it is full. A
 * time even further ahead would be read as long past (see SLACK_MS in bucket.ts).
 */
const OVERDRAWN_MS_MAX = 50_000;

/** What Redis last answered about a caller, in shared milliseconds. */
interface Heard {
  readonly atMs: number;
  readonly fullAtMs: number;
}

/** One caller's part of a call to Redis: the oldest requests that the caller owes. */
export interface OwedPart {
  readonly entry: number;
  readonly count: number;
  readonly name: string;
  readonly daily: Owed['daily'];
}

export interface CallerDebtsOptions {
  readonly memory: AccessMemory;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly time: SharedTime;
}

export class CallerDebts {
  /** Whether limits are divided among nodes; set by the lease settler. */
  isDivided = true;
  readonly #leases: Leases;
  readonly #clock: Clock;
  readonly #time: SharedTime;
  readonly #keys: SubjectTable;
  readonly #addresses: SubjectTable;
  /** The latest answer of Redis for each caller, the oldest first. Dropped after CALLER_FORGOTTEN_MS. */
  readonly #heard = new Map<number, Heard>();

  constructor({ memory, leases, clock, time }: CallerDebtsOptions) {
    this.#leases = leases;
    this.#clock = clock;
    this.#time = time;
    this.#keys = new SubjectTable(memory.keys, memory.seed);
    this.#addresses = new SubjectTable(memory.addresses, memory.seed);
  }

  /** Whether an entry owes so much that it must be settled at once. */
  isDue(entry: number): boolean {
    return this.#leases.owedAt(entry) >= settledFrom(this.#paceOf(entry));
  }

  /** Whether Redis has answered nothing about a caller for CALLER_FORGOTTEN_MS. */
  isNew(entry: number): boolean {
    return !this.#heard.has(entry);
  }

  /** Drops answers that are too old. The map is in the order of the answers, so the oldest come first. */
  forget(nowMs: number): void {
    for (const [entry, { atMs }] of this.#heard) {
      if (((nowMs - atMs) | 0) <= CALLER_FORGOTTEN_MS) break;
      this.#heard.delete(entry);
    }
  }

  /**
   * Entries whose bucket is still not full, according to the last answer of Redis. They are sent again in
   * case Redis has lost its data.
   */
  known(): number[] {
    return [...this.#heard.keys()].filter((entry) => this.#heardMs(entry) > 0);
  }

  /** What a caller owes now; null if its slot has been freed. */
  partOf(entry: number): OwedPart | null {
    const { isKey, slot, tier } = this.#leases.placeOf(entry);
    const { table, word } = this.#wordOf(entry);
    const subject = table.subjectOf(slot);
    if (subject === null) return null;
    const count = this.#leases.owedAt(entry);
    const name = isKey ? `key:${subject.low}` : `address:${subject.high}:${subject.low}`;
    const countsDays = !isKey || TIERS[tier]!.perDay !== null;
    const counted = countsDays ? this.#dailyOf(Atomics.load(table.words, word + SLOT_DAILY), count) : null;
    const daily = counted && { ...counted, forgettable: isKey ? 0 : FORGETTABLE_DAILY_COUNT };
    return { entry, count, name, daily };
  }

  /**
   * What is sent for a part at this moment. For a retry it is computed again, because the bucket may have
   * refilled some of what the caller spent.
   */
  owedOf({ entry, count, name, daily }: OwedPart): Owed {
    const pace = this.#paceOf(entry);
    const owed = this.#leases.owedAt(entry);
    const allMs = this.#unsettledMs(entry, owed);
    // The refill applies to the oldest spending first.
    const newestMs = Math.min((owed - count) * pace.intervalMs, allMs);
    return { name, spentMs: Math.ceil(allMs - newestMs), aheadMs: this.#heardMs(entry), daily };
  }

  /** Stores what Redis answered for a part, plus what the caller has spent since. */
  write({ entry, daily }: OwedPart, standing: Standing): void {
    const pace = this.#paceOf(entry);
    const scale = this.isDivided ? this.#divisorOf(pace) : 1;
    const standingMs = Math.min(standing.aheadMs, pace.windowMs + OVERDRAWN_MS_MAX);
    const { table, word } = this.#wordOf(entry);
    change(table.words, word + SLOT_FULL_AT, () => {
      const owedMs = this.#unsettledMs(entry, this.#leases.owedAt(entry)) * scale;
      const aheadMs = Math.min(Math.ceil(standingMs + owedMs), pace.windowMs + OVERDRAWN_MS_MAX);
      return (this.#time.nowMs() + aheadMs) | 0;
    });
    const atMs = this.#time.nowMs();
    this.#heard.delete(entry);
    this.#heard.set(entry, { atMs, fullAtMs: (atMs + standingMs) | 0 });
    if (daily === null) return;
    change(table.words, word + SLOT_DAILY, (before) => {
      if (dayOfDaily(before) > standing.day) return before;
      return packDaily(standing.day, Math.min(0xffff, standing.count + this.#leases.owedAt(entry)));
    });
  }

  /** How many milliseconds the owed requests still take up in the bucket that all nodes share. */
  #unsettledMs(entry: number, count: number): number {
    const pace = this.#paceOf(entry);
    if (!this.isDivided) return count * pace.intervalMs;
    const ownMs = this.#aheadMs(entry) - this.#heardMs(entry);
    return Math.min(count * pace.intervalMs, ownMs / this.#divisorOf(pace));
  }

  /** In how many milliseconds the bucket is full, according to the last answer of Redis. */
  #heardMs(entry: number): number {
    const heard = this.#heard.get(entry);
    if (heard === undefined) return 0;
    const leftMs = Math.max(0, (heard.fullAtMs - this.#time.nowMs()) | 0);
    return Math.min(leftMs, this.#aheadMs(entry));
  }

  #aheadMs(entry: number): number {
    const { table, word } = this.#wordOf(entry);
    return untilFullMs(
      Atomics.load(table.words, word + SLOT_FULL_AT),
      this.#paceOf(entry),
      this.#time.nowMs(),
    );
  }

  /**
   * The owed requests of one day. Just after midnight some of them may belong to yesterday, so at most the
   * number that was counted on the day itself is returned.
   */
  #dailyOf(word: number, count: number): Omit<OwedDaily, 'forgettable'> {
    const today = dayOf(this.#clock.wallMs());
    const day = dayOfDaily(word) === today - 1 ? today - 1 : Math.max(today, dayOfDaily(word));
    const counted = countOn(word, day);
    const spent = Math.min(count, counted);
    return { day, spent, known: counted - spent };
  }

  #wordOf(entry: number): { readonly table: SubjectTable; readonly word: number } {
    const { isKey, slot } = this.#leases.placeOf(entry);
    const table = isKey ? this.#keys : this.#addresses;
    return { table, word: table.wordOf(slot) };
  }

  #paceOf(entry: number): Pace {
    return PACES[this.#leases.placeOf(entry).tier]!;
  }

  #divisorOf(pace: Pace): number {
    return shareDivisor(pace, this.#leases.nodes);
  }
}

/** Changes a word atomically, because other threads change it too. */
function change(words: Int32Array, index: number, after: (before: number) => number): void {
  for (;;) {
    const before = Atomics.load(words, index);
    if (Atomics.compareExchange(words, index, before, after(before)) === before) return;
  }
}
