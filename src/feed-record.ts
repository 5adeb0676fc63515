// `bun src/feed-record.ts <file> [--rotate-mb <n>] [--rotate-hours <n>]`: records what the server of DATA_DIR applies, or
// starts one, until it is interrupted. A file whose name ends in .gz is compressed.

import { parseArgs } from 'node:util';
import { systemClock } from './clock.ts';
import { loadConfig } from './config.ts';
import { Random } from './domain/random.ts';
import { serviceLog, writeStandardError } from './log.ts';
import { startRecording } from './start/feed-record.ts';

const USAGE = 'Usage: record <file> [--rotate-mb <n>] [--rotate-hours <n>]';
const HOUR_MS = 3_600_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'rotate-mb': { type: 'string' }, 'rotate-hours': { type: 'string' } },
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new Error(USAGE);
  const config = loadConfig();
  const log = serviceLog(config, systemClock);
  const recording = await startRecording({
    config,
    clock: systemClock,
    log,
    path,
    rotateBytes: amountOf(values['rotate-mb'], 1_000_000),
    rotateMs: amountOf(values['rotate-hours'], HOUR_MS),
    random: new Random(crypto.getRandomValues(new Uint32Array(1))[0]!),
  });
  log.info('recording', { path, started_server: recording.startedServer });
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await Promise.race([interrupted, recording.failed]);
  await recording.stop();
  const { paths, messageCount } = recording.recorder;
  log.info('recorded', { files: paths.length, last: paths.at(-1) ?? null, messages: messageCount });
  process.exit(0);
}

/** @throws Error when it is no positive number */
function amountOf(text: string | undefined, unit: number): number | null {
  if (text === undefined) return null;
  const amount = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || amount === 0) throw new Error(USAGE);
  return amount * unit;
}

main().catch((error: unknown) => {
  writeStandardError(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
