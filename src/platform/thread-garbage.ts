// Collects a thread's garbage when the main thread asks for it (memory-watch.ts). Small collections free only
// young objects. A collection requested by `Bun.gc(false)` is also a small one, as long as the engine counts
// the shared store as part of the heap. An object in use during a small collection, such as a copy of the
// slate, survives later ones even when it is garbage. So a thread whose heap has grown since its last full
// collection makes another one. That stops the thread for about 20 ms, once for each such growth.
//
// Measured with 300 clients that request the whole slate and disconnect at its first bytes: 4,100 answers
// took 300 MB, all of it garbage. `bun test/faults/run-attacks.ts leftSlates` repeats it.

import { edenGC, fullGC, heapSize } from 'bun:jsc';

/** How much a thread's heap may grow after a full collection. */
const GROWTH_BYTES_MAX = 48 * 1024 * 1024;

interface Collector {
  readonly heapBytes: () => number;
  readonly collectAll: () => void;
  /** Collects young objects: either immediately, while the thread waits, or concurrently with the thread. */
  readonly collectYoung: () => void;
}

const ENGINE: Collector = {
  heapBytes: heapSize,
  collectAll: fullGC,
  collectYoung: () => Bun.gc(false),
};

export class ThreadGarbage {
  readonly #collector: Collector;
  readonly #growthBytesMax: number;
  /** The smallest heap since the last full collection. */
  #floorBytes = Number.POSITIVE_INFINITY;

  constructor(collector = ENGINE, growthBytesMax = GROWTH_BYTES_MAX) {
    this.#collector = collector;
    this.#growthBytesMax = growthBytesMax;
  }

  /**
   * An instance that collects young objects immediately, which stops the thread for about five milliseconds.
   */
  static atOnce(growthBytesMax = GROWTH_BYTES_MAX): ThreadGarbage {
    const collector = { heapBytes: heapSize, collectAll: fullGC, collectYoung: edenGC };
    return new ThreadGarbage(collector, growthBytesMax);
  }

  collect(): void {
    const { heapBytes, collectAll, collectYoung } = this.#collector;
    const bytes = heapBytes();
    this.#floorBytes = Math.min(this.#floorBytes, bytes);
    if (bytes - this.#floorBytes < this.#growthBytesMax) {
      collectYoung();
      return;
    }
    collectAll();
    this.#floorBytes = heapBytes();
  }
}
