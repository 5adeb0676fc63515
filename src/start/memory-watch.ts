// Keeps garbage small without looking at a heap, which takes an HTTP thread half a millisecond and more: main watches
// the resident set of the process, in microseconds, and asks the HTTP threads to collect when it has grown. The engine
// alone would wait longer, since it counts the shared store as part of each thread's heap. The collection that is asked
// for runs beside the thread but for one to three milliseconds; a collection at once would stop it for thirty.

import { residentBytes } from '../telemetry/resident-set.ts';

const LOOK_EVERY_MS = 1_000;
/** Growth of the resident set after which the threads are asked. */
const GROWTH_BYTES_MAX = 64 * 1024 * 1024;

/** Looks once a second. `collect` is called when memory has grown. @returns the function that ends it */
export function watchMemory(collect: () => void): () => void {
  let floorBytes = residentBytes();
  const timer = setInterval(() => {
    const bytes = residentBytes();
    floorBytes = Math.min(floorBytes, bytes);
    if (bytes - floorBytes < GROWTH_BYTES_MAX) return;
    collect();
    // What does not go away is in use; the next growth is measured from here.
    floorBytes = bytes;
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
