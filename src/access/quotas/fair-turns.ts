// Shares a thread's longer work fairly between callers. The work is cut into jobs, and callers take turns,
// however many jobs each has queued. Keys go before callers without one, and keys of paid plans before those
// of the free plan, which anybody can get. A long job pauses at the end of its slice. The event loop runs
// between two slices of jobs, so polls, timers and the heartbeat never wait for more than one slice.

import { type CallerClass, classOf, type SharingPrincipal, sharerOf } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import type { StrangersTime } from './strangers-time.ts';

/** Length of a slice: no job is started after this, but a job that does not pause may take longer. */
export const SLICE_MS = 2;
/**
 * Jobs in one slice. This matters because a job may cause work that only starts after it, such as writing to
 * a socket.
 */
const SLICE_JOBS_MAX = 8;
/** While keys wait, every fourth turn goes to a caller without a key. */
const STRANGER_TURN_EVERY = 4;
/** While keys of paid plans wait, every fourth turn of a key goes to one of the free plan. */
const FREE_TURN_EVERY = 4;

/** Maximum number of waiting jobs of all keys of one account. A further job gets 503. */
const ACCOUNT_WAITING_MAX = 512;
/** Maximum number of waiting jobs of one client address without a key. A further job gets 503. */
const ADDRESS_WAITING_MAX = 64;
/**
 * Maximum number of waiting jobs on a thread, of each class of callers (`classOf`). A further job gets 503.
 */
const CLASS_WAITING_MAX = 2_048;

/**
 * A caller that takes turns with others: an account with all its keys, a key without an account, or the
 * address of a client without a key.
 */
export interface TurnCaller extends CallerClass {
  readonly name: string;
}

/**
 * The caller of all requests about accounts, because they have no key: together they take turns as one
 * account does. A log-in takes little of the thread's time and may come from a customer. It must not wait
 * behind the requests of hundreds of callers without a key.
 */
export const ACCOUNTS: TurnCaller = { name: 'accounts', hasKey: true };

export function turnCallerOf(principal: SharingPrincipal, clientAddress: string): TurnCaller {
  return sharerOf(principal) ?? { name: clientAddress, hasKey: false };
}

export interface FairTurnsOptions {
  readonly monotonicMs: () => number;
  /** Called after each slice with how long it took, so that the thread can send its heartbeat. */
  readonly onWork?: (spentMs: number) => void;
  /**
   * Limits the thread's time for callers without a key. Null or omitted: they get all the time that keys
   * leave.
   */
  readonly strangersTime?: StrangersTime | null;
}

interface NextJob {
  readonly job: () => void;
  readonly hasKey: boolean;
}

export class FairTurns {
  readonly #monotonicMs: () => number;
  readonly #onWork: (spentMs: number) => void;
  readonly #strangersTime: StrangersTime | null;
  readonly #paid = new Rotation();
  readonly #free = new Rotation();
  readonly #strangers = new Rotation();
  /** Paused jobs of callers without a key, oldest first. */
  readonly #pausedStrangers: (() => void)[] = [];
  #isScheduled = false;
  /** A timer, set while only callers without a key wait and their time is used up. */
  #cooldown: ReturnType<typeof setTimeout> | null = null;
  /** Turns of keys since the last one of a caller without a key. */
  #keyTurns = 0;
  /** Turns of keys of paid plans since the last one of the free plan. */
  #paidTurns = 0;
  #sliceEndMs = Number.NEGATIVE_INFINITY;

  constructor({ monotonicMs, onWork = () => undefined, strangersTime = null }: FairTurnsOptions) {
    this.#monotonicMs = monotonicMs;
    this.#onWork = onWork;
    this.#strangersTime = strangersTime;
  }

  get waitingCount(): number {
    return this.#keysCount + this.#strangersCount;
  }

  /**
   * Queues a job for the caller's turn; never runs it immediately. The job must not throw. @throws
   * ServiceError 503 when too many jobs wait
   */
  do(caller: TurnCaller, job: () => void): void {
    if (!this.tryTo(caller, job)) throw full();
  }

  /** Same as `do`. @returns false when too many jobs wait */
  tryTo(caller: TurnCaller, job: () => void): boolean {
    const rotation = this.#rotationOf(caller);
    const callerMax = caller.hasKey ? ACCOUNT_WAITING_MAX : ADDRESS_WAITING_MAX;
    if (rotation.count >= CLASS_WAITING_MAX || rotation.countOf(caller.name) >= callerMax) return false;
    rotation.add(caller.name, job);
    this.#schedule();
    return true;
  }

  /** Resolves at the caller's turn. @throws ServiceError 503 when too many jobs wait */
  turn(caller: TurnCaller): Promise<void> {
    return new Promise((resolve) => this.do(caller, resolve));
  }

  /** Resolves at the caller's turn, or immediately when too many jobs wait. */
  turnIfRoom(caller: TurnCaller): Promise<void> {
    return new Promise((resolve) => {
      if (!this.tryTo(caller, resolve)) resolve();
    });
  }

  /**
   * A long job calls this between its steps. If it gets null, it may go on. Otherwise it continues when the
   * promise resolves, before any other job of its caller. A paused job of a caller without a key even
   * continues before new jobs of all such callers, so that begun jobs are finished first.
   */
  pause(caller: TurnCaller): Promise<void> | null {
    if (this.#monotonicMs() < this.#sliceEndMs) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    if (caller.hasKey) this.#rotationOf(caller).addFirst(caller.name, resolve);
    else this.#pausedStrangers.push(resolve);
    this.#schedule();
    return promise;
  }

  #rotationOf(caller: TurnCaller): Rotation {
    return { keyless: this.#strangers, paid: this.#paid, free: this.#free }[classOf(caller)];
  }

  get #keysCount(): number {
    return this.#paid.count + this.#free.count;
  }

  get #strangersCount(): number {
    return this.#strangers.count + this.#pausedStrangers.length;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    const cooldownMs = this.#keysCount > 0 ? 0 : (this.#strangersTime?.waitMs() ?? 0);
    if (cooldownMs > 0) {
      this.#cooldown ??= setTimeout(() => {
        this.#cooldown = null;
        if (this.waitingCount > 0) this.#schedule();
      }, cooldownMs);
      return;
    }
    this.#isScheduled = true;
    setImmediate(() => this.#slice());
  }

  async #slice(): Promise<void> {
    const startMs = this.#monotonicMs();
    this.#sliceEndMs = startMs + SLICE_MS;
    let nowMs = startMs;
    let keyCount = 0;
    let strangersMs = 0;
    for (let done = 0; done < SLICE_JOBS_MAX; done++) {
      const next = this.#next();
      if (next === null) break;
      const jobStartMs = nowMs;
      next.job();
      // Work that follows from a promise of the job belongs to the job, so it counts against the slice.
      await null;
      nowMs = this.#monotonicMs();
      if (next.hasKey) keyCount += 1;
      else strangersMs += nowMs - jobStartMs;
      if (nowMs >= this.#sliceEndMs) break;
    }
    this.#isScheduled = false;
    this.#onWork(nowMs - startMs);
    if (strangersMs > 0) this.#countStrangers(strangersMs, keyCount === 0 ? nowMs : null);
    if (this.waitingCount > 0) this.#schedule();
  }

  /**
   * Counts the time of work for callers without a key, and the time that the event loop spends on this work
   * after the slice: an answer is often made in many steps.
   * @param sinceMs when the slice ended; null if it had jobs of keys too
   */
  #countStrangers(ms: number, sinceMs: number | null): void {
    const time = this.#strangersTime;
    if (time === null) return;
    time.spend(ms);
    if (sinceMs !== null) setImmediate(() => time.spend(this.#monotonicMs() - sinceMs));
  }

  #next(): NextJob | null {
    const isStrangersTurn = this.#keysCount === 0 || this.#keyTurns >= STRANGER_TURN_EVERY - 1;
    const mayServeStrangers = this.#strangersCount > 0 && (this.#strangersTime?.waitMs() ?? 0) === 0;
    if (isStrangersTurn && mayServeStrangers) {
      this.#keyTurns = 0;
      const job = this.#pausedStrangers.shift() ?? this.#strangers.next();
      return job === null ? null : { job, hasKey: false };
    }
    this.#keyTurns += 1;
    const job = this.#nextOfKeys();
    return job === null ? null : { job, hasKey: true };
  }

  #nextOfKeys(): (() => void) | null {
    const isFreeTurn = this.#paid.count === 0 || this.#paidTurns >= FREE_TURN_EVERY - 1;
    if (isFreeTurn && this.#free.count > 0) {
      this.#paidTurns = 0;
      return this.#free.next();
    }
    this.#paidTurns += 1;
    return this.#paid.next();
  }
}

/** Jobs by caller. The next turn goes to the caller whose last turn was longest ago. */
class Rotation {
  readonly #jobs = new Map<string, (() => void)[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  countOf(name: string): number {
    return this.#jobs.get(name)?.length ?? 0;
  }

  add(name: string, job: () => void): void {
    const jobs = this.#jobs.get(name);
    if (jobs === undefined) this.#jobs.set(name, [job]);
    else jobs.push(job);
    this.#count += 1;
  }

  /** Puts a job before the other jobs of its caller. If the caller had none waiting, its turn comes last. */
  addFirst(name: string, job: () => void): void {
    this.#jobs.set(name, [job, ...(this.#jobs.get(name) ?? [])]);
    this.#count += 1;
  }

  next(): (() => void) | null {
    for (const [name, jobs] of this.#jobs) {
      const job = jobs.shift()!;
      this.#jobs.delete(name);
      if (jobs.length > 0) this.#jobs.set(name, jobs);
      this.#count -= 1;
      return job;
    }
    return null;
  }
}

function full(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer now: too many requests are waiting', {
    fix: 'Wait for answers before you send more requests',
    retryAfterSeconds: 1,
  });
}
