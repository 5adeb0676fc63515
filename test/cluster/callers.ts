// The callers of a cluster while its parts die. Pollers and readers of the stream behind nginx compare
// every answer with the record of the feed. One caller requests more from the nodes than its tier allows,
// and a person rotates a key.

import type { Cluster } from '../../scripts/cluster/cluster.ts';
import { MINUTE_MS } from '../../src/clock.ts';
import { TIERS, type TierKey } from '../../src/domain/tiers.ts';
import type { ErrorBody } from '../../src/errors.ts';
import type { Answer } from '../query/changes-scene.ts';
import { CheckedMirror, type MirroredView } from '../service/mirrors/checked-mirror.ts';
import type { FeedStandIn } from '../service/mirrors/feed-stand-in.ts';
import { pollOdds } from '../service/mirrors/poll-odds.ts';
import { AccountClient } from '../support/account-client.ts';
import { until } from '../support/condition.ts';
import { KeyHolder, statusWithKey } from '../support/key-holder.ts';

const POLL_MAX_MS = 30_000;
const OPEN_MAX_MS = 30_000;
const REOPEN_PAUSE_MS = 100;
const ROTATION_PAUSE_MS = 300;
const ROTATION_MAX_MS = 30_000;

/** The counts since the last call of `takeCounts`. */
export interface CallerCounts {
  answered: number;
  /** Polls answered 503, because there is no slate yet. */
  unavailable: number;
  /** Polls answered 429. */
  limited: number;
  /** Polls without an answer: the connection broke, or the time-out was over. */
  broken: number;
  /** Answers with the whole slate although the caller's cursor is of the same epoch. */
  resent: number;
  slowestMs: number;
}

function noCounts(): CallerCounts {
  return { answered: 0, unavailable: 0, limited: 0, broken: 0, resent: 0, slowestMs: 0 };
}

/** The counts of all callers since the last call; then they start from zero again. */
export function takeCounts(callers: readonly { counts: CallerCounts }[]): CallerCounts {
  const sum = noCounts();
  for (const caller of callers) {
    for (const name of Object.keys(sum) as (keyof CallerCounts)[]) {
      sum[name] =
        name === 'slowestMs' ? Math.max(sum[name], caller.counts[name]) : sum[name] + caller.counts[name];
    }
    caller.counts = noCounts();
  }
  return sum;
}

interface CallerOptions {
  readonly url: string;
  readonly feed: FeedStandIn;
  readonly key: string;
  readonly seesSharp: boolean;
}

/**
 * Compares answers with the record of the feed, and their versions with earlier ones. A new epoch continues
 * with the same slate: the next leader has followed the same feed meanwhile.
 */
class Checker {
  readonly mirror: CheckedMirror;
  epoch = '';
  #version = -1;
  /** Epochs that were followed by another one. */
  readonly #past = new Set<string>();

  constructor({ feed, seesSharp }: CallerOptions) {
    const view: MirroredView = {
      seesSharp,
      bookmakers: null,
      markets: null,
      status: null,
      league: null,
      format: 'decimal',
    };
    this.mirror = new CheckedMirror(view, feed.record);
  }

  /** @throws Error for a version that goes back, or an epoch that returns */
  follow(cursor: string): void {
    const { epoch, version } = partsOf(cursor);
    if (epoch === this.epoch) {
      if (version < this.#version) throw new Error(`A version goes back: ${cursor} after ${this.#version}`);
    } else {
      if (this.#past.has(epoch)) throw new Error(`The epoch ${epoch} comes back after ${this.epoch}`);
      if (this.epoch !== '') this.#past.add(this.epoch);
    }
    this.epoch = epoch;
    this.#version = version;
  }
}

/** The epoch and the version of a cursor, which is `<epoch>-<version>-<view>`. */
function partsOf(cursor: string): { readonly epoch: string; readonly version: number } {
  const parts = cursor.split('-');
  return { epoch: parts[0]!, version: Number(parts[1]) };
}

export class ClusterPoller {
  counts = noCounts();
  /** When this poller last got an answer that was not stale, on the clock of `performance`. */
  freshAtMs = 0;
  readonly #options: CallerOptions & { readonly pauseMs: number };
  readonly #checker: Checker;
  readonly #reasons = new Set<string>();
  #isEnded = false;

  constructor(options: CallerOptions & { readonly pauseMs: number }) {
    this.#options = options;
    this.#checker = new Checker(options);
  }

  get epoch(): string {
    return this.#checker.epoch;
  }

  /** Polls until it is ended. @throws Error for a wrong answer */
  async run(): Promise<void> {
    while (!this.#isEnded) {
      await this.#poll();
      await Bun.sleep(this.#options.pauseMs);
    }
  }

  end(): void {
    this.#isEnded = true;
  }

  async #poll(): Promise<void> {
    const { cursor } = this.#checker.mirror;
    const { url, key } = this.#options;
    const polled = await pollOdds({ url, key, cursor, maxMs: POLL_MAX_MS });
    if (polled === null) {
      this.counts.broken++; // counted here; whether it is allowed depends on the fault at that time
      return;
    }
    const { status, text, tookMs } = polled;
    if (status === 502 || status === 504) this.counts.broken++;
    else if (status === 503) this.#refused(text);
    else if (status === 429) this.counts.limited++;
    else if (status !== 200) throw new Error(`A poll is answered ${status}: ${text}`);
    else this.#take(JSON.parse(text) as Answer, cursor, tookMs);
  }

  /** Counts a poll that got 503. Prints each reason once, to explain the figures of the table. */
  #refused(text: string): void {
    this.counts.unavailable++;
    const { error } = JSON.parse(text) as ErrorBody;
    const reason = error.message.replace(/;.*/, '');
    if (!this.#reasons.has(reason)) console.warn(`A poll was answered 503: ${error.message}`);
    this.#reasons.add(reason);
  }

  #take(answer: Answer, since: string | null, tookMs: number): void {
    this.counts.answered++;
    this.counts.slowestMs = Math.max(this.counts.slowestMs, tookMs);
    const checker = this.#checker;
    const before = checker.epoch;
    checker.follow(answer.cursor);
    if (answer.full && since !== null && before === checker.epoch) this.counts.resent++;
    checker.mirror.takePolled(answer);
    if (!answer.stale) this.freshAtMs = performance.now();
  }
}

/** Follows the stream and reopens it, with its cursor, whenever it ends. */
export class ClusterReader {
  counts = noCounts();
  reopened = 0;
  readonly #options: CallerOptions;
  readonly #checker: Checker;
  readonly #end = new AbortController();

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#checker = new Checker(options);
  }

  /** Reads until it is ended. @throws Error for a wrong event */
  async run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const response = await this.#open();
      if (response !== null) await this.#read(response);
      await Bun.sleep(REOPEN_PAUSE_MS);
    }
  }

  end(): void {
    this.#end.abort();
  }

  async #open(): Promise<Response | null> {
    const { url, key } = this.#options;
    const { cursor } = this.#checker.mirror;
    const opening = new AbortController();
    const timer = setTimeout(() => opening.abort(), OPEN_MAX_MS);
    try {
      const response = await fetch(`${url}/v1/stream${cursor === null ? '' : `?since=${cursor}`}`, {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.any([opening.signal, this.#end.signal]),
      });
      clearTimeout(timer);
      if (response.status === 200) return response;
      const text = await response.text();
      if (response.status === 502 || response.status === 504) this.counts.broken++;
      else if (response.status === 503) this.counts.unavailable++;
      else if (response.status === 429) this.counts.limited++;
      else throw new Error(`A stream is answered ${response.status}: ${text}`);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('A stream is answered')) throw error;
      this.counts.broken++; // the connection broke; it is reopened
    } finally {
      clearTimeout(timer);
    }
    return null;
  }

  async #read(response: Response): Promise<void> {
    this.reopened++;
    const decoder = new TextDecoder();
    let text = '';
    const parts: string[] = [];
    const reader = response.body!.getReader();
    for (;;) {
      let chunk: Awaited<ReturnType<typeof reader.read>>;
      try {
        chunk = await reader.read();
      } catch {
        return; // its node or its proxy has gone
      }
      if (chunk.done) return;
      text += decoder.decode(chunk.value, { stream: true });
      parts.push(...text.split('\n\n'));
      text = parts.pop()!;
      for (const part of parts.splice(0)) if (part.startsWith('event:')) this.#take(part);
    }
  }

  #take(part: string): void {
    const fields = new Map(
      part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const [event, cursor] = [fields.get('event')!, fields.get('id') ?? null];
    if (event !== 'snapshot' && event !== 'delta' && event !== 'heartbeat') return;
    this.counts.answered++;
    const data = JSON.parse(fields.get('data')!) as Record<string, unknown>;
    try {
      if (cursor !== null) this.#checker.follow(cursor);
      this.#checker.mirror.take({ event, cursor, data });
    } catch (error) {
      const { framesChecked } = this.#checker.mirror;
      throw new Error(`${error} (stream ${this.reopened}, frame ${framesChecked}: ${part.slice(0, 400)})`);
    }
  }
}

/** Calls the nodes in turn, faster than the tier of its key allows, and counts the admitted requests. */
export class GreedyCaller {
  counts = noCounts();
  admitted = 0;
  readonly #urls: readonly string[];
  readonly #key: string;
  readonly #tier: TierKey;
  readonly #pauseMs: number;
  #startMs = 0;
  #isEnded = false;

  constructor(urls: readonly string[], options: { key: string; tier: TierKey; pauseMs: number }) {
    this.#urls = urls;
    this.#key = options.key;
    this.#tier = options.tier;
    this.#pauseMs = options.pauseMs;
  }

  async run(): Promise<void> {
    this.#startMs = performance.now();
    for (let turn = 0; !this.#isEnded; turn++) {
      await this.#ask(this.#urls[turn % this.#urls.length]!);
      await Bun.sleep(this.#pauseMs);
    }
  }

  end(): void {
    this.#isEnded = true;
  }

  /** The most requests that the limits allow: a burst, the rate since the start, and a lot per node start. */
  allowed(nodeStarts: number): number {
    const { burst, perMinute } = TIERS.find(({ key }) => key === this.#tier)!;
    const minutes = (performance.now() - this.#startMs) / MINUTE_MS;
    return burst + minutes * perMinute + nodeStarts * Math.floor(burst / 8);
  }

  async #ask(url: string): Promise<void> {
    try {
      const response = await fetch(`${url}/v1/events?limit=1`, {
        headers: { authorization: `Bearer ${this.#key}` },
        signal: AbortSignal.timeout(500),
      });
      await response.arrayBuffer();
      if (response.status === 200) this.admitted++;
      else if (response.status === 429) this.counts.limited++;
      else this.counts.unavailable++;
    } catch {
      this.counts.broken++; // its node is dead or frozen
    }
  }
}

/**
 * A person who rotates a key through nginx until the holder is ended. Acknowledged changes must hold on every
 * node. The person signs up at the first serving node, whose outbox has the code.
 */
export async function enterKeyHolder(cluster: Cluster): Promise<KeyHolder> {
  const client = new AccountClient(cluster.serving[0]!, { email: 'holder@example.com', address: '10.9.0.1' });
  await client.enter();
  const statuses = (key: string) => Promise.all(cluster.serving.map(({ url }) => statusWithKey(url, key)));
  return new KeyHolder({
    label: 'holder',
    pauseMs: ROTATION_PAUSE_MS,
    send: async (path, body) => {
      const response = await fetch(cluster.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ROTATION_MAX_MS),
      });
      return { status: response.status, body: response.status === 200 ? await response.json() : null };
    },
    judge: async (key, former) => {
      const alive = await statuses(key);
      if (alive.includes(401)) return `An acknowledged key is answered ${alive}`;
      if (former !== null) {
        await until('a key that was replaced is refused by all nodes', async () => {
          const statusesOfFormer = await statuses(former);
          return !statusesOfFormer.includes(200);
        });
      }
      return null;
    },
  });
}
