// A wait that can be ended before its time. Where nothing ends it, `Bun.sleep` does.

import { setTimeout } from 'node:timers/promises';

/** Resolves after `ms`, or as soon as `signal` is aborted: who waits looks at the signal then. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
