// `bun bench/cluster/costs.ts [--quick]`: what a poll, a stream reader and a follower cost the serving node
// of a cluster and its Redis, for docs/guide/cluster.md#sizing. All processes share the cores of this
// machine.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster } from '../../scripts/cluster/cluster.ts';
import { RedisLimits } from '../../src/access/cluster/redis-limits.ts';
import { SETTLED_PER_CALL_MAX } from '../../src/access/limits.ts';
import { systemClock } from '../../src/clock.ts';
import { RedisLink } from '../../src/storage/redis.ts';
import { makeKeys } from '../../test/cluster/keys.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { flagsOf } from '../flags.ts';
import { runWrk, toRequestsFile } from '../http/load.ts';
import { processorSeconds, residentBytes } from '../processes.ts';
import { Readers, streamRequest } from '../streams/site.ts';

const { isQuick } = flagsOf({
  command: 'bun bench/cluster/costs.ts',
  about: 'What a poll, a reader of the stream and a follower cost a serving node of a cluster and its Redis.',
});
const SECONDS = isQuick ? 4 : 12;
const MESSAGES_PER_SECOND = 1_000;
/** A key admits a thousand requests a second. */
const KEYS = 100;
const FIXTURES = 50;
const READERS = 1_000;
const STREAMS_PER_KEY = 500;
const TICK_MS = 1_000;
/** The views measured. In each measurement, all readers subscribe to the same one. */
const VIEWS = [
  ['the whole slate', ''],
  ['one market of two bookmakers', '&markets=asian_handicap&bookmakers=crown,sbobet'],
] as const;
/** A measurement begins this long after its readers connect. By then all have received their snapshots. */
const OPENED_MS = 8_000;

/** What the processes used per second of a measurement: processor, bytes and calls. */
interface Used {
  readonly servingPercent: number;
  readonly redisPercent: number;
  readonly redisInBytes: number;
  readonly redisOutBytes: number;
  /** Calls of all Redis scripts together. */
  readonly scriptCalls: number;
}

function report(what: string, figure: string): void {
  console.log(`| ${what} | ${figure} |`);
}

async function main(): Promise<void> {
  using folder = temporaryFolder();
  await using cluster = await Cluster.start({
    folder: folder.path,
    feed: 'simulator',
    ingestNodes: 1,
    servingNodes: 1,
    settings: { LOG_LEVEL: 'error', SIMULATOR_RATE: String(MESSAGES_PER_SECOND), STOP_DRAIN_MS: '0' },
  });
  const link = new RedisLink({ url: cluster.redis.url, clock: systemClock });
  const [serving] = cluster.serving;
  const keys = await makeKeys(cluster.postgres.url(), new Array(KEYS).fill('enterprise'));

  console.log('| what | figure |\n|---|---|');
  const idle = await watch(cluster, link, () => Bun.sleep(SECONDS * 1_000));
  report(
    `a follower at ${MESSAGES_PER_SECOND} messages a second, nobody asking: processor`,
    `${idle.servingPercent.toFixed(1)} %`,
  );
  report('the same: bytes a second from Redis', Math.round(idle.redisOutBytes).toLocaleString('en-GB'));
  report('the same: Redis, processor for leader and follower', `${idle.redisPercent.toFixed(1)} %`);

  const { data } = (await (await fetch(`${serving!.url}/v1/events?limit=${FIXTURES}`)).json()) as {
    data: { id: string }[];
  };
  const requests = keys.map((key, index) => {
    const path = `/v1/events/${data[index % data.length]!.id}/odds?market_type=asian_handicap`;
    return { path, headers: { authorization: `Bearer ${key}` } };
  });
  const file = join(folder.path, 'requests');
  await Bun.write(file, toRequestsFile(requests));
  await runWrk(serving!.url, file, 2);
  let perSecond = 0;
  const polled = await watch(cluster, link, async () => {
    ({ perSecond } = await runWrk(serving!.url, file, SECONDS));
  });
  const pollUs = ((polled.servingPercent - idle.servingPercent) / 100 / perSecond) * 1e6;
  report('polls a second of one node, load on the same cores', Math.round(perSecond).toLocaleString('en-GB'));
  report('a poll: processor of the serving node', `${pollUs.toFixed(1)} us`);
  report('a poll: script calls of Redis', ((polled.scriptCalls - idle.scriptCalls) / perSecond).toFixed(5));

  for (const [what, filters] of VIEWS) {
    using readers = new Readers();
    const path = `/v1/stream?tick_ms=${TICK_MS}${filters}`;
    await readers.open(
      serving!.url,
      Array.from({ length: READERS }, (_, index) =>
        streamRequest(path, keys[Math.floor(index / STREAMS_PER_KEY)]!),
      ),
    );
    await Bun.sleep(OPENED_MS);
    let counts = { frames: 0, bytes: 0 };
    const streamed = await watch(cluster, link, async () => {
      counts = await readers.count(SECONDS);
    });
    const readerUs = ((streamed.servingPercent - idle.servingPercent) / 100 / READERS) * 1e6;
    const bytes = Math.round(counts.bytes / READERS / SECONDS).toLocaleString('en-GB');
    report(
      `a reader of ${what}, every ${TICK_MS} ms: processor of the serving node a second`,
      `${readerUs.toFixed(0)} us`,
    );
    report('the same: bytes a second', bytes);
    report(
      `the serving node with ${READERS} of them: resident`,
      `${Math.round(residentBytes(serving!.pid) / 1e6)} MB`,
    );
  }
  await settleMany(cluster, link);
  link.close();
  rmSync(file);
}

/**
 * What it costs Redis to settle the spent budget of one caller: if a call settles only that caller, and if it
 * settles as many callers as a call may.
 */
async function settleMany(cluster: Cluster, link: RedisLink): Promise<void> {
  const store = new RedisLimits({ link, node: 'bench' });
  let calls = 0;
  for (const callers of [1, SETTLED_PER_CALL_MAX]) {
    const countMax = (isQuick ? 10_000 : 40_000) / Math.ceil(Math.sqrt(SETTLED_PER_CALL_MAX / callers));
    const before = await look(cluster, link);
    let count = 0;
    for (; count < countMax; count += callers) {
      const owed = Array.from({ length: callers }, (_, index) => ({
        ...{ name: `key:${(count + index) % 20_000}`, spentMs: 800, aheadMs: 0 },
        daily: null,
      }));
      calls++;
      await store.settle({ number: calls, owed, isAfterOutage: false });
    }
    const after = await look(cluster, link);
    const us = ((after.redisSeconds - before.redisSeconds) / count) * 1e6;
    const bytes = (after.inBytes - before.inBytes + after.outBytes - before.outBytes) / count;
    const what = `to settle a caller, ${callers} in a call, beside the slate of ${MESSAGES_PER_SECOND} messages a second`;
    report(`${what}: processor of Redis; bytes`, `${us.toFixed(1)} us; ${Math.round(bytes)}`);
  }
}

async function watch(cluster: Cluster, link: RedisLink, run: () => Promise<unknown>): Promise<Used> {
  const start = await look(cluster, link);
  const startMs = performance.now();
  await run();
  const seconds = (performance.now() - startMs) / 1_000;
  const end = await look(cluster, link);
  const rate = (name: keyof typeof start) => (end[name] - start[name]) / seconds;
  return {
    servingPercent: rate('servingSeconds') * 100,
    redisPercent: rate('redisSeconds') * 100,
    redisInBytes: rate('inBytes'),
    redisOutBytes: rate('outBytes'),
    scriptCalls: rate('scriptCalls'),
  };
}

async function look(cluster: Cluster, link: RedisLink) {
  const text = String(await link.call('INFO', ['all'], 2_000));
  const value = (name: string) => Number(new RegExp(`${name}[:=]([0-9.]+)`).exec(text)?.[1] ?? 0);
  const scriptCalls = [...text.matchAll(/cmdstat_(?:eval|evalsha):calls=(\d+)/g)];
  return {
    servingSeconds: processorSeconds(cluster.serving[0]!.pid),
    redisSeconds: processorSeconds(cluster.redis.pid),
    inBytes: value('total_net_input_bytes'),
    outBytes: value('total_net_output_bytes'),
    scriptCalls: scriptCalls.reduce((sum, [, calls]) => sum + Number(calls), 0),
  };
}

await main();
process.exit(0);
