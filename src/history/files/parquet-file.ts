// Writes and reads one Parquet file of ticks: the columns of tick-columns.ts, zstd, sorted as
// compareTickLines says. Rows of one fixture are together, and the statistics of a row group say which
// fixtures it holds, so a reader of one fixture reads only its row groups. What the columns have no room for
// is in the file's notes (file-notes.ts).

import {
  type AsyncBuffer,
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
} from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { FixtureIds, Tick } from '../tick.ts';
import { columnOf, decodeColumn, isDecodable, pickRows } from './column-chunk.ts';
import { writeColumn } from './column-writer.ts';
import { appendNotes, type FileNotes, readNotes, storeChecksum } from './file-notes.ts';
import { type ColumnName, TICK_COLUMNS, tickSchema } from './tick-columns.ts';
import { type ReadColumn, TickGroup } from './tick-group.ts';

/** Rows of a row group. A small group makes reading one line fast, a large one makes the file small. */
export const ROW_GROUP_ROWS = 16_384;
/**
 * Compression levels of zstd. The tape is written while the service runs, so it uses a fast level; an import
 * can wait.
 */
const LEVEL_LIVE = 9;
const LEVEL_IMPORT = 19;
/**
 * Readers skip row groups by the statistics of these columns. Statistics of all columns would take up a tenth
 * of a small file.
 */
const COLUMNS_WITH_STATISTICS: readonly ColumnName[] = ['event_id', 'received_at'];
/** The name of the writer whose pages `decodeColumn` reads. */
const CREATOR = 'overround 2';
/** How much is read first when a file is opened. The notes and metadata of most files are smaller. */
const END_BYTES = 128 * 1024;

export type { AsyncBuffer } from 'hyparquet';
export type { ColumnName } from './tick-columns.ts';

/** Writes a file row group by row group, so that only one group is in memory as objects. */
export class TickFileWriter {
  readonly #bytes = new ByteWriter();
  readonly #parquet: ParquetWriter;
  readonly #level: number;
  readonly #metadata: { key: string; value: string }[] = [];

  /** @param level of zstd */
  constructor(level = LEVEL_LIVE) {
    this.#level = level;
    this.#parquet = new ParquetWriter({
      writer: this.#bytes,
      schema: tickSchema(),
      codec: 'ZSTD',
      statisticsTruncateLength: Number.POSITIVE_INFINITY,
      kvMetadata: this.#metadata,
      createdBy: CREATOR,
    });
  }

  /** Adds one row group. The caller keeps the order of compareTickLines over the whole file. */
  addGroup(rows: readonly Tick[]): void {
    if (rows.length === 0) return;
    const start = this.#bytes.offset;
    const columns = TICK_COLUMNS.map((column) =>
      writeColumn(this.#bytes, column, {
        cells: rows.map(column.read),
        level: this.#level,
        hasStatistics: COLUMNS_WITH_STATISTICS.includes(column.name),
      }),
    );
    this.#parquet.row_groups.push({
      columns,
      total_byte_size: columns.reduce((sum, { meta_data }) => sum + meta_data!.total_uncompressed_size, 0n),
      num_rows: BigInt(rows.length),
      total_compressed_size: BigInt(this.#bytes.offset - start),
    });
    this.#parquet.num_rows += BigInt(rows.length);
  }

  /** Ends the file. @param ids the known ids of the fixtures in it @returns its bytes */
  finish(ids: ReadonlyMap<string, FixtureIds>, notes: FileNotes | null = null): Uint8Array {
    const pagesEnd = this.#bytes.offset;
    this.#metadata.push(appendNotes(this.#bytes, { ids, notes, level: this.#level }));
    this.#parquet.finish();
    const bytes = this.#bytes.getBytes();
    storeChecksum(bytes, pagesEnd);
    return bytes;
  }
}

/**
 * Writes a whole file, as small as it gets.
 * @param rows in the order of compareTickLines
 * @param notes for `TickFile.notes`
 */
export function encodeTickFile(
  rows: readonly Tick[],
  ids: ReadonlyMap<string, FixtureIds>,
  notes: FileNotes | null = null,
): Uint8Array {
  const writer = new TickFileWriter(LEVEL_IMPORT);
  for (let start = 0; start < rows.length; start += ROW_GROUP_ROWS) {
    writer.addGroup(rows.slice(start, start + ROW_GROUP_ROWS));
  }
  return writer.finish(ids, notes);
}

/** What the statistics say about one row group. */
export interface TickRowGroup {
  readonly rowStart: number;
  /** Exclusive. */
  readonly rowEnd: number;
  readonly firstEventId: string;
  readonly lastEventId: string;
  readonly receivedFromMs: number;
  /** Inclusive. */
  readonly receivedToMs: number;
}

export interface TickFile {
  readonly rowCount: number;
  /** About how much memory an open file takes: its metadata, `ids` and `notes`. */
  readonly metadataBytes: number;
  readonly rowGroups: readonly TickRowGroup[];
  readonly ids: ReadonlyMap<string, FixtureIds>;
  readonly notes: FileNotes;
  readGroup(group: TickRowGroup): Promise<TickGroup>;
}

const READ_OPTIONS = {
  compressors: { ZSTD: (input: Uint8Array) => Bun.zstdDecompressSync(input) },
  parsers: { timestampFromMilliseconds: (millis: bigint) => Number(millis) },
};

/**
 * Opens a file and reads its metadata.
 * @throws when the file cannot be read or is not one of ours
 */
export async function openTickFile(file: AsyncBuffer): Promise<TickFile> {
  const end = await endOf(file);
  const metadata = await parquetMetadataAsync(end, { ...READ_OPTIONS, initialFetchSize: END_BYTES });
  const { ids, notes, heapBytes } = await readNotes(end, metadata);
  const names = new Set(metadata.schema.map(({ name }) => name));
  const missing = TICK_COLUMNS.filter(({ name }) => !names.has(name));
  if (missing.length > 0) throw new Error(`Cannot read ticks: the file lacks the column ${missing[0]!.name}`);
  const rowGroups = rowGroupsOf(metadata);
  const readGroup = async (group: TickRowGroup): Promise<TickGroup> => {
    const columns = columnsOf(metadata.row_groups[rowGroups.indexOf(group)]!);
    const isOurs = metadata.created_by === CREATOR && columns.every(({ column }) => isDecodable(column));
    const read = isOurs ? await pagesOf(file, columns) : await anyColumnsOf(file, metadata, group);
    return new TickGroup(group.rowEnd - group.rowStart, read);
  };
  return {
    rowCount: Number(metadata.num_rows),
    metadataBytes: metadata.metadata_length + heapBytes,
    rowGroups,
    ids,
    notes,
    readGroup,
  };
}

/** The file with its last bytes, which hold the metadata and the notes, in memory. */
async function endOf(file: AsyncBuffer): Promise<AsyncBuffer> {
  const { byteLength } = file;
  const from = Math.max(0, byteLength - END_BYTES);
  const end = await file.slice(from, byteLength);
  return {
    byteLength,
    slice: (start, to = byteLength) =>
      start < from ? file.slice(start, to) : end.slice(start - from, to - from),
  };
}

/** Decodes every column of a file. @throws when one cannot be read */
export async function readAll(bytes: Uint8Array): Promise<void> {
  const { buffer } = bytes.slice();
  const { rowGroups, readGroup } = await openTickFile(buffer);
  for (const found of rowGroups) {
    const group = await readGroup(found);
    for (const { name } of TICK_COLUMNS) group.column(name);
  }
}

const NULLABLE = new Set(
  TICK_COLUMNS.filter(({ isNullable }) => isNullable === true).map(({ name }) => name),
);

interface ColumnPart {
  readonly name: ColumnName;
  readonly column: ColumnMetaData;
  readonly start: number;
  readonly end: number;
}

function columnsOf({ columns }: FileMetaData['row_groups'][number]): ColumnPart[] {
  const byName = new Map(columns.map(({ meta_data }) => [meta_data?.path_in_schema[0], meta_data]));
  return TICK_COLUMNS.map(({ name }) => {
    const column = byName.get(name);
    if (column === undefined) throw new Error(`Cannot read ticks: a row group lacks the column ${name}`);
    const start = Number(column.dictionary_page_offset ?? column.data_page_offset);
    return { name, column, start, end: start + Number(column.total_compressed_size) };
  });
}

/** Reads the bytes of a row group in one call, because its columns are adjacent. */
async function pagesOf(file: AsyncBuffer, columns: readonly ColumnPart[]): Promise<ReadColumn> {
  const from = Math.min(...columns.map(({ start }) => start));
  const to = Math.max(...columns.map(({ end }) => end));
  const bytes = new Uint8Array(await file.slice(from, to));
  const byName = new Map(columns.map((part) => [part.name, part]));
  return (name, rows) => {
    const { column, start, end } = byName.get(name)!;
    const isNullable = NULLABLE.has(name);
    return decodeColumn(bytes.subarray(start - from, end - from), { meta: column, isNullable, rows });
  };
}

/** Reads a row group that another program wrote. */
async function anyColumnsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  { rowStart, rowEnd }: TickRowGroup,
): Promise<ReadColumn> {
  const columns = await Promise.all(
    TICK_COLUMNS.map(async ({ name }) => {
      const scan = await parquetScan({ file, metadata, columns: [name], ...READ_OPTIONS });
      return [name, columnOf(await scan.readColumn({ column: name, rowStart, rowEnd }))] as const;
    }),
  );
  const byName = new Map(columns);
  return (name, rows) => pickRows(byName.get(name)!, rows);
}

function rowGroupsOf(metadata: FileMetaData): TickRowGroup[] {
  let rowStart = 0;
  return metadata.row_groups.map(({ columns, num_rows }) => {
    const range = (column: ColumnName): readonly [unknown, unknown] => {
      const statistics = columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === column)?.meta_data
        ?.statistics;
      return [statistics?.min_value, statistics?.max_value];
    };
    const [firstEventId, lastEventId] = range('event_id').map(String) as [string, string];
    const [receivedFromMs, receivedToMs] = range('received_at').map(Number) as [number, number];
    const rowEnd = rowStart + Number(num_rows);
    const group = { rowStart, rowEnd, firstEventId, lastEventId, receivedFromMs, receivedToMs };
    rowStart = rowEnd;
    return group;
  });
}
