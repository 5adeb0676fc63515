// An error thrown after the answer, or an unhandled rejection, would end the process. These handlers log and
// count it instead. Each one is a bug to fix, so the count is a metric.

import type { Log } from '../log.ts';

/** Counts the failures caught here. */
export interface CrashCounters {
  countLateFailure(kind: 'exception' | 'rejection'): void;
}

/** Installs both handlers for this thread. Returns a function that removes them. */
export function installCrashGuards(log: Pick<Log, 'error'>, counters: CrashCounters): () => void {
  function onException(error: unknown): void {
    counters.countLateFailure('exception');
    log.error('late_throw', { error: textOf(error) });
  }
  function onRejection(reason: unknown): void {
    counters.countLateFailure('rejection');
    log.error('unhandled_rejection', { error: textOf(reason) });
  }
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return () => {
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
