// The quote rows of one page, kept sorted by key: finding a key, opening a gap and closing it. Writer only, drafts only.

import type { StoreViews } from './layout.ts';

/** Row of `key` in `page`, or the bitwise complement of the row where it belongs. */
export function findQuoteRow(views: StoreViews, page: number, key: number): number {
  const keys = views.quoteKey;
  let low = page * views.capacity.quotesPerFixture;
  let high = low + views.quoteCount[page]! - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const held = keys[middle]!;
    if (held === key) return middle;
    if (held < key) low = middle + 1;
    else high = middle - 1;
  }
  return ~low;
}

/** Opens a gap at `row`. The caller has checked that the page has room and fills every column. */
export function insertQuoteRow(views: StoreViews, page: number, row: number): void {
  moveRows(views, row + 1, row, endOf(views, page));
  views.quoteCount[page]!++;
}

/** Closes the gap that `row` leaves. */
export function removeQuoteRow(views: StoreViews, page: number, row: number): void {
  moveRows(views, row, row + 1, endOf(views, page));
  views.quoteCount[page]!--;
}

function endOf(views: StoreViews, page: number): number {
  return page * views.capacity.quotesPerFixture + views.quoteCount[page]!;
}

function moveRows(views: StoreViews, to: number, from: number, end: number): void {
  views.quoteKey.copyWithin(to, from, end);
  views.priceE4A.copyWithin(to, from, end);
  views.priceE4B.copyWithin(to, from, end);
  views.priceE4C.copyWithin(to, from, end);
  views.quoteStatus.copyWithin(to, from, end);
  views.quoteAtMs.copyWithin(to, from, end);
}
