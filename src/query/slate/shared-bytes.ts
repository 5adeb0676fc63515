// Bytes that several readers share, and which of these readers they count against.

import { type CallerClass, classOf } from '../../domain/tiers.ts';
import { assert } from '../../errors.ts';
import type { CopyRoom } from './slate-copy.ts';

/** One reader's use of shared bytes, from `enter` to `leave`. */
export interface SharedReading {
  readonly room: CopyRoom;
}

/**
 * Shared bytes count against the budget of one reader, at first the reader that they were made for. When that
 * reader has left, they count against one that remains. Otherwise a slow reader would use up the budget of
 * another customer. If no customer that remains has room for them, they count against a part that they share.
 */
export class SharedBytes {
  readonly #byteCount: number;
  readonly #onFree: () => void;
  /**
   * The readers, by the name of the room that they count against. They are counted and not listed, because
   * thousands of callers without a key share one room and may leave together.
   */
  readonly #readers = new Map<string, { readonly room: CopyRoom; count: number }>();
  #room: CopyRoom;
  #isFreed = false;

  /**
   * @param room where the bytes are reserved
   * @param onFree called once, to drop what takes the bytes
   */
  constructor(byteCount: number, room: CopyRoom, onFree: () => void) {
    this.#byteCount = byteCount;
    this.#room = room;
    this.#onFree = onFree;
  }

  get callerClass(): CallerClass {
    return this.#room;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** Whether the bytes are freed. A reader that is not at its end must then be cut off. */
  get isFreed(): boolean {
    return this.#isFreed;
  }

  countsAgainst(room: CopyRoom): boolean {
    return nameOf(this.#room) === nameOf(room);
  }

  /** Whether a reader may share the bytes. If they have no reader at present, it must have room for them. */
  admits(room: CopyRoom): boolean {
    return this.hasReaders || this.#moveTo(room);
  }

  /** Adds a reader that is admitted. */
  enter(room: CopyRoom): SharedReading {
    this.#readers.getOrInsert(nameOf(room), { room, count: 0 }).count += 1;
    return { room };
  }

  /**
   * Removes a reader, once. The bytes are freed if no part of the budget of those that remain has room for
   * them.
   */
  leave({ room: left }: SharedReading): void {
    const name = nameOf(left);
    const ofRoom = this.#readers.get(name);
    assert(ofRoom !== undefined, 'a reader that leaves has entered');
    ofRoom.count -= 1;
    if (ofRoom.count === 0) this.#readers.delete(name);
    if (this.#isFreed || !this.hasReaders || this.#readers.has(nameOf(this.#room))) return;
    const rooms = [...this.#readers.values()].map(({ room }) => room);
    if (rooms.some((room) => this.#moveTo(room))) return;
    const common = rooms.find((room) => room.common !== undefined)?.common;
    if (common === undefined) this.free();
    else if (!this.countsAgainst(common)) this.#moveToCommon(common);
  }

  /** Frees the memory, once. */
  free(): void {
    if (this.#isFreed) return;
    this.#room.release(this.#byteCount);
    this.#freeReleased();
  }

  #freeReleased(): void {
    this.#isFreed = true;
    this.#onFree();
  }

  /**
   * Moves the bytes to the part of the budget that customers share, or frees them. They are released first,
   * because all keys together might have no room for them if they counted twice for a moment.
   */
  #moveToCommon(common: CopyRoom): void {
    this.#room.release(this.#byteCount);
    if (common.reserve(this.#byteCount)) this.#room = common;
    else this.#freeReleased();
  }

  #moveTo(room: CopyRoom): boolean {
    if (this.countsAgainst(room)) return true;
    if (!room.reserve(this.#byteCount)) return false;
    this.#room.release(this.#byteCount);
    this.#room = room;
    return true;
  }
}

/** The name of a room: those of callers without an owner of their own are one for each class. */
function nameOf(room: CopyRoom): string {
  return `${classOf(room)} ${room.owner ?? ''}`;
}
