// Who asks during chaos: pollers that mirror the slate and hold every answer against the record of the feed, and a person
// who rotates a key and remembers what was acknowledged.

import type { Answer } from '../query/changes-scene.ts';
import { CheckedMirror, type MirroredView } from '../service/mirrors/checked-mirror.ts';
import type { FeedStandIn } from '../service/mirrors/feed-stand-in.ts';
import { AccountClient } from '../support/account-client.ts';
import type { PollCounts } from './probe.ts';
import type { Site } from './site.ts';

const VIEW: MirroredView = {
  seesSharp: true,
  bookmakers: null,
  markets: null,
  status: null,
  league: null,
  format: 'decimal',
};
const POLL_MAX_MS = 4_000;
const POLL_PAUSE_MS = 15;
const ROTATION_PAUSE_MS = 150;

export class Poller {
  counts: PollCounts = { latenciesMs: [], broken: 0, failed: 0, failure: '' };
  readonly #site: Site;
  readonly #feed: FeedStandIn;
  readonly #key: string;
  #mirror: CheckedMirror;
  #epoch = '';
  #isEnded = false;

  constructor(site: Site, feed: FeedStandIn, key: string) {
    this.#site = site;
    this.#feed = feed;
    this.#key = key;
    this.#mirror = new CheckedMirror(VIEW, feed.record);
  }

  /** Polls until it is ended. @throws Error for an answer that the feed has never said */
  async run(): Promise<void> {
    while (!this.#isEnded) {
      await this.#poll();
      await Bun.sleep(POLL_PAUSE_MS);
    }
  }

  end(): void {
    this.#isEnded = true;
  }

  async #poll(): Promise<void> {
    const { cursor } = this.#mirror;
    const since = cursor === null ? '' : `?since=${cursor}`;
    const startMs = performance.now();
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${this.#site.url}/v1/odds${since}`, {
        headers: { authorization: `Bearer ${this.#key}` },
        signal: AbortSignal.timeout(POLL_MAX_MS),
      });
      text = await response.text();
    } catch {
      this.counts.broken++; // counted, and judged by what was done to the server
      return;
    }
    if (response.status >= 500) {
      this.counts.failed++;
      this.counts.failure = text;
      return;
    }
    if (response.status !== 200) throw new Error(`A poll is answered ${response.status}: ${text}`);
    this.counts.latenciesMs.push(performance.now() - startMs);
    this.#take(JSON.parse(text) as Answer);
  }

  #take(answer: Answer): void {
    const epoch = answer.cursor.split('-')[0]!;
    // A new process may begin with the slate that was kept, which is older than the last one seen.
    if (epoch !== this.#epoch) this.#mirror = new CheckedMirror(VIEW, this.#feed.record);
    this.#epoch = epoch;
    const data = { ...answer, part: 1, last: true, from: this.#mirror.cursor };
    this.#mirror.take({ event: answer.full ? 'snapshot' : 'delta', cursor: answer.cursor, data });
  }
}

export class Person {
  acknowledged = 0;
  refused = 0;
  readonly #site: Site;
  readonly #client: AccountClient;
  #keyId = '';
  #key = '';
  /** Keys that were replaced, as the server said. */
  readonly #dead: string[] = [];
  /** A rotation was sent, and nobody knows what became of it. */
  #isUnsure = false;
  #isEnded = false;

  constructor(site: Site) {
    this.#site = site;
    this.#client = new AccountClient(site, { email: 'chaos@example.com', address: '10.9.0.1' });
  }

  async enter(): Promise<void> {
    await this.#client.enter();
    await this.#newKey();
  }

  async run(): Promise<void> {
    while (!this.#isEnded) {
      if (this.#isUnsure) await this.#newKey();
      else await this.#rotate();
      await Bun.sleep(ROTATION_PAUSE_MS);
    }
  }

  end(): void {
    this.#isEnded = true;
  }

  /** What was acknowledged is so. @throws Error when it is not */
  async check(): Promise<void> {
    if (this.#isUnsure) return;
    const [key, former] = [this.#key, this.#dead.at(-1)];
    const statuses = [await this.#statusOf(key), former === undefined ? 401 : await this.#statusOf(former)];
    if (key !== this.#key || this.#isUnsure) return; // it was rotated meanwhile
    if (statuses.join() !== '200,401')
      throw new Error(`An acknowledged key is answered ${statuses[0]}, and the one before it ${statuses[1]}`);
  }

  async #newKey(): Promise<void> {
    const answer = await this.#send('/platform/keys', { label: 'chaos' });
    if (answer === null) return;
    this.#keyId = answer.key_id;
    this.#key = answer.key;
    this.#isUnsure = false;
  }

  async #rotate(): Promise<void> {
    const former = this.#key;
    this.#isUnsure = true;
    const answer = await this.#send(`/platform/keys/${this.#keyId}/rotate`);
    if (answer === null) return;
    this.#dead.push(former);
    this.#key = answer.key;
    this.#isUnsure = false;
  }

  /** @returns null when it was not acknowledged */
  async #send(
    path: string,
    body?: object,
  ): Promise<{ readonly key: string; readonly key_id: string } | null> {
    try {
      const { status, body: answer } = await this.#client.send('POST', path, body);
      if (status === 200) this.acknowledged++;
      else this.refused++;
      return status === 200 ? (answer as { key: string; key_id: string }) : null;
    } catch {
      this.refused++; // the server has gone
      return null;
    }
  }

  async #statusOf(key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${this.#site.url}/v1/sports`, { headers, keepalive: false })).status;
  }
}
