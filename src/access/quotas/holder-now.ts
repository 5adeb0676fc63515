// The caller that this thread is working for. Calls to other threads count against that caller, so it need
// not be passed to each call.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Holder } from './fair-shares.ts';

const holders = new AsyncLocalStorage<() => Holder>();

/**
 * Runs work for a caller, including its asynchronous continuations.
 * @param holder called when something is reserved, because the caller may not be known before
 */
export function workingFor<Result>(holder: () => Holder, work: () => Result): Result {
  return holders.run(holder, work);
}

/** The caller that the thread works for now; null if the server is working on its own behalf. */
export function holderNow(): Holder | null {
  return holders.getStore()?.() ?? null;
}
