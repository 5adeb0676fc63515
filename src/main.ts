// The server's command: settings in, a service out, and a stop in order on SIGINT and SIGTERM.

import { loadConfig } from './config.ts';
import { writeStandardError } from './log.ts';
import { type Service, startService } from './start/service.ts';
import { installCrashGuards } from './telemetry/crash-guards.ts';

async function main(): Promise<void> {
  const service = await startService(loadConfig());
  const { log, crashCounters } = service;
  installCrashGuards(log, crashCounters);
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal ends the process at once: whoever sends it does not want to wait.
      if (isStopping) process.exit(1);
      isStopping = true;
      log.info('stopping', { signal });
      void stop(service);
    });
  }
}

async function stop(service: Service): Promise<void> {
  try {
    await service.stop();
    process.exit(0);
  } catch (error) {
    service.log.error('stop_failed', { error: String(error) });
    process.exit(1);
  }
}

main().catch((error: unknown) => {
  writeStandardError(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
