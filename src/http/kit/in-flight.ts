// Limits how many requests are in flight: their answer is being made, or is being sent. Places are divided
// like memory (access/quotas/fair-shares.ts): all callers without a key share a quarter, so they can never
// take the places of callers with one. Keys of the free plan share a quarter of the rest. A small answer that
// is ready immediately takes a place only while many requests are in flight, because it goes straight to the
// socket; edge/load.ts limits how many requests Bun may have pending.

import { createSharesMemory, FairShares, type Holder, type Shares } from '../../access/quotas/fair-shares.ts';
import { answerRoom } from '../../access/quotas/memory-budget.ts';
import { ServiceError } from '../../errors.ts';
import { blobPieces, pieceByPiece, piecesOf } from './reply.ts';
import { READER_BYTES } from './sent-body.ts';
import type { ServerParts } from './server-parts.ts';

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

const PAGE_FILES_MAX = 256;

/**
 * Places of the log-in page and its files, per thread, for callers without a key that find no room among all
 * callers without a key: customers must be able to log in while strangers read no answers. Each counts also
 * as the memory of an answer, so together they are 32 MB at most.
 */
export function createPagePlaces(): FairShares {
  return sharesOfThread({
    total: PAGE_FILES_MAX + 1,
    strangers: PAGE_FILES_MAX,
    address: PAGE_FILES_MAX / 8,
    network: PAGE_FILES_MAX / 4,
    key: 1,
    freeKeys: 1,
    freeAccount: 1,
  });
}

/** Shares of something that only this thread gives out. */
export function sharesOfThread(shares: Shares): FairShares {
  const seed = crypto.getRandomValues(new Int32Array(1))[0]!;
  return new FairShares(createSharesMemory(shares, 1, seed), 0);
}

/**
 * The error when too many requests are in flight: of the caller, of all callers of its class, or in total.
 */
export function busy(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer now: too many answers are in flight', {
    fix: 'Read answers to their end and retry with fewer requests at a time',
    retryAfterSeconds: 1,
  });
}

/** The place that one request holds among those in flight, if it holds one. */
export class RequestPlace {
  readonly #places: FairShares;
  readonly #reserve: FairShares | null;
  #holder: Holder | null = null;
  /** Where the place is from. */
  #taken: FairShares;
  #isSending = false;

  /** @param reserve has places for callers without a key that find none in `places` */
  constructor(places: FairShares, reserve: FairShares | null) {
    this.#places = places;
    this.#reserve = reserve;
    this.#taken = places;
  }

  /** Takes a place, if the request has none yet. @throws ServiceError 503 when none is free */
  hold(holder: () => Holder): void {
    if (this.#holder !== null) return;
    const held = holder();
    this.#taken = this.#places;
    if (!this.#places.reserve(held, 1)) {
      if (this.#reserve === null || held.hasKey || !this.#reserve.reserve(held, 1)) throw busy();
      this.#taken = this.#reserve;
    }
    this.#holder = held;
  }

  /** Frees the place, unless a body is still being sent. */
  release(): void {
    if (this.#holder === null || this.#isSending) return;
    this.#taken.release(this.#holder, 1);
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

export type SmallBody = Uint8Array<ArrayBuffer> | string | Blob;

/**
 * What a small answer takes while many requests are in flight, from before it is sent until its client has
 * read it: a place, and memory of the budget.
 */
export class UnreadPlace {
  /** Frees the place of an answer that is not sent by `body`. Call it once. */
  readonly free: () => void;

  private constructor(free: () => void) {
    this.free = free;
  }

  /**
   * Null if the share of the holder has no place or no memory left.
   * @param reserve has places for a holder without a key
   */
  static take(
    { inFlight, budget }: Pick<ServerParts, 'inFlight' | 'budget'>,
    holder: Holder,
    reserve: FairShares | null = null,
  ): UnreadPlace | null {
    if (inFlight.reserve(holder, 1)) {
      const freeRoom = takeRoom(budget, holder, READER_BYTES);
      if (freeRoom !== null) {
        return new UnreadPlace(() => {
          inFlight.release(holder, 1);
          freeRoom();
        });
      }
      inFlight.release(holder, 1);
    }
    if (reserve === null || holder.hasKey || !reserve.reserve(holder, 1)) return null;
    return new UnreadPlace(() => reserve.release(holder, 1));
  }

  /**
   * A body that frees the place when the client has read it or has left. Its bytes are ready, so it takes no
   * turn.
   */
  body(small: SmallBody): ReadableStream<Uint8Array> {
    return pieceByPiece(smallPieces(small), { turn: async () => {}, onEnd: () => this.free() });
  }
}

/** Reserves the memory of an answer until it is read. @returns what frees it; null without room */
export function takeRoom(budget: FairShares, holder: Holder, bytes: number): (() => void) | null {
  const room = answerRoom(budget, holder);
  const counted = countedBytes(bytes, budget.maxOf(holder));
  return room.reserve(counted) ? () => room.release(counted) : null;
}

/**
 * The bytes that an answer counts. A very large one counts only as half of what may be held; otherwise it
 * would be refused for ever.
 */
function countedBytes(bytes: number, max: number): number {
  return Math.min(bytes, Math.floor(max / 2));
}

/** Cuts a body that was made for one answer. */
export function smallPieces(body: SmallBody): Iterator<Uint8Array | Promise<Uint8Array>> {
  if (body instanceof Blob) return blobPieces(body);
  // Copy the bytes: the encoder may have reused its buffer before the first piece is sent.
  return piecesOf(typeof body === 'string' ? new TextEncoder().encode(body) : body.slice());
}
