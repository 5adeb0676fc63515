// The one thread of a node that settles with Redis what its callers owe: those that spent half a lot at once, the others
// within ten seconds, many in one call and one call at a time. What Redis answers, of all nodes together, is written into the
// buckets and the daily counts. A call that failed may still have been done: it is sent again as it was, under its number,
// and Redis does nothing twice.

import type { Clock } from '../clock.ts';
import { TIERS } from '../domain/tiers.ts';
import { SharedTime } from './beat.ts';
import { countOn, dayOf, dayOfDaily, PACES, type Pace, packDaily, untilFullMs } from './bucket.ts';
import { type Leases, lotOf, settledFrom } from './leases.ts';
import {
  CALLER_FORGOTTEN_MS,
  NODE_BEAT_EVERY_MS,
  REDIS_SILENT_MS,
  SETTLED_AT_ONCE_MAX,
  SETTLED_WITHIN_MS,
} from './limits.ts';
import { type AccessMemory, SLOT_DAILY, SLOT_FULL_AT } from './memory.ts';
import { SubjectTable } from './subject-table.ts';

/** What one caller spent on this node and Redis does not know of yet, and what the node believes of the rest. */
export interface Owed {
  /** Of a key its number; of an address both halves of its subject. */
  readonly name: string;
  /** Milliseconds by which the bucket is to be full later. */
  readonly spentMs: number;
  /** In how many milliseconds the bucket is full without that, for a Redis that lost what it knew. */
  readonly aheadMs: number;
  /** Null for callers whose day is not counted. */
  readonly daily: { readonly day: number; readonly spent: number; readonly known: number } | null;
}

/** What Redis knows of a caller, of all nodes. */
export interface Standing {
  /** In how many milliseconds the bucket is full; more than it holds while it has been overdrawn. */
  readonly aheadMs: number;
  readonly day: number;
  readonly count: number;
}

/** Where nodes settle. Every call ends within a deadline, by failing if need be. */
export interface LimitStore {
  /** @param number of the call; one that comes a second time changes nothing @returns in the order of `owed` */
  settle(number: number, owed: readonly Owed[]): Promise<Standing[]>;
  /** Says that this node lives. @returns how many do */
  beat(): Promise<number>;
}

interface Entry {
  readonly entry: number;
  readonly count: number;
  readonly owed: Owed;
}

/** A call whose answer has not come. */
interface Call {
  readonly number: number;
  readonly entries: readonly Entry[];
}

export interface LeaseSettlerOptions {
  readonly memory: AccessMemory;
  readonly leases: Leases;
  readonly store: LimitStore;
  readonly clock: Clock;
  /** Told when Redis no longer answers, with the reason, and when it does again: null. */
  readonly onChange: (failure: unknown) => void;
}

/** What of an overdrawn bucket is kept in shared memory, where more would look like a moment long past. */
const OVERDRAWN_MS_MAX = 50_000;

export class LeaseSettler {
  readonly #leases: Leases;
  readonly #store: LimitStore;
  readonly #clock: Clock;
  readonly #time: SharedTime;
  readonly #onChange: (failure: unknown) => void;
  readonly #keys: SubjectTable;
  readonly #addresses: SubjectTable;
  /** Entries to be settled now, and others with the shared milliseconds at which they are due, the first due first. */
  readonly #due = new Set<number>();
  readonly #later = new Map<number, number>();
  /** When each caller was settled last; callers that are gone are dropped with the oldest. */
  readonly #settledAtMs = new Map<number, number>();
  #calls = 0;
  #pending: Call | null = null;
  #isAway = true;
  /** Counts while it is not away. */
  #heardAtMs = 0;
  #lastBeatMs: number | null = null;

  constructor({ memory, leases, store, clock, onChange }: LeaseSettlerOptions) {
    this.#leases = leases;
    this.#store = store;
    this.#clock = clock;
    this.#onChange = onChange;
    this.#time = new SharedTime(memory, clock);
    this.#keys = new SubjectTable(memory.keys, memory.seed);
    this.#addresses = new SubjectTable(memory.addresses, memory.seed);
    const nowMs = this.#time.nowMs();
    for (const entry of leases.owing()) this.#later.set(entry, nowMs);
  }

  /** Beats when it is time, and settles some of what is due. Never fails. @returns whether more is due at once */
  async step(): Promise<boolean> {
    const nowMs = this.#time.nowMs();
    this.#sort(nowMs);
    try {
      if (this.#lastBeatMs === null || ((nowMs - this.#lastBeatMs) | 0) >= NODE_BEAT_EVERY_MS) {
        this.#lastBeatMs = nowMs;
        this.#leases.counted(await this.#store.beat());
        this.#answered();
      }
      if (!this.#isAway) await this.#settle();
    } catch (error) {
      // One call that was slow is no outage.
      if (!this.#isAway && ((this.#time.nowMs() - this.#heardAtMs) | 0) < REDIS_SILENT_MS) return false;
      this.#leases.lost();
      if (!this.#isAway) this.#onChange(error);
      this.#isAway = true;
    }
    return !this.#isAway && this.#due.size > 0;
  }

  /** Settles everything that is owed, as far as Redis answers: at the end, when no thread takes any more. */
  async settleAll(): Promise<void> {
    for (const entry of this.#leases.owing()) this.#due.add(entry);
    while (await this.step());
  }

  /** Resolves when there is something to do. */
  async whenNeeded(): Promise<void> {
    await this.#leases.whenAsked(NODE_BEAT_EVERY_MS);
  }

  #answered(): void {
    this.#heardAtMs = this.#time.nowMs();
    this.#leases.heard(this.#heardAtMs);
    if (this.#isAway) this.#onChange(null);
    this.#isAway = false;
  }

  /** Who asked: those that owe much, or of whom nothing was heard for long, now; the others later. */
  #sort(nowMs: number): void {
    for (const entry of this.#leases.takeWaiting(nowMs)) {
      const isDue = this.#leases.owedAt(entry) >= settledFrom(this.#paceOf(entry));
      const settledAtMs = this.#settledAtMs.get(entry);
      const isNew = settledAtMs === undefined || ((nowMs - settledAtMs) | 0) > CALLER_FORGOTTEN_MS;
      if (isDue || isNew) this.#due.add(entry);
      else if (!this.#later.has(entry)) this.#later.set(entry, (nowMs + SETTLED_WITHIN_MS) | 0);
    }
    for (const [entry, dueMs] of this.#later) {
      if (((dueMs - nowMs) | 0) > 0) break;
      this.#later.delete(entry);
      this.#due.add(entry);
    }
    this.#forget(nowMs);
  }

  /** Entries are set in the order of time, so the oldest come first. */
  #forget(nowMs: number): void {
    for (const [entry, settledAtMs] of this.#settledAtMs) {
      if (((nowMs - settledAtMs) | 0) <= CALLER_FORGOTTEN_MS) break;
      this.#settledAtMs.delete(entry);
    }
  }

  async #settle(): Promise<void> {
    const call = this.#pending ?? this.#nextCall();
    if (call === null) return;
    this.#pending = call;
    const standings = await this.#store.settle(
      call.number,
      call.entries.map(({ owed }) => owed),
    );
    this.#pending = null;
    this.#answered();
    const nowMs = this.#time.nowMs();
    for (const [index, { entry, count, owed }] of call.entries.entries()) {
      this.#leases.settled(entry, count);
      this.#write(entry, owed, standings[index]!);
      this.#settledAtMs.delete(entry);
      this.#settledAtMs.set(entry, nowMs);
      // What was spent meanwhile.
      const left = this.#leases.owedAt(entry);
      if (left >= settledFrom(this.#paceOf(entry))) this.#due.add(entry);
      else if (left > 0 && !this.#later.has(entry)) this.#later.set(entry, (nowMs + SETTLED_WITHIN_MS) | 0);
    }
  }

  #nextCall(): Call | null {
    const entries: Entry[] = [];
    for (const entry of this.#due) {
      this.#due.delete(entry);
      this.#later.delete(entry);
      const count = this.#leases.owedAt(entry);
      const owed = count > 0 ? this.#owedBy(entry, count) : null;
      if (owed !== null) entries.push({ entry, count, owed });
      if (entries.length === SETTLED_AT_ONCE_MAX) break;
    }
    if (entries.length === 0) return null;
    this.#calls++;
    return { number: this.#calls, entries };
  }

  /** What the caller of an entry owes; null when its slot has been given back meanwhile. */
  #owedBy(entry: number, count: number): Owed | null {
    const { isKey, slot } = this.#leases.placeOf(entry);
    const table = isKey ? this.#keys : this.#addresses;
    const subject = table.subjectOf(slot);
    if (subject === null) return null;
    const word = table.wordOf(slot);
    const pace = this.#paceOf(entry);
    const fullAtMs = Atomics.load(table.words, word + SLOT_FULL_AT);
    const aheadMs = untilFullMs(fullAtMs, pace, this.#time.nowMs());
    const spentMs = this.#spentMs(count, pace, aheadMs);
    const name = isKey ? `key:${subject.low}` : `address:${subject.high}:${subject.low}`;
    return {
      name,
      spentMs,
      aheadMs: Math.max(0, aheadMs - spentMs),
      daily: this.#countsDays(entry)
        ? this.#dailyOf(Atomics.load(table.words, word + SLOT_DAILY), count)
        : null,
    };
  }

  /** What was spent less what has come back: during an outage of Redis the bucket refilled at the node's share of the pace. */
  #spentMs(count: number, pace: Pace, aheadMs: number): number {
    const lot = lotOf(pace);
    if (count <= lot) return count * pace.intervalMs;
    const unreturned = Math.ceil(aheadMs / (pace.intervalMs * this.#leases.nodes));
    return Math.min(count, Math.max(lot, unreturned)) * pace.intervalMs;
  }

  /** The requests owed of a day: when a day has just begun, no more than are counted on it. */
  #dailyOf(word: number, count: number): NonNullable<Owed['daily']> {
    const today = dayOf(this.#clock.wallMs());
    const day = dayOfDaily(word) === today - 1 ? today - 1 : Math.max(today, dayOfDaily(word));
    const counted = countOn(word, day);
    const spent = Math.min(count, counted);
    return { day, spent, known: counted - spent };
  }

  #write(entry: number, owed: Owed, standing: Standing): void {
    const { isKey, slot } = this.#leases.placeOf(entry);
    const table = isKey ? this.#keys : this.#addresses;
    const { words } = table;
    const word = table.wordOf(slot);
    const pace = this.#paceOf(entry);
    const aheadMs = Math.min(standing.aheadMs, pace.windowMs + OVERDRAWN_MS_MAX);
    const fullAtMs = (this.#time.nowMs() + aheadMs) | 0;
    change(words, word + SLOT_FULL_AT, () => (fullAtMs + this.#leases.owedAt(entry) * pace.intervalMs) | 0);
    if (owed.daily === null) return;
    change(words, word + SLOT_DAILY, (before) => {
      const isNewer = dayOfDaily(before) > standing.day;
      return isNewer
        ? before
        : packDaily(standing.day, Math.min(0xffff, standing.count + this.#leases.owedAt(entry)));
    });
  }

  #paceOf(entry: number): Pace {
    return PACES[this.#leases.placeOf(entry).tier]!;
  }

  #countsDays(entry: number): boolean {
    const { isKey, tier } = this.#leases.placeOf(entry);
    return !isKey || TIERS[tier]!.perDay !== null;
  }
}

/** Changes a word that other threads change too. */
function change(words: Int32Array, index: number, after: (before: number) => number): void {
  for (;;) {
    const before = Atomics.load(words, index);
    if (Atomics.compareExchange(words, index, before, after(before)) === before) return;
  }
}
