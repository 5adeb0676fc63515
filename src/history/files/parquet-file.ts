// Writes and reads one Parquet file of ticks: the columns of tick-columns.ts, zstd, sorted as
// compareTickLines says. Rows of one fixture are together, and the statistics of a row group say which
// fixtures it holds, so a reader of one fixture reads only its row groups. Ids of leagues and teams are kept
// once per fixture in the file's metadata, since the columns have only names. The metadata also
// has room for a writer's notes.

import {
  type AsyncBuffer,
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
} from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type PackedMark, pairOf } from '../mark.ts';
import type { FixtureIds, Tick, TickFixture } from '../tick.ts';
import { columnOf, decodeColumn, isDecodable, pickRows } from './column-chunk.ts';
import { writeColumn } from './column-writer.ts';
import { type ColumnName, TICK_COLUMNS, tickSchema } from './tick-columns.ts';
import { type ReadColumn, TickGroup } from './tick-group.ts';

/** Rows of a row group. A small group makes reading one line fast, a large one makes the file small. */
export const ROW_GROUP_ROWS = 16_384;
/**
 * Compression levels of zstd. The tape is written while the service runs, so it uses a fast one; an import
 * can wait.
 */
const LEVEL_LIVE = 9;
const LEVEL_IMPORT = 19;
/**
 * Readers skip row groups by the statistics of these columns. Those of all columns would take up a tenth of a
 * small file.
 */
const COLUMNS_WITH_STATISTICS: readonly ColumnName[] = ['event_id', 'kickoff', 'at', 'received_at'];
const CREATOR = 'overround';
/** Memory of marks by the length of their JSON, as measured. Ids take a little more. */
const HEAP_BYTES_PER_CHAR = 3;
const IDS_KEY = 'overround:ids';
const NOTES_KEY = 'overround:notes';

/** One fixture in the metadata. Its result is there only if an import knows it. */
type PackedIds = readonly [
  ...[eventId: string, leagueId: string, homeId: string, awayId: string],
  ...[scoreHome?: number, scoreAway?: number, finishedAtMs?: number],
  ...[cardsHome?: number, cardsAway?: number],
];

/** What a writer stores beside the rows. */
export interface FileNotes {
  /** Descriptions of the fixtures that the marks refer to. */
  readonly fixtures?: readonly TickFixture[];
  /** What the feed reported about fixtures (`TapeMark`), in the order of publishing. */
  readonly marks?: readonly PackedMark[];
  /**
   * When answers of imports were received, by league id or event id. Each number is the time since the one
   * before.
   */
  readonly answers?: Readonly<Record<string, readonly number[]>>;
  /** When imports last listed each fixture of `ids`, in their order, in ms after the day began. */
  readonly listed?: readonly number[];
  /** For each fixture of `ids`: when imports listed it on this day, or null if they did not. */
  readonly onSlate?: readonly (ListedDay | null)[];
}

/**
 * When a fixture was first and last listed on a day, in ms after the day began, and between the two the
 * answers that did not list it. A single time lies before the day: the fixture was last listed then and has
 * not left the slate.
 */
export type ListedDay =
  | readonly [firstMs: number, ...missedMs: number[], lastMs: number]
  | readonly [beforeMs: number];

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

  /** Ends the file. @param ids of the fixtures in it, as far as they are known @returns its bytes */
  finish(ids: ReadonlyMap<string, FixtureIds>, notes: FileNotes | null = null): Uint8Array {
    const list = Array.from(ids, ([eventId, { leagueId, homeId, awayId, result }]): PackedIds => {
      const known = [eventId, leagueId, homeId, awayId] as const;
      if (result === undefined) return known;
      return [...known, ...result.score, result.finishedAtMs, ...(result.cards ?? [])];
    });
    this.#metadata.push({ key: IDS_KEY, value: packed(list) });
    if (notes !== null) this.#metadata.push({ key: NOTES_KEY, value: packed(notes) });
    this.#parquet.finish();
    return this.#bytes.getBytes();
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
  /** Rows of the whole file, from `rowStart` to `rowEnd`, exclusive. */
  readRows(rowStart: number, rowEnd: number): Promise<Tick[]>;
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
  const metadata = await parquetMetadataAsync(file, READ_OPTIONS);
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
  const [ids, notes] = [IDS_KEY, NOTES_KEY].map((key) => unpacked(metadata, key));
  metadata.key_value_metadata = []; // the packed texts are not needed any more
  const textBytes = (ids?.length ?? 0) + (notes?.length ?? 0);
  return {
    rowCount: Number(metadata.num_rows),
    metadataBytes: metadata.metadata_length + HEAP_BYTES_PER_CHAR * textBytes,
    rowGroups,
    ids: idsOf(JSON.parse(ids ?? '[]') as readonly PackedIds[]),
    notes: JSON.parse(notes ?? '{}') as FileNotes,
    readGroup,
    readRows: async (rowStart, rowEnd) => {
      const rows: Tick[] = [];
      for (const group of rowGroups) {
        if (group.rowStart >= rowEnd || group.rowEnd <= rowStart) continue;
        const from = Math.max(0, rowStart - group.rowStart);
        const to = Math.min(rowEnd, group.rowEnd) - group.rowStart;
        rows.push(...(await readGroup(group)).slice(from, to).ticks());
      }
      return rows;
    },
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
    return decodeColumn(bytes.subarray(start - from, end - from), column, rows);
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

function idsOf(list: readonly PackedIds[]): ReadonlyMap<string, FixtureIds> {
  return new Map(
    list.map(([eventId, leagueId, homeId, awayId, home, away, finishedAtMs, ...cards]) => {
      if (home === undefined || away === undefined || finishedAtMs === undefined) {
        return [eventId, { leagueId, homeId, awayId }];
      }
      const result = { score: [home, away], cards: pairOf(...cards), finishedAtMs } as const;
      return [eventId, { leagueId, homeId, awayId, result }];
    }),
  );
}

function packed(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return Bun.zstdCompressSync(bytes, { level: LEVEL_LIVE }).toBase64();
}

/** JSON in the metadata; null without it. */
function unpacked(metadata: FileMetaData, wanted: string): string | null {
  const text = metadata.key_value_metadata?.find(({ key }) => key === wanted)?.value;
  if (text === undefined) return null;
  return new TextDecoder().decode(Bun.zstdDecompressSync(Uint8Array.fromBase64(text)));
}
