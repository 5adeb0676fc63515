// Hands out the views of a shared buffer one after the other, each aligned to 8 bytes. Without a buffer it only adds up
// the bytes, so that the sum and the layout are one piece of code.

export class ColumnCursor {
  /** Where the next view starts, in bytes. */
  offset: number;
  readonly #buffer: SharedArrayBuffer | null;

  constructor(buffer: SharedArrayBuffer | null, offset: number) {
    this.#buffer = buffer;
    this.offset = offset;
  }

  uint8(length: number): Uint8Array<SharedArrayBuffer> {
    return new Uint8Array(...this.#take(length, 1));
  }
  int16(length: number): Int16Array<SharedArrayBuffer> {
    return new Int16Array(...this.#take(length, 2));
  }
  int32(length: number): Int32Array<SharedArrayBuffer> {
    return new Int32Array(...this.#take(length, 4));
  }
  float64(length: number): Float64Array<SharedArrayBuffer> {
    return new Float64Array(...this.#take(length, 8));
  }
  bigInt64(length: number): BigInt64Array<SharedArrayBuffer> {
    return new BigInt64Array(...this.#take(length, 8));
  }

  #take(length: number, bytesPerValue: number): [SharedArrayBuffer, number, number] {
    const start = this.offset;
    this.offset = start + Math.ceil((length * bytesPerValue) / 8) * 8;
    return this.#buffer === null ? [EMPTY, 0, 0] : [this.#buffer, start, length];
  }
}

const EMPTY = new SharedArrayBuffer(0);
