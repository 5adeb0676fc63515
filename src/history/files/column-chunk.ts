// Decodes one column of one row group, for the encodings that our files have: dictionaries, plain numbers and
// run lengths, zstd. It keeps the dictionary and one small number per row instead of a value per row, which
// makes it about twenty times as fast as the general reader of hyparquet. That one reads the rest.

import type { ColumnMetaData } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';

/**
 * The values of one column in one row group: row `r` has `values[codes[r]]`. Two codes may have one value.
 */
export interface ColumnValues {
  /** For each row the index of its value, -1 for none. */
  readonly codes: Int32Array;
  readonly values: Values;
}

type Values = ArrayLike<string | number | boolean>;
type PageHeader = ReturnType<typeof parquetHeader>;
type PhysicalType = ColumnMetaData['type'];

const NONE = -1;
const ENCODINGS: readonly string[] = ['PLAIN', 'RLE', 'RLE_DICTIONARY'];
const TYPES: readonly string[] = ['BYTE_ARRAY', 'INT64', 'INT32', 'DOUBLE', 'BOOLEAN'];
const TWO_32 = 2 ** 32;
const DECODER = new TextDecoder();

/** Whether `decodeColumn` reads a column. */
export function isDecodable({ codec, encodings, type }: ColumnMetaData): boolean {
  return (
    codec === 'ZSTD' && TYPES.includes(type) && encodings.every((encoding) => ENCODINGS.includes(encoding))
  );
}

/** The same form for values that another reader decoded. */
export function columnOf(cells: ArrayLike<unknown>): ColumnValues {
  const values: (string | number | boolean)[] = [];
  const codeByValue = new Map<unknown, number>();
  const codes = Int32Array.from({ length: cells.length }, (_, row) => {
    const cell = cells[row] ?? null;
    if (cell === null) return NONE;
    const known = codeByValue.get(cell);
    if (known !== undefined) return known;
    codeByValue.set(cell, values.length);
    return values.push(typeof cell === 'number' || typeof cell === 'boolean' ? cell : String(cell)) - 1;
  });
  return { codes, values };
}

/**
 * Decodes a column.
 * @param bytes of the column: its pages, one after the other
 * @throws when they are not what the metadata says
 */
export function decodeColumn(bytes: Uint8Array, { type, num_values }: ColumnMetaData): ColumnValues {
  const rowCount = Number(num_values);
  const codes = new Int32Array(rowCount);
  let values: Values = [];
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  for (let row = 0; row < rowCount; ) {
    const header = parquetHeader(reader);
    const page = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    const dictionary = header.dictionary_page_header;
    if (dictionary !== undefined) {
      values = plainValues(Bun.zstdDecompressSync(page), type, dictionary.num_values);
      continue;
    }
    const pageRows = header.data_page_header_v2?.num_values ?? 0;
    if (pageRows === 0 || row + pageRows > rowCount)
      throw new Error('Cannot read column: a page is not ours');
    values = decodePage(page, header, { type, values, codes: codes.subarray(row, row + pageRows) });
    row += pageRows;
  }
  return { codes, values };
}

/**
 * Decodes a data page into `codes`.
 * @returns the values that the codes refer to: the dictionary, or those before with those of a plain page
 */
function decodePage(
  page: Uint8Array,
  header: PageHeader,
  into: {
    readonly type: PhysicalType;
    readonly values: Values;
    readonly codes: Int32Array;
  },
): Values {
  const { type, values, codes } = into;
  const facts = header.data_page_header_v2!;
  const filled = codes.length - facts.num_nulls;
  if (filled === 0) {
    codes.fill(NONE);
    return values;
  }
  const levelBytes = facts.definition_levels_byte_length;
  const packed = page.subarray(levelBytes);
  const data = facts.is_compressed === false ? packed : Bun.zstdDecompressSync(packed);
  const dense = facts.num_nulls === 0 ? codes : new Int32Array(filled);
  let known = values;
  if (facts.encoding === 'RLE_DICTIONARY') {
    readHybrid(data, { offset: 1, bitWidth: data[0]! }, dense);
  } else if (facts.encoding === 'RLE') {
    readHybrid(data, { offset: 4, bitWidth: 1 }, dense);
    known = [false, true];
  } else {
    const plain = plainValues(data, type, filled);
    known = values.length === 0 ? plain : [...Array.from(values), ...Array.from(plain)];
    for (let index = 0; index < filled; index++) dense[index] = values.length + index;
  }
  if (dense !== codes) spread(page.subarray(0, levelBytes), dense, codes);
  return known;
}

/** Puts the codes of the rows that have a value at their rows. */
function spread(levels: Uint8Array, dense: Int32Array, codes: Int32Array): void {
  const defined = new Int32Array(codes.length);
  readHybrid(levels, { offset: 0, bitWidth: 1 }, defined);
  let next = 0;
  for (let row = 0; row < codes.length; row++) codes[row] = defined[row] === 1 ? dense[next++]! : NONE;
}

/** Reads run lengths and bit-packed groups, the encoding of indexes and levels, until `out` is full. */
function readHybrid(
  bytes: Uint8Array,
  { offset, bitWidth }: { readonly offset: number; readonly bitWidth: number },
  out: Int32Array,
): void {
  const valueBytes = (bitWidth + 7) >> 3;
  const mask = 2 ** bitWidth - 1;
  const end = out.length;
  let next = offset;
  for (let at = 0; at < end; ) {
    let head = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[next++];
      if (byte === undefined) throw new Error('Cannot read column: it ends early');
      head |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    const isPacked = (head & 1) === 1;
    const runEnd = Math.min(end, at + (isPacked ? 8 : 1) * (head >>> 1));
    if (isPacked) {
      // At most 24 bits a value. Bytes behind the end read as undefined, which counts as 0.
      for (let bit = 8 * next; at < runEnd; at++, bit += bitWidth) {
        const byte = bit >> 3;
        const word =
          bytes[byte]! | (bytes[byte + 1]! << 8) | (bytes[byte + 2]! << 16) | (bytes[byte + 3]! << 24);
        out[at] = (word >>> (bit & 7)) & mask;
      }
      next += (head >>> 1) * bitWidth;
    } else {
      let value = 0;
      for (let index = 0; index < valueBytes; index++) value |= bytes[next++]! << (8 * index);
      for (; at < runEnd; at++) out[at] = value;
    }
  }
}

function plainValues(bytes: Uint8Array, type: PhysicalType, count: number): Values {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'BOOLEAN') {
    return Array.from({ length: count }, (_, index) => ((bytes[index >> 3]! >> (index & 7)) & 1) === 1);
  }
  if (type === 'BYTE_ARRAY') return plainTexts(bytes, view, count);
  const numbers = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    numbers[index] =
      type === 'INT64'
        ? view.getInt32(8 * index + 4, true) * TWO_32 + view.getUint32(8 * index, true)
        : type === 'DOUBLE'
          ? view.getFloat64(8 * index, true)
          : view.getInt32(4 * index, true);
  }
  return numbers;
}

function plainTexts(bytes: Uint8Array, view: DataView, count: number): string[] {
  let offset = 0;
  return Array.from({ length: count }, () => {
    const end = offset + 4 + view.getUint32(offset, true);
    const text = DECODER.decode(bytes.subarray(offset + 4, end));
    offset = end;
    return text;
  });
}
