// Streams of a serving node while another ingest node takes over, after the leader was cut off from Redis and
// after an orderly stop. A reader gets the whole view once under the new epoch, and continues from there.

import { expect, test } from 'bun:test';
import { type Answer, Mirror } from '../query/changes-scene.ts';
import { FeedStandIn } from '../service/mirrors/feed-stand-in.ts';
import { until } from '../support/condition.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { REDIS_MISSING, RedisServer } from '../support/redis-server.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { StreamClient, type StreamEvent } from '../support/stream-client.ts';

if (REDIS_MISSING !== null) console.log(`skipped: ${REDIS_MISSING}`);

const QUERY = 'format=decimal&tick_ms=20';

/** Follows the events of a stream. Each event must begin where the one before it ended. */
class Reader {
  readonly mirror = new Mirror();
  readonly epochs: string[] = [];
  readonly #events: readonly StreamEvent[];
  #count = 0;

  constructor(events: readonly StreamEvent[]) {
    this.#events = events;
  }

  /**
   * Takes the events that arrived since the last call.
   * @throws when one does not begin where the one before it ended
   */
  read(): this {
    for (; this.#count < this.#events.length; this.#count++) this.#take(this.#events[this.#count]!);
    return this;
  }

  #take({ event, id, data }: StreamEvent): void {
    const { mirror, epochs } = this;
    if (event === 'snapshot') {
      if (data.part === 1) mirror.fixtures.clear();
      mirror.take({ ...(data as unknown as Answer), full: false });
      if (data.last === true) epochs.push(epochOf(id!));
    } else if (event === 'delta') {
      expect([data.from, epochOf(id!)]).toEqual([mirror.cursor, epochs.at(-1)]);
      mirror.take(data as unknown as Answer);
    } else if (event === 'heartbeat') {
      expect(epochOf(id!)).toBe(epochs.at(-1)!);
      mirror.cursor = id;
    }
  }
}

function epochOf(cursor: string): string {
  return cursor.split('-')[0]!;
}

async function stateOf({ url }: RunningService): Promise<string | undefined> {
  const health = (await (await fetch(`${url}/health`)).json()) as { node?: { state: string } };
  return health.node?.state;
}

test.skipIf(REDIS_MISSING !== null)(
  'a stream continues when another ingest node becomes leader: it gets the whole view once, then changes',
  async () => {
    await using open = new AsyncDisposableStack();
    const feed = new FeedStandIn(3);
    open.defer(() => feed.stop());
    const endTalk = feed.sendAtRate(30);
    open.defer(endTalk);
    const redis = open.use(await RedisServer.start());
    const proxy = open.use(await CuttableProxy.to(redis.url));
    const first = open.use(
      await runService({ ROLE: 'ingest', FEED: feed.url, REDIS_URL: proxy.url.replace('http:', 'redis:') }),
    );
    const [second, serving] = await Promise.all([
      runService({ ROLE: 'ingest', FEED: feed.url, REDIS_URL: redis.url }),
      runService({ ROLE: 'serve', REDIS_URL: redis.url }),
    ]);
    open.use(serving);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['leading', 'waiting']);

    const stream = await StreamClient.open(serving.url, { query: QUERY, key: serving.key });
    open.defer(() => stream.close());
    const reader = new Reader(stream.events);
    const deltasSince = (count: number): number =>
      stream.events.slice(count).filter(({ event }) => event === 'delta').length;
    const goesOn = async (epochs: number): Promise<void> => {
      await until(`the reader has seen ${epochs} epochs`, () => reader.read().epochs.length === epochs);
      const received = stream.events.length;
      await until('the reader receives changes', () => deltasSince(received) >= 3);
    };
    await goesOn(1);
    const { cursor } = reader.read().mirror;

    proxy.cut();
    await until('the other leads', async () => (await stateOf(second)) === 'leading');
    await goesOn(2);
    // A client may resume with a cursor of the former epoch. It then gets the whole view.
    const resumed = await StreamClient.open(serving.url, {
      query: `${QUERY}&since=${cursor}`,
      key: serving.key,
    });
    open.defer(() => resumed.close());
    await resumed.next('delta', 3);
    const later = new Reader(resumed.events);
    expect(later.read().epochs).toEqual(reader.read().epochs.slice(1));

    proxy.restore();
    await until('the former leader waits', async () => (await stateOf(first)) === 'waiting');
    await second[Symbol.asyncDispose]();
    await goesOn(3);

    endTalk();
    const { epochs } = reader.read();
    expect(new Set(epochs).size).toBe(3);
    expect(later.read().epochs).toEqual(epochs.slice(1));
    await until('both readers hold what the server answers', async () => {
      const whole = new Mirror();
      whole.take(await serving.get<Answer>('/v1/odds?format=decimal'));
      return [reader, later].every((one) => {
        const { mirror } = one.read();
        return mirror.cursor === whole.cursor && Bun.deepEquals(mirror.content(), whole.content());
      });
    });
  },
);
