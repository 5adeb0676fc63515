// Keeps garbage small without reading heap statistics, which takes an HTTP thread half a millisecond or more.
// The main thread reads the resident set of the process, which takes microseconds. When it has grown, all
// workers are asked to collect garbage. Left alone the engine would wait longer, because it counts the shared
// store as part of each thread's heap: a thread may then hold hundreds of megabytes of garbage. The requested
// collection runs beside the thread and stops it for only one to three milliseconds; a full one, which
// thread-garbage.ts makes when it has to, stops it for twenty to thirty. The history and alerts threads
// always make a full one: in their workers a requested collection frees nothing (seen with Bun 1.4.5). No
// poll waits for these two threads.
//
// It may be removed when Bun's garbage collector counts shared memory once and not for each thread. `bun
// bench/footprint.ts` measures the resident set.

import { every } from '../pause.ts';

const CHECK_EVERY_MS = 1_000;
/** How much the resident set may grow before the threads are asked to collect. */
const GROWTH_BYTES_MAX = 32 * 1024 * 1024;
/**
 * After QUIET_CHECKS checks without a collection, the threads are asked as soon as the resident set has grown
 * by this much, so that little garbage is left after a start.
 */
const QUIET_GROWTH_BYTES_MAX = 8 * 1024 * 1024;
const QUIET_CHECKS = 10;

/** Checks once a second and calls `collect` if memory has grown. @returns a function that stops the checks */
export function watchMemory(collect: () => void): () => void {
  let floorBytes = residentBytes();
  let checks = 0;
  return every(CHECK_EVERY_MS, () => {
    const bytes = residentBytes();
    floorBytes = Math.min(floorBytes, bytes);
    checks += 1;
    const growthMax = checks < QUIET_CHECKS ? GROWTH_BYTES_MAX : QUIET_GROWTH_BYTES_MAX;
    if (bytes - floorBytes < growthMax) return;
    collect();
    // Memory that is not freed is in use. Measure further growth from here.
    floorBytes = bytes;
    checks = 0;
  });
}

let lastBytes = 0;

/**
 * The resident set of the process, in bytes. The system reports it in a file of /proc, which cannot be opened
 * while clients hold every file descriptor; then the last known value is returned.
 */
export function residentBytes(): number {
  try {
    lastBytes = process.memoryUsage.rss();
  } catch {
    // No file descriptor is left; connection-watch.ts frees some within a tenth of a second.
  }
  return lastBytes;
}
