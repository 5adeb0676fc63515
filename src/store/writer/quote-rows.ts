// The quote rows of one page, which stay sorted by key without gaps. Writer only, and only into drafts.

import type { StoreViews } from '../layout.ts';
import { LINE_GROUPS, lineGroupOf } from '../quote-key.ts';

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
  moveQuoteRows(views, row + 1, row, endOfQuotes(views, page));
  views.quoteCount[page]!++;
}

/** Removes `row` and closes the gap. */
export function removeQuoteRow(views: StoreViews, page: number, row: number): void {
  moveQuoteRows(views, row, row + 1, endOfQuotes(views, page));
  views.quoteCount[page]!--;
}

/** Records that the line of `key` was withdrawn in the batch of `version`. */
export function noteWithdrawal(views: StoreViews, page: number, key: number, version: number): void {
  // A batch has two versions, and withdrawals of sharp quotes have the lower one. It must not replace the
  // higher one.
  views.withdrawnVersion[page] = Math.max(views.withdrawnVersion[page]!, version);
  views.groupWithdrawnVersion[page * LINE_GROUPS + lineGroupOf(key)] = version;
}

/** The row after the last of `page`. */
export function endOfQuotes(views: StoreViews, page: number): number {
  return page * views.capacity.quotesPerFixture + views.quoteCount[page]!;
}

/** Moves the rows `from` to `end` - 1 so that the first of them is at `to`; the two ranges may overlap. */
export function moveQuoteRows(views: StoreViews, to: number, from: number, end: number): void {
  for (const [, column] of views.quoteColumns) column.copyWithin(to, from, end);
}
