// Divides the history thread between callers. A slate of the past takes half a second and many megabytes, so
// only a few answers are made at the same time. Callers without a key, however many, never delay one with a
// key for long. Keys of the free plan, which anybody can get, never delay one of a paid plan for long.

import { type SharingPrincipal, sharerOf } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { eventLoopTurn } from '../../pause.ts';

/**
 * Maximum number of answers that are made at the same time, for callers with a key and for callers without
 * one. Further ones wait for their turn.
 */
const AT_ONCE = { keys: 2, keyless: 1 } as const;
/**
 * A further answer that is made at the same time, for an account with a paid plan that has none under way.
 * Otherwise one account that asks for slate after slate would make all others wait for two of them.
 */
const KEPT_FOR_IDLE = 1;
/** How many of `AT_ONCE.keys` may be answers for keys of the free plan. Further ones wait for their turn. */
const FREE_AT_ONCE = 1;
/** While keys of paid plans wait, every fourth turn of a key goes to one of the free plan. */
const FREE_TURN_EVERY = 4;

/**
 * After each answer to a caller without a key, all callers without a key wait this many times as long as the
 * answer took. So all of them together take a third of the thread's time, and the rest of the processor is
 * for those with a key.
 */
const KEYLESS_COOLDOWN_FACTOR = 2;
/**
 * The longest wait after an answer to a caller without a key. An answer that took more than half of this time
 * mostly waited for a disk or a bucket.
 */
const COOLDOWN_MS_MAX = 2_000;

/** A caller without a key whose turn has come waits for at most this many answers to callers with a key. */
const KEYS_BEFORE_KEYLESS = 3;

interface TurnOf {
  readonly principal: SharingPrincipal;
  /** Aborted once nobody waits for the answer. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadTurnsOptions {
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export class ReadTurns {
  readonly #options: ReadTurnsOptions;
  readonly #keys = new Lane(AT_ONCE.keys, { free: FREE_AT_ONCE, kept: KEPT_FOR_IDLE });
  readonly #keyless = new Lane(AT_ONCE.keyless, { free: 0, kept: 0 });
  /** Answers for callers with a key that are being made or wait for their turn. */
  #keyCount = 0;
  #onKeyAnswered: (() => void)[] = [];

  constructor(options: ReadTurnsOptions) {
    this.#options = options;
  }

  /**
   * Does the work at the caller's turn. Accounts take turns with each other, however many questions the keys
   * of each have waiting. A key without an account counts as an account.
   * @throws ServiceError `upstream_unavailable` when nobody waits for the answer any more
   */
  async run<Answer>({ principal, signal }: TurnOf, work: () => Promise<Answer>): Promise<Answer> {
    const sharer = sharerOf(principal);
    const isKey = sharer !== null;
    const { name, isFree } = sharer ?? { name: '', isFree: false };
    const lane = isKey ? this.#keys : this.#keyless;
    if (isKey) this.#keyCount++;
    await lane.enter(name, isFree);
    let startMs = this.#options.monotonicMs();
    try {
      if (!isKey) await this.#keysFirst();
      await eventLoopTurn();
      startMs = this.#options.monotonicMs();
      requireWanted(signal);
      return await work();
    } finally {
      if (isKey) {
        lane.leave(name, isFree);
        this.#keyAnswered();
      } else void this.#leaveAfterCooldown(lane, name, startMs);
    }
  }

  /** Keeps the lane of callers without a key occupied for as long as they must wait. */
  async #leaveAfterCooldown(lane: Lane, name: string, startMs: number): Promise<void> {
    await eventLoopTurn(); // work that follows the answer, such as garbage collection, counts too
    const { monotonicMs, sleep } = this.#options;
    await sleep(Math.min(COOLDOWN_MS_MAX, KEYLESS_COOLDOWN_FACTOR * (monotonicMs() - startMs)));
    lane.leave(name, false);
  }

  async #keysFirst(): Promise<void> {
    for (let answered = 0; answered < KEYS_BEFORE_KEYLESS && this.#keyCount > 0; answered++) {
      await new Promise<void>((resolve) => this.#onKeyAnswered.push(resolve));
    }
  }

  #keyAnswered(): void {
    this.#keyCount--;
    const waiting = this.#onKeyAnswered;
    this.#onKeyAnswered = [];
    for (const resolve of waiting) resolve();
  }
}

/**
 * Long work calls it between two steps.
 * @throws ServiceError `upstream_unavailable` when nobody waits for the answer any more
 */
export function requireWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ServiceError('upstream_unavailable', 'Cannot answer about the past: nobody waits any more');
}

class Lane {
  #open: number;
  #openToFree: number;
  readonly #kept: number;
  /** How many places each caller has, without callers that have none. */
  readonly #placesOf = new Map<string, number>();
  readonly #waiting = new Waiting();
  readonly #waitingFree = new Waiting();
  /** Turns since the last turn of a free key. */
  #otherTurns = 0;

  constructor(atOnce: number, { free, kept }: { readonly free: number; readonly kept: number }) {
    this.#open = atOnce + kept;
    this.#openToFree = free;
    this.#kept = kept;
  }

  async enter(caller: string, isFree: boolean): Promise<void> {
    if (isFree ? this.#admitsFree(this.#kept) : this.#admits(caller)) {
      this.#take(caller, isFree);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    (isFree ? this.#waitingFree : this.#waiting).add(caller, resolve);
    await promise;
  }

  /** Frees the place of a caller, and starts the work that may have one now. */
  leave(caller: string, isFree: boolean): void {
    this.#open++;
    if (isFree) this.#openToFree++;
    const left = this.#placesOf.get(caller)! - 1;
    if (left === 0) this.#placesOf.delete(caller);
    else this.#placesOf.set(caller, left);
    while (this.#startNext());
  }

  /** @returns whether any work may start */
  #startNext(): boolean {
    const isFreeTurn = this.#otherTurns >= FREE_TURN_EVERY - 1;
    // At its turn, a free key may also have the kept place. Otherwise it would never have a turn while many
    // accounts ask.
    const free = () =>
      this.#admitsFree(isFreeTurn ? 0 : this.#kept) ? this.#waitingFree.next(() => true) : null;
    const other = () => this.#waiting.next((name) => this.#admits(name));
    const first = isFreeTurn ? free() : other();
    const next = first ?? (isFreeTurn ? other() : free());
    if (next === null) return false;
    this.#take(next.caller, (first !== null) === isFreeTurn);
    next.start();
    return true;
  }

  #admits(caller: string): boolean {
    return this.#open > (this.#placesOf.has(caller) ? this.#kept : 0);
  }

  #admitsFree(kept: number): boolean {
    return this.#openToFree > 0 && this.#open > kept;
  }

  #take(caller: string, isFree: boolean): void {
    this.#open--;
    if (isFree) this.#openToFree--;
    this.#placesOf.set(caller, (this.#placesOf.get(caller) ?? 0) + 1);
    this.#otherTurns = isFree ? 0 : this.#otherTurns + 1;
  }
}

interface Next {
  readonly caller: string;
  readonly start: () => void;
}

/** The waiting work, by caller. The caller whose turn was longest ago is first. */
class Waiting {
  readonly #starts = new Map<string, (() => void)[]>();

  add(caller: string, start: () => void): void {
    this.#starts.getOrInsertComputed(caller, () => []).push(start);
  }

  /** Removes and returns the first work of the first caller that may start. */
  next(mayStart: (caller: string) => boolean): Next | null {
    for (const [caller, [start, ...rest]] of this.#starts) {
      if (!mayStart(caller)) continue;
      this.#starts.delete(caller);
      if (rest.length > 0) this.#starts.set(caller, rest);
      return { caller, start: start! };
    }
    return null;
  }
}
