// Runs the garbage collector of an HTTP thread often, in small steps. Without this, the engine collects only
// after many megabytes of garbage, about fifteen thousand cache hits. A tenth of a second later it frees the
// memory, in bursts of up to ten milliseconds during which no request is answered. After a few thousand hits,
// a collection takes a millisecond. At full load, the memory is then freed gradually, as new memory is
// needed.
//
// `bun run bench:http` measures the longest pause of a server beside bare Bun. It may go when the
// engine frees memory in smaller steps.

import { edenGC } from 'bun:jsc';

const REQUESTS_PER_COLLECTION = 4_000;
/** Slices of work on large answers between two collections. Each slice leaves up to a megabyte of garbage. */
export const SLICES_PER_COLLECTION = 32;

export class SmallCollections {
  readonly #perCollection: number;
  #count = 0;

  constructor(perCollection = REQUESTS_PER_COLLECTION) {
    this.#perCollection = perCollection;
  }

  /** Call it for every request before it is answered, or for every slice of work. */
  count(): void {
    this.#count += 1;
    if (this.#count < this.#perCollection) return;
    this.#count = 0;
    edenGC();
  }
}
