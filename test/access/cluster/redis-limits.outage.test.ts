// Limits that several nodes share while Redis fails: calls hang, are lost, arrive late or twice, and outages
// come with and without loss of data. Callers within their rate never notice; a caller above it gets no more
// than docs/guide/cluster.md allows.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LimitSettlement, LimitStore, Standing } from '../../../src/access/cluster/limit-store.ts';
import { TIERS } from '../../../src/domain/tiers.ts';
import { REDIS_MISSING, RedisServer } from '../../support/redis-server.ts';
import { runs } from '../../support/runs.ts';
import { admit } from '../admit.ts';
import { ClusterNode, empty } from '../cluster-bench.ts';
import { AccessBench } from '../support.ts';

const ADDRESS = '198.51.100.7';
/** How many requests in a row a greedy caller sends to a node that refuses all of them. */
const REFUSALS_IN_A_ROW = 3;
/** The time on the bench's clock between two calls of `settle` on each node. */
const TICK_MS = 50;

if (REDIS_MISSING !== null) console.log(`skipped: ${REDIS_MISSING}`);

const FATES = ['answered', 'lost', 'unanswered', 'late', 'twice'] as const;
type Fate = (typeof FATES)[number];

/** A limit store that fails on demand. A delayed call is executed when `deliver` is called. */
class FailingStore implements LimitStore {
  isDown = false;
  fate: Fate = 'answered';
  readonly #store: LimitStore;
  #late: (() => Promise<unknown>)[] = [];

  constructor(store: LimitStore) {
    this.#store = store;
  }

  async settle(settlement: LimitSettlement): Promise<Standing[]> {
    const { fate } = this;
    this.fate = 'answered';
    if (this.isDown || fate === 'late') this.#late.push(() => this.#store.settle(settlement));
    if (this.isDown || fate === 'late' || fate === 'lost') throw new Error('no answer');
    const standings = await this.#store.settle(settlement);
    if (fate === 'unanswered') throw new Error('no answer');
    return fate === 'twice' ? this.#store.settle(settlement) : standings;
  }

  heartbeat(): Promise<{ nodes: number; isKnown: boolean }> {
    if (this.isDown) return Promise.reject(new Error('no answer'));
    return this.#store.heartbeat();
  }

  /** Executes the delayed calls, also those of earlier outages. */
  async deliver(): Promise<void> {
    for (const call of this.#late.splice(0)) await call();
  }
}

interface Outage {
  readonly afterMs: number;
  readonly ms: number;
  readonly empties: boolean;
  readonly delivers: 'before' | 'after' | 'never';
}

interface Scene {
  readonly bench: AccessBench;
  readonly nodes: readonly ClusterNode[];
  readonly stores: readonly FailingStore[];
}

const OUTAGE = fc.record({
  afterMs: fc.integer({ min: 200, max: 8_000 }),
  ms: fc.oneof(fc.integer({ min: 50, max: 1_000 }), fc.integer({ min: 1_000, max: 30_000 })),
  empties: fc.boolean(),
  delivers: fc.constantFrom('before' as const, 'after' as const, 'never' as const),
});

/**
 * In the second outage, a short one, Redis loses its data, and then the delayed calls of the first outage
 * arrive. The node's next call comes before a heartbeat has reported the loss; Redis must still accept the
 * counts that the node has.
 */
const OLD_CALLS_AFTER_LOSS: [number, number, Outage[], Fate[]] = [
  1,
  3,
  [
    { afterMs: 209, ms: 3_250, empties: true, delivers: 'never' },
    { afterMs: 5_993, ms: 54, empties: true, delivers: 'before' },
  ],
  ['unanswered', 'lost'],
];

/**
 * A caller that uses everything it can get. It is compared with a bucket that holds `bursts` bursts, one
 * lot (an eighth of a burst) per node, and one more lot per node and outage.
 */
class GreedyCaller {
  readonly #scene: Scene;
  readonly #tierIndex: number;
  readonly #header: string;
  readonly #max: number;
  #level: number;
  #atMs: number;

  private constructor(
    scene: Scene,
    tierIndex: number,
    { text, bursts, outages }: { text: string; bursts: number; outages: number },
  ) {
    const { burst } = TIERS[tierIndex]!;
    this.#scene = scene;
    this.#tierIndex = tierIndex;
    this.#header = `Bearer ${text}`;
    this.#max = burst * bursts + scene.nodes.length * (1 + outages) * Math.floor(burst / 8);
    this.#level = this.#max;
    this.#atMs = scene.bench.clock.monotonicMs();
  }

  static async of(
    scene: Scene,
    tierIndex: number,
    room: { bursts: number; outages: number },
  ): Promise<GreedyCaller> {
    const { text } = await scene.bench.createKey(TIERS[tierIndex]!.key);
    return new GreedyCaller(scene, tierIndex, { text, ...room });
  }

  /**
   * @param requests how many requests a key of the slowest tier sends; a key of a faster tier sends a
   * multiple
   */
  ask(node: number, requests: number): void {
    const { bench, nodes } = this.#scene;
    const perMs = TIERS[this.#tierIndex]!.perMinute / 60_000;
    const nowMs = bench.clock.monotonicMs();
    let refusals = 0;
    for (let request = 0; request < requests * (1 + this.#tierIndex * 3); request++) {
      const { refusal } = admit(nodes[node % nodes.length]!.gate, this.#header, ADDRESS, 1);
      if (refusal !== null) {
        // The clock does not move in this loop, so the node would refuse the remaining requests too.
        refusals++;
        if (refusals === REFUSALS_IN_A_ROW) return;
        continue;
      }
      refusals = 0;
      this.#level = Math.min(this.#max, this.#level + (nowMs - this.#atMs) * perMs) - 1;
      this.#atMs = nowMs;
      if (this.#level < -0.001) throw new Error(`the caller got ${-this.#level} requests too many`);
    }
  }
}

describe.skipIf(REDIS_MISSING !== null)('limits shared over a Redis that fails', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await RedisServer.start();
  });

  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
  });

  async function withNodes(count: number, run: (scene: Scene) => Promise<void>): Promise<void> {
    await empty(redis);
    using bench = new AccessBench();
    const stores: FailingStore[] = [];
    const nodes = Array.from({ length: count }, (_, index) => {
      const wrap = (store: LimitStore) => {
        const failing = new FailingStore(store);
        stores.push(failing);
        return failing;
      };
      return new ClusterNode(bench, { redis, name: `node-${index}`, isHasty: false, wrap });
    });
    try {
      for (let round = 0; round < 2; round++) {
        for (const node of nodes) await node.settle();
        bench.clock.advance(200);
      }
      await run({ bench, nodes, stores });
    } finally {
      for (const node of nodes) node.close();
    }
  }

  /** Lets time pass in ticks. @param onTick what callers do in each tick */
  async function pass({ bench, nodes }: Scene, ms: number, onTick: () => void): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += TICK_MS) {
      bench.clock.advance(TICK_MS);
      onTick();
      for (const node of nodes) await node.settle();
    }
  }

  async function playOutage(scene: Scene, outage: Outage, onTick: () => void): Promise<void> {
    for (const store of scene.stores) store.isDown = true;
    await pass(scene, outage.ms, onTick);
    if (outage.empties) await empty(redis);
    if (outage.delivers === 'before') for (const store of scene.stores) await store.deliver();
    for (const store of scene.stores) store.isDown = false;
  }

  test('a caller within its rate is never refused, whatever happens to Redis and to the calls that nodes send to it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 30, max: 95 }),
        fc.array(OUTAGE, { minLength: 1, maxLength: 3 }),
        fc.array(fc.constantFrom(...FATES), { maxLength: 12 }),
        async (count, tierIndex, percent, outages, fates) => {
          await withNodes(count, async (scene) => {
            const { bench, nodes, stores } = scene;
            const tier = TIERS[tierIndex]!;
            const { text } = await bench.createKey(tier.key);
            const everyMs = 60_000 / tier.perMinute / (percent / 100);
            const startMs = bench.clock.monotonicMs();
            let sent = 0;
            let refused = 0;
            const onTick = () => {
              for (; startMs + sent * everyMs <= bench.clock.monotonicMs(); sent++) {
                const { refusal } = admit(nodes[sent % count]!.gate, `Bearer ${text}`, ADDRESS, 1);
                if (refusal !== null) refused++;
              }
            };
            for (const [index, outage] of outages.entries()) {
              const fate = fates[index];
              if (fate !== undefined) stores[outage.ms % count]!.fate = fate;
              await pass(scene, outage.afterMs, onTick);
              expect(refused).toBe(0);
              await playOutage(scene, outage, onTick);
              await pass(scene, TICK_MS, onTick); // the first call after the outage
              refused = 0;
            }
            await pass(scene, 3_000, onTick);
            if (outages.at(-1)!.delivers === 'after') for (const store of stores) await store.deliver();
            await pass(scene, 12_000, onTick);
            expect(refused).toBe(0);
          });
        },
      ),
      { numRuns: runs(15) },
    );
  }, 120_000);

  test('a caller above its rate gets at most its burst, its rate, one lot (an eighth of a burst) per node, and one more lot per node and outage', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(OUTAGE, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...FATES), { maxLength: 12 }),
        async (count, tierIndex, outages, fates) => {
          await withNodes(count, async (scene) => {
            const greedy = await GreedyCaller.of(scene, tierIndex, { bursts: 1, outages: outages.length });
            let turn = 0;
            const onTick = () => {
              for (let node = 0; node < count; node++) greedy.ask(turn++, 30);
            };
            for (const [index, outage] of outages.entries()) {
              const fate = fates[index];
              if (fate !== undefined) scene.stores[outage.ms % count]!.fate = fate;
              await pass(scene, outage.afterMs, onTick);
              await playOutage(scene, outage, onTick);
              await pass(scene, TICK_MS, onTick);
              if (outage.delivers === 'after') for (const store of scene.stores) await store.deliver();
            }
            await pass(scene, 5_000, onTick);
          });
        },
      ),
      { numRuns: runs(8), examples: [OLD_CALLS_AFTER_LOSS] },
    );
  }, 120_000);

  test('a caller that moves to other nodes in outages gets at most one additional burst', async () => {
    const step = fc.record({
      node: fc.oneof(fc.constant(0), fc.nat(3)),
      requests: fc.nat(80),
      waitMs: fc.oneof(fc.nat(100), fc.nat(1_500)),
    });
    const act = fc.oneof({ weight: 8, arbitrary: step }, { weight: 1, arbitrary: OUTAGE });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(act, { maxLength: 80 }),
        async (count, tierIndex, acts) => {
          await withNodes(count, async (scene) => {
            const outages = acts.filter((one) => 'empties' in one).length;
            const greedy = await GreedyCaller.of(scene, tierIndex, { bursts: 2, outages });
            let turn = 0;
            for (const one of acts) {
              if ('requests' in one) {
                greedy.ask(one.node, one.requests);
                await pass(scene, one.waitMs, () => undefined);
              } else await playOutage(scene, one, () => greedy.ask(turn++, 10));
            }
          });
        },
      ),
      { numRuns: runs(15) },
    );
  }, 120_000);

  test('a call that Redis receives after a later call of the same node changes nothing', async () => {
    await withNodes(2, async (scene) => {
      const { bench, nodes, stores } = scene;
      const [one, other] = nodes;
      const [store] = stores;
      admit(one!.gate, null, ADDRESS, 1);
      store!.fate = 'late';
      await one!.settle();
      for (let request = 0; request < 2; request++) {
        await pass(scene, 11_000, () => undefined); // first the repeated call, then the next one
        admit(one!.gate, null, ADDRESS, 1);
      }
      await one!.settler.settleAll();
      await store!.deliver();
      admit(other!.gate, null, ADDRESS, 1);
      await other!.settler.settleAll();
      bench.clock.advance(1);
      const link = redis.openLink();
      const [key = ''] = (await link.call('KEYS', ['*address:*'])) as string[];
      expect(await link.call('HGET', [key, 'count'])).toBe('4');
      link.close();
    });
  });
});
