// Waits that end early: when a signal is aborted, or at a deadline. A wait that needs neither is `Bun.sleep`.

import { setTimeout as wait } from 'node:timers/promises';

/** Resolves after `ms`, or as soon as `signal` is aborted. The caller must then check the signal. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * The result of `work`. The work itself cannot be stopped: after the deadline it continues, and its result or
 * error is dropped.
 * @throws what `late` makes, once `ms` have passed
 */
export async function withinDeadline<Result>(
  work: Promise<Result>,
  ms: number,
  late: () => Error,
): Promise<Result> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(late()), ms);
  try {
    return await Promise.race([work, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}
