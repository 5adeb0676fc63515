// The server in the foreground: a service out of settings, and a stop in order on SIGINT and SIGTERM.

import type { Config } from '../config.ts';
import { installCrashGuards } from '../telemetry/crash-guards.ts';
import { startService } from './service.ts';

/** Runs until a signal ends it. @returns the exit code. @throws Error for the operator when it cannot start */
export async function runServer(config: Config): Promise<number> {
  // Listened for from the beginning: a signal that comes during the start ends the service in order once it stands.
  const interrupted = new Promise<string>((resolve) => {
    let isStopping = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // A second signal ends the process at once: whoever sends it does not want to wait.
        if (isStopping) process.exit(1);
        isStopping = true;
        resolve(signal);
      });
    }
  });
  const service = await startService(config);
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
