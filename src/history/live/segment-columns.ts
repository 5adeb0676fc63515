// Rows of the live part of the tape as columns. A slate has a hundred thousand rows, and each would take
// several times the memory as an object.

/** One row before it is stored. */
export interface SegmentRow {
  /** Index into the segment's fixtures. */
  readonly fixtureIndex: number;
  /** Packed like the store's keys (store/quote-key.ts), with this roster's bookmakers. */
  readonly quoteKey: number;
  /** In ten-thousandths, in outcome order, 0 for none. */
  readonly priceA: number;
  readonly priceB: number;
  readonly priceC: number;
  /** Index into TICK_STATUSES. */
  readonly status: number;
  readonly inPlay: boolean;
  readonly standing: boolean;
  /** -1 when unknown. */
  readonly scoreHome: number;
  readonly scoreAway: number;
  readonly atMs: number;
  readonly receivedAtMs: number;
}

/** A row object that is used again for each row, because a segment has hundreds of thousands of rows. */
export type ReusedRow = { -readonly [Field in keyof SegmentRow]: SegmentRow[Field] };

const FLAG_IN_PLAY = 4;
const FLAG_STANDING = 8;
const STATUS_MASK = 3;
/**
 * A block has 2 ** BLOCK_BITS rows. A column grows by a block and is never copied, because each copy would
 * leave the former memory to the garbage collector.
 */
const BLOCK_BITS = 12;
const BLOCK_ROWS = 2 ** BLOCK_BITS;
const OFFSET_MASK = BLOCK_ROWS - 1;

class Block {
  readonly fixtureIndex = new Int32Array(BLOCK_ROWS);
  readonly quoteKey = new Int32Array(BLOCK_ROWS);
  readonly prices = new Int32Array(3 * BLOCK_ROWS);
  readonly flags = new Uint8Array(BLOCK_ROWS);
  readonly scores = new Int16Array(2 * BLOCK_ROWS);
  readonly atMs = new Float64Array(BLOCK_ROWS);
  readonly receivedAtMs = new Float64Array(BLOCK_ROWS);
  readonly earlier = new Int32Array(BLOCK_ROWS);
}

export class SegmentColumns {
  readonly #blocks: Block[] = [];
  #rowCount = 0;

  get rowCount(): number {
    return this.#rowCount;
  }

  /** @param earlier the number of the previous row of the same fixture @returns the row's number */
  add(row: SegmentRow, earlier: number): number {
    const at = this.#rowCount++;
    const offset = at & OFFSET_MASK;
    if (offset === 0) this.#blocks.push(new Block());
    const block = this.#blockOf(at);
    block.fixtureIndex[offset] = row.fixtureIndex;
    block.quoteKey[offset] = row.quoteKey;
    block.prices[3 * offset] = row.priceA;
    block.prices[3 * offset + 1] = row.priceB;
    block.prices[3 * offset + 2] = row.priceC;
    const flags = row.status | (row.inPlay ? FLAG_IN_PLAY : 0) | (row.standing ? FLAG_STANDING : 0);
    block.flags[offset] = flags;
    block.scores[2 * offset] = row.scoreHome;
    block.scores[2 * offset + 1] = row.scoreAway;
    block.atMs[offset] = row.atMs;
    block.receivedAtMs[offset] = row.receivedAtMs;
    block.earlier[offset] = earlier;
    return at;
  }

  /** The row as it was added. */
  row(at: number): SegmentRow {
    return this.readInto({} as ReusedRow, at);
  }

  /** Reads a row into an object. @returns that object */
  readInto(row: ReusedRow, at: number): ReusedRow {
    const block = this.#blockOf(at);
    const offset = at & OFFSET_MASK;
    const flags = block.flags[offset]!;
    row.fixtureIndex = block.fixtureIndex[offset]!;
    row.quoteKey = block.quoteKey[offset]!;
    row.priceA = block.prices[3 * offset]!;
    row.priceB = block.prices[3 * offset + 1]!;
    row.priceC = block.prices[3 * offset + 2]!;
    row.status = flags & STATUS_MASK;
    row.inPlay = (flags & FLAG_IN_PLAY) !== 0;
    row.standing = (flags & FLAG_STANDING) !== 0;
    row.scoreHome = block.scores[2 * offset]!;
    row.scoreAway = block.scores[2 * offset + 1]!;
    row.atMs = block.atMs[offset]!;
    row.receivedAtMs = block.receivedAtMs[offset]!;
    return row;
  }

  fixtureIndex(at: number): number {
    return this.#blockOf(at).fixtureIndex[at & OFFSET_MASK]!;
  }

  quoteKey(at: number): number {
    return this.#blockOf(at).quoteKey[at & OFFSET_MASK]!;
  }

  receivedAtMs(at: number): number {
    return this.#blockOf(at).receivedAtMs[at & OFFSET_MASK]!;
  }

  isStanding(at: number): boolean {
    return (this.#blockOf(at).flags[at & OFFSET_MASK]! & FLAG_STANDING) !== 0;
  }

  /** The number of the previous row of the same fixture, as it was given to `add`. */
  earlier(at: number): number {
    return this.#blockOf(at).earlier[at & OFFSET_MASK]!;
  }

  /** Whether the row at `at` has other prices or another status than the given one. */
  differs(at: number, { priceA, priceB, priceC, status }: SegmentRow): boolean {
    const { prices: held, flags } = this.#blockOf(at);
    const offset = at & OFFSET_MASK;
    return (
      held[3 * offset] !== priceA ||
      held[3 * offset + 1] !== priceB ||
      held[3 * offset + 2] !== priceC ||
      (flags[offset]! & STATUS_MASK) !== status
    );
  }

  #blockOf(at: number): Block {
    return this.#blocks[at >> BLOCK_BITS]!;
  }
}
