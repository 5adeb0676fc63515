// The rows that the kernels of middles, moves and steam write, and the objects made from those that are
// shown. Like other hits (hit-rows.ts) a row is a run of Float64:
//
//   kind | market | period | line | other line | outcome | way | four measures | book count |
//   (bookmaker | from | to | at | sharp at) x BOOKS_SHOWN_MAX
//
// Lines are in quarters. `at` is the source time of the last message about the present price, `sharp at` that
// of the sharp bookmaker at the same line (NaN without one), in Unix ms.

import { bookmakerOfKey } from '../../store/quote-key.ts';
import type { SlateColumns } from '../../store/reader.ts';
import { priceColumnOf } from '../criteria.ts';

export const KIND_MIDDLE = 0;
export const KIND_MOVE = 1;
export const KIND_STEAM = 2;

/** Maximum number of bookmakers of one steam move that are listed. The others are only counted. */
export const BOOKS_SHOWN_MAX = 8;
const KINDS = 3;
/** Maximum number of rows of one kind and one fixture. Further ones are counted as left out. */
const ROWS_PER_KIND_MAX = 256;
/** Most rows of one fixture, over all kinds. */
export const KIND_ROWS_MAX = KINDS * ROWS_PER_KIND_MAX;

const ROW_KIND = 0;
export const ROW_MARKET = 1;
export const ROW_PERIOD = 2;
export const ROW_LINE = 3;
export const ROW_OTHER_LINE = 4;
export const ROW_OUTCOME = 5;
export const ROW_WAY = 6;
export const ROW_MEASURES = 7;
export const ROW_BOOK_COUNT = 11;
export const ROW_BOOKS = 12;
/** Words of a bookmaker in a row. */
const BOOK_BOOKMAKER = 0;
export const BOOK_FROM = 1;
export const BOOK_TO = 2;
const BOOK_AT = 3;
export const BOOK_SHARP_AT = 4;
export const BOOK_WORDS = 5;
export const KIND_STRIDE = ROW_BOOKS + BOOKS_SHOWN_MAX * BOOK_WORDS;

/** What a kernel writes for one fixture. */
export interface KindRows {
  readonly rows: Float64Array;
  /**
   * Rows written, hits that found no room, hits above the cap of what is plausible, the mask of bookmakers
   * whose heartbeat may change the hits; then rows by kind.
   */
  readonly counts: Int32Array;
}

/** The rows of a page that take part, and where the hits are written. */
export interface KindPage {
  readonly columns: SlateColumns;
  readonly base: number;
  readonly end: number;
  readonly quoteFromMs: Readonly<Float64Array>;
  readonly marketMask: number;
  readonly periodMask: number;
  /** Bookmakers whose prices may take part. */
  readonly bookmakerMask: number;
  readonly out: KindRows;
}

export const COUNT_ROWS = 0;
export const COUNT_LEFT_OUT = 1;
export const COUNT_IMPLAUSIBLE = 2;
export const COUNT_AWAITED_BY_KINDS = 3;
const COUNT_BY_KIND = 4;

export function createKindRows(): KindRows {
  return {
    rows: new Float64Array(KIND_ROWS_MAX * KIND_STRIDE),
    counts: new Int32Array(COUNT_BY_KIND + KINDS),
  };
}

/**
 * Takes the next row and writes its kind. @returns its offset, or -1 when the fixture has too many of this
 * kind
 */
export function takeRow({ rows, counts }: KindRows, kind: number): number {
  if (counts[COUNT_BY_KIND + kind]! >= ROWS_PER_KIND_MAX) {
    counts[COUNT_LEFT_OUT]!++;
    return -1;
  }
  const offset = counts[COUNT_ROWS]! * KIND_STRIDE;
  counts[COUNT_BY_KIND + kind]!++;
  counts[COUNT_ROWS]!++;
  rows[offset + ROW_KIND] = kind;
  return offset;
}

/**
 * Writes a bookmaker and its present price at `at`, without an earlier price and without a time of the sharp
 * bookmaker.
 */
export function writeBook(
  columns: SlateColumns,
  row: number,
  outcome: number,
  rows: Float64Array,
  at: number,
): void {
  rows[at + BOOK_BOOKMAKER] = bookmakerOfKey(columns.quoteKey[row]!);
  rows[at + BOOK_FROM] = 0;
  rows[at + BOOK_TO] = priceColumnOf(columns, outcome)[row]!;
  rows[at + BOOK_AT] = columns.quoteAtMs[row]!;
  rows[at + BOOK_SHARP_AT] = Number.NaN;
}

/** Removes all rows after the first `count`. */
export function keepRows({ rows, counts }: KindRows, count: number): void {
  for (let row = count; row < counts[COUNT_ROWS]!; row++)
    counts[COUNT_BY_KIND + rows[row * KIND_STRIDE + ROW_KIND]!]!--;
  counts[COUNT_ROWS] = count;
}

/** A bookmaker of a hit: its prices in ten-thousandths, before and now. */
export interface HitBook {
  readonly bookmaker: number;
  /** 0 where no earlier price matters. */
  readonly fromE4: number;
  readonly toE4: number;
  readonly atMs: number;
  readonly sharpAtMs: number;
}

export interface HitLine {
  readonly market: number;
  readonly period: number;
  readonly lineQuarters: number;
}

/** Two bets on two lines, of two owners. One can win while the other loses nothing. */
export interface MiddleHit extends HitLine {
  readonly kind: typeof KIND_MIDDLE;
  /** The line of the second bet; `lineQuarters` is the line of the first. */
  readonly otherQuarters: number;
  /** Over or home first, then under or away. */
  readonly legs: readonly HitBook[];
  readonly bothWin: number;
  readonly noLoss: number;
  readonly expected: number;
  readonly worst: number;
}

/** A price, or a fair probability, that has changed within a time. */
export interface MoveHit extends HitLine {
  readonly kind: typeof KIND_MOVE;
  readonly outcome: number;
  /** The bookmaker with its price then and now; for a fair probability, its fair prices. */
  readonly book: HitBook;
  readonly isFair: boolean;
  /** A fraction of the earlier price; for a fair probability, the difference. */
  readonly change: number;
  /** When the earlier price was first offered. Unix ms. */
  readonly fromAtMs: number;
}

/** Several owners moved their price of one outcome the same way. */
export interface SteamHit extends HitLine {
  readonly kind: typeof KIND_STEAM;
  readonly outcome: number;
  /** -1: prices fell, 1: they rose. */
  readonly way: -1 | 1;
  readonly owners: number;
  /** The first bookmakers of the catalogue among those that moved. */
  readonly books: readonly HitBook[];
  readonly bookCount: number;
  /** The newest message about a price that moved. Unix ms. */
  readonly atMs: number;
}

export type KindHit = MiddleHit | MoveHit | SteamHit;

export function kindHitAt(rows: Float64Array, offset: number): KindHit {
  const line = {
    market: rows[offset + ROW_MARKET]!,
    period: rows[offset + ROW_PERIOD]!,
    lineQuarters: rows[offset + ROW_LINE]!,
  };
  const bookCount = rows[offset + ROW_BOOK_COUNT]!;
  const books = Array.from({ length: Math.min(bookCount, BOOKS_SHOWN_MAX) }, (_, book) =>
    hitBookAt(rows, offset + ROW_BOOKS + book * BOOK_WORDS),
  );
  const [first = 0, second = 0, third = 0, fourth = 0] = rows.subarray(
    offset + ROW_MEASURES,
    offset + ROW_BOOK_COUNT,
  );
  const outcome = rows[offset + ROW_OUTCOME]!;
  const kind = rows[offset + ROW_KIND]!;
  if (kind === KIND_MIDDLE) {
    const otherQuarters = rows[offset + ROW_OTHER_LINE]!;
    const measures = { bothWin: first, noLoss: second, expected: third, worst: fourth };
    return { kind: KIND_MIDDLE, ...line, otherQuarters, legs: books, ...measures };
  }
  if (kind === KIND_MOVE) {
    const book = books[0]!;
    return { kind: KIND_MOVE, ...line, outcome, book, change: first, fromAtMs: second, isFair: third === 1 };
  }
  const way = rows[offset + ROW_WAY] === 1 ? 1 : -1;
  return { kind: KIND_STEAM, ...line, outcome, way, owners: first, books, bookCount, atMs: second };
}

function hitBookAt(rows: Float64Array, offset: number): HitBook {
  return {
    bookmaker: rows[offset + BOOK_BOOKMAKER]!,
    fromE4: rows[offset + BOOK_FROM]!,
    toE4: rows[offset + BOOK_TO]!,
    atMs: rows[offset + BOOK_AT]!,
    sharpAtMs: rows[offset + BOOK_SHARP_AT]!,
  };
}
