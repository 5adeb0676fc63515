// Values of a column as they follow each other in a dictionary or in a page of the encoding PLAIN. If only
// some are wanted, other numbers are not read.

import type { ColumnMetaData } from 'hyparquet';

export type PhysicalType = ColumnMetaData['type'];
export type Values = ArrayLike<string | number | boolean>;

/** The values of some rows of a column: row `r` has `values[codes[r]]`. Two codes may have the same value. */
export interface ColumnValues {
  /** For each row the index of its value, -1 for none. */
  readonly codes: Int32Array;
  readonly values: Values;
}

/** The code of a row without a value. */
export const NONE = -1;
const TWO_32 = 2 ** 32;
const DECODER = new TextDecoder();

/** Values one after the other. */
export interface PlainPage {
  readonly bytes: Uint8Array;
  readonly type: PhysicalType;
  readonly count: number;
}

/** All values of a page. @throws when the page is longer or shorter than its values */
export function plainValues({ bytes, type, count }: PlainPage): Values {
  if (type === 'BOOLEAN') {
    return Array.from({ length: count }, (_, index) => ((bytes[index >> 3]! >> (index & 7)) & 1) === 1);
  }
  if (type === 'BYTE_ARRAY') return plainTexts(bytes, count);
  if (type !== 'INT64') return numbersIn(bytes, type, count);
  const halves = numbersIn(bytes, 'INT32', 2 * count);
  const values = new Float64Array(count);
  for (let index = 0; index < count; index++) values[index] = wideAt(halves, index);
  return values;
}

/**
 * Reads only the values of some codes, each once, because most answers need a few hundred of many thousands.
 */
export function valuesOfCodes(codes: Int32Array, page: PlainPage): ColumnValues {
  const { bytes, type, count } = page;
  if (type === 'BOOLEAN' || type === 'BYTE_ARRAY') return { codes, values: plainValues(page) };
  const isWide = type === 'INT64';
  const numbers = numbersIn(bytes, isWide ? 'INT32' : type, isWide ? 2 * count : count);
  const values = new Float64Array(codes.length);
  const own = new Int32Array(codes.length);
  /** For each code: the index of its value in `values` plus one; 0 while it has none. */
  const places = new Int32Array(count);
  let used = 0;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index]!;
    if (code >= 0 && places[code] === 0) {
      values[used++] = isWide ? wideAt(numbers, code) : numbers[code]!;
      places[code] = used;
    }
    own[index] = code < 0 ? NONE : places[code]! - 1;
  }
  return { codes: own, values: values.slice(0, used) };
}

/** The 64-bit number at an index, from its two 32-bit halves. */
function wideAt(halves: ArrayLike<number>, index: number): number {
  return halves[2 * index + 1]! * TWO_32 + (halves[2 * index]! >>> 0);
}

/** Numbers as a view, which is read faster than a DataView but needs an aligned start. */
function numbersIn(bytes: Uint8Array, type: PhysicalType, count: number): Int32Array | Float64Array {
  requireEnd(bytes, (type === 'DOUBLE' ? 8 : 4) * count);
  const { buffer, byteOffset } = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  return type === 'DOUBLE'
    ? new Float64Array(buffer, byteOffset, count)
    : new Int32Array(buffer, byteOffset, count);
}

function plainTexts(bytes: Uint8Array, count: number): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  const texts = Array.from({ length: count }, () => {
    const end = offset + 4 + view.getUint32(offset, true);
    const text = DECODER.decode(bytes.subarray(offset + 4, end));
    offset = end;
    return text;
  });
  requireEnd(bytes, offset);
  return texts;
}

function requireEnd({ length }: Uint8Array, end: number): void {
  if (length !== end) throw new Error('Cannot read column: a page has another number of values');
}
