// `bun bench/cluster/run.ts [--quick]`: the cost of sharing a slate over Redis. It measures the time from
// when a leader publishes a batch until readers of a serving node can see it, the bytes of each follower, and
// the processor time of Redis and of both sides. Redis, the leader and each follower are separate processes
// on this machine, connected over loopback. It takes about a minute.

import { systemClock } from '../../src/clock.ts';
import { RedisLink } from '../../src/storage/redis.ts';
import { REDIS_MISSING, RedisServer } from '../../test/support/redis-server.ts';
import { quantileOf } from '../figures.ts';
import { flagsOf } from '../flags.ts';
import { processorSeconds } from '../processes.ts';
import type { NodeOptions, Sighting } from './node.ts';

const { isQuick } = flagsOf({
  command: 'bun bench/cluster/run.ts',
  about: 'What it takes to share a slate over Redis, in about a minute.',
});
const SECONDS = isQuick ? 5 : 15;
const SETTLE_MS = 3_000;
const AIM_P99_MS = 10;

interface Case {
  readonly followers: number;
  readonly messagesPerSecond: number;
  readonly fixtures: number;
  readonly quotesPerFixture: number;
}

const CASES: readonly Case[] = [
  { followers: 1, messagesPerSecond: 500, fixtures: 150, quotesPerFixture: 60 },
  { followers: 1, messagesPerSecond: 5_000, fixtures: 150, quotesPerFixture: 60 },
  { followers: 3, messagesPerSecond: 5_000, fixtures: 150, quotesPerFixture: 60 },
  { followers: 1, messagesPerSecond: 5_000, fixtures: 1_000, quotesPerFixture: 100 },
];

if (REDIS_MISSING !== null) throw new Error(`Cannot bench: ${REDIS_MISSING}`);
console.log(
  `| messages a second | fixtures x quotes | followers | delay p50 | p99 (aim ${AIM_P99_MS} ms) | longest | KB/s of a follower | KB/s to Redis | processor: leader | Redis | each follower |`,
);
console.log('|---|---|---|---|---|---|---|---|---|---|---|');
for (const one of CASES) console.log(await rowOf(one));

async function rowOf(one: Case): Promise<string> {
  await using redis = await RedisServer.start();
  const link = new RedisLink({ url: redis.url, clock: systemClock });
  const start = (role: NodeOptions['role']) =>
    Bun.spawn(
      [process.execPath, `${import.meta.dir}/node.ts`, JSON.stringify({ ...one, role, url: redis.url })],
      { stdout: 'pipe', stderr: 'inherit' },
    );
  const leader = start('leader');
  const followers = Array.from({ length: one.followers }, () => start('follower'));
  await Bun.sleep(SETTLE_MS);
  const pids = [leader.pid, redis.pid, ...followers.map(({ pid }) => pid)];
  const fromSeconds = pids.map(processorSeconds);
  const [inFrom, outFrom] = await trafficOf(link);
  const fromMs = performance.timeOrigin + performance.now();
  await Bun.sleep(SECONDS * 1_000);
  const toMs = performance.timeOrigin + performance.now();
  const [inTo, outTo] = await trafficOf(link);
  const shares = pids.map((pid, index) => (processorSeconds(pid) - fromSeconds[index]!) / SECONDS);
  link.close();
  // Read the followers first, so that the leader's list contains everything they have seen.
  const published = sightingsOf(leader);
  const seen = followers.map(sightingsOf);
  leader.kill();
  for (const follower of followers) follower.kill();
  const publishedThen = (await published).filter(([, atMs]) => atMs >= fromMs && atMs < toMs - 1_000);
  const delays = (await Promise.all(seen))
    .flatMap((sightings) => delaysOf(publishedThen, sightings))
    .sort((left, right) => left - right);
  const ms = (share: number) => `${quantileOf(delays, share).toFixed(1)} ms`;
  const kilobytes = (bytes: number) => Math.round(bytes / SECONDS / 1_000);
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const ofFollowers = shares.slice(2).reduce((sum, share) => sum + share, 0) / one.followers;
  return `| ${one.messagesPerSecond} | ${one.fixtures} x ${one.quotesPerFixture} | ${one.followers} | ${ms(0.5)} | ${ms(0.99)} | ${ms(1)} | ${kilobytes((outTo - outFrom) / one.followers)} | ${kilobytes(inTo - inFrom)} | ${percent(shares[0]!)} | ${percent(shares[1]!)} | ${percent(ofFollowers)} |`;
}

/** For each batch, the time until the first sighting of its version or a later one. */
function delaysOf(published: readonly Sighting[], seen: readonly Sighting[]): number[] {
  let at = 0;
  const delays: number[] = [];
  for (const [version, atMs] of published) {
    while (at < seen.length && seen[at]![0] < version) at++;
    const sighting = seen[at];
    if (sighting === undefined) throw new Error('A follower never saw a version that was published');
    delays.push(sighting[1] - atMs);
  }
  return delays;
}

async function sightingsOf(node: Bun.Subprocess<'ignore', 'pipe', 'inherit'>): Promise<Sighting[]> {
  const text = await new Response(node.stdout).text();
  return JSON.parse(text.slice(text.indexOf('\n') + 1)) as Sighting[];
}

/** Bytes that Redis has received and sent. */
async function trafficOf(link: RedisLink): Promise<readonly [received: number, sent: number]> {
  const info = String(await link.call('INFO', ['stats']));
  const field = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(info)?.[1]);
  return [field('total_net_input_bytes'), field('total_net_output_bytes')];
}
