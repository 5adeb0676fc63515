// Limits that several nodes share over Redis: the nodes together admit what one machine would, and at most
// one lot (an eighth of a burst) per node more.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SharedGate } from '../../../src/access/gate.ts';
import { FORGETTABLE_DAILY_COUNT } from '../../../src/access/limits.ts';
import { DAY_MS } from '../../../src/clock.ts';
import { TIERS } from '../../../src/domain/tiers.ts';
import { until } from '../../support/condition.ts';
import { REDIS_MISSING, RedisServer } from '../../support/redis-server.ts';
import { admit } from '../admit.ts';
import { ClusterNode, empty } from '../cluster-bench.ts';
import { AccessBench } from '../support.ts';

const ADDRESS = '198.51.100.7';
/** The bench's clock has this value when the milliseconds that threads share begin to count. */
const MONOTONIC_START_MS = 1_000;

if (REDIS_MISSING !== null) console.log(`skipped: ${REDIS_MISSING}`);

/** A token bucket that holds a full burst and, in addition, one lot for every node. */
class RoomyBucket {
  readonly #max: number;
  readonly #perMs: number;
  #level: number;
  #atMs: number;

  constructor(tier: (typeof TIERS)[number], nodes: number, nowMs: number) {
    this.#max = tier.burst + nodes * Math.floor(tier.burst / 8);
    this.#perMs = tier.perMinute / 60_000;
    this.#level = this.#max;
    this.#atMs = nowMs;
  }

  /** @returns the tokens that are left; less than 0 if the bucket had no token for this request */
  take(nowMs: number): number {
    this.#level = Math.min(this.#max, this.#level + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    this.#level -= 1;
    return this.#level;
  }
}

/**
 * Lets time pass while Redis is reachable: each node counts as having heard from Redis, even one that settles
 * nothing.
 */
function pass(bench: AccessBench, nodes: readonly ClusterNode[], ms: number): void {
  bench.clock.advance(ms);
  for (const { leases } of nodes) leases.heard(bench.clock.monotonicMs() - MONOTONIC_START_MS);
}

describe.skipIf(REDIS_MISSING !== null)('limits shared over Redis', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await RedisServer.start();
  });

  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
  });

  /**
   * Runs with this many nodes that know of each other.
   * @param isHasty which of them abort a call as early as a running server does, for tests in which Redis
   * does not answer
   */
  async function withNodes(
    {
      count,
      isHasty = () => false,
    }: { readonly count: number; readonly isHasty?: (node: number) => boolean },
    run: (nodes: readonly ClusterNode[], bench: AccessBench) => Promise<void>,
  ): Promise<void> {
    await empty(redis);
    using bench = new AccessBench();
    const nodes = Array.from(
      { length: count },
      (_, index) => new ClusterNode(bench, { redis, name: `node-${index}`, isHasty: isHasty(index) }),
    );
    try {
      for (const node of nodes) await node.settle();
      await run(nodes, bench);
    } finally {
      for (const node of nodes) node.close();
    }
  }

  /** The daily counts of all addresses in Redis. */
  async function dayCounts(): Promise<unknown[]> {
    const link = redis.openLink();
    try {
      const keys = (await link.call('KEYS', ['*address:*'])) as string[];
      return await Promise.all(keys.map((key) => link.call('HGET', [key, 'count'])));
    } finally {
      link.close();
    }
  }

  test('no order of requests, settlements and waits admits more than the burst, the rate and one lot per node', async () => {
    const step = fc.record({
      node: fc.nat(3),
      requests: fc.nat(60),
      settles: fc.boolean(),
      waitMs: fc.oneof(fc.nat(300), fc.nat(20_000)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.nat(3),
        fc.array(step, { maxLength: 40 }),
        async (count, tierIndex, steps) => {
          await withNodes({ count }, async (nodes, bench) => {
            const tier = TIERS[tierIndex]!;
            const { text } = await bench.createKey(tier.key);
            const roomy = new RoomyBucket(tier, count, bench.clock.wallMs());
            for (const { node, requests, settles, waitMs } of steps) {
              const { gate, settler } = nodes[node % count]!;
              // Enough requests to use up a burst: fast tiers send more in each step.
              for (let request = 0; request < requests * (1 + tierIndex * 3); request++) {
                if (admit(gate, `Bearer ${text}`, ADDRESS, 1).refusal !== null) continue;
                expect(roomy.take(bench.clock.wallMs())).toBeGreaterThanOrEqual(-0.001);
              }
              if (settles) while (await settler.step());
              pass(bench, nodes, waitMs);
            }
          });
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  test('a single node that settles after every request answers like a gate without Redis, headers included', async () => {
    const step = fc.record({ isKey: fc.boolean(), waitMs: fc.oneof(fc.nat(40), fc.nat(4_000)) });
    await fc.assert(
      fc.asyncProperty(fc.nat(3), fc.array(step, { maxLength: 120 }), async (tierIndex, steps) => {
        await withNodes({ count: 1 }, async ([node], bench) => {
          const alone = new SharedGate({
            memory: bench.memory,
            directory: bench.directory,
            clock: bench.clock,
          });
          const { text } = await bench.createKey(TIERS[tierIndex]!.key);
          for (const { isKey, waitMs } of steps) {
            const header = isKey ? `Bearer ${text}` : null;
            const { principal: _, ...answer } = admit(node!.gate, header, ADDRESS, 1);
            const { principal: __, ...expected } = admit(alone, header, ADDRESS, 1);
            expect(answer).toEqual(expected);
            await node!.settler.settleAll();
            pass(bench, [node!], waitMs);
          }
        });
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  test('a burst that is spread over all nodes is admitted completely, and at most one lot per node beyond it', async () => {
    await withNodes({ count: 3 }, async (nodes, bench) => {
      const { text } = await bench.createKey('standard');
      let admitted = 0;
      for (let request = 0; request < 200; request++) {
        const node = nodes[request % 3]!;
        if (admit(node.gate, `Bearer ${text}`, ADDRESS, 1).refusal === null) admitted++;
        await node.settle();
      }
      expect(admitted).toBeGreaterThanOrEqual(120);
      expect(admitted).toBeLessThanOrEqual(120 + 3 * 15);
      // The bucket is empty, and no node reports more than one lot as remaining.
      for (const node of nodes) await node.settler.settleAll();
      for (const node of nodes)
        expect(admit(node.gate, `Bearer ${text}`, ADDRESS, 0).remaining).toBeLessThanOrEqual(15);
    });
  });

  test('an address without a key has 200 requests a day on all nodes together, and each is counted once', async () => {
    await withNodes({ count: 3 }, async (nodes, bench) => {
      let admitted = 0;
      for (let request = 0; request < 300; request++) {
        const node = nodes[request % 3]!;
        const { refusal, daily } = admit(node.gate, null, ADDRESS, 1);
        if (refusal === null) admitted++;
        else expect(daily?.remaining).toBe(0);
        await node.settler.settleAll();
        pass(bench, nodes, 1_000);
      }
      // A node does not know the latest requests of the others, so it may admit one lot, three requests, too
      // many.
      expect(admitted).toBeGreaterThanOrEqual(200);
      expect(admitted).toBeLessThanOrEqual(200 + 3 * 3);
      expect(await dayCounts()).toEqual([String(admitted)]);
      bench.clock.advance(DAY_MS);
      for (const node of nodes) await node.settle();
      expect(admit(nodes[0]!.gate, null, ADDRESS, 1).refusal).toBeNull();
    });
  });

  test('Redis forgets an address with few requests within two minutes; it forgets other addresses and keys after 26 hours', async () => {
    await withNodes({ count: 1 }, async ([node], bench) => {
      const key = `Bearer ${(await bench.createKey('free')).text}`;
      const link = redis.openLink();
      const keptMinutes = async (name: string, requests: number, header: string | null) => {
        for (let request = 0; request < requests; request++) {
          expect(admit(node!.gate, header, ADDRESS, 1).refusal).toBeNull();
          await node!.settler.settleAll();
          pass(bench, [node!], 3_000);
        }
        const [found] = (await link.call('KEYS', [`*${name}:*`])) as string[];
        return Math.ceil(Number(await link.call('PTTL', [found!])) / 60_000);
      };
      try {
        expect(await keptMinutes('address', FORGETTABLE_DAILY_COUNT, null)).toBe(2);
        expect(await keptMinutes('address', 1, null)).toBe(26 * 60);
        expect(await keptMinutes('key', 1, key)).toBe(26 * 60);
      } finally {
        link.close();
      }
    });
  });

  test('when Redis has lost its data, no caller gets another burst, and no daily count begins again', async () => {
    await withNodes({ count: 2 }, async ([one, other], bench) => {
      for (let request = 0; request < 30; request++) {
        admit(one!.gate, null, ADDRESS, 1);
        await one!.settler.settleAll();
      }
      await empty(redis);
      bench.clock.advance(3_000);
      await one!.settle();
      for (let request = 0; request < 10; request++) {
        admit(one!.gate, null, ADDRESS, 1);
        await one!.settler.settleAll();
      }
      // Three tokens came back in three seconds and are spent. The other node learns this with its first
      // request.
      expect(admit(one!.gate, null, ADDRESS, 1).refusal).not.toBeNull();
      admit(other!.gate, null, ADDRESS, 1);
      await other!.settler.settleAll();
      await other!.settle();
      expect(admit(other!.gate, null, ADDRESS, 1).refusal).not.toBeNull();
      expect(await dayCounts()).toEqual(['34']);
    });
  });

  test('while Redis is unreachable each node grants its share of the rate; afterwards each node settles what it granted', async () => {
    await withNodes({ count: 3, isHasty: () => true }, async (nodes, bench) => {
      for (const node of nodes) {
        bench.clock.advance(200);
        await node.settle();
      }
      // Every node has received the counts of the two others.
      for (const node of nodes) {
        bench.clock.advance(200);
        await node.settle();
      }
      await redis.kill();
      bench.clock.advance(2_000);
      for (const node of nodes) {
        await node.settle();
        expect(node.changes.at(-1)).toBeInstanceOf(Error);
      }
      const admittedOf = nodes.map(({ gate }) => {
        let admitted = 0;
        while (admit(gate, null, ADDRESS, 1).refusal === null) admitted++;
        return admitted;
      });
      expect(admittedOf).toEqual([10, 10, 10]);
      expect(admit(nodes[0]!.gate, null, ADDRESS, 0).limit).toBe(20);
      await redis.resume();
      for (const node of nodes) {
        await until('the node has settled', async () => {
          bench.clock.advance(200);
          await node.settler.settleAll();
          return node.changes.at(-1) === null && !node.leases.owing().length;
        });
      }
      bench.clock.advance(1);
      const { daily } = admit(nodes[2]!.gate, null, ADDRESS, 0);
      expect(daily).toBeNull();
    });
  }, 120_000);

  test('a settlement whose answer was lost is counted once', async () => {
    await withNodes({ count: 2, isHasty: (node) => node === 0 }, async ([one, other], bench) => {
      for (let request = 0; request < 3; request++) admit(one!.gate, null, ADDRESS, 1);
      redis.freeze();
      await one!.settle();
      redis.thaw();
      expect(one!.leases.owing()).not.toEqual([]);
      expect(one!.changes).toEqual([null]); // one slow call is not an outage, so limits stay shared
      await until('the node has settled', async () => {
        bench.clock.advance(200);
        await one!.settler.settleAll();
        return one!.leases.owing().length === 0;
      });
      // The other node receives the daily count with its first request, which is the fourth of 200.
      pass(bench, [other!], 60_000);
      admit(other!.gate, null, ADDRESS, 1);
      await other!.settler.settleAll();
      let admitted = 0;
      for (let request = 0; request < 250; request++) {
        pass(bench, [other!], 1_000);
        if (admit(other!.gate, null, ADDRESS, 1).refusal === null) admitted++;
        await other!.settler.settleAll();
      }
      expect(admitted).toBe(196);
    });
  }, 120_000);
});
