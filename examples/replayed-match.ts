// Shows a match. It makes a recording of the simulated market (or uses the recording named by the first
// argument) and starts a server that replays it a hundred times as fast. Then it prints the clock, the
// score and the best prices as they move. It deletes all its files at the end. Settings: FEED_SPEED (100),
// LINES (40, the most lines to print).

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
// When it is interrupted or terminated, it cleans up as usual, and exits with the status that shells use for
// that signal.
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

/** Reads the address and the first key from the server's log. */
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
 * Follows a live match until it ends, then the next one, until enough lines are printed or the recording is
 * over.
 * @returns the exit status
 */
async function follow(url: string, key: string, linesMax: number): Promise<number> {
  await using mirror = createClient({ url, key }).mirror({ sport: 'football', tick_ms: 20 });
  let followed = '';
  let last = '';
  let printed = 0;
  // When nothing has changed for this long, the recording is over.
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
    if (++printed >= linesMax) break;
  }
  clearTimeout(over);
  if (printed === 0) console.error('Nothing to show: the recording has no football match that is live');
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
