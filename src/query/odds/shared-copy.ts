// A copy of the slate that several readers share, and which of them it counts against.

import type { CallerClass } from '../../domain/tiers.ts';
import { assert } from '../../errors.ts';
import { type CopyRoom, freeCopy, type SlateCopy } from '../slate/slate-copy.ts';
import type { OddsDelta } from './odds-delta.ts';

/** One view of a copy, for all its readers. */
export interface SharedView {
  readonly delta: OddsDelta;
  /** Unique among all views of all copies. */
  readonly name: string;
  readerCount: number;
}

/** One reader's use of a copy, from `enter` to `leave`. */
export interface CopyReading {
  readonly room: CopyRoom;
}

/**
 * A shared copy counts against the budget of one reader, at first the reader that it was made for. When that
 * reader has left, it counts against one that remains. Otherwise a slow reader would use up the budget of
 * another customer. If no customer that remains has room for the copy, it counts against a part that they
 * share.
 */
export class SharedCopy {
  readonly copy: SlateCopy;
  readonly madeAtMs: number;
  readonly views = new Map<string, SharedView>();
  /**
   * The readers, by the owner of the room that they count against. They are counted and not listed, because
   * thousands of callers without a key share one room and may leave together.
   */
  readonly #readers = new Map<string | undefined, { readonly room: CopyRoom; count: number }>();
  #room: CopyRoom;
  #isFreed = false;

  /** @param room where the bytes of the copy are reserved */
  constructor(copy: SlateCopy, madeAtMs: number, room: CopyRoom) {
    this.copy = copy;
    this.madeAtMs = madeAtMs;
    this.#room = room;
  }

  get callerClass(): CallerClass {
    return this.#room;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** Whether the rows of the copy are freed. A reader that is not at its end must then be cut off. */
  get isFreed(): boolean {
    return this.#isFreed;
  }

  countsAgainst({ owner }: CopyRoom): boolean {
    return this.#room.owner === owner;
  }

  /**
   * Whether a reader may share the copy. If the copy has no reader at present, this one must have room for
   * it.
   */
  admits(room: CopyRoom): boolean {
    return this.hasReaders || this.#moveTo(room);
  }

  /** Adds a reader that it admits. */
  enter(room: CopyRoom): CopyReading {
    this.#readers.getOrInsert(room.owner, { room, count: 0 }).count += 1;
    return { room };
  }

  /**
   * Removes a reader, once. The copy is freed if no part of the budget of those that remain has room for it.
   */
  leave({ room: { owner } }: CopyReading): void {
    const ofOwner = this.#readers.get(owner);
    assert(ofOwner !== undefined, 'a reader that leaves has entered');
    ofOwner.count -= 1;
    if (ofOwner.count === 0) this.#readers.delete(owner);
    if (this.#isFreed || !this.hasReaders || this.#readers.has(this.#room.owner)) return;
    const rooms = [...this.#readers.values()].map(({ room }) => room);
    if (rooms.some((room) => this.#moveTo(room))) return;
    const common = rooms.find((room) => room.common !== undefined)?.common;
    if (common === undefined) this.free();
    else if (!this.countsAgainst(common)) this.#moveToCommon(common);
  }

  /** Frees its memory, once. */
  free(): void {
    if (this.#isFreed) return;
    this.#room.release(this.copy.byteCount);
    this.#freeReleased();
  }

  #freeReleased(): void {
    this.#isFreed = true;
    freeCopy(this.copy);
  }

  /**
   * Moves the copy to the part of the budget that customers share, or frees it. Its bytes are released first,
   * because all keys together might have no room for them if they counted twice for a moment.
   */
  #moveToCommon(common: CopyRoom): void {
    const { byteCount } = this.copy;
    this.#room.release(byteCount);
    if (common.reserve(byteCount)) this.#room = common;
    else this.#freeReleased();
  }

  #moveTo(room: CopyRoom): boolean {
    if (this.countsAgainst(room)) return true;
    const { byteCount } = this.copy;
    if (!room.reserve(byteCount)) return false;
    this.#room.release(byteCount);
    this.#room = room;
    return true;
  }
}
