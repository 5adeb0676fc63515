// Bounds of streams, once, with what happens at each.

/** Milliseconds between two heartbeats of every stream. */
export const HEARTBEAT_MS = 5_000;
/** How often the hub looks for readers that are stuck or whose key has died, in milliseconds. */
export const WATCH_EVERY_MS = 500;
/** Bytes that a reader has not taken yet. More: it is sent nothing new until it has; then it gets the last state, once. */
export const HOLD_BYTES = 64 * 1024;
/** Bytes unsent to one reader. More: its stream ends with `bye`, `slow_reader`. */
export const UNSENT_BYTES_MAX = 1024 * 1024;
/** How long a reader may take nothing while something is unsent. Longer: its stream ends with `bye`, `slow_reader`. */
export const UNSENT_MS_MAX = 10_000;
/** How long a snapshot is sent again to further readers of its view, who then catch up. Older: another one is made. */
export const SNAPSHOT_SHARED_MS = 1_000;
