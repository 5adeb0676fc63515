// Runs on one thread of a node. It settles with Redis: it reports the requests that callers owe, which the
// node has admitted but Redis does not know of. Callers that owe at least half a lot (see leases.ts) are
// settled at once, the others within ten seconds. One call settles many callers, and calls run one at a time.
// Redis answers with the totals of all nodes, which are written into the buckets and daily counts. A failed
// call may have taken effect. It is therefore sent again for the same requests with the same number, so that
// Redis applies it only once.
//
// When Redis comes back after an outage, limits stay divided until no caller owes half a lot or more of what
// was spent meanwhile (caller-debts.ts). Shared limits refuse a caller that owes more than a lot, and after
// an outage that would be every busy caller.

import type { Clock } from '../../clock.ts';
import { SharedTime } from '../heartbeat.ts';
import {
  NODE_HEARTBEAT_EVERY_MS,
  NODE_SILENT_MS,
  REDIS_SILENT_MS,
  SETTLED_PER_CALL_MAX,
  SETTLED_WITHIN_MS,
} from '../limits.ts';
import type { AccessMemory } from '../quotas/memory.ts';
import { CallerDebts, type OwedPart } from './caller-debts.ts';
import type { Leases } from './leases.ts';
import type { LimitStore } from './limit-store.ts';

/** A call that has not been answered yet. */
interface Call {
  readonly number: number;
  readonly parts: readonly OwedPart[];
}

/**
 * `shared`: Redis answers. `away`: Redis does not answer and limits are divided. `returning`: Redis answers
 * again, and limits stay divided until everything spent meanwhile is settled.
 */
type Connection = 'shared' | 'away' | 'returning';

export interface LeaseSettlerOptions {
  readonly memory: AccessMemory;
  readonly leases: Leases;
  readonly store: LimitStore;
  readonly clock: Clock;
  /** Called with the reason when limits become divided, and with null when they are shared again. */
  readonly onChange: (failure: unknown) => void;
}

/**
 * While limits return from divided to shared, callers with large debts are settled in rounds. After this many
 * rounds, limits are shared even if such debts remain.
 */
const RETURN_ROUNDS_MAX = 3;

export class LeaseSettler {
  readonly #leases: Leases;
  readonly #store: LimitStore;
  readonly #time: SharedTime;
  readonly #debts: CallerDebts;
  readonly #onChange: (failure: unknown) => void;
  /**
   * `#due`: entries to settle now. `#later`: when each other entry becomes due, in milliseconds of
   * SharedTime, the earliest first.
   */
  readonly #due = new Set<number>();
  readonly #later = new Map<number, number>();
  #calls = 0;
  #pending: Call | null = null;
  #connection: Connection = 'away';
  /** When Redis last answered, while limits are shared. */
  #heardAtMs = 0;
  #lastHeartbeatMs: number | null = null;
  #returnRounds = 0;
  #nodesCounted = 1;
  /**
   * How many nodes there were before the last outage. That number counts for a while afterwards, because a
   * Redis that lost its data at first counts only one node.
   */
  #nodesBefore: { readonly nodes: number; readonly untilMs: number } | null = null;

  constructor({ memory, leases, store, clock, onChange }: LeaseSettlerOptions) {
    this.#leases = leases;
    this.#store = store;
    this.#onChange = onChange;
    this.#time = new SharedTime(memory, clock);
    this.#debts = new CallerDebts({ memory, leases, clock, time: this.#time });
  }

  /**
   * Sends a heartbeat if one is due, and settles some of what is due. Never rejects.
   * @returns whether the caller should call this again immediately
   */
  async step(): Promise<boolean> {
    const nowMs = this.#time.nowMs();
    if (this.#isSilent(nowMs)) this.#lose(new Error('This node has not called Redis for too long'));
    this.#sort(nowMs);
    try {
      if (
        this.#lastHeartbeatMs === null ||
        ((nowMs - this.#lastHeartbeatMs) | 0) >= NODE_HEARTBEAT_EVERY_MS
      ) {
        this.#lastHeartbeatMs = nowMs;
        await this.#heartbeat();
      }
      if (this.#connection !== 'away') await this.#settle();
    } catch (error) {
      // A single slow call is not an outage.
      if (this.#connection === 'shared' && !this.#isSilent(this.#time.nowMs())) return false;
      this.#lose(error);
      this.#connection = 'away';
    }
    if (this.#connection === 'returning' && this.#hasReturned()) this.#share();
    return this.#connection !== 'away' && (this.#due.size > 0 || this.#connection === 'returning');
  }

  /**
   * Settles everything owed, as long as Redis answers. Call it at the end, when no thread admits requests any
   * more.
   */
  async settleAll(): Promise<void> {
    for (const entry of this.#leases.owing()) this.#due.add(entry);
    while (await this.step());
  }

  /** Resolves when there is something to settle or a heartbeat may be due. */
  async whenNeeded(): Promise<void> {
    await this.#leases.whenAsked(NODE_HEARTBEAT_EVERY_MS);
  }

  async #heartbeat(): Promise<void> {
    const { nodes, isKnown } = await this.#store.heartbeat();
    const nowMs = this.#time.nowMs();
    if (this.#isSilent(nowMs)) this.#lose(new Error('Redis did not answer for too long'));
    else if (this.#connection === 'shared' && !isKnown) this.#lose(new Error('Redis has lost its data'));
    if (this.#connection === 'away') this.#return(nowMs);
    this.#nodesCounted = nodes;
    if (this.#connection === 'shared') this.#hear(nowMs);
  }

  /** Records that Redis has answered while limits are shared. */
  #hear(nowMs: number): void {
    this.#heardAtMs = nowMs;
    this.#leases.heard(nowMs);
    const before = this.#nodesBefore;
    if (before !== null && ((before.untilMs - nowMs) | 0) <= 0) this.#nodesBefore = null;
    this.#leases.counted(Math.max(this.#nodesCounted, this.#nodesBefore?.nodes ?? 0));
  }

  /** Whether Redis has not answered for so long that the threads of this node already divide limits. */
  #isSilent(nowMs: number): boolean {
    return this.#connection === 'shared' && ((nowMs - this.#heardAtMs) | 0) >= REDIS_SILENT_MS;
  }

  #lose(error: unknown): void {
    if (this.#connection !== 'shared') return;
    this.#connection = 'away';
    this.#leases.lost();
    this.#debts.isDivided = true;
    this.#nodesBefore = { nodes: this.#leases.nodes, untilMs: this.#time.nowMs() };
    this.#onChange(error);
  }

  /**
   * Called when Redis answers again. Queues everything owed to be settled, and also every caller whose bucket
   * was not full at the last answer of Redis, even if it owes nothing.
   */
  #return(nowMs: number): void {
    this.#connection = 'returning';
    this.#returnRounds = 0;
    if (this.#nodesBefore !== null) {
      this.#nodesBefore = { ...this.#nodesBefore, untilMs: (nowMs + NODE_SILENT_MS) | 0 };
    }
    for (const entry of [...this.#leases.owing(), ...this.#debts.known()]) this.#due.add(entry);
  }

  /**
   * Whether the return is over: everything due is settled and no caller owes half a lot or more, or
   * RETURN_ROUNDS_MAX rounds have passed.
   */
  #hasReturned(): boolean {
    if (this.#pending !== null || this.#due.size > 0) return false;
    if (this.#returnRounds++ >= RETURN_ROUNDS_MAX) return true;
    for (const entry of this.#leases.owing()) if (this.#debts.isDue(entry)) this.#due.add(entry);
    return this.#due.size === 0;
  }

  #share(): void {
    this.#connection = 'shared';
    this.#debts.isDivided = false;
    this.#hear(this.#time.nowMs());
    this.#onChange(null);
    for (const entry of this.#leases.owing()) this.#due.add(entry);
  }

  /**
   * Sorts the entries that asked to be settled: those that owe much, or are new, are due now; the others
   * later.
   */
  #sort(nowMs: number): void {
    for (const entry of this.#leases.takeWaiting(nowMs)) {
      if (this.#debts.isDue(entry) || this.#debts.isNew(entry)) this.#due.add(entry);
      else this.#settleLater(entry, nowMs);
    }
    for (const [entry, dueMs] of this.#later) {
      if (((dueMs - nowMs) | 0) > 0) break;
      this.#later.delete(entry);
      this.#due.add(entry);
    }
    this.#debts.forget(nowMs);
  }

  #settleLater(entry: number, nowMs: number): void {
    if (!this.#later.has(entry)) this.#later.set(entry, (nowMs + SETTLED_WITHIN_MS) | 0);
  }

  async #settle(): Promise<void> {
    const call = this.#pending ?? this.#nextCall();
    if (call === null) return;
    this.#pending = call;
    const standings = await this.#store.settle({
      number: call.number,
      owed: call.parts.map((part) => this.#debts.owedOf(part)),
      isAfterOutage: this.#connection === 'returning',
    });
    this.#pending = null;
    const nowMs = this.#time.nowMs();
    for (const [index, part] of call.parts.entries()) {
      this.#leases.settled(part.entry, part.count);
      this.#debts.write(part, standings[index]!);
      // The caller may have spent more during the call. If so, settle its entry again, now or later.
      if (this.#debts.isDue(part.entry)) this.#due.add(part.entry);
      else if (this.#leases.owedAt(part.entry) > 0) this.#settleLater(part.entry, nowMs);
    }
    if (this.#isSilent(nowMs)) this.#lose(new Error('Redis did not answer for too long'));
    if (this.#connection === 'shared') this.#hear(nowMs);
  }

  #nextCall(): Call | null {
    const parts: OwedPart[] = [];
    for (const entry of this.#due) {
      this.#due.delete(entry);
      this.#later.delete(entry);
      const part = this.#debts.partOf(entry);
      if (part !== null && (part.count > 0 || this.#connection === 'returning')) parts.push(part);
      if (parts.length === SETTLED_PER_CALL_MAX) break;
    }
    if (parts.length === 0) return null;
    this.#calls++;
    return { number: this.#calls, parts };
  }
}
