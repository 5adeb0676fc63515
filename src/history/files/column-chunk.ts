// Decodes one column of one row group, for the encodings that our files use: dictionaries, plain numbers, run
// lengths and zstd. It keeps the dictionary and one small number per row instead of a value per row, and can
// read single rows. That makes it many times as fast as the general reader of hyparquet, which reads all
// other files.

import type { ColumnMetaData, Encoding } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { filledRows, type HybridPlace, positionsOf, readHybrid, readHybridAt } from './hybrid.ts';
import {
  type ColumnValues,
  NONE,
  type PhysicalType,
  type PlainPage,
  plainValues,
  valuesOfCodes,
} from './plain-values.ts';

/** Row numbers in ascending order; null for all. */
export type Rows = Int32Array | null;

type PageHeader = ReturnType<typeof parquetHeader>;

const ENCODINGS: readonly string[] = ['PLAIN', 'RLE', 'RLE_DICTIONARY'];
const TYPES: readonly string[] = ['BYTE_ARRAY', 'INT64', 'INT32', 'DOUBLE', 'BOOLEAN'];

/** Whether `decodeColumn` can read a column, if the column has only one page. */
export function isDecodable({ codec, encodings, type }: ColumnMetaData): boolean {
  return (
    codec === 'ZSTD' && TYPES.includes(type) && encodings.every((encoding) => ENCODINGS.includes(encoding))
  );
}

/** Values that another reader decoded, in the form that `decodeColumn` returns. */
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

/** Picks some rows of a column. */
export function pickRows({ codes, values }: ColumnValues, rows: Rows): ColumnValues {
  return rows === null ? { codes, values } : { codes: rows.map((row) => codes[row]!), values };
}

/**
 * Decodes a column.
 * @param bytes of the column: its pages, one after the other
 * @throws when they are not what the metadata says
 */
export function decodeColumn(
  bytes: Uint8Array,
  {
    meta,
    isNullable,
    rows,
  }: { readonly meta: ColumnMetaData; readonly isNullable: boolean; readonly rows: Rows },
): ColumnValues {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  let dictionary: PlainPage | null = null;
  for (;;) {
    const { header, content } = nextPage(reader, bytes);
    if (header.dictionary_page_header !== undefined) {
      const count = header.dictionary_page_header.num_values;
      dictionary = { bytes: content, type: meta.type, count };
      continue;
    }
    const opened = openPage(content, header, isNullable);
    // The metadata name the encoding of the data page last.
    if (opened.rowCount !== Number(meta.num_values) || opened.encoding !== meta.encodings.at(-1))
      throw new Error('Cannot read column: it is not one page');
    return decodePage(opened, { type: meta.type, dictionary, rows });
  }
}

/** The checksum in the header of a page: CRC-32 of the compressed page, as a signed number. */
export function pageChecksum(compressed: Uint8Array): number {
  return Bun.hash.crc32(compressed) | 0;
}

/** A page with its header. */
interface Page {
  readonly header: PageHeader;
  /** The page after decompression. */
  readonly content: Uint8Array;
}

/** Reads the page at `reader.offset`. @throws when the page or its header is damaged */
function nextPage(reader: Parameters<typeof parquetHeader>[0], bytes: Uint8Array): Page {
  const header = parquetHeader(reader);
  const { compressed_page_size: size, uncompressed_page_size: contentSize, crc } = header;
  const end = reader.offset + size;
  const page = bytes.subarray(reader.offset, end);
  // Earlier versions wrote no checksum.
  if (!(size > 0) || end > bytes.length || (crc !== undefined && crc !== pageChecksum(page)))
    throw new Error('Cannot read column: a page is damaged');
  reader.offset = end;
  const content = Bun.zstdDecompressSync(page);
  if (content.length !== contentSize) throw new Error('Cannot read column: a page has another length');
  return { header, content };
}

/** A data page after decompression. */
interface OpenPage {
  readonly rowCount: number;
  readonly encoding: Encoding;
  /** For each row whether it has a value; null when all have one. */
  readonly levels: Uint8Array | null;
  readonly data: Uint8Array;
}

/** Reads a page of version 1 of the format. */
function openPage(bytes: Uint8Array, { data_page_header: found }: PageHeader, isNullable: boolean): OpenPage {
  if (found === undefined) throw new Error('Cannot read column: it has a page of another type');
  const { num_values: rowCount, encoding } = found;
  if (!isNullable) return { rowCount, encoding, levels: null, data: bytes };
  const end = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return { rowCount, encoding, levels: bytes.subarray(4, end), data: bytes.subarray(end) };
}

function decodePage(
  page: OpenPage,
  wanted: { readonly type: PhysicalType; readonly dictionary: PlainPage | null; readonly rows: Rows },
): ColumnValues {
  const { rowCount, encoding, levels, data } = page;
  const { type, dictionary, rows } = wanted;
  const count = rows?.length ?? rowCount;
  const filled = levels === null ? rowCount : filledRows(levels, rowCount);
  if (filled === 0) return { codes: new Int32Array(count).fill(NONE), values: [] };
  const nulls = filled === rowCount ? null : levels;
  const codes = rows === null ? allCodes(page, filled, nulls) : someCodes(page, rows, nulls);
  if (encoding === 'RLE') return { codes, values: [false, true] };
  const values = encoding === 'PLAIN' ? { bytes: data, type, count: filled } : dictionary;
  if (values === null) throw new Error('Cannot read column: it has no dictionary');
  return rows === null ? { codes, values: plainValues(values) } : valuesOfCodes(codes, values);
}

/** Where the codes of a page are; null for PLAIN, where each position is its own code. */
function placeOf({ encoding, data }: OpenPage): HybridPlace | null {
  if (encoding === 'PLAIN') return null;
  return encoding === 'RLE' ? { offset: 4, bitWidth: 1 } : { offset: 1, bitWidth: data[0] ?? 0 };
}

/** The code of each row, -1 for none. @param levels null when every row has a value */
function allCodes(page: OpenPage, filled: number, levels: Uint8Array | null): Int32Array {
  const place = placeOf(page);
  const dense = place === null ? rowNumbers(filled) : new Int32Array(filled);
  if (place !== null) readHybrid(page.data, place, dense);
  if (levels === null) return dense;
  const codes = new Int32Array(page.rowCount);
  readHybrid(levels, { offset: 0, bitWidth: 1 }, codes);
  let next = 0;
  for (let row = 0; row < codes.length; row++) codes[row] = codes[row] === 1 ? dense[next++]! : NONE;
  return codes;
}

/** The code of each of some rows. */
function someCodes(page: OpenPage, rows: Int32Array, levels: Uint8Array | null): Int32Array {
  const place = placeOf(page);
  const positions = levels === null ? rows : positionsOf(levels, rows);
  if (place === null) return positions;
  const codes = new Int32Array(rows.length);
  readSome(page.data, place, { positions, codes });
  return codes;
}

/** Reads the codes at some positions. A position of -1 has no value. */
function readSome(
  data: Uint8Array,
  place: HybridPlace,
  { positions, codes }: { readonly positions: Int32Array; readonly codes: Int32Array },
): void {
  const known = new Int32Array(positions.length);
  let count = 0;
  for (let index = 0; index < positions.length; index++) {
    if (positions[index]! >= 0) known[count++] = positions[index]!;
  }
  if (count === positions.length) {
    readHybridAt(data, place, { positions, out: codes });
    return;
  }
  const dense = new Int32Array(count);
  readHybridAt(data, place, { positions: known.subarray(0, count), out: dense });
  let next = 0;
  for (let index = 0; index < codes.length; index++) {
    codes[index] = positions[index]! < 0 ? NONE : dense[next++]!;
  }
}

/** 0, 1, 2 and so on. */
function rowNumbers(count: number): Int32Array {
  const numbers = new Int32Array(count);
  for (let row = 0; row < count; row++) numbers[row] = row;
  return numbers;
}
