// Changes quotes within a batch: the part of the slate's writer (writer.ts) that is called most often. A
// quote of the sharp bookmaker gets the batch's sharp version and leaves the fixture's common version and
// time unchanged. So it stays invisible to callers that may not see that bookmaker (versions.ts).

import { isSharpBookmaker, QUOTE_OPEN, QUOTE_SUSPENDED, QUOTE_WITHHELD } from '../../domain/catalogue.ts';
import type { StoreViews } from '../layout.ts';
import { bookmakerOfKey } from '../quote-key.ts';
import { PUT_APPLIED, PUT_FULL, PUT_KNOWN, PUT_OLDER } from '../records.ts';
import type { Batch } from './batch.ts';
import type { DraftPages } from './draft-pages.ts';
import { findQuoteRow, insertQuoteRow, noteWithdrawal, removeQuoteRow } from './quote-rows.ts';

export class QuoteWriter {
  readonly #views: StoreViews;
  readonly #drafts: DraftPages;
  readonly #batch: Batch;

  constructor(views: StoreViews, drafts: DraftPages, batch: Batch) {
    this.#views = views;
    this.#drafts = drafts;
    this.#batch = batch;
  }

  /**
   * Writes one bookmaker's line: its prices, status and time. Prices are in ten-thousandths, in outcome
   * order, 0 where the market has no third outcome.
   * @returns PUT_APPLIED, PUT_OLDER (dropped) or PUT_FULL (refused)
   */
  putQuote(slot: number, key: number, a: number, b: number, c: number, status: number, atMs: number): number {
    const views = this.#views;
    const rowsPerPage = views.capacity.quotesPerFixture;
    const current = this.#drafts.current(slot);
    const found = findQuoteRow(views, current, key);
    if (found >= 0) {
      const heldAtMs = views.quoteAtMs[found]!;
      if (atMs < heldAtMs) return PUT_OLDER;
      const isSame =
        atMs === heldAtMs &&
        views.quoteStatus[found] === status &&
        views.priceE4A[found] === a &&
        views.priceE4B[found] === b &&
        views.priceE4C[found] === c;
      if (isSame) return PUT_APPLIED; // a snapshot repeats a known quote: nothing to publish
    }
    if (found < 0 && views.quoteCount[current]! === rowsPerPage) return PUT_FULL;
    const page = this.#drafts.edit(slot);
    const row = (found >= 0 ? found : ~found) + (page - current) * rowsPerPage;
    const isSharp = isSharpBookmaker(bookmakerOfKey(key));
    if (found < 0) {
      insertQuoteRow(views, page, row);
      views.quoteKey[row] = key;
      if (!isSharp) views.commonQuoteCount[page]!++;
    } else if (views.quoteStatus[row] !== QUOTE_SUSPENDED) {
      views.openQuoteCount[page]!--;
    }
    views.priceE4A[row] = a;
    views.priceE4B[row] = b;
    views.priceE4C[row] = c;
    views.quoteStatus[row] = status;
    views.quoteAtMs[row] = atMs;
    if (status !== QUOTE_SUSPENDED) views.openQuoteCount[page]!++;
    views.quoteVersion[row] = isSharp ? this.#batch.sharpVersion : this.#batch.commonVersion;
    if (isSharp) this.#batch.touchSharp(page, atMs);
    else this.#batch.touch(page, atMs);
    return PUT_APPLIED;
  }

  /**
   * Withdraws a line. @returns PUT_APPLIED, PUT_OLDER (the store has a newer quote) or PUT_KNOWN (no such
   * line)
   */
  closeQuote(slot: number, key: number, atMs: number): number {
    const views = this.#views;
    const found = findQuoteRow(views, this.#drafts.current(slot), key);
    if (found < 0) return PUT_KNOWN;
    if (atMs < views.quoteAtMs[found]!) return PUT_OLDER;
    this.dropQuote(slot, key);
    const page = this.#drafts.edit(slot);
    if (isSharpBookmaker(bookmakerOfKey(key))) this.#batch.touchSharp(page, atMs);
    else this.#batch.touch(page, atMs);
    return PUT_APPLIED;
  }

  /**
   * Withholds an open line and keeps its last prices, because no source is connected that could confirm it.
   */
  withholdQuote(slot: number, key: number): void {
    const { quoteStatus, quoteAtMs, priceE4A, priceE4B, priceE4C } = this.#views;
    const row = findQuoteRow(this.#views, this.#drafts.current(slot), key);
    if (row < 0 || quoteStatus[row] !== QUOTE_OPEN) return;
    const [a, b, c] = [priceE4A[row]!, priceE4B[row]!, priceE4C[row]!];
    this.putQuote(slot, key, a, b, c, QUOTE_WITHHELD, quoteAtMs[row]!);
  }

  /**
   * Removes a line that its bookmaker no longer offers, because it was withdrawn or a snapshot did not name
   * it.
   */
  dropQuote(slot: number, key: number): void {
    const views = this.#views;
    const page = this.#drafts.edit(slot);
    const row = findQuoteRow(views, page, key);
    if (row < 0) return;
    if (views.quoteStatus[row] !== QUOTE_SUSPENDED) views.openQuoteCount[page]!--;
    removeQuoteRow(views, page, row);
    if (isSharpBookmaker(bookmakerOfKey(key))) {
      noteWithdrawal(views, page, key, this.#batch.sharpVersion);
    } else {
      views.commonQuoteCount[page]!--;
      noteWithdrawal(views, page, key, this.#batch.commonVersion);
      this.#batch.markCommon(page);
    }
  }

  /** Keys of every quote of the fixture, including changes of this batch: a copy, ascending. */
  quoteKeysOf(slot: number): Int32Array {
    const page = this.#drafts.current(slot);
    const base = page * this.#views.capacity.quotesPerFixture;
    return this.#views.quoteKey.slice(base, base + this.#views.quoteCount[page]!);
  }
}
