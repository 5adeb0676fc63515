// How many streams each caller has open, over all HTTP threads: a bounded table in shared memory with one
// entry per open stream. Opening a stream scans the blocks of the table that are in use; sending frames does
// not touch it. The entries of a dead thread are freed by the next thread with the same number.

import { attachSharedBuffer, createSharedBuffer, type SharedLayout } from '../../memory/shared-buffer.ts';
import type { Subject } from '../client-address.ts';
import { STREAMS_MAX } from '../limits.ts';

/** An entry's owner: FREE, or the number of the owning thread plus 1. */
const FREE = 0;
/**
 * Entries of one block. While few streams are open, opening another scans only one block, even if a client
 * opens and ends streams quickly.
 */
const BLOCK_ENTRIES = 256;

interface StreamMemory {
  /**
   * For each block, an upper bound of its entries in use. It is raised before an entry is taken and lowered
   * after it is free, so a block with 0 has none. If a thread dies in between, the bound stays too high, and
   * one entry of the block is not used any more.
   */
  readonly taken: Int32Array<SharedArrayBuffer>;
  readonly owner: Int32Array<SharedArrayBuffer>;
  readonly subjectHigh: Int32Array<SharedArrayBuffer>;
  readonly subjectLow: Int32Array<SharedArrayBuffer>;
}

const LAYOUT: SharedLayout<'streams', StreamMemory> = {
  name: 'streams',
  magic: 0x4f_56_53_54, // "OVST"
  version: 2,
  sizeNames: ['streams'],
  columns: (cursor, { streams }) => ({
    taken: cursor.int32(Math.ceil(streams / BLOCK_ENTRIES)),
    owner: cursor.int32(streams),
    subjectHigh: cursor.int32(streams),
    subjectLow: cursor.int32(streams),
  }),
};

/** Allocates the table: 769 KiB at the default size. */
export function createStreamMemory(streams: number = STREAMS_MAX): SharedArrayBuffer {
  return createSharedBuffer(LAYOUT, { streams });
}

/** Streams open now, over all threads. */
export function streamCountOf(buffer: SharedArrayBuffer): number {
  return attachSharedBuffer(LAYOUT, buffer).owner.reduce(
    (count, owner) => count + (owner === FREE ? 0 : 1),
    0,
  );
}

/** Which limit was reached: the caller's own, or the size of the table. */
export type PlaceRefusal = 'caller_full' | 'table_full';

export class StreamPlaces {
  readonly #memory: StreamMemory;
  readonly #owner: number;

  /**
   * @param thread number of this HTTP thread, from 0; entries left by an earlier thread with this number are
   * freed
   */
  constructor(buffer: SharedArrayBuffer, thread: number) {
    this.#memory = attachSharedBuffer(LAYOUT, buffer);
    this.#owner = thread + 1;
    const { owner } = this.#memory;
    for (let entry = 0; entry < owner.length; entry++) {
      if (Atomics.load(owner, entry) === this.#owner) this.leave(entry);
    }
  }

  /**
   * Takes an entry for one more stream of a caller.
   * @param max streams that the caller may have open
   * @returns the entry, to be freed with `leave`; or which limit was reached
   */
  take({ high, low }: Subject, max: number): number | PlaceRefusal {
    const place = this.#claim(high, low);
    if (place < 0) return 'table_full';
    // Count after claiming. If two threads take the last place at the same time, each then sees the other's
    // entry.
    if (this.#countOf(high, low) <= max) return place;
    this.leave(place);
    return 'caller_full';
  }

  leave(place: number): void {
    const { taken, owner, subjectHigh, subjectLow } = this.#memory;
    Atomics.store(subjectHigh, place, 0);
    Atomics.store(subjectLow, place, 0);
    Atomics.store(owner, place, FREE);
    Atomics.sub(taken, Math.floor(place / BLOCK_ENTRIES), 1);
  }

  #claim(high: number, low: number): number {
    const { taken, owner, subjectHigh, subjectLow } = this.#memory;
    for (let block = 0; block < taken.length; block++) {
      const [start, end] = this.#entriesOf(block);
      if (Atomics.load(taken, block) >= end - start) continue;
      Atomics.add(taken, block, 1);
      for (let place = start; place < end; place++) {
        if (Atomics.compareExchange(owner, place, FREE, this.#owner) !== FREE) continue;
        Atomics.store(subjectLow, place, low);
        Atomics.store(subjectHigh, place, high);
        return place;
      }
      // Another thread took the last entry of the block in the meantime, so undo the count.
      Atomics.sub(taken, block, 1);
    }
    return -1;
  }

  #countOf(high: number, low: number): number {
    const { taken, owner, subjectHigh, subjectLow } = this.#memory;
    let count = 0;
    for (let block = 0; block < taken.length; block++) {
      if (Atomics.load(taken, block) === 0) continue;
      const [start, end] = this.#entriesOf(block);
      for (let entry = start; entry < end; entry++) {
        if (Atomics.load(owner, entry) === FREE) continue;
        if (Atomics.load(subjectHigh, entry) === high && Atomics.load(subjectLow, entry) === low) count++;
      }
    }
    return count;
  }

  /** The first entry of a block, and the one after its last. */
  #entriesOf(block: number): readonly [number, number] {
    const start = block * BLOCK_ENTRIES;
    return [start, Math.min(start + BLOCK_ENTRIES, this.#memory.owner.length)];
  }
}
