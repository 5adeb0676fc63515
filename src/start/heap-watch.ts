// Keeps a thread's garbage small. The engine counts the shared store as part of each thread's heap and collects only
// when the heap has grown by its own size, which would be more than 200 MB of garbage a thread. This watch collects
// after 32 MB.

import { edenGC, fullGC, heapSize } from 'bun:jsc';

const LOOK_EVERY_MS = 250;
/** A collection is due when the heap has grown by this much since the last one. */
const GROWTH_BYTES_MAX = 32 * 1024 * 1024;
/** If a collection of young objects frees less than this share of the growth, all objects are collected. */
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
