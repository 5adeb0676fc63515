// A wait that can be ended early. Where that is not needed, use `Bun.sleep`.

import { setTimeout } from 'node:timers/promises';

/** Resolves after `ms`, or as soon as `signal` is aborted. The caller must then check the signal. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
