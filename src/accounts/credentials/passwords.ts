// Password hashing: argon2id on background threads, a bounded number at once. An unknown address takes the
// same time as a known one. Passwords are hashed and compared exactly as received, without truncation or
// normalisation.

import { ServiceError } from '../../errors.ts';
import { HASHES_AT_ONCE_MAX } from '../limits.ts';
import { type HashCaller, HashLine } from './hash-line.ts';

/** Memory in KiB and passes of argon2id. Absent: Bun's defaults, 64 MiB and 2 passes. */
export interface HashCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

export interface HasherOptions {
  /** How many passwords are hashed at once: see hashesAtOnce. */
  readonly atOnce: number;
  readonly cost?: HashCost;
}

/**
 * As many as leave one processor free for polling clients, if there is more than one. A hash keeps a
 * processor busy until it is done, and a poll that arrives meanwhile would have to wait.
 */
export function hashesAtOnce(processors: number): number {
  return Math.min(HASHES_AT_ONCE_MAX, Math.max(1, processors - 1));
}

export class PasswordHasher {
  readonly #algorithm: { algorithm: 'argon2id'; memoryCost?: number; timeCost?: number };
  /** Made with the first password that is verified, so that a start does not wait for it. */
  #dummyHash: Promise<string> | null = null;
  readonly #atOnce: number;
  readonly #line = new HashLine();
  #running = 0;

  constructor({ atOnce, cost }: HasherOptions) {
    this.#algorithm = { algorithm: 'argon2id', ...cost };
    this.#atOnce = atOnce;
  }

  /** @throws ServiceError upstream_unavailable when too many passwords are waiting */
  async hash(password: string, caller: HashCaller): Promise<string> {
    return this.#inTurn(caller, () => Bun.password.hash(password, this.#algorithm));
  }

  /**
   * Whether the password matches the hash. With `hash` null, for an unknown address, it takes the same time
   * and returns false.
   * @throws ServiceError upstream_unavailable when too many passwords are waiting
   */
  async verify(password: string, hash: string | null, caller: HashCaller): Promise<boolean> {
    const matches = await this.#inTurn(caller, async () => {
      // Made for a known address too. Otherwise the first login of a process would take longer for an unknown
      // one.
      const dummyHash = await this.#dummy();
      return Bun.password.verify(password, hash ?? dummyHash);
    });
    return hash !== null && matches;
  }

  /** The hash that stands in for a missing one. It is made once; if that fails, the next call tries again. */
  #dummy(): Promise<string> {
    this.#dummyHash ??= Bun.password
      .hash('an address without an account', this.#algorithm)
      .catch((error: unknown) => {
        this.#dummyHash = null;
        throw error;
      });
    return this.#dummyHash;
  }

  /** @throws ServiceError upstream_unavailable when a password of this caller would be refused now */
  requireRoom(caller: HashCaller): void {
    if (this.#running >= this.#atOnce && !this.#line.hasRoomFor(caller)) throw tooManyWait();
  }

  async #inTurn<Result>(caller: HashCaller, work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnce) {
      await new Promise<void>((resolve, reject) => {
        this.#line.add({ caller, start: resolve, refuse: () => reject(tooManyWait()) });
      });
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      // The slot is passed on directly, so a new call cannot take it in between and exceed the limit.
      const next = this.#line.next();
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
