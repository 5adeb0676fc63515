// A cluster that keeps the price history in a folder or a bucket that all nodes share: two ingest nodes with
// the same feed, two serving nodes, a real Redis. The leader is killed in the middle of a burst, again and
// again; the standby takes over. Then every price is on the tape once, there is no gap, and both serving
// nodes give the same bytes about the past. By hand: `bun test/faults/tape-cluster.ts --takeovers 5`.

import { join } from 'node:path';
import { eventWire, quoteWire, type WireMessage } from '../feed/wire.ts';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { RedisServer } from '../support/redis-server.ts';
import { S3Server } from '../support/s3-server.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface ClusterReport {
  readonly takeovers: number;
  readonly ticks: number;
  /** The lines whose ticks on the tape are not exactly the prices that were sent, each once and in order. */
  readonly wrongLines: readonly string[];
  readonly gaps: readonly unknown[];
  /** How many answers about the past were compared. */
  readonly compared: number;
  /** Requests that the serving nodes answered differently. */
  readonly differing: readonly string[];
}

const EVENTS = ['e1', 'e2'];
const BOOKS = ['crown', 'sbobet', 'macau'];
/** Handicaps, in quarters. */
const LINES = Array.from({ length: 60 }, (_, index) => (index - 30) / 4);
const BURST = 30;
const BURST_EVERY_MS = 10;
/**
 * Each line has one price per round, so every price is on the tape, however messages are grouped into
 * batches.
 */
const FIRST_PRICE_E4 = 15_000;

/** The quotes of one round; each line has a different price. */
function quotesOf(round: number): WireMessage[] {
  const price = (FIRST_PRICE_E4 + 100 * round) / 10_000;
  return EVENTS.flatMap((event) =>
    LINES.flatMap((line) =>
      BOOKS.map((bookmaker) => quoteWire(0, event, { bookmaker, line, prices: [price, 2], at: nowText() })),
    ),
  );
}

/** Two feeds that send the same messages, because a scripted feed has one follower at a time. */
class TwinFeeds implements Disposable {
  readonly #latest = new Map<string, WireMessage>();
  readonly feeds: readonly [ScriptedFeed, ScriptedFeed];

  constructor() {
    for (const event of EVENTS) {
      this.#latest.set(event, eventWire(0, event, { at: nowText(), scheduled_at: nowText(36_000_000) }));
    }
    const slate = () => [...this.#latest.values()];
    this.feeds = [new ScriptedFeed({ slate }), new ScriptedFeed({ slate })];
  }

  send(message: WireMessage): void {
    this.#latest.set(`${message.event} ${message.bookmaker} ${message.line}`, message);
    for (const feed of this.feeds) feed.send(message, message.at as string);
  }

  [Symbol.dispose](): void {
    for (const feed of this.feeds) feed.stop();
  }
}

/** A serving node, and a client of it. */
class ServingNode implements AsyncDisposable {
  readonly #process: ServerProcess;
  readonly #key: string;
  #url = '';

  private constructor(process: ServerProcess, key: string) {
    this.#process = process;
    this.#key = key;
  }

  static async start(settings: Record<string, string>, dataDir: string): Promise<ServingNode> {
    const [key = ''] = await createKeys(dataDir, 'enterprise', 1);
    const node = new ServingNode(new ServerProcess({ ...settings, ROLE: 'serve', DATA_DIR: dataDir }), key);
    node.#url = await node.#process.listening();
    return node;
  }

  async ask(path: string, body: object | null = null): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' };
    const how = body === null ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    return await fetch(this.#url + path, how);
  }

  /** The body of an answer; null unless its status is 200. */
  async json<T>(path: string): Promise<T | null> {
    const response = await this.ask(path);
    return response.status === 200 ? ((await response.json()) as T) : null;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }
}

interface History {
  readonly series: readonly {
    readonly bookmaker: string;
    readonly line: number;
    readonly ticks: readonly { readonly prices: { readonly home: number } }[];
  }[];
}

/** @param place where the history is: a folder, or a bucket of the S3 protocol */
export async function killLeaders(place: 'folder' | 's3', takeovers: number): Promise<ClusterReport> {
  await using open = new AsyncDisposableStack();
  const folder = open.use(temporaryFolder());
  const bucket = open.use(new S3Server());
  const redis = open.use(await RedisServer.start());
  const twins = open.use(new TwinFeeds());
  const settings = {
    ...{ REDIS_URL: redis.url, LOG_LEVEL: 'info', NODE_ENV: 'test', HISTORY_DAYS: '30' },
    HISTORY_DIR: place === 'folder' ? join(folder.path, 'history') : 's3://tapes/cluster',
    ...bucket.environment,
  };
  const ingest = (index: 0 | 1): ServerProcess =>
    open.use(new ServerProcess({ ...settings, ROLE: 'ingest', FEED: twins.feeds[index].url }));
  let leader = ingest(0);
  await stateIs(leader, 'leading');
  const nodes = await Promise.all(
    ['one', 'other'].map((name) => ServingNode.start(settings, join(folder.path, name))),
  );
  for (const node of nodes) open.use(node);
  let index: 0 | 1 = 1;
  let standby = ingest(index);
  await stateIs(standby, 'waiting');
  const instants: string[] = [];
  for (let round = 0; round <= takeovers; round++) {
    const quotes = quotesOf(round);
    for (let sent = 0; sent < quotes.length; sent += BURST) {
      if (round > 0 && sent === quotes.length / 2) await leader.kill();
      for (const quote of quotes.slice(sent, sent + BURST)) twins.send({ ...quote, at: nowText() });
      await Bun.sleep(BURST_EVERY_MS);
    }
    await until(`both nodes have round ${round} on the tape`, async () => {
      await Bun.sleep(400); // each try reads the whole tape on both nodes
      const last = (FIRST_PRICE_E4 + 100 * round) / 10_000;
      return (await Promise.all(nodes.map((node) => pricesOf(node)))).every(
        (lines) => lines !== null && [...lines.values()].every((prices) => prices.at(-1) === last),
      );
    });
    instants.push(nowText());
    if (round === 0 || round === takeovers) continue;
    leader = standby;
    index = index === 0 ? 1 : 0;
    standby = ingest(index);
    await stateIs(standby, 'waiting');
  }
  return { takeovers, ...(await soundness(nodes[0]!, takeovers)), ...(await comparison(nodes, instants)) };
}

async function stateIs(server: ServerProcess, state: string): Promise<void> {
  const url = await server.listening();
  await until(`the node is ${state}`, async () => {
    const health = (await (await fetch(`${url}/health`)).json()) as { node?: { state: string } };
    return health.node?.state === state;
  });
}

/** The prices of each line on the tape, oldest first; null until every line is there. */
async function pricesOf(node: ServingNode): Promise<Map<string, number[]> | null> {
  const list = await node.json<{ data: { event: { id: string } }[] }>('/v1/history/events');
  const lines = new Map<string, number[]>();
  for (const { event } of list?.data ?? []) {
    const history = await node.json<History>(`/v1/events/${event.id}/history?limit=10000`);
    for (const { bookmaker, line, ticks } of history?.series ?? []) {
      lines.set(
        `${event.id} ${bookmaker} ${line}`,
        ticks.map(({ prices }) => prices?.home),
      );
    }
  }
  return lines.size === EVENTS.length * LINES.length * BOOKS.length ? lines : null;
}

async function soundness(node: ServingNode, takeovers: number) {
  const lines = (await pricesOf(node)) ?? new Map<string, number[]>();
  const sent = Array.from({ length: takeovers + 1 }, (_, round) => (FIRST_PRICE_E4 + 100 * round) / 10_000);
  const wrongLines = [...lines]
    .filter(([, prices]) => !Bun.deepEquals(prices, sent))
    .map(([line, prices]) => `${line}: ${prices.join(', ')}`);
  const coverage = await node.json<{ gaps: unknown[] }>('/v1/history');
  const ticks = [...lines.values()].reduce((sum, prices) => sum + prices.length, 0);
  return { ticks, wrongLines, gaps: coverage?.gaps ?? ['no coverage'] };
}

async function comparison(nodes: readonly ServingNode[], instants: readonly string[]) {
  const list = await nodes[0]!.json<{ data: { event: { id: string } }[] }>('/v1/history/events');
  const ids = list!.data.map(({ event }) => event.id);
  const requests = instants.flatMap((at): (readonly [path: string, body: object | null])[] => [
    ...ids.map((id) => [`/v1/events/${id}/odds?at=${at}`, null] as const),
    ...ids.map((id) => [`/v1/events/${id}/history?limit=500&to=${at}`, null] as const),
    [`/v1/odds?at=${at}`, null],
    ['/v1/odds/batch', { event_ids: ids, at }],
  ]);
  const differing: string[] = [];
  for (const [path, body] of requests) {
    const [one, other] = await Promise.all(
      nodes.map(async (node) => {
        const response = await node.ask(path, body);
        return `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
      }),
    );
    if (one !== other || !one!.startsWith('200')) differing.push(`${path}: ${one} and ${other}`);
  }
  return { compared: requests.length, differing };
}

if (import.meta.main) {
  const at = process.argv.indexOf('--takeovers');
  const takeovers = at < 0 ? 5 : Number(process.argv[at + 1]);
  for (const place of ['folder', 's3'] as const) {
    const report = await killLeaders(place, takeovers);
    console.log(place, JSON.stringify(report, null, 2));
    if (report.wrongLines.length + report.gaps.length + report.differing.length > 0) process.exitCode = 1;
  }
}
