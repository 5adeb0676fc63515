// A cache of values by key, with a bound on their number and on the sum of their weights.

/**
 * When the cache is full, the values that were used longest ago are dropped. The value that was set last
 * always stays.
 */
export class LruCache<Value> {
  readonly #weightMax: number;
  readonly #countMax: number;
  /** The value used longest ago comes first. */
  readonly #values = new Map<string, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  constructor(weightMax: number, countMax = Number.POSITIVE_INFINITY) {
    this.#weightMax = weightMax;
    this.#countMax = countMax;
  }

  get(key: string): Value | undefined {
    const held = this.#values.get(key);
    if (held === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, held);
    return held.value;
  }

  /** Keeps a value and replaces an earlier one with the same key. @param weight counts against the bound */
  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    this.#values.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#values.keys()) {
      const isFull = this.#weight > this.#weightMax || this.#values.size > this.#countMax;
      if (!isFull || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0;
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
    this.#weight = 0;
  }
}

/** A cache for each class of callers, so that callers without a key evict nothing that customers use. */
export function cachesByClass<Value>(weights: { readonly paid: number; readonly unpaid: number }) {
  return {
    paid: new LruCache<Value>(weights.paid),
    free: new LruCache<Value>(weights.unpaid),
    keyless: new LruCache<Value>(weights.unpaid),
  };
}
