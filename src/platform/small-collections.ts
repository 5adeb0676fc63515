// Runs the garbage collector of an HTTP thread often, in small steps. Without this, the engine collects only
// after many megabytes of garbage, about fifteen thousand cache hits. A tenth of a second later it frees the
// memory, in bursts of up to ten milliseconds during which no request is answered. A collection after only a
// few thousand hits takes a millisecond. At full load, the memory of its garbage is freed gradually, as new
// memory is needed.
//
// Whatever waits for a slow client during such a collection becomes old, and is freed only by a full one. So
// slices of work on large answers also check how much the heap has grown (thread-garbage.ts). The main thread
// does that too, but only once a second: 400 clients that read nothing left 220 MB of garbage in that time.
//
// `bun run bench:http` measures the longest pause of a server beside bare Bun. It may be removed when the
// engine frees memory in smaller steps.

import { edenGC } from 'bun:jsc';
import { ThreadGarbage } from './thread-garbage.ts';

const REQUESTS_PER_COLLECTION = 4_000;
/** Slices of work on large answers between two collections. Each slice leaves up to a megabyte of garbage. */
const SLICES_PER_COLLECTION = 32;

export class SmallCollections {
  readonly #perCollection: number;
  readonly #collect: () => void;
  #count = 0;

  constructor(perCollection = REQUESTS_PER_COLLECTION, collect: () => void = edenGC) {
    this.#perCollection = perCollection;
    this.#collect = collect;
  }

  /**
   * For slices of work on large answers: makes a full collection if the heap has grown by much.
   * @param growthBytesMax the growth from which on a collection is made; by default that of ThreadGarbage
   */
  static ofSlices(growthBytesMax?: number): SmallCollections {
    const garbage = ThreadGarbage.atOnce(growthBytesMax);
    return new SmallCollections(SLICES_PER_COLLECTION, () => garbage.collect());
  }

  /** Call it for every request before it is answered, or for every slice of work. */
  count(more = 1): void {
    this.#count += more;
    if (this.#count < this.#perCollection) return;
    this.#count = 0;
    this.#collect();
  }
}
