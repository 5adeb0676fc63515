// Limits how many requests are in flight: their answer is being made, or is being sent. Places are divided
// like memory (access/quotas/fair-shares.ts): all callers without a key share a quarter, so they can never
// take the places of callers with one. Keys of the free plan share a quarter of the rest. A small answer that
// is ready immediately takes a place only while many requests are in flight, because it goes straight to the
// socket; edge/load.ts limits how many requests Bun may have pending.

import { createSharesMemory, FairShares, type Holder, type Shares } from '../../access/quotas/fair-shares.ts';
import { ServiceError } from '../../errors.ts';

/**
 * Maximum number of answers that are being made or sent, per thread. Callers without a key share a quarter,
 * and one address may use an eighth of that; the keys of one account may use a third of the rest. Keys of the
 * free plan share a quarter of the rest, and those of one account may use a third of that. A request beyond a
 * share gets 503 and may be retried.
 */
export const IN_FLIGHT_MAX = 2_048;

/**
 * The places of one thread.
 * @param perCallerMax for one address or account; by default a fixed part of their share
 */
export function createPlaces(total: number, perCallerMax?: number): FairShares {
  const strangers = Math.ceil(total / 4);
  const keys = Math.max(1, total - strangers);
  const freeKeys = Math.ceil(keys / 4);
  return sharesOfThread({
    total: strangers + keys,
    strangers,
    address: perCallerMax ?? Math.ceil(strangers / 8),
    network: perCallerMax ?? Math.ceil(strangers / 4),
    key: perCallerMax ?? Math.ceil(keys / 3),
    freeKeys,
    freeAccount: perCallerMax ?? Math.ceil(freeKeys / 3),
  });
}

/** Shares of something that only this thread gives out. */
export function sharesOfThread(shares: Shares): FairShares {
  const seed = crypto.getRandomValues(new Int32Array(1))[0]!;
  return new FairShares(createSharesMemory(shares, 1, seed), 0);
}

/** The error for a caller whose places, or whose group's places, are all taken. */
export function busy(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer now: too many answers are in flight', {
    fix: 'Read answers to their end and retry with fewer requests at a time',
    retryAfterSeconds: 1,
  });
}

/** The place that one request holds among those in flight, if it holds one. */
export class RequestPlace {
  readonly #places: FairShares;
  #holder: Holder | null = null;
  #isSending = false;

  constructor(places: FairShares) {
    this.#places = places;
  }

  /** Takes a place, if the request has none yet. @throws ServiceError 503 when none is free */
  hold(holder: () => Holder): void {
    if (this.#holder !== null) return;
    const held = holder();
    if (!this.#places.reserve(held, 1)) throw busy();
    this.#holder = held;
  }

  /** Frees the place, unless a body is still being sent. */
  release(): void {
    if (this.#holder === null || this.#isSending) return;
    this.#places.release(this.#holder, 1);
    this.#holder = null;
  }

  /**
   * Keeps the place until the returned function is called, when the body has been sent.
   * @throws ServiceError 503
   */
  send(holder: () => Holder): () => void {
    this.hold(holder);
    this.#isSending = true;
    return () => {
      this.#isSending = false;
      this.release();
    };
  }
}
