// The faults of a cluster: its processes die, freeze and come back in turn, while callers poll and follow it
// through nginx. Each fault ends when every node has recovered and every caller has a fresh answer.

import { Cluster, type ClusterNode } from '../../scripts/cluster/cluster.ts';
import { FeedStandIn } from '../service/mirrors/feed-stand-in.ts';
import { until } from '../support/condition.ts';
import type { KeyHolder } from '../support/key-holder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  type CallerCounts,
  ClusterPoller,
  ClusterReader,
  enterKeyHolder,
  GreedyCaller,
  takeCounts,
} from './callers.ts';
import { makeKeys } from './keys.ts';

/** How long callers are watched after a fault is over. */
const AFTER_MS = 300;

interface StoryOptions {
  readonly seed: number;
  readonly messagesPerSecond: number;
  readonly ingestNodes: number;
  readonly servingNodes: number;
  readonly pollers: number;
  /** How long a frozen process stays frozen. */
  readonly stillMs: number;
  /** The names of the faults to provoke; all of them if absent. */
  readonly faults?: readonly string[];
  readonly rounds: number;
  /** The folder with the source of the release that the nodes begin with; this release if absent. */
  readonly source?: string;
  /** Rejects if the story must end early. */
  readonly interrupted?: Promise<never>;
}

interface Fault {
  readonly name: string;
  readonly provoke: (scene: Scene) => Promise<void>;
  /** Whether callers may get no answer: their node or proxy has gone, and they retry. */
  readonly mayBreak?: boolean;
  /** Whether there may be no slate for a while. */
  readonly mayFail?: boolean;
  /** Whether `provoke` resolves only when the fault is over. Recovery is then measured from that moment. */
  readonly lasts?: boolean;
}

/** The cost of a fault. */
interface FaultRow extends CallerCounts {
  readonly name: string;
  readonly recoveryMs: number;
  /** How long there was no leader, for faults of the leader; otherwise null. */
  readonly takeoverMs: number | null;
}

interface Scene {
  readonly cluster: Cluster;
  readonly stillMs: number;
  readonly turn: number;
  /** Must be called when a process of a node was restarted. */
  restarted(): void;
  /** Must be called when another ingest node leads, `ms` after the former leader last worked. */
  tookOver(ms: number): void;
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'a serving node is killed',
    mayBreak: true,
    provoke: async ({ cluster, turn, restarted }) => {
      const node = cluster.serving[turn % cluster.serving.length]!;
      await node.kill();
      await Bun.sleep(500);
      node.start();
      restarted();
    },
  },
  {
    name: 'a serving node stands still',
    mayBreak: true,
    lasts: true,
    provoke: async ({ cluster, turn, stillMs }) =>
      standStill(cluster.serving[(turn + 1) % cluster.serving.length]!, stillMs),
  },
  {
    name: 'the leader is killed',
    mayFail: true,
    provoke: async ({ cluster, tookOver }) => {
      const leader = await leaderOf(cluster);
      const sinceMs = performance.now();
      await leader.kill();
      await takenOver(cluster, leader);
      tookOver(performance.now() - sinceMs);
      leader.start();
    },
  },
  {
    name: 'the leader stands still, and wakes when another leads',
    mayFail: true,
    provoke: async ({ cluster, stillMs, tookOver }) => {
      const leader = await leaderOf(cluster);
      const sinceMs = performance.now();
      leader.freeze();
      await takenOver(cluster, leader);
      tookOver(performance.now() - sinceMs);
      await Bun.sleep(Math.max(0, stillMs - 4_000));
      leader.thaw();
    },
  },
  {
    name: 'Redis stands still',
    mayFail: true,
    lasts: true,
    provoke: async ({ cluster, stillMs }) => standStill(cluster.redis, stillMs),
  },
  {
    name: 'Redis dies and starts empty',
    mayFail: true,
    lasts: true,
    provoke: async ({ cluster, stillMs }) => {
      await cluster.redis.kill();
      await Bun.sleep(stillMs / 2);
      await cluster.redis.resume();
    },
  },
  {
    name: 'Postgres is restarted',
    lasts: true,
    provoke: async ({ cluster }) => {
      await cluster.postgres.stop();
      await cluster.postgres.resume();
    },
  },
  {
    // Serving nodes first, because only the newer release can read the slate of the other one. Every poll
    // gets an answer; one that comes while the next leader begins its epoch may get 503 with Retry-After.
    name: 'every node is upgraded, one after the other',
    mayFail: true,
    lasts: true,
    provoke: async ({ cluster, restarted, tookOver }) => {
      for (const node of cluster.serving) {
        await node.upgrade();
        restarted();
        await cluster.whenReady(node);
        // Otherwise the next node might stop before nginx uses this one again, and nginx would have no node
        // left.
        await cluster.whenPolled(node);
      }
      const leader = await leaderOf(cluster);
      for (const node of cluster.ingest.filter((one) => one !== leader)) {
        await node.upgrade();
        await until(`${node.name} stands by`, async () => (await stateOf(node)) === 'waiting');
        await cluster.whenReady(node);
      }
      const sinceMs = performance.now();
      await leader.upgrade();
      await takenOver(cluster, leader);
      tookOver(performance.now() - sinceMs);
    },
  },
];

async function standStill(what: { freeze(): void; thaw(): void }, ms: number): Promise<void> {
  what.freeze();
  await Bun.sleep(ms);
  what.thaw();
}

async function leaderOf(cluster: Cluster): Promise<ClusterNode> {
  let leader: ClusterNode | null = null;
  await until('an ingest node leads', async () => {
    leader = await cluster.leader();
    return leader !== null;
  });
  return leader!;
}

async function takenOver(cluster: Cluster, former: ClusterNode): Promise<void> {
  await until('another ingest node leads', async () => {
    const others = cluster.ingest.filter((node) => node !== former);
    const states = await Promise.all(others.map((node) => stateOf(node)));
    return states.includes('leading');
  });
}

async function stateOf(node: ClusterNode): Promise<string | null> {
  const health = (await node.ask('/health'))?.body as { node?: { state: string } } | undefined;
  return health?.node?.state ?? null;
}

/** Provokes each fault in each round. @throws Error at the first wrong result */
export async function playStory(options: StoryOptions): Promise<readonly FaultRow[]> {
  using folder = temporaryFolder();
  const feed = new FeedStandIn(options.seed);
  await using cluster = await Cluster.start({
    folder: folder.path,
    feed: feed.url,
    ingestNodes: options.ingestNodes,
    servingNodes: options.servingNodes,
    // The nodes have no thread for the price history; the nodes of test/faults/tape-cluster.ts have one.
    settings: { LOG_LEVEL: 'warn', STOP_DRAIN_MS: '0', HISTORY_DAYS: '0' },
    ...(options.source === undefined ? {} : { source: options.source }),
  });
  const [seeing = '', blind = '', greedy = ''] = await makeKeys(cluster.postgres.url(), [
    'enterprise',
    'free',
    'standard',
  ]);
  const holder = await enterKeyHolder(cluster);
  await openByTicket(cluster.url, seeing);
  const endTalk = feed.sendAtRate(options.messagesPerSecond);
  const { url } = cluster;
  const pollers = [
    ...Array.from({ length: options.pollers }, () => {
      return new ClusterPoller({ url, feed, key: seeing, seesSharp: true, pauseMs: 100 });
    }),
    new ClusterPoller({ url, feed, key: blind, seesSharp: false, pauseMs: 1_100 }),
  ];
  const readers = [0, 1].map(() => new ClusterReader({ url, feed, key: seeing, seesSharp: true }));
  const greedyCaller = new GreedyCaller(
    cluster.serving.map((node) => node.url),
    { key: greedy, tier: 'standard', pauseMs: 40 },
  );
  const callers = [...pollers, ...readers, greedyCaller, holder];
  const running = Promise.all(callers.map((caller) => caller.run()));
  try {
    const story = playFaults(options, cluster, { pollers, readers, greedyCaller, holder });
    const ends = [story, running.then(() => story), ...(options.interrupted ? [options.interrupted] : [])];
    const rows = await Promise.race(ends);
    for (const caller of callers) caller.end();
    await running;
    return rows;
  } finally {
    for (const caller of callers) caller.end();
    endTalk();
    await feed.stop();
  }
}

interface Cast {
  readonly pollers: readonly ClusterPoller[];
  readonly readers: readonly ClusterReader[];
  readonly greedyCaller: GreedyCaller;
  readonly holder: KeyHolder;
}

async function playFaults(options: StoryOptions, cluster: Cluster, cast: Cast): Promise<FaultRow[]> {
  const callers = [...cast.pollers, ...cast.readers];
  const chosen = FAULTS.filter(({ name }) => options.faults?.includes(name) ?? true);
  let nodeStarts = options.servingNodes;
  const rows: FaultRow[] = [];
  await whenWell(cluster, cast, 'the start');
  takeCounts(callers);
  for (let turn = 0; turn < options.rounds; turn++) {
    for (const fault of chosen) {
      const provokedMs = performance.now();
      const restarted = () => {
        nodeStarts++;
      };
      let takeoverMs: number | null = null;
      const tookOver = (ms: number) => {
        takeoverMs = ms;
      };
      await fault.provoke({ cluster, stillMs: options.stillMs, turn, restarted, tookOver });
      const sinceMs = fault.lasts === true ? performance.now() : provokedMs;
      await whenWell(cluster, cast, fault.name);
      const recoveryMs = performance.now() - sinceMs;
      await Bun.sleep(AFTER_MS);
      const counts = takeCounts(callers);
      rows.push({ name: fault.name, recoveryMs, takeoverMs, ...counts });
      judge(fault, counts);
      await cast.holder.check();
      const { admitted } = cast.greedyCaller;
      const allowed = cast.greedyCaller.allowed(nodeStarts);
      if (admitted > allowed)
        throw new Error(`${fault.name}: ${admitted} requests were admitted; the limits allow ${allowed}`);
    }
  }
  return rows;
}

function judge(fault: Fault, counts: CallerCounts): void {
  const { answered, broken, unavailable, resent } = counts;
  if (answered === 0) throw new Error(`${fault.name}: nobody had an answer`);
  if (broken > 0 && fault.mayBreak !== true) throw new Error(`${fault.name}: ${broken} polls got no answer`);
  if (unavailable > 0 && fault.mayFail !== true && fault.mayBreak !== true) {
    throw new Error(`${fault.name}: ${unavailable} polls were answered 503`);
  }
  if (resent > 0) throw new Error(`${fault.name}: ${resent} cursors were answered with a whole slate`);
}

/** Waits until all nodes have recovered, exactly one leads, and then every poller has had a fresh answer. */
async function whenWell(cluster: Cluster, { pollers }: Cast, after: string): Promise<void> {
  let state = '';
  try {
    await until(`the cluster is well after ${after}`, async () => {
      await Bun.sleep(100);
      const healths = await Promise.all(
        cluster.nodes.map(async (node) => [node, await node.ask('/health')] as const),
      );
      state = healths
        .map(([{ name }, health]) => `${name}: ${JSON.stringify(health?.body ?? null)}`)
        .join('\n');
      const bodies = healths.map(
        ([, health]) => health?.body as { status: string; node?: { state: string } } | null,
      );
      const isWell = bodies.every((body) => body?.status === 'ok');
      return isWell && bodies.filter((body) => body?.node?.state === 'leading').length === 1;
    });
    const wellMs = performance.now();
    await until(`every poller has a fresh answer after ${after}`, () =>
      pollers.every(({ freshAtMs }) => freshAtMs > wellMs),
    );
  } catch (error) {
    throw new Error(`${String(error)}\n${state}`, { cause: error });
  }
}

/**
 * Opens streams by ticket; nginx may send the two requests of each to different nodes.
 * @throws Error if a stream is not opened
 */
async function openByTicket(url: string, key: string): Promise<void> {
  for (let attempt = 0; attempt < 6; attempt++) {
    const headers = { authorization: `Bearer ${key}` };
    const made = await fetch(`${url}/v1/tickets`, { method: 'POST', headers });
    const { ticket } = (await made.json()) as { ticket: string };
    const end = new AbortController();
    const stream = await fetch(`${url}/v1/stream?ticket=${ticket}`, { signal: end.signal });
    end.abort();
    if (stream.status !== 200) throw new Error(`A ticket opens no stream: ${stream.status}`);
  }
}

/** The rows as a Markdown table. */
export function tableOf(rows: readonly FaultRow[]): string {
  const secondsText = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  const lines = rows.map(({ name, recoveryMs, takeoverMs, slowestMs, ...counts }) => {
    const { answered, broken, unavailable, resent } = counts;
    const times = [secondsText(recoveryMs), takeoverMs === null ? '' : secondsText(takeoverMs)];
    const words = [name, ...times, answered, broken, unavailable, resent];
    return `| ${[...words, `${Math.round(slowestMs)} ms`].join(' | ')} |`;
  });
  return [
    '| fault | well again after | another leads after | answers | without an answer | 503 | slates sent again | slowest poll |',
    '|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
