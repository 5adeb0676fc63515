// Collects the garbage of an HTTP thread in small portions. The engine collects by itself only when many megabytes lie there, and
// then frees what its objects held in one go of up to ten milliseconds, a tenth of a second later, while nobody is answered: a
// hit leaves so little that this was a hundred thousand of them. What a few thousand leave is collected in a millisecond, and
// freed bit by bit as room is asked for.

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
