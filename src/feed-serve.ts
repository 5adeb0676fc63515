// `bun src/feed-serve.ts <recording|simulator> [--port <n>] [--host <address>]`: serves one source over WebSocket until
// it is interrupted. Settings of the source, and FEED_TOKEN, come from the environment as for the server.

import { parseArgs } from 'node:util';
import { systemClock } from './clock.ts';
import { environmentWith, loadConfig } from './config.ts';
import { serviceLog, writeStandardError } from './log.ts';
import { startFeedServe } from './start/feed-serve.ts';

const USAGE = 'Usage: feed serve <recording|simulator> [--port <n>] [--host <address>]';
const DEFAULT_PORT = '3010';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: DEFAULT_PORT }, host: { type: 'string' } },
  });
  const [source] = positionals;
  if (source === undefined || positionals.length > 1) throw new Error(USAGE);
  const config = loadConfig(
    environmentWith({
      FEED: source === 'simulator' ? 'simulator' : `replay:${source}`,
      PORT: values.port,
      ...(values.host === undefined ? {} : { HOST: values.host }),
    }),
  );
  const served = await startFeedServe({
    settings: config,
    hostname: config.host,
    port: config.port,
    clock: systemClock,
    log: serviceLog(config, systemClock),
    seed: crypto.getRandomValues(new Uint32Array(1))[0]!,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void served.stop().then(() => process.exit(0)));
  }
}

main().catch((error: unknown) => {
  writeStandardError(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
