// Everything that is written into one page: copying and emptying it, its match state, and its quote rows, which stay sorted
// by key. Writer only, and only into drafts.

import { STATUS_SCHEDULED } from '../domain/catalogue.ts';
import { assert } from '../errors.ts';
import { CLOCK_BYTES_MAX } from '../limits.ts';
import type { StoreViews } from './layout.ts';
import type { FixtureState } from './records.ts';

/** A score or card count that the feed has not sent. */
const UNKNOWN = -1;
const INT16_MAX = 32_767;
const EMPTY_CLOCK = new Uint8Array(0);
const ENCODER = new TextEncoder();

/** Copies everything of page `source` into page `target` except its version and generation. */
export function copyPage(views: StoreViews, source: number, target: number): void {
  views.eventNumber[target] = views.eventNumber[source]!;
  views.sport[target] = views.sport[source]!;
  views.leagueEntity[target] = views.leagueEntity[source]!;
  views.homeEntity[target] = views.homeEntity[source]!;
  views.awayEntity[target] = views.awayEntity[source]!;
  views.scheduledAtMs[target] = views.scheduledAtMs[source]!;
  views.feedStatus[target] = views.feedStatus[source]!;
  views.feedStatusAtMs[target] = views.feedStatusAtMs[source]!;
  views.stateAtMs[target] = views.stateAtMs[source]!;
  views.scoreHome[target] = views.scoreHome[source]!;
  views.scoreAway[target] = views.scoreAway[source]!;
  views.cardsHome[target] = views.cardsHome[source]!;
  views.cardsAway[target] = views.cardsAway[source]!;
  const clockStart = source * CLOCK_BYTES_MAX;
  const clockByteCount = views.clockByteCount[source]!;
  views.clockBytes.copyWithin(target * CLOCK_BYTES_MAX, clockStart, clockStart + clockByteCount);
  views.clockByteCount[target] = clockByteCount;
  views.clockChangedAtMs[target] = views.clockChangedAtMs[source]!;
  views.lastMessageAtMs[target] = views.lastMessageAtMs[source]!;
  views.quoteCount[target] = views.quoteCount[source]!;
  views.openQuoteCount[target] = views.openQuoteCount[source]!;

  const rowsPerPage = views.capacity.quotesPerFixture;
  moveRows(views, target * rowsPerPage, source * rowsPerPage, endOf(views, source));
}

/** Makes `page` that of a fixture of which nothing is known: no state, no quotes. Identity and version are the caller's. */
export function clearPage(views: StoreViews, page: number): void {
  views.feedStatus[page] = STATUS_SCHEDULED;
  views.feedStatusAtMs[page] = Number.NaN;
  views.stateAtMs[page] = Number.NEGATIVE_INFINITY;
  views.scoreHome[page] = UNKNOWN;
  views.scoreAway[page] = UNKNOWN;
  views.cardsHome[page] = UNKNOWN;
  views.cardsAway[page] = UNKNOWN;
  views.clockByteCount[page] = 0;
  views.clockChangedAtMs[page] = Number.NaN;
  views.lastMessageAtMs[page] = Number.NEGATIVE_INFINITY;
  views.quoteCount[page] = 0;
  views.openQuoteCount[page] = 0;
}

/** Writes a match state into a draft. Null score or cards keep the last known. */
export function writeState(views: StoreViews, page: number, state: FixtureState): void {
  if (Number.isNaN(views.feedStatusAtMs[page]!) || views.feedStatus[page] !== state.status) {
    views.feedStatusAtMs[page] = state.atMs;
  }
  views.feedStatus[page] = state.status;
  views.stateAtMs[page] = state.atMs;
  if (state.score !== null) {
    assertFits(state.score);
    views.scoreHome[page] = state.score[0];
    views.scoreAway[page] = state.score[1];
  }
  if (state.cards !== null) {
    assertFits(state.cards);
    views.cardsHome[page] = state.cards[0];
    views.cardsAway[page] = state.cards[1];
  }
  writeClock(views, page, state.clock, state.atMs);
}

/** Moves a page's last-message stamp forward, never back. */
export function touchPage(views: StoreViews, page: number, atMs: number): void {
  if (atMs > views.lastMessageAtMs[page]!) views.lastMessageAtMs[page] = atMs;
}

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

function writeClock(views: StoreViews, page: number, clock: string | null, atMs: number): void {
  const bytes = clock === null ? EMPTY_CLOCK : ENCODER.encode(clock);
  assert(bytes.length <= CLOCK_BYTES_MAX, 'the parser bounds clock text');
  const start = page * CLOCK_BYTES_MAX;
  let same = views.clockByteCount[page] === bytes.length && !Number.isNaN(views.clockChangedAtMs[page]!);
  for (let index = 0; same && index < bytes.length; index++) {
    same = views.clockBytes[start + index] === bytes[index];
  }
  if (same) return;
  views.clockBytes.set(bytes, start);
  views.clockByteCount[page] = bytes.length;
  views.clockChangedAtMs[page] = atMs;
}

/** Scores and cards are Int16 columns, which would store a larger count as a smaller one. */
function assertFits(pair: readonly [number, number]): void {
  for (const count of pair) assert(count >= 0 && count <= INT16_MAX, 'the parser bounds scores and cards');
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
