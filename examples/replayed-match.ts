// A match to show: makes a recording of the simulated market (or takes one, as the first argument), has a server replay it
// a hundred times as fast, and prints the clock, the score and the best prices as they move. Nothing of it stays behind.
// Settings: FEED_SPEED (100), LINES (40: how many lines it prints at most).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Fixture } from '../clients/typescript/src/index.ts';

const { FEED_SPEED = '100', LINES = '40' } = process.env;
const QUIET_MS = 10_000;
const ROOT = new URL('../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'overround-demo-'));
const overround = [process.execPath, `${ROOT}src/main.ts`];
const recording = process.argv[2] ?? (await simulated());
const server = Bun.spawn([...overround, 'start'], {
  env: { PATH: process.env.PATH ?? '', FEED: `replay:${recording}`, FEED_SPEED, DATA_DIR: folder, PORT: '0' },
  stdout: 'ignore',
  stderr: 'pipe',
});
// Interrupted or ended from outside, it ends as it does by itself, with the status that shells give a signal.
const interrupted = new Promise<number>((resolve) => {
  process.once('SIGINT', () => resolve(130));
  process.once('SIGTERM', () => resolve(143));
});
let status = 0;
try {
  const { url, key } = await started(server.stderr);
  status = await Promise.race([follow(url, key, Number(LINES)), interrupted]);
} finally {
  server.kill();
  await server.exited;
  rmSync(folder, { recursive: true });
}
process.exit(status);

async function simulated(): Promise<string> {
  const path = join(folder, 'match.ndjson.gz');
  const made = Bun.spawn([...overround, 'feed', 'simulate', path, '--seed', '7', '--football', '2'], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await made.exited) !== 0) throw new Error('Cannot make a recording');
  return path;
}

/** Address and first key, as the start says them. */
async function started(
  log: ReadableStream<Uint8Array>,
): Promise<{ readonly url: string; readonly key: string }> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of log) {
    text += decoder.decode(bytes, { stream: true });
    const url = /"?url"?[=:]"([^"]+)"/.exec(text)?.[1];
    const key = /isk_[0-9A-Za-z]{32}/.exec(text)?.[0];
    if (url !== undefined && key !== undefined) return { url, key };
  }
  throw new Error(`The server did not start: ${text}`);
}

/**
 * Follows a match that is live until it is over and then the next, until so many lines are printed or the recording is over.
 * @returns the status to end with
 */
async function follow(url: string, key: string, linesMax: number): Promise<number> {
  await using mirror = createClient({ url, key }).mirror({ sport: 'football', tick_ms: 20 });
  let followed = '';
  let last = '';
  // Nothing changes any more when the recording is over.
  const over = setTimeout(() => mirror.close(), QUIET_MS);
  for await (const _change of mirror) {
    over.refresh();
    if (mirror.get(followed)?.state.status !== 'live') {
      followed = Array.from(mirror.fixtures()).find(({ state }) => state.status === 'live')?.id ?? '';
    }
    const match = mirror.get(followed);
    if (match === undefined) continue;
    const line = lineOf(match);
    if (line === last) continue;
    console.log(line);
    last = line;
    if (--linesMax <= 0) break;
  }
  clearTimeout(over);
  return 0;
}

function lineOf({ event, state, quotes }: Fixture): string {
  const best: Record<string, number> = {};
  for (const { market_type, period, status, prices } of quotes.values()) {
    if (market_type !== '1x2' || period !== 'full_time' || status !== 'open') continue;
    for (const [outcome, price] of Object.entries(prices))
      best[outcome] = Math.max(best[outcome] ?? 0, price);
  }
  const score = state.score === null ? '-' : `${state.score.home}:${state.score.away}`;
  const prices = Object.entries(best).map(([outcome, price]) => `${outcome} ${price.toFixed(2)}`);
  return `${state.clock ?? state.status}  ${event.home_team.name} ${score} ${event.away_team.name}  ${prices.join('  ') || 'suspended'}`;
}
