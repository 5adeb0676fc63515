// The server's command: settings in, a service out, and a stop in order on SIGINT and SIGTERM.

import { loadConfig } from './config.ts';
import { writeStandardError } from './log.ts';
import { startService } from './start/service.ts';

async function main(): Promise<void> {
  const service = await startService(loadConfig());
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      service.log.info('stopping', { signal });
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          service.log.error('stop_failed', { error: String(error) });
          process.exit(1);
        },
      );
    });
  }
}

main().catch((error: unknown) => {
  writeStandardError(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
