// The server's command: settings in, a service out, and a stop in order on SIGINT and SIGTERM.

import { ConfigError, loadConfig } from './config.ts';
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
      void service.stop().then(() => process.exit(0));
    });
  }
}

main().catch((error: unknown) => {
  writeStandardError(error instanceof ConfigError || error instanceof Error ? error.message : String(error));
  process.exit(1);
});
