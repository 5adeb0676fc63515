// Password hashing: argon2id on background threads, a bounded number at the same time. An unknown address
// takes the same time as a known one. Passwords are hashed and compared exactly as received, without
// truncation or normalisation.

import { ServiceError } from '../../errors.ts';
import { HASHES_AT_ONCE_MAX } from '../limits.ts';
import { HASH_COST, type HashCost } from './hash-cost.ts';
import { type HashCaller, HashQueue } from './hash-queue.ts';

export interface HasherOptions {
  /** How many passwords are hashed at the same time: see hashesAtOnce. */
  readonly atOnce: number;
  readonly cost?: HashCost;
}

/**
 * How many passwords are hashed at the same time: at most HASHES_AT_ONCE_MAX, and one processor is left free
 * for polling clients if there is more than one. A hash keeps a processor busy until it is done, and a poll
 * that arrives meanwhile would have to wait.
 */
export function hashesAtOnce(processors: number): number {
  return Math.min(HASHES_AT_ONCE_MAX, Math.max(1, processors - 1));
}

export class PasswordHasher {
  readonly #cost: HashCost;
  /**
   * The hash that stands in for a missing one. It is made when the first password is verified, so that a
   * start does not wait for it.
   */
  #dummyHash: Promise<string> | null = null;
  readonly #atOnce: number;
  readonly #queue = new HashQueue();
  #running = 0;

  constructor({ atOnce, cost = HASH_COST }: HasherOptions) {
    this.#cost = cost;
    this.#atOnce = atOnce;
  }

  /** @throws ServiceError upstream_unavailable when too many passwords are waiting */
  async hash(password: string, caller: HashCaller): Promise<string> {
    return this.#inTurn(caller, () => this.#hash(password));
  }

  /**
   * Whether the password matches the hash. With `hash` null, for an unknown address, it takes the same time
   * and returns false.
   * @throws ServiceError upstream_unavailable when too many passwords are waiting
   */
  async verify(password: string, hash: string | null, caller: HashCaller): Promise<boolean> {
    return this.#inTurn(caller, () => this.#matches(password, hash));
  }

  /**
   * Like `verify`. If the password matches, but the hash was made at another cost, the password is hashed
   * again in the same turn, because a second turn could be refused.
   * @param standIn a hash to check if `hash` is null; it never matches
   * @returns whether the password matches, and the new hash, or null if it was not hashed again
   */
  async verifyAndRenew(
    password: string,
    hash: string | null,
    caller: HashCaller,
    standIn: string | null = null,
  ): Promise<{ readonly matches: boolean; readonly renewed: string | null }> {
    return this.#inTurn(caller, async () => {
      const matches = await this.#matches(password, hash, standIn);
      const isOutdated = matches && hash !== null && this.#isOutdated(hash);
      return { matches, renewed: isOutdated ? await this.#hash(password) : null };
    });
  }

  async #matches(password: string, hash: string | null, standIn: string | null = null): Promise<boolean> {
    // The dummy is made for a known address too. Otherwise the first login of a process would take longer for
    // an unknown one.
    const dummyHash = await this.#dummy();
    const matches = await Bun.password.verify(password, hash ?? standIn ?? dummyHash);
    return hash !== null && matches;
  }

  /** The hash that stands in for a missing one. It is made once; if that fails, the next call tries again. */
  #dummy(): Promise<string> {
    this.#dummyHash ??= this.#hash('an address without an account').catch((error: unknown) => {
      this.#dummyHash = null;
      throw error;
    });
    return this.#dummyHash;
  }

  #hash(password: string): Promise<string> {
    return Bun.password.hash(password, { algorithm: 'argon2id', ...this.#cost });
  }

  /** Whether a hash was made at another cost, so that checking a password takes longer or shorter. */
  #isOutdated(hash: string): boolean {
    const { memoryCost, timeCost } = this.#cost;
    return !hash.includes(`$m=${memoryCost},t=${timeCost},`);
  }

  /** @throws ServiceError upstream_unavailable when a password of this caller would be refused now */
  requireRoom(caller: HashCaller): void {
    if (this.#running >= this.#atOnce && !this.#queue.hasRoomFor(caller)) throw tooManyWait();
  }

  async #inTurn<Result>(caller: HashCaller, work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnce) {
      await new Promise<void>((resolve, reject) => {
        this.#queue.add({ caller, start: resolve, refuse: () => reject(tooManyWait()) });
      });
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      // The slot is passed on directly, so a new call cannot take it in between and exceed the limit.
      const next = this.#queue.next();
      if (next === null) this.#running--;
      else next.start();
    }
  }
}

function tooManyWait(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot check password: too many are waiting', {
    retryAfterSeconds: 1,
  });
}
