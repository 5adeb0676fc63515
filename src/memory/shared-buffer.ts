// The layout of every shared buffer of the service: a header, then columns. The header identifies the kind of
// buffer and its table sizes, so a thread that attaches to a wrong, older or truncated buffer fails at once
// instead of reading garbage.
//
//   Int32   magic | layout version | sizes, in the order of SharedLayout.sizeNames | padding to 8 bytes
//   columns, each aligned to 8 bytes, in the order in which SharedLayout.columns takes them

import { assert } from '../errors.ts';

const HEADER_MAGIC = 0;
const HEADER_VERSION = 1;
const HEADER_SIZES = 2;

/** The layout of one kind of shared buffer. */
export interface SharedLayout<SizeName extends string, Views> {
  /** Name of the buffer in assertions, such as `store`. */
  readonly name: string;
  /** Four ASCII letters as an Int32; different for each kind. */
  readonly magic: number;
  /** Raised whenever `columns` changes. */
  readonly version: number;
  /**
   * Names of the sizes that the columns depend on. The header stores the sizes, so attaching needs only the
   * buffer.
   */
  readonly sizeNames: readonly SizeName[];
  /** Requests every column from the cursor, always in the same order. */
  readonly columns: (cursor: ColumnCursor, sizes: Readonly<Record<SizeName, number>>) => Views;
}

/** `allocate` may round up to whole pages of this size, as a WebAssembly memory does. */
const PAGE_BYTES = 65_536;

/**
 * Allocates a zeroed buffer and writes its header.
 * @param former a buffer that nothing uses any more: it is zeroed and used again if it has the right size
 * @param allocate returns zeroed memory of this many bytes, or rounded up to whole pages
 */
export function createSharedBuffer<SizeName extends string>(
  layout: SharedLayout<SizeName, unknown>,
  sizes: Readonly<Record<SizeName, number>>,
  former: SharedArrayBuffer | null = null,
  allocate: (byteCount: number) => SharedArrayBuffer = (bytes) => new SharedArrayBuffer(bytes),
): SharedArrayBuffer {
  for (const name of layout.sizeNames) {
    assert(
      Number.isInteger(sizes[name]) && sizes[name] > 0,
      `the ${layout.name} size ${name} is a whole number above 0`,
    );
  }
  const byteCount = sharedByteCount(layout, sizes);
  const isFitting = former?.byteLength === byteCount;
  const buffer = isFitting ? former : allocate(byteCount);
  if (isFitting) new Uint8Array(buffer).fill(0);
  const header = new Int32Array(buffer, 0, headerWordCount(layout));
  header[HEADER_MAGIC] = layout.magic;
  header[HEADER_VERSION] = layout.version;
  layout.sizeNames.forEach((name, index) => {
    header[HEADER_SIZES + index] = sizes[name];
  });
  return buffer;
}

/** Attaches to a buffer created on this or another thread. Asserts its kind, version and size. */
export function attachSharedBuffer<SizeName extends string, Views>(
  layout: SharedLayout<SizeName, Views>,
  buffer: SharedArrayBuffer,
): Views {
  const { name, magic, version } = layout;
  const words = headerWordCount(layout);
  assert(buffer.byteLength >= words * 4, `a ${name} buffer has a header`);
  const header = new Int32Array(buffer, 0, words);
  assert(header[HEADER_MAGIC] === magic, `a ${name} buffer starts with the ${name} magic`);
  assert(header[HEADER_VERSION] === version, `the ${name} layout version is ${version}`);
  const sizes = Object.fromEntries(
    layout.sizeNames.map((sizeName, index) => [sizeName, header[HEADER_SIZES + index]!]),
  ) as Record<SizeName, number>;
  const byteCount = sharedByteCount(layout, sizes);
  const pagesBytes = Math.ceil(byteCount / PAGE_BYTES) * PAGE_BYTES;
  assert(
    buffer.byteLength === byteCount || buffer.byteLength === pagesBytes,
    `a ${name} buffer has the size its header says`,
  );
  return layout.columns(new ColumnCursor(buffer, words * 4), sizes);
}

/** Bytes of a buffer with these sizes, including the header. */
export function sharedByteCount<SizeName extends string>(
  layout: SharedLayout<SizeName, unknown>,
  sizes: Readonly<Record<SizeName, number>>,
): number {
  const cursor = new ColumnCursor(null, headerWordCount(layout) * 4);
  layout.columns(cursor, sizes);
  return cursor.offset;
}

/** Always even, so that the columns start at a multiple of 8 bytes. */
function headerWordCount(layout: { readonly sizeNames: readonly string[] }): number {
  return Math.ceil((HEADER_SIZES + layout.sizeNames.length) / 2) * 2;
}

/**
 * Returns the columns of a buffer one after the other, each aligned to 8 bytes. Without a buffer it returns
 * empty columns and only adds up the bytes, so a layout and its byte count come from the same code.
 */
export class ColumnCursor {
  /** Where the next column starts, in bytes. */
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
