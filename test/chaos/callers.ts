// The callers during chaos: pollers that mirror the slate and compare every answer with the record of the
// feed, and a person who rotates a key.

import type { Answer } from '../query/changes-scene.ts';
import { CheckedMirror, type MirroredView } from '../service/mirrors/checked-mirror.ts';
import type { FeedStandIn } from '../service/mirrors/feed-stand-in.ts';
import { pollOdds } from '../service/mirrors/poll-odds.ts';
import { AccountClient } from '../support/account-client.ts';
import { KeyHolder, statusWithKey } from '../support/key-holder.ts';
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
const POLL_MAX_MS = 30_000;
const ROTATION_PAUSE_MS = 150;

export class Poller {
  counts: PollCounts = { latenciesMs: [], broken: 0, failed: 0, failure: '' };
  readonly #site: Site;
  readonly #feed: FeedStandIn;
  readonly #key: string;
  readonly #pauseMs: number;
  #mirror: CheckedMirror;
  #epoch = '';
  #isEnded = false;

  constructor(
    site: Site,
    feed: FeedStandIn,
    { key, pauseMs }: { readonly key: string; readonly pauseMs: number },
  ) {
    this.#site = site;
    this.#feed = feed;
    this.#key = key;
    this.#pauseMs = pauseMs;
    this.#mirror = new CheckedMirror(VIEW, feed.record);
  }

  /** Polls until it is ended. @throws Error for an answer that the feed never sent */
  async run(): Promise<void> {
    while (!this.#isEnded) {
      await this.#poll();
      await Bun.sleep(this.#pauseMs);
    }
  }

  end(): void {
    this.#isEnded = true;
  }

  async #poll(): Promise<void> {
    const { cursor } = this.#mirror;
    const polled = await pollOdds({ url: this.#site.url, key: this.#key, cursor, maxMs: POLL_MAX_MS });
    if (polled === null) {
      this.counts.broken++; // counted here; what the fault allows is checked later
      return;
    }
    const { status, text, tookMs } = polled;
    if (status >= 500) {
      this.counts.failed++;
      this.counts.failure = text;
      return;
    }
    if (status !== 200) throw new Error(`A poll is answered ${status}: ${text}`);
    this.counts.latenciesMs.push(tookMs);
    this.#take(JSON.parse(text) as Answer);
  }

  #take(answer: Answer): void {
    const epoch = answer.cursor.split('-')[0]!;
    // A new process may begin with the stored slate, which is older than the last one that was seen.
    if (epoch !== this.#epoch) this.#mirror = new CheckedMirror(VIEW, this.#feed.record);
    this.#epoch = epoch;
    this.#mirror.takePolled(answer);
  }
}

/** A person with an account, who rotates a key again and again until the holder is ended. */
export async function personOf(site: Site): Promise<KeyHolder> {
  const client = new AccountClient(site, { email: 'chaos@example.com', address: '10.9.0.1' });
  await client.enter();
  return new KeyHolder({
    label: 'chaos',
    pauseMs: ROTATION_PAUSE_MS,
    send: (path, body) => client.send('POST', path, body),
    judge: async (key, former) => {
      const status = await statusWithKey(site.url, key);
      const formerStatus = former === null ? 401 : await statusWithKey(site.url, former);
      if (status === 200 && formerStatus === 401) return null;
      return `An acknowledged key is answered ${status}, and the one before it ${formerStatus}`;
    },
  });
}
