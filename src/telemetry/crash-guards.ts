// A throw after the answer, or a rejection that nobody handles, would end the process. Here it is logged, counted and
// survived. Each is a bug to be fixed, which is why the count is a metric.

import type { Log } from '../log.ts';

/** Told of every failure that was caught here. */
export interface CrashCounters {
  countLateFailure(kind: 'exception' | 'rejection'): void;
}

/** Installs both handlers for this thread. Returns the function that takes them off again. */
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
