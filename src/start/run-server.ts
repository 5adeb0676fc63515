// The server in the foreground: a service out of settings, and a stop in order on SIGINT and SIGTERM.

import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { installCrashGuards } from '../telemetry/crash-guards.ts';
import { startService } from './service.ts';
import { scheduleThreads } from './thread-scheduling.ts';

/** Signals within this time are one. */
const SAME_SIGNAL_MS = 1_000;
/** How often threads that the engine has started meanwhile are given their place: until then they have their parent's. */
const SCHEDULE_EVERY_MS = 2_000;

/** Runs until a signal ends it. @returns the exit code. @throws Error for the operator when it cannot start */
export async function runServer(config: Config): Promise<number> {
  // Listened for from the beginning: a signal that comes during the start ends the service in order once it stands.
  const interrupted = new Promise<string>((resolve) => {
    let stoppingSinceMs: number | null = null;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // A stop of the whole process group (Ctrl-C, a service manager) comes twice: directly, and passed on by the runner
        // that started this process. A signal that comes later ends the process at once: its sender does not want to wait.
        const nowMs = systemClock.monotonicMs();
        stoppingSinceMs ??= nowMs;
        if (nowMs - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1);
        resolve(signal);
      });
    }
  });
  // Called before any worker is started, because a new thread begins with the scheduling of main.
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
