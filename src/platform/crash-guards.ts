// An error thrown after the answer, or an unhandled rejection, would end the process. These handlers log and
// count it instead. Each one is a bug to fix, so the count is a metric.
//
// Bun ends a process at the first unhandled rejection unless both handlers are set; a Worker ends silently
// with code 0 (bun#35829). They may be removed when a late failure of one request no longer ends its thread.

import { stackOf } from '../errors.ts';
import type { Log } from '../log.ts';

/** Counts the failures caught here. */
export interface CrashCounters {
  countLateFailure(kind: 'exception' | 'rejection'): void;
}

/** Installs both handlers for this thread. Returns a function that removes them. */
export function installCrashGuards(log: Pick<Log, 'error'>, counters: CrashCounters): () => void {
  function onException(error: unknown): void {
    counters.countLateFailure('exception');
    log.error('late_throw', { error: stackOf(error) });
  }
  function onRejection(reason: unknown): void {
    counters.countLateFailure('rejection');
    log.error('unhandled_rejection', { error: stackOf(reason) });
  }
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return () => {
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  };
}
