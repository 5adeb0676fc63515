// Parsed names remembered across rebuilds of an index, so that a slate that changes by one fixture parses two names.

import { type ParsedName, parseName } from './normalise.ts';

const NAMES_KEPT = 16_384;

export class NameCache {
  readonly #parse: (name: string) => ParsedName;
  readonly #capacity: number;
  readonly #parsed = new Map<string, ParsedName>();

  /** @param capacity names kept; when full, the oldest half is dropped */
  constructor(parse: (name: string) => ParsedName = parseName, capacity: number = NAMES_KEPT) {
    this.#parse = parse;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#parsed.size;
  }

  parse(name: string): ParsedName {
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    if (this.#parsed.size >= this.#capacity) this.#dropOldestHalf();
    const parsed = this.#parse(name);
    this.#parsed.set(name, parsed);
    return parsed;
  }

  #dropOldestHalf(): void {
    let left = Math.ceil(this.#parsed.size / 2);
    for (const name of this.#parsed.keys()) {
      if (left-- <= 0) return;
      this.#parsed.delete(name);
    }
  }
}
