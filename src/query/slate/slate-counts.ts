// How many fixtures and quotes the slate has. The counts are updated by changes, so /health costs the same on
// a slate of any size and reads none of its fixtures.

import { FIXTURES_MAX } from '../../limits.ts';
import type { SlateReader } from '../../store/reader.ts';

/** Marks a slot without a fixture. */
const EMPTY = -1;

export class SlateCounts {
  readonly #reader: SlateReader;
  /** Quotes by slot, without those of the sharp bookmaker. */
  readonly #quotes = new Int32Array(FIXTURES_MAX).fill(EMPTY);
  #changeCount = 0;
  #fixtureCount = 0;
  #quoteCount = 0;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /**
   * How many fixtures the slate has, and quotes in all. Those of the sharp bookmaker are not counted, so
   * every tier may know the numbers.
   */
  now(): { readonly fixtures: number; readonly commonQuotes: number } {
    const { count, slots } = this.#reader.changes(this.#changeCount);
    this.#changeCount = count;
    if (slots !== null) for (const slot of slots) this.#check(slot);
    else for (let slot = 0, end = this.#reader.slotCount(); slot < end; slot++) this.#check(slot);
    return { fixtures: this.#fixtureCount, commonQuotes: this.#quoteCount };
  }

  #check(slot: number): void {
    const former = this.#quotes[slot]!;
    const quotes = this.#reader.read(slot, (page) => this.#reader.columns.commonQuoteCount[page]!) ?? EMPTY;
    this.#quotes[slot] = quotes;
    this.#fixtureCount += Number(quotes !== EMPTY) - Number(former !== EMPTY);
    this.#quoteCount += Math.max(0, quotes) - Math.max(0, former);
  }
}
