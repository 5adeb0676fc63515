// Password hashing: argon2id off-thread, a bounded number at once, and the same time spent for an unknown address. A
// password is hashed and compared as it was received: not cut, not folded, not normalised.

import { ServiceError } from '../errors.ts';
import { HASHES_AT_ONCE_MAX, HASHES_WAITING_MAX } from './limits.ts';

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
 * As many as leave a processor to polls, where there is more than one: each hash keeps one busy for as long as it takes, and
 * a poll that comes meanwhile would wait for its turn.
 */
export function hashesAtOnce(processors: number): number {
  return Math.min(HASHES_AT_ONCE_MAX, Math.max(1, processors - 1));
}

export class PasswordHasher {
  readonly #algorithm: { algorithm: 'argon2id'; memoryCost?: number; timeCost?: number };
  readonly #dummyHash: string;
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  private constructor(algorithm: { algorithm: 'argon2id' }, dummyHash: string, atOnce: number) {
    this.#algorithm = algorithm;
    this.#dummyHash = dummyHash;
    this.#atOnce = atOnce;
  }

  static async create({ atOnce, cost }: HasherOptions): Promise<PasswordHasher> {
    const algorithm = { algorithm: 'argon2id' as const, ...cost };
    const dummyHash = await Bun.password.hash('an address without an account', algorithm);
    return new PasswordHasher(algorithm, dummyHash, atOnce);
  }

  /** @throws ServiceError upstream_unavailable when too many passwords wait already */
  async hash(password: string): Promise<string> {
    return this.#inTurn(() => Bun.password.hash(password, this.#algorithm));
  }

  /**
   * Whether the password is the one hashed. With `hash` null, for an unknown address, it spends the same time and
   * answers false.
   * @throws ServiceError upstream_unavailable when too many passwords wait already
   */
  async verify(password: string, hash: string | null): Promise<boolean> {
    const matches = await this.#inTurn(() => Bun.password.verify(password, hash ?? this.#dummyHash));
    return hash !== null && matches;
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= HASHES_WAITING_MAX) {
        throw new ServiceError('upstream_unavailable', 'Cannot check password: too many are waiting', {
          retryAfterSeconds: 1,
        });
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      return await work();
    } finally {
      // A turn is handed on, so that a newcomer cannot slip in between and exceed the number at once.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
