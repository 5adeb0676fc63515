// Parsed names remembered across rebuilds of an index, so that a slate that changes by one fixture parses two names.

import { type ParsedName, parseName } from './normalise.ts';

export class NameCache {
  readonly #capacity: number;
  readonly #parsed = new Map<string, ParsedName>();

  /** @param capacity names kept; when full, the oldest half is dropped */
  constructor(capacity = 16_384) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#parsed.size;
  }

  parse(name: string): ParsedName {
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    if (this.#parsed.size >= this.#capacity) this.#dropOldestHalf();
    const parsed = parseName(name);
    this.#parsed.set(name, parsed);
    return parsed;
  }

  #dropOldestHalf(): void {
    let left = this.#parsed.size >> 1;
    for (const name of this.#parsed.keys()) {
      if (left-- <= 0) return;
      this.#parsed.delete(name);
    }
  }
}
