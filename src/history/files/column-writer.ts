// Writes one column of a row group. The result is smaller than that of hyparquet-writer's general writer,
// because dictionaries are sorted so that zstd finds what repeats, and a small group is encoded in several
// forms, of which the smallest is kept.

import type { ColumnChunk, Encoding } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { writePlain } from 'hyparquet-writer/src/plain.js';
import { pageChecksum } from './column-chunk.ts';
import { type ColumnValue, parquetTypeOf, type TickColumn } from './tick-columns.ts';

type Cell = NonNullable<ColumnValue>;

/** An encoded column: its pages without their headers. */
interface Body {
  readonly encoding: Encoding;
  readonly dictionary: { readonly count: number; readonly page: Page } | null;
  readonly page: Page;
}

interface Page {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array;
}

/** A column before it is encoded. */
interface Content {
  readonly column: TickColumn;
  readonly cells: readonly ColumnValue[];
  /** The cells that are not null. */
  readonly values: readonly Cell[];
  readonly level: number;
}

export interface ColumnWriting {
  /** Compression level of zstd. */
  readonly level: number;
  readonly hasStatistics: boolean;
}

/**
 * Groups of at most this many rows are encoded in every form. In a larger group the usual form is rarely
 * larger than another, and trying them all would take long.
 */
const SMALL_GROUP_ROWS = 4_096;

/**
 * The forms of a column are compared at this level of zstd at most, because a high level takes far longer.
 */
const LEVEL_TRIED = 9;

/** In a large group, dictionary codes of at most this many bits are not widened to a byte. */
const FEW_BITS = 2;

/** Writes numbers of at most `bitWidth` bits as runs. */
type WriteRuns = (numbers: number[], bitWidth: number) => Uint8Array;

/** Writes a column. @param cells one for each row @returns its metadata */
export function writeColumn(
  writer: ByteWriter,
  column: TickColumn,
  { cells, level, hasStatistics }: ColumnWriting & { readonly cells: readonly ColumnValue[] },
): ColumnChunk {
  const start = writer.offset;
  const values = cells.filter((cell) => cell !== null);
  const bodies = bodiesOf({ column, cells, values, level: Math.min(level, LEVEL_TRIED) });
  const { encoding, dictionary, page } = compressedAgain(smallest(bodies), level);
  if (dictionary !== null) {
    writePageHeader(writer, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: dictionary.page.bytes.length,
      compressed_page_size: dictionary.page.compressed.length,
      crc: pageChecksum(dictionary.page.compressed),
      dictionary_page_header: { num_values: dictionary.count, encoding: 'PLAIN' },
    });
    writer.appendBytes(dictionary.page.compressed);
  }
  const dataStart = writer.offset;
  // Version 1 of a data page is smaller than version 2, because its header is shorter and its levels are
  // compressed.
  writePageHeader(writer, {
    type: 'DATA_PAGE',
    uncompressed_page_size: page.bytes.length,
    compressed_page_size: page.compressed.length,
    crc: pageChecksum(page.compressed),
    data_page_header: {
      num_values: cells.length,
      encoding,
      definition_level_encoding: 'RLE',
      repetition_level_encoding: 'RLE',
    },
  });
  writer.appendBytes(page.compressed);
  const savedCount = (dictionary === null ? 0 : savedBy(dictionary.page)) + savedBy(page);
  return {
    file_offset: 0n, // deprecated; zero takes the least room
    meta_data: {
      type: parquetTypeOf(column),
      encodings: dictionary === null ? [encoding] : ['PLAIN', encoding],
      path_in_schema: [column.name],
      codec: 'ZSTD',
      num_values: BigInt(cells.length),
      total_uncompressed_size: BigInt(writer.offset - start + savedCount),
      total_compressed_size: BigInt(writer.offset - start),
      data_page_offset: BigInt(dataStart),
      ...(dictionary === null ? {} : { dictionary_page_offset: BigInt(start) }),
      ...(hasStatistics ? { statistics: statisticsOf(values, cells.length) } : {}),
    },
  };
}

function smallest(bodies: readonly Body[]): Body {
  const size = ({ dictionary, page }: Body): number =>
    page.compressed.length +
    (dictionary === null ? 0 : dictionary.page.compressed.length + DICTIONARY_HEADER);
  return bodies.reduce((best, body) => (size(body) < size(best) ? body : best));
}

/** The chosen form of a column, compressed at the level of the file. */
function compressedAgain({ encoding, dictionary, page }: Body, level: number): Body {
  const again = ({ bytes, compressed }: Page): Page =>
    level > LEVEL_TRIED ? compressedAt(bytes, level) : { bytes, compressed };
  return {
    encoding,
    dictionary: dictionary && { count: dictionary.count, page: again(dictionary.page) },
    page: again(page),
  };
}

/** Approximate bytes of a dictionary's header and of its position in the metadata. */
const DICTIONARY_HEADER = 18;

/** The forms of a column among which the smallest is likely to be. */
function bodiesOf(content: Content): Body[] {
  const { column, cells, values } = content;
  const isSmall = cells.length <= SMALL_GROUP_ROWS;
  const runWriters = isSmall ? [mixedRuns, packedRun] : [mixedRuns];
  if (column.type === 'boolean') {
    return runWriters.map((runs) => {
      const flags = runs(values.map(Number), 1);
      return { encoding: 'RLE', dictionary: null, page: pageOf(content, runs, [lengthOf(flags), flags]) };
    });
  }
  const dictionary = [...new Set(values)].sort(column.type === 'double' ? compareDoubles : compareCells);
  const bodies = codedBodies(content, dictionary, runWriters);
  if (!isSmall && 2 * dictionary.length <= values.length) return bodies;
  const bytes = plain(column, values);
  for (const runs of runWriters) {
    bodies.push({ encoding: 'PLAIN', dictionary: null, page: pageOf(content, runs, [bytes]) });
  }
  return bodies;
}

function codedBodies(content: Content, values: readonly Cell[], runWriters: readonly WriteRuns[]): Body[] {
  const codeOf = new Map(values.map((value, code) => [value, code]));
  const codes = content.values.map((value) => codeOf.get(value)!);
  const bits = Math.ceil(Math.log2(Math.max(1, values.length)));
  const bytes = 8 * Math.ceil(bits / 8);
  const bitWidths = runWriters.length > 1 ? new Set([bits, bytes]) : [bits <= FEW_BITS ? bits : bytes];
  const dictionary = { count: values.length, page: packed([plain(content.column, values)], content.level) };
  return Array.from(bitWidths, (bitWidth) =>
    runWriters.map((runs): Body => {
      const data = [Uint8Array.of(bitWidth), runs(codes, bitWidth)];
      return { encoding: 'RLE_DICTIONARY', dictionary, page: pageOf(content, runs, data) };
    }),
  ).flat();
}

/**
 * A data page. If rows may lack a value, the page first says for each row whether it has one. Then comes the
 * data.
 */
function pageOf({ column, cells, level }: Content, runs: WriteRuns, data: readonly Uint8Array[]): Page {
  if (column.isNullable !== true) return packed(data, level);
  const levels = runs(
    cells.map((cell) => (cell === null ? 0 : 1)),
    1,
  );
  return packed([lengthOf(levels), levels, ...data], level);
}

function compareCells(first: Cell, second: Cell): number {
  return first < second ? -1 : 1;
}

/**
 * Orders prices by the low bytes of their doubles. Prices have at most four decimals, so many of them have
 * the same low bytes, which zstd then finds next to each other.
 */
function compareDoubles(first: Cell, second: Cell): number {
  DOUBLES[0] = first as number;
  DOUBLES[1] = second as number;
  const [low, high, otherLow, otherHigh] = DOUBLE_WORDS as unknown as [number, number, number, number];
  return (high & LOW_16) - (otherHigh & LOW_16) || low - otherLow || high - otherHigh;
}

const DOUBLES = new Float64Array(2);
const DOUBLE_WORDS = new Uint32Array(DOUBLES.buffer);
const LOW_16 = 0xffff;

function plain(column: TickColumn, values: readonly Cell[]): Uint8Array {
  const writer = new ByteWriter();
  const bytes = column.type === 'text' ? values.map((value) => ENCODER.encode(String(value))) : values;
  writePlain(writer, bytes as Cell[], parquetTypeOf(column), undefined);
  return writer.getBytes();
}

const ENCODER = new TextEncoder();

/** Equal numbers as one run, others bit-packed. */
function mixedRuns(numbers: number[], bitWidth: number): Uint8Array {
  const writer = new ByteWriter();
  writeRleBitPackedHybrid(writer, numbers, bitWidth);
  return writer.getBytes();
}

/** All numbers bit-packed in one run, which zstd often compresses better than several short runs. */
function packedRun(numbers: number[], bitWidth: number): Uint8Array {
  const writer = new ByteWriter();
  const groups = Math.ceil(numbers.length / 8);
  writer.appendVarInt((groups << 1) | 1);
  let bits = 0;
  let bitCount = 0;
  for (let index = 0; index < 8 * groups; index++) {
    bits |= (numbers[index] ?? 0) << bitCount;
    for (bitCount += bitWidth; bitCount >= 8; bitCount -= 8) {
      writer.appendUint8(bits & 255);
      bits >>>= 8;
    }
  }
  return writer.getBytes();
}

function lengthOf({ length }: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  writer.appendUint32(length);
  return writer.getBytes();
}

function packed(parts: readonly Uint8Array[], level: number): Page {
  return compressedAt(Buffer.concat(parts), level);
}

function compressedAt(bytes: Uint8Array<ArrayBuffer>, level: number): Page {
  return { bytes, compressed: Bun.zstdCompressSync(bytes, { level }) };
}

function savedBy({ bytes, compressed }: Page): number {
  return bytes.length - compressed.length;
}

function statisticsOf(values: readonly Cell[], rowCount: number) {
  const nullCount = { null_count: BigInt(rowCount - values.length) };
  const [first, ...rest] = values;
  if (first === undefined) return nullCount;
  let min_value = first;
  let max_value = first;
  for (const value of rest) {
    if (value < min_value) min_value = value;
    if (value > max_value) max_value = value;
  }
  return { min_value, max_value, ...nullCount };
}
