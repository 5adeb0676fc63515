// The bucket of the hand-written servers: one number in shared memory for each key, the time at which it is full again.

/** A token comes back after this time. */
const INTERVAL_MS = 1;
/** Tokens of a full bucket, in time. */
export const WINDOW_MS = 2_000;

/** Takes one token. @returns milliseconds until the bucket is full, -1 when it is empty */
export function take(buckets: Int32Array, bucket: number, nowMs: number): number {
  for (;;) {
    const before = Atomics.load(buckets, bucket);
    const aheadMs = Math.max(0, (before - nowMs) | 0) + INTERVAL_MS;
    if (aheadMs > WINDOW_MS) return -1;
    if (Atomics.compareExchange(buckets, bucket, before, (nowMs + aheadMs) | 0) === before) return aheadMs;
  }
}
