// The clock of the machine is set back by hours and by seconds under a running server, by libfaketime: no
// answer is from the future, and the next price of every source shows. Tested with one server that has two
// sources, and with two nodes of a cluster that has one.

import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '../../src/clock.ts';
import { eventWire, quoteWire } from '../feed/wire.ts';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { REDIS_MISSING, RedisServer } from '../support/redis-server.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { ServerProcess } from '../support/server-process.ts';
import { SET_CLOCK_MISSING, SetClock } from '../support/set-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A source with one fixture and one price of one bookmaker. */
class OnePriceFeed {
  readonly feed: ScriptedFeed;
  readonly #bookmaker: string;
  readonly #clock: SetClock;
  #price: number;

  constructor(clock: SetClock, bookmaker: string, price: number) {
    this.#clock = clock;
    this.#bookmaker = bookmaker;
    this.#price = price;
    const at = clock.text;
    this.feed = new ScriptedFeed({
      at,
      slate: () => [
        eventWire(0, 'e1', { at: at(), scheduled_at: SCHEDULED_AT }),
        quoteWire(0, 'e1', { at: at(), ...this.#quote() }),
      ],
    });
  }

  /** Sets the price that the next snapshot has, in case the server is not connected when `send` sends it. */
  next(price: number): void {
    this.#price = price;
  }

  send(): void {
    this.feed.send(quoteWire(0, 'e1', { at: this.#clock.text(), ...this.#quote() }));
  }

  #quote() {
    return { bookmaker: this.#bookmaker, prices: [this.#price, 2] };
  }

  [Symbol.dispose](): void {
    this.feed.stop();
  }
}

const SCHEDULED_AT = nowText(HOUR_MS);

/** The server's answers about its one fixture. */
class Watcher {
  readonly #url: string;
  readonly #key: string;
  #eventId = '';

  private constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  static async of(server: ServerProcess): Promise<Watcher> {
    const [, url = ''] = await server.logged(/ listening url="([^"]+)"/);
    const [key = ''] = await createKeys(server.dataDir, 'enterprise', 1);
    return new Watcher(url, key);
  }

  async shows(...prices: readonly number[]): Promise<void> {
    await until(`${prices.join(' and ')} are served`, async () => {
      const text = await this.#odds();
      return prices.every((price) => text.includes(`:${price},`));
    });
  }

  /** Waits until the server is live and fresh, and checks that nothing is from the future. */
  async isWell(clock: SetClock): Promise<void> {
    // The ingest thread was replaced, and its sources may still be connecting.
    const health = async () =>
      (await (await fetch(`${this.#url}/health`)).json()) as { status: string; feed_live: boolean };
    await until('the feed is live', async () => (await health()).feed_live);
    await until('nothing is stale', async () => !(await this.#odds()).includes('"stale":true'));
    expect((await health()).status).toBe('ok');
    const text = await this.#odds();
    const answeredMs = Date.now() + clock.offsetMs;
    const stamps = [...text.matchAll(/"(?:as_of|confirmed_at)":"([^"]+)"/g)];
    expect(stamps.length).toBeGreaterThan(1);
    for (const [, stamp] of stamps) expect(Date.parse(stamp!)).toBeLessThanOrEqual(answeredMs);
  }

  async #odds(): Promise<string> {
    if (this.#eventId === '') {
      const { data = [] } = (await this.#ask('/v1/events')) as { data?: { id: string }[] };
      this.#eventId = data[0]?.id ?? '';
      if (this.#eventId === '') return '';
    }
    return JSON.stringify(await this.#ask(`/v1/events/${this.#eventId}/odds?format=decimal`));
  }

  async #ask(path: string): Promise<unknown> {
    return (await fetch(this.#url + path, { headers: { authorization: `Bearer ${this.#key}` } })).json();
  }
}

test.skipIf(SET_CLOCK_MISSING !== null)(
  'with two sources, the prices of both continue after the clock was set back',
  async () => {
    using folder = temporaryFolder();
    const clock = new SetClock(folder.path);
    using one = new OnePriceFeed(clock, 'crown', 1.9);
    using other = new OnePriceFeed(clock, 'sbobet', 1.8);
    const bookmakers = [
      { key: 'crown', name: 'Crown', class: 'asian', feed: 'websocket' },
      { key: 'sbobet', name: 'SBOBET', class: 'sharp', feed: 'websocket-2' },
    ];
    const BOOKMAKERS = join(folder.path, 'bookmakers.json');
    writeFileSync(BOOKMAKERS, JSON.stringify({ bookmakers }));
    const FEED = `${one.feed.url},${other.feed.url}`;
    await using server = new ServerProcess({ FEED, BOOKMAKERS, ...clock.settings });
    const watcher = await Watcher.of(server);
    await watcher.shows(1.9, 1.8);
    one.next(1.7);
    other.next(1.6);
    clock.set(-2 * HOUR_MS);
    await server.logged(/clock_set_back/);
    one.send();
    other.send();
    await watcher.shows(1.7, 1.6);
    await watcher.isWell(clock);
  },
);

test.skipIf(SET_CLOCK_MISSING !== null || REDIS_MISSING !== null)(
  'in a cluster, the serving node shows the next price after the clock was set back, and no time in the future',
  async () => {
    using folder = temporaryFolder();
    const clock = new SetClock(folder.path);
    using source = new OnePriceFeed(clock, 'crown', 1.9);
    await using redis = await RedisServer.start();
    const shared = { REDIS_URL: redis.url, ...clock.settings };
    await using ingest = new ServerProcess({ ROLE: 'ingest', FEED: source.feed.url, ...shared });
    await using serving = new ServerProcess({ ROLE: 'serve', ...shared });
    const watcher = await Watcher.of(serving);
    await watcher.shows(1.9);
    source.next(1.7);
    clock.set(-2 * HOUR_MS);
    await ingest.logged(/clock_set_back/);
    source.send();
    await watcher.shows(1.7);
    await watcher.isWell(clock);
    // A step of two seconds, which is less than the allowed difference between the clocks of a source and the
    // server.
    source.next(1.6);
    clock.set(-2 * HOUR_MS - 2_000);
    await ingest.logged(/clock_set_back[\s\S]*clock_set_back byMs=[12]\d{3}\b/);
    source.send();
    await watcher.shows(1.6);
    await watcher.isWell(clock);
    for (const node of [ingest, serving]) expect(node.log).not.toContain('request_failed');
  },
);
