// What can be staked at the prices of exchanges: a side table beside the slate, because quotes of every other
// bookmaker have no such numbers, and because they change far more often than prices and must move no
// version.
//
// One entry per fixture and exchange. Its rows stand in two halves that take turns; `liquidityWritten` of the
// entry rises when a half is complete, so a reader never takes half of a change. Full: the entry that was
// written longest ago makes room. One writer; any thread reads.

import { LIQUIDITY_ENTRIES_MAX, LIQUIDITY_ROWS_MAX } from '../limits.ts';
import type { ColumnCursor } from '../memory/shared-buffer.ts';

export interface LiquidityRow {
  /** As packQuoteKey makes it. */
  readonly quoteKey: number;
  /** What can be staked at the best price of each outcome, in outcome order. */
  readonly sizes: readonly number[];
  /** What was matched so far, null when the source does not say. */
  readonly matched: number | null;
}

/** The liquidity of one fixture at one exchange. */
export interface StoredLiquidity {
  /** Index into BOOKMAKERS. */
  readonly bookmaker: number;
  /** ISO 4217 code of its amounts. */
  readonly currency: string;
  /** Source time, Unix ms. */
  readonly atMs: number;
  readonly rows: readonly LiquidityRow[];
}

export interface LiquidityViews {
  /** Atomics: event number * 32 + bookmaker, -1 for a free entry. */
  readonly liquidityKey: BigInt64Array<SharedArrayBuffer>;
  /** Atomics: how often an entry was written. The newest half is `written % 2`. */
  readonly liquidityWritten: Int32Array<SharedArrayBuffer>;
  readonly liquidityHalves: Float64Array<SharedArrayBuffer>;
}

/** Numbers of a half: time, currency, count, then the rows. */
const HEAD = 3;
/** Numbers of a row: quote key, how many outcomes, three sizes, what was matched (NaN: unknown). */
const ROW = 6;
const HALF = HEAD + ROW * LIQUIDITY_ROWS_MAX;
const FREE = -1n;
const BOOKMAKERS = 32n;
/** How often a read is tried. It fails only if an entry is written twice during one copy. */
const TRIES_MAX = 3;

export function liquidityColumns(cursor: ColumnCursor): LiquidityViews {
  return {
    liquidityKey: cursor.bigInt64(LIQUIDITY_ENTRIES_MAX),
    liquidityWritten: cursor.int32(LIQUIDITY_ENTRIES_MAX),
    liquidityHalves: cursor.float64(2 * HALF * LIQUIDITY_ENTRIES_MAX),
  };
}

export class LiquidityWriter {
  readonly #views: LiquidityViews;
  /** Entries by their key, the one written longest ago first. */
  readonly #entries = new Map<bigint, number>();
  readonly #free: number[] = [];

  /** Attaches as the writer. What an earlier writer left is void: its sources say it again. */
  constructor(views: LiquidityViews) {
    this.#views = views;
    for (let entry = LIQUIDITY_ENTRIES_MAX - 1; entry >= 0; entry--) {
      Atomics.store(views.liquidityKey, entry, FREE);
      this.#free.push(entry);
    }
  }

  /** Replaces what is known of a fixture at an exchange. Rows beyond LIQUIDITY_ROWS_MAX are left out. */
  put(eventNumber: number, liquidity: StoredLiquidity): void {
    const key = keyOf(eventNumber, liquidity.bookmaker);
    const entry = this.#entries.get(key) ?? this.#take(key);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const { liquidityWritten, liquidityHalves } = this.#views;
    const written = Atomics.load(liquidityWritten, entry) + 1;
    const start = halfOf(entry, written);
    const rows = liquidity.rows.slice(0, LIQUIDITY_ROWS_MAX);
    liquidityHalves[start] = liquidity.atMs;
    liquidityHalves[start + 1] = currencyNumber(liquidity.currency);
    liquidityHalves[start + 2] = rows.length;
    for (const [index, { quoteKey, sizes, matched }] of rows.entries()) {
      const [first = 0, second = 0, third = 0] = sizes;
      const row = [quoteKey, sizes.length, first, second, third, matched ?? Number.NaN];
      liquidityHalves.set(row, start + HEAD + index * ROW);
    }
    Atomics.store(liquidityWritten, entry, written);
    Atomics.store(this.#views.liquidityKey, entry, key);
  }

  /** A fixture has left the slate. */
  remove(eventNumber: number): void {
    for (let bookmaker = 0n; bookmaker < BOOKMAKERS; bookmaker++) {
      const key = BigInt(eventNumber) * BOOKMAKERS + bookmaker;
      const entry = this.#entries.get(key);
      if (entry === undefined) continue;
      this.#entries.delete(key);
      this.#free.push(entry);
      Atomics.store(this.#views.liquidityKey, entry, FREE);
    }
  }

  #take(key: bigint): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const [oldestKey, oldest] = this.#entries.entries().next().value ?? [key, 0];
    this.#entries.delete(oldestKey);
    Atomics.store(this.#views.liquidityKey, oldest, FREE); // not found while it is written for another fixture
    return oldest;
  }
}

/** What is known of a fixture, one for each exchange. Any thread. */
export function readLiquidity(views: LiquidityViews, eventNumber: number): StoredLiquidity[] {
  const found: StoredLiquidity[] = [];
  const wanted = BigInt(eventNumber);
  for (let entry = 0; entry < LIQUIDITY_ENTRIES_MAX; entry++) {
    const key = Atomics.load(views.liquidityKey, entry);
    if (key === FREE || key / BOOKMAKERS !== wanted) continue;
    const liquidity = readEntry(views, entry, key);
    if (liquidity !== null) found.push(liquidity);
  }
  return found.sort((one, other) => one.bookmaker - other.bookmaker);
}

function readEntry(views: LiquidityViews, entry: number, key: bigint): StoredLiquidity | null {
  const { liquidityKey, liquidityWritten, liquidityHalves } = views;
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const written = Atomics.load(liquidityWritten, entry);
    const start = halfOf(entry, written);
    const half = liquidityHalves.slice(start, start + HALF);
    // The other half may be written meanwhile, this one only after that.
    if (Atomics.load(liquidityWritten, entry) !== written) continue;
    return Atomics.load(liquidityKey, entry) === key ? liquidityOf(half, Number(key % BOOKMAKERS)) : null;
  }
  return null;
}

function liquidityOf(half: Float64Array, bookmaker: number): StoredLiquidity {
  const rows: LiquidityRow[] = [];
  for (let index = 0; index < half[2]!; index++) {
    const [quoteKey = 0, count = 0, ...rest] = half.subarray(HEAD + index * ROW, HEAD + (index + 1) * ROW);
    const matched = rest[3]!;
    rows.push({ quoteKey, sizes: rest.slice(0, count), matched: Number.isNaN(matched) ? null : matched });
  }
  return { bookmaker, currency: currencyText(half[1]!), atMs: half[0]!, rows };
}

function halfOf(entry: number, written: number): number {
  return (2 * entry + (written & 1)) * HALF;
}

function keyOf(eventNumber: number, bookmaker: number): bigint {
  return BigInt(eventNumber) * BOOKMAKERS + BigInt(bookmaker);
}

/** Three letters as a number. */
function currencyNumber(currency: string): number {
  return Number.parseInt(currency, 36);
}
function currencyText(value: number): string {
  return value.toString(36).toUpperCase();
}
