// How much memory the process has. The system says so in a file of /proc, and none can be opened while strangers have taken
// every descriptor: then what it said last is told.

let lastBytes = 0;

/** The resident set of the process, in bytes. */
export function residentBytes(): number {
  try {
    lastBytes = process.memoryUsage.rss();
  } catch {
    // No descriptor is left: connection-watch.ts makes room within a tenth of a second.
  }
  return lastBytes;
}
