// The numbers of a node in the metrics memory. Each is written by the worker that knows it, and the query
// thread reads them all for GET /metrics (node-metrics.ts).

import type { PostgresWatch } from '../storage/postgres.ts';
import type { RedisWatch } from '../storage/redis.ts';
import type { MetricsMemory } from './metrics-memory.ts';
import {
  NODE_NUMBERS,
  type NodeNumber,
  POSTGRES_FAILURES,
  type PostgresUse,
  REDIS_FAILURES,
  type RedisUse,
} from './node-metrics.ts';

/** The numbers by name. A number that was never set has no sample. */
export class NodeNumbers {
  readonly #node: BigInt64Array<SharedArrayBuffer>;

  constructor({ node }: Pick<MetricsMemory, 'node'>) {
    this.#node = node;
  }

  /** Starts counters at 0, except those that an earlier worker has started. */
  begin(...names: readonly NodeNumber[]): void {
    for (const name of names) Atomics.compareExchange(this.#node, NODE_NUMBERS.indexOf(name), 0n, 1n);
  }

  /** @param value not negative; decimals are cut off */
  set(name: NodeNumber, value: number): void {
    Atomics.store(this.#node, NODE_NUMBERS.indexOf(name), BigInt(Math.trunc(value)) + 1n);
  }

  /** Adds to a counter that was started with `begin`. */
  add(name: NodeNumber, count: number): void {
    Atomics.add(this.#node, NODE_NUMBERS.indexOf(name), BigInt(count));
  }

  get(name: NodeNumber): number | null {
    const stored = Atomics.load(this.#node, NODE_NUMBERS.indexOf(name));
    return stored === 0n ? null : Number(stored - 1n);
  }
}

/** Counts the failed calls to Redis of one use, and notes whether the last call succeeded. */
export function redisWatch(numbers: NodeNumbers, use: RedisUse): RedisWatch {
  numbers.begin(...REDIS_FAILURES.map((kind) => `redis_${use}_${kind}` as const));
  return {
    answered: () => numbers.set(`redis_up_${use}`, 1),
    failed: (kind) => {
      numbers.set(`redis_up_${use}`, 0);
      numbers.add(`redis_${use}_${kind}`, 1);
    },
  };
}

/**
 * Counts the failed and the waiting calls to Postgres of one use, and notes whether Postgres answered the
 * last call. A call refused because too many waited says nothing about the server.
 */
export function postgresWatch(numbers: NodeNumbers, use: PostgresUse): PostgresWatch {
  numbers.begin(
    `postgres_waiting_${use}`,
    ...POSTGRES_FAILURES.map((kind) => `postgres_${use}_${kind}` as const),
  );
  return {
    answered: () => numbers.set(`postgres_up_${use}`, 1),
    failed: (kind) => {
      if (kind !== 'refused') numbers.set(`postgres_up_${use}`, 0);
      numbers.add(`postgres_${use}_${kind}`, 1);
    },
    waiting: (count) => numbers.set(`postgres_waiting_${use}`, count),
  };
}
