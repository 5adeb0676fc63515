// Divides the history thread between callers. A slate of the past takes half a second and many megabytes, so
// only a few answers are made at the same time. Callers without a key, however many, never delay one with a
// key for long.

import type { Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { eventLoopTurn } from '../../pause.ts';

/**
 * Answers that are made at the same time, for callers with a key and for callers without one. Full: the rest
 * wait in turn.
 */
const AT_ONCE = { keys: 2, keyless: 1 } as const;

/**
 * After each answer to a caller without a key, such callers wait this many times as long as it took. So all
 * of them together take a third of the thread's time, and the rest of the processor is for those with a key.
 */
const KEYLESS_COOLDOWN_FACTOR = 2;
/** The longest such wait. An answer that took longer than half of it mostly waited for a disk or a bucket. */
const COOLDOWN_MS_MAX = 2_000;

/** A caller without a key whose turn has come waits for at most this many answers to callers with a key. */
const KEYS_BEFORE_KEYLESS = 3;

interface TurnOf {
  readonly principal: Pick<Principal, 'keyId'>;
  /** Aborted once nobody waits for the answer. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadTurnsOptions {
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export class ReadTurns {
  readonly #options: ReadTurnsOptions;
  readonly #keys = new Lane(AT_ONCE.keys);
  readonly #keyless = new Lane(AT_ONCE.keyless);
  /** Answers for callers with a key that are being made or wait for their turn. */
  #keyCount = 0;
  #onKeyAnswered: (() => void)[] = [];

  constructor(options: ReadTurnsOptions) {
    this.#options = options;
  }

  /**
   * Does the work at the caller's turn. Keys take turns with each other, however many questions each of them
   * has waiting.
   * @throws ServiceError `upstream_unavailable` when nobody waits for the answer any more
   */
  async run<Answer>({ principal, signal }: TurnOf, work: () => Promise<Answer>): Promise<Answer> {
    const isKey = principal.keyId !== null;
    const lane = isKey ? this.#keys : this.#keyless;
    if (isKey) this.#keyCount++;
    await lane.enter(principal.keyId ?? '');
    let startMs = this.#options.monotonicMs();
    try {
      if (!isKey) await this.#keysFirst();
      await eventLoopTurn();
      startMs = this.#options.monotonicMs();
      if (signal?.aborted === true) {
        throw new ServiceError('upstream_unavailable', 'Cannot answer about the past: nobody waits any more');
      }
      return await work();
    } finally {
      if (isKey) {
        lane.leave();
        this.#keyAnswered();
      } else void this.#leaveAfterCooldown(lane, startMs);
    }
  }

  /** Keeps the lane occupied for as long as callers without a key must wait. */
  async #leaveAfterCooldown(lane: Lane, startMs: number): Promise<void> {
    await eventLoopTurn(); // work that follows the answer, such as garbage collection, counts too
    const { monotonicMs, sleep } = this.#options;
    await sleep(Math.min(COOLDOWN_MS_MAX, KEYLESS_COOLDOWN_FACTOR * (monotonicMs() - startMs)));
    lane.leave();
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

class Lane {
  #free: number;
  /** By caller; the one whose turn was longest ago is first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async enter(caller: string): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const own = this.#waiting.get(caller);
    if (own === undefined) this.#waiting.set(caller, [resolve]);
    else own.push(resolve);
    await promise;
  }

  /** Hands the place to the next caller. */
  leave(): void {
    for (const [caller, [next, ...rest]] of this.#waiting) {
      this.#waiting.delete(caller);
      if (rest.length > 0) this.#waiting.set(caller, rest);
      next!();
      return;
    }
    this.#free++;
  }
}
