// Nodes that share a slate over a real Redis: what serving nodes hold, which node leads, and what happens
// when Redis hangs, loses its content, or cannot be reached by a leader. Crashes of processes are tested in
// test/cluster/.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/clock.ts';
import { eventLoopTurn } from '../../src/pause.ts';
import {
  FIRST_LEASE_MS,
  LEASE_KEY,
  LEASE_MS,
  SNAPSHOT_KEY,
  STATE_KEY,
  STREAM_KEY,
} from '../../src/replication/redis-slate.ts';
import { dumpColumns } from '../store/column-dump.ts';
import { until } from '../support/condition.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { REDIS_MISSING, RedisServer } from '../support/redis-server.ts';
import { IngestNode, ServingNode } from './slate-nodes.ts';

if (REDIS_MISSING !== null) console.log(`skipped: ${REDIS_MISSING}`);

/** A standby takes over within this time. */
const TAKEOVER_MS_MAX = 5_000;

describe.skipIf(REDIS_MISSING !== null)('a slate that nodes share', () => {
  let redis: RedisServer;
  let open: AsyncDisposableStack;

  beforeEach(async () => {
    open = new AsyncDisposableStack();
    redis = open.use(await RedisServer.start());
  });
  afterEach(() => open.disposeAsync());

  function ingest(seed: number, url = redis.url): IngestNode {
    const node = open.use(new IngestNode(url, seed));
    node.leader.start();
    return node;
  }

  function serve(): ServingNode {
    return open.use(new ServingNode(redis.url));
  }

  function openLink(): ReturnType<RedisServer['openLink']> {
    const link = redis.openLink();
    open.defer(() => link.close());
    return link;
  }

  /** Starts a leader, and a serving node that has the same slate after some batches. */
  async function followed(moves: number): Promise<readonly [IngestNode, ServingNode]> {
    const [leader, server] = [ingest(1), serve()];
    await leads(leader);
    for (let step = 0; step < moves; step++) leader.move();
    await expectSame(leader, [server]);
    return [leader, server];
  }

  async function leads(node: IngestNode): Promise<void> {
    await until('the node leads', () => node.leader.isLeading && node.base > 0);
  }

  /**
   * Sends batches of the feed until all serving nodes have the leader's version, then compares every column.
   */
  async function expectSame(leader: IngestNode, servers: readonly ServingNode[]): Promise<void> {
    await until('all stand at one version', () => servers.every((server) => server.isAt(leader)));
    const expected = dumpColumns(leader.store, leader.base);
    for (const server of servers) {
      const held = dumpColumns(server.store, leader.base);
      // If the dumps are equal, this takes a fraction of the time of an `expect`.
      if (!Bun.deepEquals(held, expected)) expect(held).toEqual(expected);
      expect(server.errors).toEqual([]);
    }
  }

  test('serving nodes hold what the leader publishes, whenever they join', async () => {
    const leader = ingest(1);
    const servers = [serve()];
    await leads(leader);
    for (let round = 0; round < 12; round++) {
      for (let step = 0; step < 25; step++) {
        leader.move();
        if (step % 3 === 0) await eventLoopTurn();
      }
      await expectSame(leader, servers);
      if (round % 4 === 0) servers.push(serve());
    }
  });

  test('a standby takes over with a new epoch; the leader that was cut off writes nothing more and waits', async () => {
    const proxy = open.use(await CuttableProxy.to(redis.url));
    const first = ingest(1, proxy.url.replace('http:', 'redis:'));
    await leads(first);
    const second = ingest(2);
    const server = serve();
    first.move();
    await expectSame(first, [server]);
    expect(second.leader.isLeading).toBe(false);

    const version = server.reader.slateVersion();
    const epochMs = server.reader.epochMs;
    const cutAtMs = systemClock.monotonicMs();
    proxy.cut();
    await until('the other leads', () => {
      first.move();
      second.move();
      return second.leader.isLeading && server.reader.epochMs > epochMs;
    });
    expect(systemClock.monotonicMs() - cutAtMs).toBeLessThan(TAKEOVER_MS_MAX);
    await expectSame(second, [server]);
    expect(server.reader.epochMs).toBeGreaterThan(epochMs);
    expect(server.reader.slateVersion()).toBeGreaterThan(version);

    proxy.restore();
    await until('the first knows that it leads no more', () => !first.leader.isLeading);
    for (let step = 0; step < 20; step++) {
      first.move();
      second.move();
      await expectSame(second, [server]);
    }
    expect(first.reader.feed().replication).toBe('waiting');
    await second.leader.close();
    await leads(first);
    first.move();
    await expectSame(first, [server]);
  });

  test('a node that takes over has the latest fixtures of the former leader before its own epoch begins', async () => {
    const first = ingest(1);
    await leads(first);
    const second = ingest(2);
    await until('it waits', () => second.reader.feed().replication === 'waiting');
    const server = serve();
    for (let step = 0; step < 50; step++) first.move();
    await expectSame(first, [server]);
    const events = [1, 2, 3, 4, 5];
    const wanted = events.filter((event) => first.reader.slotOf(event) >= 0);
    expect(wanted).not.toEqual([]);
    const seen: { readonly events: number[]; readonly epochMs: number }[] = [];
    second.onTakeover = () => {
      const { leaderFixtures: fixtures } = second;
      const had = events.filter((event) => fixtures.has({ event, home: event * 2, away: event * 2 + 1 }));
      seen.push({ events: had, epochMs: server.reader.epochMs });
      expect(fixtures.has({ event: wanted[0]!, home: 1, away: 2 })).toBe(false); // another match
    };
    const { epochMs } = server.reader;
    await first.leader.close();
    await leads(second);
    expect(seen).toEqual([{ events: wanted, epochMs }]);
    expect(second.leaderFixtures.isEmpty).toBe(true); // from now on its own feed names the fixtures
    second.move();
    await expectSame(second, [server]);
  });

  test('a node that is closed while it acquires the lease releases it', async () => {
    const node = ingest(1);
    await node.leader.close();
    const link = openLink();
    expect(await link.call('HGET', [STATE_KEY, 'term'])).toBe('1'); // the lease was acquired
    expect(await link.call('EXISTS', [LEASE_KEY])).toBe(0);
  });

  test('a leader that has lost its feed hands over to a node whose feed is live, and to no other', async () => {
    const first = ingest(1);
    first.move();
    await leads(first);
    const second = ingest(2);
    await until('it waits', () => second.reader.feed().replication === 'waiting');
    second.writer.facts.setConnected(false);
    first.writer.facts.setConnected(false);
    const lostAtMs = systemClock.monotonicMs();
    await until('it has been lost for longer than a leader tolerates', () => {
      expect(first.leader.isLeading).toBe(true); // the feed of the other node is lost too
      return systemClock.monotonicMs() - lostAtMs > 4_000;
    });
    second.writer.facts.setConnected(true);
    await until('the other leads', () => {
      second.move();
      return second.leader.isLeading;
    });
    // The first node does not take the lease back, neither without a feed nor when its feed is back.
    const ledAtMs = systemClock.monotonicMs();
    await until('some heartbeats have passed', () => {
      second.move();
      if (systemClock.monotonicMs() - ledAtMs > 600) first.writer.facts.setConnected(true);
      return systemClock.monotonicMs() - ledAtMs > 1_200;
    });
    expect([first.leader.isLeading, second.leader.isLeading]).toEqual([false, true]);
  });

  test('a short stall of Redis changes nothing; a longer one begins a new epoch, and nodes then continue without help', async () => {
    const [leader, server] = await followed(1);
    const epochMs = server.reader.epochMs;

    redis.freeze();
    await until('the server says that it is cut off', () => {
      leader.move();
      return server.reader.feed().replication === 'cut_off';
    });
    redis.thaw();
    await expectSame(leader, [server]);
    expect(server.reader.epochMs).toBe(epochMs);

    redis.freeze();
    const frozenAtMs = systemClock.monotonicMs();
    await until('the lease is over', () => {
      leader.move();
      return systemClock.monotonicMs() - frozenAtMs > 3_600;
    });
    redis.thaw();
    await until('it leads again', () => leader.leader.isLeading && leader.reader.epochMs > epochMs);
    await expectSame(leader, [server]);
    await until('it follows', () => server.reader.feed().replication === 'following');
  });

  test('after a stall of Redis longer than a lease, one of several nodes leads within half of FIRST_LEASE_MS', async () => {
    const nodes = [ingest(1), ingest(2)];
    const server = serve();
    await until('one leads and is followed', () => {
      for (const node of nodes) node.move();
      const isLed = nodes.some(({ leader }) => leader.isLeading);
      return isLed && server.reader.feed().replication === 'following';
    });
    const { epochMs } = server.reader;
    redis.freeze();
    const frozenAtMs = systemClock.monotonicMs();
    await until('the lease is over', () => systemClock.monotonicMs() - frozenAtMs > LEASE_MS + 600);
    redis.thaw();
    const thawedAtMs = systemClock.monotonicMs();
    await until('the server has a slate of a new epoch', () => {
      for (const node of nodes) node.move();
      return server.reader.epochMs > epochMs && server.reader.feed().replication === 'following';
    });
    // A lease that nobody holds would last for FIRST_LEASE_MS.
    expect(systemClock.monotonicMs() - thawedAtMs).toBeLessThan(FIRST_LEASE_MS / 2);
    expect(nodes.filter(({ leader }) => leader.isLeading)).toHaveLength(1);
  });

  test('the holder of a lease can acquire it again, because the answer to its first call may have been lost', async () => {
    const link = openLink();
    await link.call('SET', [LEASE_KEY, 'node-1:1', 'PX', '60000']);
    await link.call('HSET', [STATE_KEY, 'term', '1', 'epoch', '5']);
    const other = ingest(2);
    await leads(ingest(1));
    expect(other.leader.isLeading).toBe(false);
    expect(await link.call('HGET', [STATE_KEY, 'term'])).toBe('2'); // refuses entries of term 1
  });

  test('an empty Redis is filled again, with a new epoch', async () => {
    const [leader, server] = await followed(20);
    const epochMs = server.reader.epochMs;
    const version = server.reader.slateVersion();
    await redis.kill();
    await until('the server says that it is cut off', () => server.reader.feed().replication === 'cut_off');
    for (let step = 0; step < 20; step++) leader.move();
    expect(server.reader.slateVersion()).toBe(version);
    await redis.resume();
    await until('the leader is back', () => leader.reader.epochMs > epochMs);
    await expectSame(leader, [server]);
  });

  test('if Redis was emptied, a new leader begins above the versions that serving nodes have seen', async () => {
    const [former, server] = await followed(200);
    await former.leader.close();
    await redis.kill();
    await redis.resume();
    const leader = ingest(2);
    await until('the server follows again', () => {
      leader.move();
      return leader.base > 0 && server.reader.epochMs === leader.reader.epochMs;
    });
    await expectSame(leader, [server]);
  });

  test('a snapshot that Redis dropped is written again completely, so that new nodes get the whole slate', async () => {
    const [leader, server] = await followed(50);
    const link = openLink();
    const seq = Number(await link.call('HGET', [STATE_KEY, 'seq']));
    await until('the snapshot has every fixture', async () => {
      const mark = String(await link.call('HGET', [SNAPSHOT_KEY, 'mark']));
      return Number(mark.split(':')[1]) >= seq;
    });
    await link.call('DEL', [SNAPSHOT_KEY]);
    const atMs = systemClock.wallMs();
    const slot = [1, 2, 3, 4, 5].map((event) => leader.writer.slotOf(event)).find((found) => found >= 0)!;
    leader.writer.putState(slot, { status: 1, clock: "90'", score: [9, 9], cards: null, atMs });
    leader.writer.publish(atMs);
    await until('a snapshot is there', async () => (await link.call('EXISTS', [SNAPSHOT_KEY])) === 1);
    await expectSame(leader, [server, serve()]);
  });

  test('the stream keeps no more than a minute, and the content of Redis is bounded', async () => {
    const leader = ingest(1);
    await leads(leader);
    const link = openLink();
    // One script deletes the stream and adds old entries. If the leader appended an entry in between, Redis
    // would refuse their lower ids.
    const old =
      "redis.call('DEL', KEYS[1]) for at = 1, 500 do redis.call('XADD', KEYS[1], at..'-0', 'e', 'old') end";
    await link.call('EVAL', [old, '1', STREAM_KEY]);
    leader.move();
    await until('an entry is there', async () => {
      const seq = await link.call('HGET', [STATE_KEY, 'seq']);
      return Number(seq) > 0;
    });
    expect(Number(await link.call('XLEN', [STREAM_KEY]))).toBeLessThan(500);
  });
});
