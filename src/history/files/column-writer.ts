// Writes one column of a row group. It takes less room than the general writer of hyparquet-writer would:
// dictionaries are sorted and most codes take whole bytes, so that zstd finds what repeats, and a column is
// plain when that is smaller.

import type { ColumnChunk, Encoding } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { writePlain } from 'hyparquet-writer/src/plain.js';
import { type ColumnValue, parquetTypeOf, type TickColumn } from './tick-columns.ts';

type Cell = NonNullable<ColumnValue>;

/** A page before its header: its bytes and how they are encoded. */
interface Body {
  readonly encoding: Encoding;
  readonly dictionary: { readonly count: number; readonly page: Page } | null;
  readonly page: Page;
}

interface Page {
  readonly byteCount: number;
  readonly compressed: Uint8Array;
}

export interface ColumnWriting {
  /** Compression level of zstd. */
  readonly level: number;
  readonly hasStatistics: boolean;
}

/**
 * In a group of at most so many rows a plain column is tried too. In a larger one it is rarely smaller unless
 * most values differ.
 */
const SMALL_GROUP_ROWS = 4_096;

/** Codes of so few bits stay as they are. */
const FEW_BITS = 2;

/** @param cells one for each row */
export function writeColumn(
  writer: ByteWriter,
  column: TickColumn,
  { cells, level, hasStatistics }: ColumnWriting & { readonly cells: readonly ColumnValue[] },
): ColumnChunk {
  const start = writer.offset;
  const values = cells.filter((cell) => cell !== null);
  const levels =
    column.isNullable === true
      ? hybrid(
          cells.map((cell) => (cell === null ? 0 : 1)),
          1,
        )
      : EMPTY;
  const { encoding, dictionary, page } = bodyOf(column, values, level);
  if (dictionary !== null) {
    writePageHeader(writer, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: dictionary.page.byteCount,
      compressed_page_size: dictionary.page.compressed.length,
      dictionary_page_header: { num_values: dictionary.count, encoding: 'PLAIN' },
    });
    writer.appendBytes(dictionary.page.compressed);
  }
  const dataStart = writer.offset;
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.length + page.byteCount,
    compressed_page_size: levels.length + page.compressed.length,
    data_page_header_v2: {
      num_values: cells.length,
      num_nulls: cells.length - values.length,
      num_rows: cells.length,
      encoding,
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  writer.appendBytes(levels);
  writer.appendBytes(page.compressed);
  const savedCount = (dictionary === null ? 0 : savedBy(dictionary.page)) + savedBy(page);
  return {
    file_offset: BigInt(start),
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

const EMPTY = new Uint8Array();

function bodyOf(column: TickColumn, values: readonly Cell[], level: number): Body {
  if (column.type === 'boolean') {
    const runs = hybrid(values.map(Number), 1);
    const writer = new ByteWriter();
    writer.appendUint32(runs.length);
    writer.appendBytes(runs);
    return { encoding: 'RLE', dictionary: null, page: packed(writer.getBytes(), level) };
  }
  const dictionary = [...new Set(values)].sort((first, second) => (first < second ? -1 : 1));
  const coded = codedBody(column, { values, dictionary, level });
  const mayBePlain = values.length <= SMALL_GROUP_ROWS || 2 * dictionary.length > values.length;
  if (!mayBePlain) return coded;
  const page = packed(plain(column, values), level);
  const codedBytes = coded.page.compressed.length + coded.dictionary!.page.compressed.length;
  return page.compressed.length <= codedBytes ? { encoding: 'PLAIN', dictionary: null, page } : coded;
}

function codedBody(
  column: TickColumn,
  {
    values,
    dictionary,
    level,
  }: { readonly values: readonly Cell[]; readonly dictionary: readonly Cell[]; readonly level: number },
): Body {
  const codeOf = new Map(dictionary.map((value, code) => [value, code]));
  const codes = values.map((value) => codeOf.get(value)!);
  const bits = Math.ceil(Math.log2(Math.max(1, dictionary.length)));
  const bitWidth = bits <= FEW_BITS ? bits : 8 * Math.ceil(bits / 8);
  const writer = new ByteWriter();
  writer.appendUint8(bitWidth);
  writer.appendBytes(hybrid(codes, bitWidth));
  return {
    encoding: 'RLE_DICTIONARY',
    dictionary: { count: dictionary.length, page: packed(plain(column, dictionary), level) },
    page: packed(writer.getBytes(), level),
  };
}

function plain(column: TickColumn, values: readonly Cell[]): Uint8Array {
  const writer = new ByteWriter();
  const bytes = column.type === 'text' ? values.map((value) => ENCODER.encode(String(value))) : values;
  writePlain(writer, bytes as Cell[], parquetTypeOf(column), undefined);
  return writer.getBytes();
}

const ENCODER = new TextEncoder();

function hybrid(numbers: number[], bitWidth: number): Uint8Array {
  const writer = new ByteWriter();
  writeRleBitPackedHybrid(writer, numbers, bitWidth);
  return writer.getBytes();
}

function packed(bytes: Uint8Array, level: number): Page {
  return { byteCount: bytes.length, compressed: Bun.zstdCompressSync(bytes, { level }) };
}

function savedBy({ byteCount, compressed }: Page): number {
  return byteCount - compressed.length;
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
