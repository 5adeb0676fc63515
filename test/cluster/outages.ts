// `bun run cluster outages`: a real Redis under a cluster of processes freezes, or dies and restarts empty,
// for 2 to 30 seconds, while a caller within its rate and one above it call all serving nodes. For each run:
// how long after Redis is back every node has new prices, and which callers the nodes refused.

import { parseArgs } from 'node:util';
import { CLUSTER_MISSING, Cluster, type ClusterNode } from '../../scripts/cluster/cluster.ts';
import { TIERS } from '../../src/domain/tiers.ts';
import { FeedStandIn } from '../service/mirrors/feed-stand-in.ts';
import { until } from '../support/condition.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { makeKeys, startTalking } from './story.ts';

const NODES = 2;
const MESSAGES_PER_SECOND = 1_000;
const TICK_MS = 10;
/**
 * Requests a second of the caller within its rate: less than half of the enterprise tier, spread evenly over
 * all nodes.
 */
const STEADY_PER_SECOND = 400;
/** Requests a second of the caller above its rate: the realtime tier has 100. */
const GREEDY_PER_SECOND = 200;
/** How long callers are watched after Redis is back. */
const AFTER_MS = 12_000;
const ANSWER_MS = 5_000;

interface Answer {
  readonly node: number;
  readonly status: number;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  /** The newest price in it, Unix ms. */
  readonly newestMs: number;
}

/** Calls the nodes in turn at an even rate and keeps the answers. */
class PacedCaller {
  readonly answers: Answer[] = [];
  readonly #timer: Timer;
  #sent = 0;

  constructor(nodes: readonly ClusterNode[], options: { key: string; perSecond: number }) {
    const startMs = performance.now();
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - startMs) / 1_000) * options.perSecond);
      for (; this.#sent < due; this.#sent++) void this.#ask(nodes, this.#sent % nodes.length, options.key);
    }, TICK_MS);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #ask(nodes: readonly ClusterNode[], node: number, key: string): Promise<void> {
    const sentAtMs = Date.now();
    try {
      const response = await fetch(nodes[node]!.url + slate.path, {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await response.text();
      if (response.status === 404) slate.changed(); // the fixture has left
      const stamps = [...text.matchAll(/"as_of":"([^"]+)"/g)].map((match) => Date.parse(match[1]!));
      this.answers.push({
        node,
        status: response.status,
        sentAtMs,
        answeredAtMs: Date.now(),
        newestMs: Math.max(0, ...stamps),
      });
    } catch {
      this.answers.push({ node, status: 0, sentAtMs, answeredAtMs: Date.now(), newestMs: 0 }); // counted as unanswered
    }
  }
}

interface Run {
  readonly kind: 'still' | 'empty';
  readonly seconds: number;
}

function runsOf(count: number): Run[] {
  const seconds = [2, 25, 3, 4, 30, 5, 8, 12, 6, 20];
  return Array.from({ length: count }, (_, index) => {
    return { kind: index % 2 === 0 ? 'still' : 'empty', seconds: seconds[(index >> 1) % seconds.length]! };
  });
}

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, only: { type: 'string' } },
});
if (CLUSTER_MISSING !== null) throw new Error(`Cannot start a cluster: ${CLUSTER_MISSING}`);
using folder = temporaryFolder();
const feed = new FeedStandIn(1);
await using cluster = await Cluster.start({
  folder: folder.path,
  feed: feed.url,
  ingestNodes: 2,
  servingNodes: NODES,
  settings: { LOG_LEVEL: 'warn', STOP_DRAIN_MS: '0' },
});
const tiers = ['enterprise', 'realtime', 'enterprise'] as const;
const [steadyKey = '', greedyKey = '', listingKey = ''] = await makeKeys(cluster.postgres.url(), tiers);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cluster[Symbol.asyncDispose]().then(() => process.exit(1)));
}
const talk = startTalking(feed, MESSAGES_PER_SECOND);
await until('a standby waits', async () => {
  const states = await Promise.all(cluster.ingest.map(async (node) => (await node.ask('/health'))?.body));
  return JSON.stringify(states).includes('leading') && JSON.stringify(states).includes('waiting');
});
/** A fixture of the slate to request. */
const slate = {
  path: '',
  isAsking: false,
  async choose(): Promise<void> {
    const listed = await fetch(`${cluster.serving[0]!.url}/v1/events?limit=50`, {
      headers: { authorization: `Bearer ${listingKey}` },
    });
    const ids = [...(await listed.text()).matchAll(/"(evt_[A-Za-z0-9_-]+)"/g)];
    const id = ids.at(-1)?.[1];
    if (id !== undefined) this.path = `/v1/events/${id}/odds`;
  },
  changed(): void {
    if (this.isAsking) return;
    this.isAsking = true;
    void this.choose().finally(() => {
      this.isAsking = false;
    });
  },
};
await slate.choose();

/** One outage under both callers. @returns a row of the table */
async function play({ kind, seconds }: Run): Promise<{ readonly row: string; readonly isGood: boolean }> {
  const steady = new PacedCaller(cluster.serving, { key: steadyKey, perSecond: STEADY_PER_SECOND });
  const greedyStartMs = performance.now();
  const greedy = new PacedCaller(cluster.serving, { key: greedyKey, perSecond: GREEDY_PER_SECOND });
  await Bun.sleep(2_000);
  if (kind === 'still') cluster.redis.freeze();
  else await cluster.redis.kill();
  await Bun.sleep(seconds * 1_000);
  if (kind === 'still') cluster.redis.thaw();
  else await cluster.redis.resume();
  const backAtMs = Date.now();
  await Bun.sleep(AFTER_MS);
  steady.end();
  greedy.end();
  const minutes = (performance.now() - greedyStartMs) / 60_000;
  await Bun.sleep(500);
  const newAfterMs = Array.from({ length: NODES }, (_, node) => {
    const first = steady.answers.find((answer) => answer.node === node && answer.newestMs > backAtMs);
    return first === undefined ? Number.POSITIVE_INFINITY : first.answeredAtMs - backAtMs;
  });
  const refused = (answers: readonly Answer[], after: boolean) =>
    answers.filter((answer) => answer.status === 429 && answer.sentAtMs >= backAtMs === after).length;
  const others = steady.answers.filter(({ status }) => ![200, 404, 429].includes(status)).length;
  const { burst, perMinute } = TIERS.find(({ key }) => key === 'realtime')!;
  const allowed = Math.floor(burst + minutes * perMinute + NODES * 2 * Math.floor(burst / 8));
  const admitted = greedy.answers.filter(({ status }) => status === 200 || status === 404).length;
  const cells = [
    kind === 'still' ? 'stands still' : 'dies, comes back empty',
    `${seconds} s`,
    `${(Math.max(...newAfterMs) / 1_000).toFixed(2)} s`,
    `${refused(steady.answers, false)} / ${refused(steady.answers, true)} of ${steady.answers.length}`,
    String(others),
    `${admitted} of ${allowed}`,
  ];
  const isGood =
    refused(steady.answers, true) === 0 && admitted <= allowed && Math.max(...newAfterMs) < 2_000;
  return { row: `| ${cells.join(' | ')} |`, isGood };
}

console.log(
  '| Redis | for | new prices on all nodes after | 429 within the rate: during / after | other answers | above the rate: admitted |',
);
console.log('|---|---|---|---|---|---|');
let failedCount = 0;
for (const run of runsOf(Number(values.runs)).filter(({ kind }) => kind === (values.only ?? kind))) {
  const { row, isGood } = await play(run);
  if (!isGood) failedCount++;
  console.log(row + (isGood ? '' : ' not as it must be'));
  await Bun.sleep(8_000); // the buckets fill
}
clearInterval(talk);
await feed.stop();
await cluster[Symbol.asyncDispose]();
process.exit(failedCount === 0 ? 0 : 1);
