// Keeps garbage small without reading heap statistics, which takes an HTTP thread half a millisecond or more.
// The main thread reads the resident set of the process, which takes microseconds. When it has grown, the
// HTTP threads are asked to collect garbage. Left alone the engine would wait longer, because it counts the
// shared store as part of each thread's heap. The requested collection runs beside the thread and stops it
// for only one to three milliseconds; a synchronous one would stop it for thirty.
//
// It may go when Bun's garbage collector counts shared memory once and not for each thread.
// `bun bench/footprint.ts` measures the resident set. Forty seconds on a busy machine showed no difference: a
// peak of 488 MB with it and of 467 MB without it, at half the answers.

const LOOK_EVERY_MS = 1_000;
/** How much the resident set may grow before the threads are asked to collect. */
const GROWTH_BYTES_MAX = 64 * 1024 * 1024;

/** Checks once a second and calls `collect` if memory has grown. @returns a function that stops the checks */
export function watchMemory(collect: () => void): () => void {
  let floorBytes = residentBytes();
  const timer = setInterval(() => {
    const bytes = residentBytes();
    floorBytes = Math.min(floorBytes, bytes);
    if (bytes - floorBytes < GROWTH_BYTES_MAX) return;
    collect();
    // Memory that is not freed is in use. Measure further growth from here.
    floorBytes = bytes;
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
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
