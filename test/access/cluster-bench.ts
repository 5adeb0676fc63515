// Several nodes in one process, each with its own access memory, over one Redis and one manual clock.

import { LeaseSettler } from '../../src/access/cluster/lease-settler.ts';
import { createLeaseMemory, Leases } from '../../src/access/cluster/leases.ts';
import type { LimitStore } from '../../src/access/cluster/limit-store.ts';
import { RedisLimits } from '../../src/access/cluster/redis-limits.ts';
import { type Gate, SharedGate } from '../../src/access/gate.ts';
import { attachAccessMemory, createAccessMemory } from '../../src/access/quotas/memory.ts';
import { systemClock } from '../../src/clock.ts';
import { RedisLink } from '../../src/storage/redis.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { type AccessBench, START_MS } from './support.ts';

const CAPACITY = { keys: 64, addresses: 256 };

export class ClusterNode {
  readonly gate: Gate;
  readonly settler: LeaseSettler;
  readonly leases: Leases;
  readonly changes: unknown[] = [];
  readonly #link: RedisLink;

  /** All nodes of the bench share these keys, as nodes of one cluster share a database. */
  constructor(
    bench: AccessBench,
    {
      redis,
      name,
      isHasty,
      wrap = (store) => store,
    }: {
      readonly redis: RedisServer;
      readonly name: string;
      readonly isHasty: boolean;
      /** Wraps the node's store, for example in a connection that fails. */
      readonly wrap?: (store: LimitStore) => LimitStore;
    },
  ) {
    const memory = createAccessMemory({ seed: 0x5eed, startedAtMs: START_MS, capacity: CAPACITY });
    const leaseMemory = createLeaseMemory(CAPACITY);
    this.#link = isHasty ? new RedisLink({ url: redis.url, clock: systemClock }) : redis.openLink();
    this.leases = new Leases(leaseMemory);
    const { clock, directory } = bench;
    this.gate = new SharedGate({ memory, directory, clock, leaseMemory });
    this.settler = new LeaseSettler({
      memory: attachAccessMemory(memory),
      leases: this.leases,
      store: wrap(new RedisLimits({ link: this.#link, node: name, wallMs: () => clock.wallMs() })),
      clock,
      onChange: (failure) => this.changes.push(failure),
    });
  }

  /** Sends a heartbeat if one is due, and settles the counts that are due. */
  async settle(): Promise<void> {
    while (await this.settler.step());
  }

  close(): void {
    this.#link.close();
  }
}

/** Deletes everything in Redis, as after a restart without data. */
export async function empty(redis: RedisServer): Promise<void> {
  const link = redis.openLink();
  await link.call('FLUSHALL', []);
  link.close();
}
