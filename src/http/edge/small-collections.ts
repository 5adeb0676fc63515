// Collects the garbage of an HTTP thread in small portions. The engine collects by itself only when many megabytes lie there, which
// some fifteen thousand hits leave, and frees what its objects held a tenth of a second later, in goes of up to ten milliseconds
// in which nobody is answered. What a few thousand leave is collected in a millisecond, and at full load freed bit by bit as room
// is asked for.

import { edenGC } from 'bun:jsc';

const REQUESTS_PER_COLLECTION = 4_000;

export class SmallCollections {
  #requests = 0;

  /** To be told of every request before it is answered. */
  count(): void {
    this.#requests += 1;
    if (this.#requests < REQUESTS_PER_COLLECTION) return;
    this.#requests = 0;
    edenGC();
  }
}
