// How many fixtures and quotes the slate has, kept by what changed, so that /health costs the same on a slate of any size
// and needs none of its fixtures.

import { FIXTURES_MAX } from '../limits.ts';
import type { SlateReader } from '../store/reader.ts';

/** Of a slot without a fixture. */
const EMPTY = -1;

export class SlateCounts {
  readonly #reader: SlateReader;
  /** Quotes by slot, those of the sharp bookmaker aside. */
  readonly #quotes = new Int32Array(FIXTURES_MAX).fill(EMPTY);
  #changeCount = 0;
  #fixtureCount = 0;
  #quoteCount = 0;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** Fixtures on the slate, and their quotes together, those of the sharp bookmaker aside: every tier may know how many. */
  now(): { readonly fixtures: number; readonly commonQuotes: number } {
    const { count, slots } = this.#reader.changes(this.#changeCount);
    this.#changeCount = count;
    if (slots !== null) for (const slot of slots) this.#look(slot);
    else for (let slot = 0, end = this.#reader.slotCount(); slot < end; slot++) this.#look(slot);
    return { fixtures: this.#fixtureCount, commonQuotes: this.#quoteCount };
  }

  #look(slot: number): void {
    const former = this.#quotes[slot]!;
    const quotes = this.#reader.read(slot, (page) => this.#reader.columns.commonQuoteCount[page]!) ?? EMPTY;
    this.#quotes[slot] = quotes;
    this.#fixtureCount += Number(quotes !== EMPTY) - Number(former !== EMPTY);
    this.#quoteCount += Math.max(0, quotes) - Math.max(0, former);
  }
}
