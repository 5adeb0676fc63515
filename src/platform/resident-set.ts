// The memory use of the process. The system reports it in a file of /proc, which cannot be opened while
// clients hold every file descriptor; then the last known value is returned.

let lastBytes = 0;

/** The resident set of the process, in bytes. */
export function residentBytes(): number {
  try {
    lastBytes = process.memoryUsage.rss();
  } catch {
    // No file descriptor is left; connection-watch.ts frees some within a tenth of a second.
  }
  return lastBytes;
}
