// Keeps a thread's garbage small. The engine counts the shared store as part of each thread's heap and collects only
// when the heap has grown by its own size: more than 200 MB of garbage a thread. Here 32 MB are enough.

import { edenGC, fullGC, heapSize } from 'bun:jsc';

const LOOK_EVERY_MS = 250;
/** Growth since the last collection that calls for one. */
const GROWTH_BYTES_MAX = 32 * 1024 * 1024;
/** What a collection of young objects must free of it; otherwise all objects are looked at. */
const FREED_SHARE_MIN = 0.5;

/**
 * Looks four times a second, in about 2 microseconds. A collection of young objects takes 1 to 3 ms, one of all objects
 * about 20 ms with the default slate. @returns the function that ends it
 */
export function watchHeap(): () => void {
  let floorBytes = heapSize();
  const timer = setInterval(() => {
    const grownBytes = heapSize() - floorBytes;
    if (grownBytes < GROWTH_BYTES_MAX) {
      floorBytes = Math.min(floorBytes, floorBytes + grownBytes);
      return;
    }
    const leftBytes = edenGC() - floorBytes;
    if (leftBytes > grownBytes * (1 - FREED_SHARE_MIN)) floorBytes = fullGC();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
