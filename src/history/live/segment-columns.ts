// Rows of the live part of the tape as columns: a slate has a hundred thousand of them, and each would take
// several times the memory as an object.

/** One row before it is stored. */
export interface SegmentRow {
  /** Index into the segment's fixtures. */
  readonly fixtureIndex: number;
  /** As the store packs it (store/quote-key.ts), with this roster's bookmakers. */
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

const FLAG_IN_PLAY = 4;
const FLAG_STANDING = 8;
const STATUS_MASK = 3;
const ROWS_FIRST = 4_096;

export class SegmentColumns {
  #capacity = ROWS_FIRST;
  #rowCount = 0;
  #fixtureIndex = new Int32Array(ROWS_FIRST);
  #quoteKey = new Int32Array(ROWS_FIRST);
  #prices = new Int32Array(3 * ROWS_FIRST);
  #flags = new Uint8Array(ROWS_FIRST);
  #scores = new Int16Array(2 * ROWS_FIRST);
  #atMs = new Float64Array(ROWS_FIRST);
  #receivedAtMs = new Float64Array(ROWS_FIRST);
  #earlier = new Int32Array(ROWS_FIRST);

  get rowCount(): number {
    return this.#rowCount;
  }

  /** @param earlier the row before it of the same fixture @returns the row's number */
  add(row: SegmentRow, earlier: number): number {
    if (this.#rowCount === this.#capacity) this.#grow();
    const at = this.#rowCount++;
    this.#fixtureIndex[at] = row.fixtureIndex;
    this.#quoteKey[at] = row.quoteKey;
    this.#prices[3 * at] = row.priceA;
    this.#prices[3 * at + 1] = row.priceB;
    this.#prices[3 * at + 2] = row.priceC;
    this.#flags[at] = row.status | (row.inPlay ? FLAG_IN_PLAY : 0) | (row.standing ? FLAG_STANDING : 0);
    this.#scores[2 * at] = row.scoreHome;
    this.#scores[2 * at + 1] = row.scoreAway;
    this.#atMs[at] = row.atMs;
    this.#receivedAtMs[at] = row.receivedAtMs;
    this.#earlier[at] = earlier;
    return at;
  }

  /** The row as it was added. */
  row(at: number): SegmentRow {
    const flags = this.#flags[at]!;
    return {
      fixtureIndex: this.#fixtureIndex[at]!,
      quoteKey: this.#quoteKey[at]!,
      priceA: this.#prices[3 * at]!,
      priceB: this.#prices[3 * at + 1]!,
      priceC: this.#prices[3 * at + 2]!,
      status: flags & STATUS_MASK,
      inPlay: (flags & FLAG_IN_PLAY) !== 0,
      standing: (flags & FLAG_STANDING) !== 0,
      scoreHome: this.#scores[2 * at]!,
      scoreAway: this.#scores[2 * at + 1]!,
      atMs: this.#atMs[at]!,
      receivedAtMs: this.#receivedAtMs[at]!,
    };
  }

  fixtureIndex(at: number): number {
    return this.#fixtureIndex[at]!;
  }

  quoteKey(at: number): number {
    return this.#quoteKey[at]!;
  }

  receivedAtMs(at: number): number {
    return this.#receivedAtMs[at]!;
  }

  isStanding(at: number): boolean {
    return (this.#flags[at]! & FLAG_STANDING) !== 0;
  }

  /** The row before it of the same fixture, as it was added. */
  earlier(at: number): number {
    return this.#earlier[at]!;
  }

  /** Whether the row has other prices or another status than these. */
  differs(at: number, prices: readonly [number, number, number], status: number): boolean {
    return (
      this.#prices[3 * at] !== prices[0] ||
      this.#prices[3 * at + 1] !== prices[1] ||
      this.#prices[3 * at + 2] !== prices[2] ||
      (this.#flags[at]! & STATUS_MASK) !== status
    );
  }

  #grow(): void {
    this.#capacity = Math.ceil(this.#capacity * 1.5);
    const wider = <Column extends Int32Array | Int16Array | Uint8Array | Float64Array>(
      column: Column,
      wide: Column,
    ): Column => {
      wide.set(column);
      return wide;
    };
    this.#fixtureIndex = wider(this.#fixtureIndex, new Int32Array(this.#capacity));
    this.#quoteKey = wider(this.#quoteKey, new Int32Array(this.#capacity));
    this.#prices = wider(this.#prices, new Int32Array(3 * this.#capacity));
    this.#flags = wider(this.#flags, new Uint8Array(this.#capacity));
    this.#scores = wider(this.#scores, new Int16Array(2 * this.#capacity));
    this.#atMs = wider(this.#atMs, new Float64Array(this.#capacity));
    this.#receivedAtMs = wider(this.#receivedAtMs, new Float64Array(this.#capacity));
    this.#earlier = wider(this.#earlier, new Int32Array(this.#capacity));
  }
}
