// Collects a thread's garbage when the main thread asks for it (memory-watch.ts). Small collections free only
// young objects. A collection requested by `Bun.gc(false)` is also a small one, as long as the engine counts
// the shared store as part of the heap. An object in use during a small collection, such as a copy of the
// slate, survives later ones even when it is garbage. So a thread whose heap has grown since its last full
// collection makes another one. That stops the thread for about 20 ms, once for each such growth. A thread
// that no poll waits for makes one after a smaller growth. Otherwise old garbage, such as the signals of
// aborted requests on the query thread, would stay until the heap of that thread has grown by 48 MB.
//
// Measured with 300 clients that request the whole slate and disconnect at its first bytes: 4,100 answers
// took 300 MB, all of it garbage. `bun test/faults/run-attacks.ts leftSlates` repeats it. During sixteen
// attacks of four seconds each on one server, the process grew from 350 to 481 MB when each thread could grow
// by 48 MB, and to 459 MB, of which 432 stayed, with the smaller growth.

import { edenGC, fullGC, heapSize } from 'bun:jsc';

/** How much the heap of an HTTP thread may grow after a full collection. */
const GROWTH_BYTES_MAX = 48 * 1024 * 1024;
/** The same for threads that no poll waits for. */
const BACKGROUND_GROWTH_BYTES_MAX = 12 * 1024 * 1024;

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

  /** For threads that no poll waits for: full collections at smaller growths. */
  static inBackground(collector = ENGINE): ThreadGarbage {
    return new ThreadGarbage(collector, BACKGROUND_GROWTH_BYTES_MAX);
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
