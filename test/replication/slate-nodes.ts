// Nodes that share a slate over a real Redis, without servers: stores, leaders and followers in this process,
// and a feed that the test drives.

import { systemClock } from '../../src/clock.ts';
import { Random } from '../../src/domain/random.ts';
import { createLog } from '../../src/log.ts';
import { SlateFollower } from '../../src/replication/follower.ts';
import { SlateLeader } from '../../src/replication/leader.ts';
import { LeaderFixtures, Standby } from '../../src/replication/leader-fixtures.ts';
import { RedisLink } from '../../src/storage/redis.ts';
import { createStore } from '../../src/store/layout.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { ReplicaWriter } from '../../src/store/writer/replica-writer.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { attachMetricsMemory, createMetricsMemory } from '../../src/telemetry/metrics-memory.ts';
import { NodeNumbers } from '../../src/telemetry/node-numbers.ts';
import { fixtureOf, SMALL } from '../store/small-store.ts';

const QUIET = createLog({ level: 'error', json: false, write: () => {}, clock: systemClock });

export class IngestNode implements AsyncDisposable {
  readonly store: SharedArrayBuffer;
  readonly reader: SlateReader;
  readonly writer: SlateWriter;
  readonly leader: SlateLeader;
  /** The leader's fixtures, as far as this node knows them while it is a standby. */
  readonly leaderFixtures = new LeaderFixtures();
  /** Called when this node is about to lead. */
  onTakeover: () => void = () => {};
  readonly numbers = new NodeNumbers(attachMetricsMemory(createMetricsMemory(1)));
  /** The first version of this node's epoch. */
  base = 0;
  readonly #random: Random;
  #atMs = systemClock.wallMs();

  /** @param seed of the feed: nodes with different seeds have the same fixtures and different prices */
  constructor(url: string, seed: number, store = createStore(1, SMALL)) {
    this.store = store;
    this.reader = new SlateReader(store);
    this.writer = new SlateWriter(store);
    this.#random = new Random(seed);
    this.writer.setSnapshotComplete();
    this.writer.facts.setConnected(true);
    const begin = this.writer.beginEpoch.bind(this.writer);
    this.writer.beginEpoch = (...args) => {
      this.base = begin(...args);
      return this.base;
    };
    this.leader = new SlateLeader({
      link: new RedisLink({ url, clock: systemClock }),
      storeBuffer: this.store,
      writer: this.writer,
      clock: systemClock,
      log: QUIET,
      holder: `node-${seed}`,
      numbers: this.numbers,
      standby: new Standby({
        fixtures: this.leaderFixtures,
        log: QUIET,
        openFollower: () => this.#follower(url),
        takeNames: async () => this.onTakeover(),
      }),
    });
  }

  #follower(url: string): SlateFollower {
    const link = (): RedisLink => new RedisLink({ url, clock: systemClock });
    return new SlateFollower({
      ...{ reads: link(), calls: link(), clock: systemClock, log: QUIET, writer: this.leaderFixtures },
      numbers: null,
      onError: (error) => {
        throw error;
      },
    });
  }

  /** Applies a batch of the feed: fixtures arrive and leave, prices move. */
  move(): void {
    const { writer } = this;
    const random = this.#random;
    this.#atMs += 1;
    const atMs = this.#atMs;
    for (let step = 0; step < 4; step++) {
      const event = 1 + random.index(5);
      if (writer.slotOf(event) < 0) writer.putFixture(fixtureOf(event, atMs));
      const slot = writer.slotOf(event);
      if (slot < 0) continue; // the table is full
      const key = packQuoteKey(random.index(3), 0, random.index(2), random.index(4));
      const price = 10_000 + random.index(50_000);
      const kind = random.index(12);
      if (kind === 0) {
        writer.removeFixture(slot);
        writer.facts.liquidity.remove(event);
      } else if (kind === 1) writer.quotes.closeQuote(slot, key, atMs);
      else if (kind === 2)
        writer.putState(slot, { status: 1, clock: `${step}'`, score: [1, step], cards: null, atMs });
      else if (kind === 3) {
        const rows = [{ quoteKey: key, sizes: [price, step], matched: step === 0 ? null : price }];
        writer.facts.liquidity.put(event, { bookmaker: step, currency: 'USD', atMs, rows });
      } else {
        writer.quotes.putQuote(slot, key, price, price + 1, 0, 1, atMs);
        writer.putOpening(slot, { key, a: price, b: price, c: 0, openedAtMs: atMs, upstream: false });
      }
    }
    writer.publish(atMs);
    writer.facts.setAppliedAt(atMs);
    writer.facts.setHeartbeatAt(atMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leader.close();
  }
}

export class ServingNode implements AsyncDisposable {
  readonly store: SharedArrayBuffer;
  readonly reader: SlateReader;
  readonly #follower: SlateFollower;
  readonly numbers = new NodeNumbers(attachMetricsMemory(createMetricsMemory(1)));
  /** The error after which the follower stopped; empty if it is running. */
  readonly errors: unknown[] = [];

  constructor(url: string, store = createStore(0, SMALL)) {
    this.store = store;
    this.reader = new SlateReader(store);
    this.#follower = new SlateFollower({
      reads: new RedisLink({ url, clock: systemClock }),
      calls: new RedisLink({ url, clock: systemClock }),
      writer: new ReplicaWriter(this.store),
      clock: systemClock,
      log: QUIET,
      numbers: this.numbers,
      onError: (error) => this.errors.push(error),
    });
    this.#follower.start();
  }

  /** Whether this node's store has the same state as the leader's. */
  isAt({ reader }: IngestNode): boolean {
    return (
      this.reader.epochMs === reader.epochMs &&
      this.reader.slateVersion() === reader.slateVersion() &&
      this.reader.feed().heartbeatAtMs === reader.feed().heartbeatAtMs
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#follower.close();
  }
}
