// What a small answer takes while many requests are in flight, until its client has read it.

import type { FairShares, Holder } from '../../../access/quotas/fair-shares.ts';
import { answerRoom } from '../../../access/quotas/memory-budget.ts';
import { blobPieces, pieceByPiece, piecesOf } from '../pieces.ts';
import { READER_BYTES } from '../sent-body.ts';
import type { ServerParts } from '../server-parts.ts';

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
