// What can be staked at the prices of exchanges. It is a table beside the slate for two reasons: quotes of
// every other bookmaker have no such numbers, and these numbers change far more often than prices and must
// not change a version.
//
// One entry per fixture and exchange. Its rows are in two halves that take turns; `liquidityWritten` of the
// entry rises when a half is complete, so a reader never takes half of a change. In a full table, a new entry
// replaces the one that was written longest ago. One writer; any thread reads.

import { BOOKMAKERS_MAX, LIQUIDITY_ROWS_MAX } from '../limits.ts';
import type { ColumnCursor } from '../memory/shared-buffer.ts';
import type { LiquidityChange } from './slate-change.ts';

export interface LiquidityRow {
  /** The key that packQuoteKey makes. */
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
  /** ISO 4217 code of the currency of all amounts. */
  readonly currency: string;
  /** Source time, Unix ms. */
  readonly atMs: number;
  readonly rows: readonly LiquidityRow[];
}

interface LiquidityViews {
  /** Atomics: event number * 32 + bookmaker, -1 for a free entry. */
  readonly liquidityKey: BigInt64Array<SharedArrayBuffer>;
  /**
   * Atomics: rises by one when an entry is written and by two when it is freed. The newest half is
   * `written % 2`.
   */
  readonly liquidityWritten: Int32Array<SharedArrayBuffer>;
  readonly liquidityHalves: Float64Array<SharedArrayBuffer>;
}

/** Numbers before the rows of a half: time, currency and row count. */
const HEAD = 3;
/** Numbers of a row: quote key, how many outcomes, three sizes, what was matched (NaN: unknown). */
const ROW = 6;
const HALF = HEAD + ROW * LIQUIDITY_ROWS_MAX;
const FREE = -1n;
const BOOKMAKERS = BigInt(BOOKMAKERS_MAX);
/**
 * Maximum number of attempts of a read. An attempt fails if the entry is written or freed during the copy.
 */
const TRIES_MAX = 3;

export function liquidityColumns(cursor: ColumnCursor, entries: number): LiquidityViews {
  return {
    liquidityKey: cursor.bigInt64(entries),
    liquidityWritten: cursor.int32(entries),
    liquidityHalves: cursor.float64(2 * HALF * entries),
  };
}

export class LiquidityWriter {
  readonly #views: LiquidityViews;
  /** Entries by their key, the one written longest ago first. */
  readonly #entries = new Map<bigint, number>();
  readonly #free: number[] = [];

  /** Attaches as the writer. What an earlier writer left is void, because the sources send it again. */
  constructor(views: LiquidityViews) {
    this.#views = views;
    for (let entry = views.liquidityKey.length - 1; entry >= 0; entry--) {
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
    liquidityHalves.set(numbersOf(rows), start + HEAD);
    Atomics.store(liquidityWritten, entry, written);
    Atomics.store(this.#views.liquidityKey, entry, key);
  }

  /** Frees the entries of a fixture that has left the slate. */
  remove(eventNumber: number): void {
    for (let bookmaker = 0; bookmaker < BOOKMAKERS_MAX; bookmaker++)
      this.#forget(keyOf(eventNumber, bookmaker));
  }

  /** Applies changes of another store's table. */
  apply(changes: readonly LiquidityChange[]): void {
    for (const [eventNumber, bookmaker, currency, atMs, numbers] of changes) {
      if (numbers === null) this.#forget(keyOf(eventNumber, bookmaker));
      else this.put(eventNumber, { bookmaker, currency, atMs, rows: rowsOf(numbers) });
    }
  }

  /** Replaces the whole table with that of another store. */
  replace(whole: readonly LiquidityChange[]): void {
    const named = new Set(whole.map(([eventNumber, bookmaker]) => keyOf(eventNumber, bookmaker)));
    for (const key of [...this.#entries.keys()]) if (!named.has(key)) this.#forget(key);
    this.apply(whole);
  }

  #forget(key: bigint): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#free.push(entry);
    Atomics.store(this.#views.liquidityKey, entry, FREE);
    Atomics.add(this.#views.liquidityWritten, entry, 2);
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

/** Finds the liquidity that changed, for a store that follows this one. Runs on the writer's thread. */
export class LiquidityChanges {
  readonly #views: LiquidityViews;
  /** For each entry, the `liquidityWritten` that was sent last, and the key it was sent under. */
  readonly #written: Int32Array;
  readonly #keys: BigInt64Array;

  constructor(views: LiquidityViews) {
    this.#views = views;
    this.#written = new Int32Array(views.liquidityKey.length);
    this.#keys = new BigInt64Array(views.liquidityKey.length).fill(FREE);
  }

  /**
   * What changed since the last call. Removals come first, because a fixture may have come back in another
   * entry.
   */
  take(): LiquidityChange[] {
    const left: LiquidityChange[] = [];
    const put: LiquidityChange[] = [];
    for (let entry = 0; entry < this.#keys.length; entry++) {
      const written = Atomics.load(this.#views.liquidityWritten, entry);
      if (written === this.#written[entry]) continue;
      const key = Atomics.load(this.#views.liquidityKey, entry);
      const sent = this.#keys[entry]!;
      if (sent !== FREE && sent !== key) left.push([eventOf(sent), bookmakerOf(sent), '', 0, null]);
      if (key !== FREE) put.push(...changesOf(eventOf(key), [readEntry(this.#views, entry, key)!]));
      this.#written[entry] = written;
      this.#keys[entry] = key;
    }
    return [...left, ...put];
  }
}

/** All that is known of a fixture, as a follower is sent it. */
export function wholeLiquidity(views: LiquidityViews, eventNumber: number): LiquidityChange[] {
  return changesOf(eventNumber, readLiquidity(views, eventNumber));
}

function changesOf(eventNumber: number, stored: readonly StoredLiquidity[]): LiquidityChange[] {
  return stored.map(({ bookmaker, currency, atMs, rows }): LiquidityChange => {
    return [eventNumber, bookmaker, currency, atMs, numbersOf(rows)];
  });
}

/** The liquidity of a fixture, one entry for each exchange. Any thread. */
export function readLiquidity(views: LiquidityViews, eventNumber: number): StoredLiquidity[] {
  const found: StoredLiquidity[] = [];
  const wanted = BigInt(eventNumber);
  for (let entry = 0; entry < views.liquidityKey.length; entry++) {
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
    // The writer fills the other half first and raises the count before it writes this half again. So the
    // copy is whole if the count has not changed.
    if (Atomics.load(liquidityWritten, entry) !== written) continue;
    return Atomics.load(liquidityKey, entry) === key ? liquidityOf(half, bookmakerOf(key)) : null;
  }
  return null;
}

function liquidityOf(half: Float64Array, bookmaker: number): StoredLiquidity {
  const rows = rowsOf([...half.subarray(HEAD, HEAD + ROW * half[2]!)]);
  return { bookmaker, currency: currencyText(half[1]!), atMs: half[0]!, rows };
}

function numbersOf(rows: readonly LiquidityRow[]): number[] {
  return rows.flatMap(({ quoteKey, sizes, matched }) => {
    const [first = 0, second = 0, third = 0] = sizes;
    return [quoteKey, sizes.length, first, second, third, matched ?? Number.NaN];
  });
}

function rowsOf(numbers: readonly number[]): LiquidityRow[] {
  return Array.from({ length: numbers.length / ROW }, (_, index): LiquidityRow => {
    const [quoteKey = 0, count = 0, ...rest] = numbers.slice(index * ROW, (index + 1) * ROW);
    const matched = rest[3]!;
    return { quoteKey, sizes: rest.slice(0, count), matched: Number.isNaN(matched) ? null : matched };
  });
}

function halfOf(entry: number, written: number): number {
  return (2 * entry + (written & 1)) * HALF;
}

function keyOf(eventNumber: number, bookmaker: number): bigint {
  return BigInt(eventNumber) * BOOKMAKERS + BigInt(bookmaker);
}
function eventOf(key: bigint): number {
  return Number(key / BOOKMAKERS);
}
function bookmakerOf(key: bigint): number {
  return Number(key % BOOKMAKERS);
}

/** Three letters as a number. */
function currencyNumber(currency: string): number {
  return Number.parseInt(currency, 36);
}
function currencyText(value: number): string {
  return value.toString(36).toUpperCase();
}
