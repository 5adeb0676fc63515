// How a continuous sweep affects polling: `bun bench/sweep-effect.ts`. It runs a server process with the
// simulator as its feed, and a process that calls scan_slate again and again. The client in this process
// polls the odds of single fixtures at a fixed rate, whether or not earlier polls have been answered. Rounds
// without and with the sweep alternate, so that other load on the machine affects both. For each quantile it
// prints the median over the rounds. It has no limit at which it fails.

import { systemClock } from '../src/clock.ts';
import { Random } from '../src/domain/random.ts';
import { openSite, type Site, SiteCaller } from './tools-site.ts';

const ROUNDS = 11;
const ROUND_MS = 1_500;
const POLLS_PER_SECOND = 400;
const SEED = 7;
/**
 * The sweeps compared. `pauseMs` is the pause between two calls; with 0 a call follows each response
 * immediately.
 */
const SWEEPS = [
  { name: 'one sweep a second', pauseMs: 1_000 },
  { name: 'ten sweeps a second', pauseMs: 100 },
  { name: 'back to back', pauseMs: 0 },
];

interface Event {
  readonly id: string;
}

async function main(): Promise<void> {
  if (process.argv[2] === 'sweep') return sweep();
  const feed = { FEED: 'simulator', SIMULATOR_FOOTBALL_FIXTURES: '120', SIMULATOR_BASKETBALL_FIXTURES: '30' };
  await using site = await openSite(1, feed);
  const { data } = JSON.parse(await new SiteCaller(site).get('/v1/events?status=scheduled&limit=100')) as {
    data: Event[];
  };
  const paths = data.map(({ id }) => `/v1/events/${id}/odds`);
  await poll(site, paths, ROUND_MS); // warm-up
  for (const { name, pauseMs } of SWEEPS) {
    const alone: number[][] = [];
    const beside: number[][] = [];
    let sweepCount = 0;
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await poll(site, paths, ROUND_MS));
      const sweeper = spawnSweeper(site, pauseMs);
      beside.push(await poll(site, paths, ROUND_MS));
      sweepCount += await sweeper.end();
    }
    const perSecond = Math.round(sweepCount / ((ROUNDS * ROUND_MS) / 1_000));
    console.log(
      `${name} (${perSecond} a second), ${POLLS_PER_SECOND} polls a second, ${ROUNDS} rounds of ${ROUND_MS} ms without the sweep and as many with it`,
    );
    console.log(`  without  ${quantiles(alone)}`);
    console.log(`  with     ${quantiles(beside)}`);
  }
}

/** Polls at the fixed rate. @returns sorted latencies in ms */
async function poll(site: Site, paths: readonly string[], durationMs: number): Promise<number[]> {
  const caller = new SiteCaller(site);
  const random = new Random(SEED);
  const startMs = systemClock.monotonicMs();
  const latencies: number[] = [];
  const pending: Promise<void>[] = [];
  const total = Math.floor((durationMs / 1_000) * POLLS_PER_SECOND);
  async function one(path: string): Promise<void> {
    const sentMs = systemClock.monotonicMs();
    await caller.get(path);
    latencies.push(systemClock.monotonicMs() - sentMs);
  }
  for (let index = 0; index < total; ) {
    const elapsedMs = systemClock.monotonicMs() - startMs;
    const dueCount = Math.min(total, Math.floor((elapsedMs / 1_000) * POLLS_PER_SECOND) + 1);
    for (; index < dueCount; index++) {
      pending.push(one(paths[random.index(paths.length)]!));
    }
    await Bun.sleep(1);
  }
  await Promise.all(pending);
  return latencies.sort((left, right) => left - right);
}

function quantiles(rounds: readonly (readonly number[])[]): string {
  const parts = [0.5, 0.9, 0.99].map((share) => {
    const ofRounds = rounds.map((sorted) => sorted[Math.floor((sorted.length - 1) * share)]!);
    const median = ofRounds.sort((left, right) => left - right)[ofRounds.length >> 1]!;
    return `p${share * 100} ${median.toFixed(2)} ms`;
  });
  return parts.join(', ');
}

function spawnSweeper(site: Site, pauseMs: number): { end(): Promise<number> } {
  const child = Bun.spawn([process.execPath, import.meta.path, 'sweep'], {
    env: { ...Bun.env, SITE: JSON.stringify({ url: site.url, keys: site.keys, pauseMs }) },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  return {
    end: async () => {
      child.stdin.end();
      const count = Number(await new Response(child.stdout).text());
      await child.exited;
      return count;
    },
  };
}

/** Runs in the child process: sweeps until its input ends, then prints how many sweeps it has made. */
async function sweep(): Promise<void> {
  const { pauseMs, ...site } = JSON.parse(Bun.env.SITE ?? '') as Site & { readonly pauseMs: number };
  const caller = new SiteCaller(site);
  let ended = false;
  process.stdin.on('end', () => {
    ended = true;
  });
  process.stdin.resume();
  let count = 0;
  while (!ended) {
    await caller.tool('scan_slate', { only_signal: true, limit: 20 });
    count += 1;
    if (pauseMs > 0) await Bun.sleep(pauseMs);
  }
  console.log(count);
}

await main();
