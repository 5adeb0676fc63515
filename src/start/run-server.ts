// Runs the server in the foreground: starts the service from the settings, and stops it in order on SIGINT or
// SIGTERM.

import { systemClock } from '../clock.ts';
import { installCrashGuards } from '../platform/crash-guards.ts';
import { threadScheduler } from '../platform/thread-scheduling.ts';
import type { Config } from '../settings/config.ts';
import { startService } from './service.ts';

/** Signals within this time of each other count as one. */
const SAME_SIGNAL_MS = 1_000;
/**
 * How often to set the scheduling of threads that the engine has started meanwhile. Until then these have the
 * scheduling of the threads that started them.
 */
const SCHEDULE_EVERY_MS = 500;

/**
 * Runs until a signal ends it. @returns the exit code @throws Error for the operator if the server cannot
 * start
 */
export async function runServer(config: Config): Promise<number> {
  // Listen for signals from the beginning. If one arrives during the start, the service is stopped in order
  // as soon as it runs.
  const interrupted = new Promise<string>((resolve) => {
    let stoppingSinceMs: number | null = null;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // A stop of the whole process group (Ctrl-C, a service manager) arrives twice: directly, and passed
        // on by the runner that started this process. A later second signal ends the process at once, because
        // its sender does not want to wait.
        const nowMs = systemClock.monotonicMs();
        stoppingSinceMs ??= nowMs;
        if (nowMs - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1);
        resolve(signal);
      });
    }
  });
  // Call this before any worker starts, because a new thread inherits the scheduling of the main thread.
  const scheduleThreads = threadScheduler();
  scheduleThreads();
  const service = await startService(config);
  scheduleThreads();
  setInterval(scheduleThreads, SCHEDULE_EVERY_MS).unref();
  const { log } = service;
  installCrashGuards(log, service.crashCounters);
  log.info('stopping', { signal: await interrupted });
  try {
    await service.stop();
    return 0;
  } catch (error) {
    log.error('stop_failed', { error: String(error) });
    return 1;
  }
}
