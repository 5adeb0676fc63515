// The part of the slate that an earlier worker left when it died, and that no source of this worker has named
// yet.

import type { SlateWriter } from '../../store/writer/writer.ts';
import type { Applier } from '../apply.ts';
import type { MergedSlate } from './merged-slate.ts';

export class FormerSlate {
  readonly #writer: SlateWriter;
  readonly #applier: Applier;
  /** Whether some of the earlier worker's slate may still be there. */
  #isThere: boolean;

  constructor(writer: SlateWriter, applier: Applier) {
    this.#writer = writer;
    this.#applier = applier;
    this.#isThere = writer.fixtureCount > 0;
  }

  /**
   * Withholds the prices that no source has named, once the first sources have sent a snapshot. Otherwise
   * their heartbeats would also confirm old prices of sources that are still missing.
   */
  suspendUnnamed(slate: MergedSlate): void {
    const writer = this.#writer;
    this.#forUnnamed(slate, {
      fixture: (slot) => {
        for (const key of writer.quotes.quoteKeysOf(slot)) writer.quotes.withholdQuote(slot, key);
      },
      quote: (slot, key) => writer.quotes.withholdQuote(slot, key),
    });
  }

  /**
   * Removes from the slate what no source has named. Call it once all sources have sent a snapshot, or the
   * wait for them is over.
   */
  removeUnnamed(slate: MergedSlate): void {
    const writer = this.#writer;
    this.#forUnnamed(slate, {
      fixture: (slot) => writer.removeFixture(slot),
      quote: (slot, key) => writer.quotes.dropQuote(slot, key),
    });
    this.#isThere = false;
  }

  /**
   * Calls `fixture` for each fixture that no source has named, and for the other fixtures `quote` for each
   * quote that no source has sent.
   */
  #forUnnamed(
    slate: MergedSlate,
    unnamed: {
      readonly fixture: (slot: number) => void;
      readonly quote: (slot: number, key: number) => void;
    },
  ): void {
    if (!this.#isThere) return;
    const writer = this.#writer;
    const named = new Map(
      [...this.#applier.fixtures.records()].map((record) => [record.eventNumber, record]),
    );
    for (const eventNumber of [...writer.eventNumbers()]) {
      const slot = writer.slotOf(eventNumber);
      const record = named.get(eventNumber);
      if (record === undefined) {
        unnamed.fixture(slot);
        continue;
      }
      const quotes = slate.shownOf(record.message.event)?.quotes;
      for (const key of writer.quotes.quoteKeysOf(slot))
        if (quotes?.has(key) !== true) unnamed.quote(slot, key);
    }
  }
}
