// Reads the encoding of dictionary indexes and levels in Parquet: run lengths and bit-packed groups of eight.

/** Where the encoded values begin in a page, and the bits of each value, at most 24. */
export interface HybridPlace {
  readonly offset: number;
  readonly bitWidth: number;
}

interface Run {
  /** Index of its first value. */
  from: number;
  /** Index after its last value. */
  to: number;
  /** The value of a run of equal values; -1 for a bit-packed run. */
  value: number;
  /** Where the values of a bit-packed run begin, in bits. */
  bit: number;
}

/** Reads values until `out` is full. @throws when the bytes end too early */
export function readHybrid(bytes: Uint8Array, place: HybridPlace, out: Int32Array): void {
  const { bitWidth } = place;
  const runs = new RunReader(bytes, place);
  const { run } = runs;
  for (let at = 0; at < out.length; ) {
    runs.next();
    const end = Math.min(out.length, run.to);
    if (run.value < 0) {
      for (let bit = run.bit; at < end; at++, bit += bitWidth) out[at] = bitsAt(bytes, bit, bitWidth);
    } else {
      for (const { value } = run; at < end; at++) out[at] = value;
    }
  }
}

/**
 * Reads the values at some positions, in ascending order, into `out`.
 * @throws when the bytes end too early
 */
export function readHybridAt(
  bytes: Uint8Array,
  place: HybridPlace,
  { positions, out }: { readonly positions: Int32Array; readonly out: Int32Array },
): void {
  const runs = new RunReader(bytes, place);
  const { run } = runs;
  for (let index = 0; index < positions.length; index++) {
    const position = positions[index]!;
    while (position >= run.to) runs.next();
    const bit = run.bit + (position - run.from) * place.bitWidth;
    out[index] = run.value < 0 ? bitsAt(bytes, bit, place.bitWidth) : run.value;
  }
}

/** How many rows have a value. @param levels 1 for each row with a value */
export function filledRows(levels: Uint8Array, rowCount: number): number {
  const runs = new RunReader(levels, { offset: 0, bitWidth: 1 });
  const { run } = runs;
  let filled = 0;
  for (let at = 0; at < rowCount; ) {
    runs.next();
    const end = Math.min(rowCount, run.to);
    filled += filledIn(levels, run, { from: at, to: end });
    at = end;
  }
  return filled;
}

/** How many rows of a part of a run have a value. */
function filledIn(levels: Uint8Array, run: Run, { from, to }: Pick<Run, 'from' | 'to'>): number {
  if (run.value >= 0) return run.value * (to - from);
  let filled = 0;
  for (let at = from, bit = run.bit + from - run.from; at < to; at++, bit++) filled += bitsAt(levels, bit, 1);
  return filled;
}

/**
 * For each of `rows`, its position among the rows that have a value, or -1 if it has none.
 * @param levels 1 for each row with a value
 * @param rows in ascending order
 */
export function positionsOf(levels: Uint8Array, rows: Int32Array): Int32Array {
  const positions = new Int32Array(rows.length);
  const runs = new RunReader(levels, { offset: 0, bitWidth: 1 });
  const { run } = runs;
  let filled = 0;
  for (let index = 0, at = 0; index < rows.length; index++) {
    const row = rows[index]!;
    for (; at < row; ) {
      if (at >= run.to) runs.next();
      const end = Math.min(row, run.to);
      filled += filledIn(levels, run, { from: at, to: end });
      at = end;
    }
    if (row >= run.to) runs.next();
    const level = run.value < 0 ? bitsAt(levels, run.bit + row - run.from, 1) : run.value;
    positions[index] = level === 1 ? filled : -1;
  }
  return positions;
}

/** Walks through the runs. */
class RunReader {
  readonly run: Run = { from: 0, to: 0, value: -1, bit: 0 };
  readonly #bytes: Uint8Array;
  readonly #bitWidth: number;
  #next: number;

  constructor(bytes: Uint8Array, { offset, bitWidth }: HybridPlace) {
    this.#bytes = bytes;
    this.#bitWidth = bitWidth;
    this.#next = offset;
  }

  next(): void {
    const { run } = this;
    const bytes = this.#bytes;
    let head = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[this.#next++];
      if (byte === undefined) throw new Error('Cannot read column: it ends early');
      head |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    run.from = run.to;
    if ((head & 1) === 1) {
      run.to = run.from + 8 * (head >>> 1);
      run.value = -1;
      run.bit = 8 * this.#next;
      this.#next += (head >>> 1) * this.#bitWidth;
      return;
    }
    run.to = run.from + (head >>> 1);
    run.value = 0;
    for (let shift = 0; shift < this.#bitWidth; shift += 8) run.value |= bytes[this.#next++]! << shift;
  }
}

/**
 * Reads a number of `bitWidth` bits that begins at a given bit. Bytes behind the end read as undefined, which
 * counts as 0.
 */
function bitsAt(bytes: Uint8Array, bit: number, bitWidth: number): number {
  const at = bit >> 3;
  const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  return (word >>> (bit & 7)) & ((1 << bitWidth) - 1);
}
