// From the command to the first responses, as a user starts it: `bun bench/startup.ts [command ...]`, by
// default `bun src/main.ts start`. Makes five starts, each with an empty data folder, and prints the median.
// Our own command fails above READY_MAX_MS. Another command, such as `npx -y bun@1.4.5 start`, adds its own
// time.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/support/free-port.ts';
import { median } from './figures.ts';

const ROOT = join(import.meta.dir, '..');
const STARTS = 5;
/** The aim, with everything installed. */
const READY_MAX_MS = 1_000;
const GIVE_UP_MS = 30_000;
const TRY_MS = 2;

interface Start {
  /** The time until /health answers. */
  readonly answeringMs: number;
  /** The time until /ready reports that the slate is served. */
  readonly readyMs: number;
}

async function main(): Promise<void> {
  const given = process.argv.slice(2);
  const command = given.length > 0 ? given : [process.execPath, 'src/main.ts', 'start'];
  const starts: Start[] = [];
  for (let count = 0; count < STARTS; count += 1) starts.push(await measure(command));
  const answeringMs = median(starts.map((start) => start.answeringMs));
  const readyMs = median(starts.map((start) => start.readyMs));
  console.log(
    `${command.join(' ')}: first answer ${answeringMs} ms, slate served ${readyMs} ms (median of ${STARTS})`,
  );
  if (given.length === 0 && readyMs > READY_MAX_MS) {
    console.error(`Cannot start in time: ${readyMs} ms, at most ${READY_MAX_MS} ms are allowed`);
    process.exit(1);
  }
}

async function measure(command: readonly string[]): Promise<Start> {
  const dataDir = mkdtempSync(join(tmpdir(), 'overround-startup-'));
  const port = freePort();
  const startedAtMs = performance.now();
  const child = Bun.spawn([...command], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'ignore'],
    // A separate process group, so that whatever npx or a script has started ends with it.
    detached: true,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
  });
  try {
    await untilOk(`http://127.0.0.1:${port}/health`, startedAtMs);
    const answeringMs = Math.round(performance.now() - startedAtMs);
    await untilOk(`http://127.0.0.1:${port}/ready`, startedAtMs);
    return { answeringMs, readyMs: Math.round(performance.now() - startedAtMs) };
  } finally {
    process.kill(-child.pid, 'SIGTERM');
    await child.exited;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function untilOk(url: string, startedAtMs: number): Promise<void> {
  while (performance.now() - startedAtMs < GIVE_UP_MS) {
    const response = await fetch(url).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await Bun.sleep(TRY_MS);
  }
  throw new Error(`Cannot measure: ${url} did not answer 200 in ${GIVE_UP_MS} ms`);
}

await main();
