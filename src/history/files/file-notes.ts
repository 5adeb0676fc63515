// What a file of ticks stores besides its rows: the ids of leagues and teams, once per fixture, because the
// columns have only names; and the writer's notes. Both lie just before the Parquet metadata, which states
// their length. Parquet allows bytes that belong to no column. Texts inside the metadata would have to be
// valid UTF-8, which takes a third more. In front of the notes is the CRC-32 of everything that follows it,
// because one changed byte of the metadata or the notes can hide rows or move a price to another fixture.

import type { AsyncBuffer, FileMetaData, KeyValue } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import { type PackedMark, pairOf } from '../mark.ts';
import type { FixtureIds, TickFixture } from '../tick.ts';

/**
 * Key of the metadata: the length of the bytes just before the metadata. The creator of our files begins with
 * the same word.
 */
const NOTES_KEY = 'overround';
/** Bytes of memory that marks take per character of their JSON, as measured. Ids take a little more. */
const HEAP_BYTES_PER_CHAR = 3;

/** One fixture. It has a result only if an import knows the result. */
type PackedIds = readonly [
  ...[eventId: string, leagueId: string, homeId: string, awayId: string],
  ...[scoreHome?: number, scoreAway?: number, finishedAtMs?: number],
  ...[cardsHome?: number, cardsAway?: number],
];

/** The ids of one description; `at` is its index in `fixtures`. */
type PackedFormerIds = readonly [at: number, leagueId: string, homeId: string, awayId: string];

/** What a writer stores beside the rows. */
export interface FileNotes {
  /** Descriptions of the fixtures that the marks refer to. */
  readonly fixtures?: readonly TickFixture[];
  /**
   * Ids of former descriptions in `fixtures`, if they differ from the ids of the fixture's last description,
   * which are in `ids`.
   */
  readonly formerIds?: readonly PackedFormerIds[];
  /** What the feed reported about fixtures (`TapeMark`), in the order of publishing. */
  readonly marks?: readonly PackedMark[];
  /**
   * When answers of imports were received, by league id or event id. Each number is the ms since the answer
   * before, the first one the ms since the day began.
   */
  readonly answers?: Readonly<Record<string, readonly number[]>>;
  /** For each fixture of `ids`, in the same order: when imports last listed it, in ms after the day began. */
  readonly listed?: readonly number[];
  /** For each fixture of `ids`: when imports listed it on this day, or null if they did not. */
  readonly onSlate?: readonly (ListedDay | null)[];
  /**
   * Answers whose preceding answer is in no import, by league id or event id. Each has two numbers: its time
   * in ms after the day began, and the ms since the preceding answer.
   */
  readonly previous?: Readonly<Record<string, readonly number[]>>;
  /**
   * For each fixture of `ids`: when an import first saw it in play, in ms after the day began; null if none
   * did. The time may be on another day.
   */
  readonly liveFrom?: readonly (number | null)[];
  /** Source times that no row has (imports/confirmations.ts). */
  readonly confirmed?: readonly PackedConfirmations[];
}

/**
 * The lines whose prices an answer showed without a change. `answerMs` is the time of the answer in ms after
 * the day began. Each line is given by its last row in this file: `rowSteps` has the distance of that row
 * from the row of the line before, and `agesMs` has how old the line's price was.
 */
export type PackedConfirmations = readonly [
  answerMs: number,
  rowSteps: readonly number[],
  agesMs: readonly number[],
];

/**
 * When a fixture was on the slate on a day, in ms after the day began: the first and the last answer that
 * listed it, and between them the answers that did not. If there is only one time, it is negative: the
 * fixture was last listed before the day and has not left the slate.
 */
export type ListedDay =
  | readonly [firstMs: number, ...missedMs: number[], lastMs: number]
  | readonly [beforeMs: number];

/** What `appendNotes` writes. */
type Stored = FileNotes & { readonly ids: readonly PackedIds[] };

export interface ReadNotes {
  readonly ids: ReadonlyMap<string, FixtureIds>;
  readonly notes: FileNotes;
  /** Approximate bytes of memory of ids and notes. */
  readonly heapBytes: number;
}

/**
 * Writes room for the checksum, and ids and notes, behind the last row group.
 * @returns the entry for the metadata
 */
export function appendNotes(
  writer: ByteWriter,
  {
    ids,
    notes,
    level,
  }: {
    readonly ids: ReadonlyMap<string, FixtureIds>;
    readonly notes: FileNotes | null;
    /** The level of zstd. */
    readonly level: number;
  },
): Required<KeyValue> {
  const list = Array.from(ids, ([eventId, { leagueId, homeId, awayId, result }]): PackedIds => {
    const known = [eventId, leagueId, homeId, awayId] as const;
    if (result === undefined) return known;
    return [...known, ...result.score, result.finishedAtMs, ...(result.cards ?? [])];
  });
  const stored: Stored = { ids: list, ...notes };
  const bytes = Bun.zstdCompressSync(new TextEncoder().encode(JSON.stringify(stored)), { level });
  writer.appendUint32(0);
  writer.appendBytes(bytes);
  return { key: NOTES_KEY, value: String(bytes.length) };
}

/** Stores the checksum in a finished file. @param from where `appendNotes` began to write */
export function storeChecksum(bytes: Uint8Array, from: number): void {
  const checksum = Bun.hash.crc32(bytes.subarray(from + CHECKSUM_BYTES));
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(from, checksum, true);
}

/** Reads ids and notes; a file that another program wrote has none. @throws when anything is damaged */
export async function readNotes(file: AsyncBuffer, metadata: FileMetaData): Promise<ReadNotes> {
  const { created_by: creator = NOTES_KEY, key_value_metadata: entries } = metadata;
  const length = entries?.find(({ key }) => key === NOTES_KEY)?.value;
  // One changed byte can hide the length, but then the creator is missing too, or is another of our texts.
  if (length === undefined && !creator.startsWith(NOTES_KEY))
    return { ids: new Map(), notes: {}, heapBytes: 0 };
  const end = file.byteLength - metadata.metadata_length - TRAILER_BYTES;
  const start = end - Number(length);
  const checksum = start - CHECKSUM_BYTES;
  // In files of earlier versions, which have no checksum, the notes follow the pages.
  if (start !== pagesEndOf(metadata)) {
    if (checksum !== pagesEndOf(metadata) || !(await isWhole(file, checksum)))
      throw new Error('Cannot read ticks: the metadata are damaged');
  }
  const bytes = new Uint8Array(await file.slice(start, end));
  const text = new TextDecoder().decode(Bun.zstdDecompressSync(bytes));
  const { ids, ...notes } = JSON.parse(text) as Stored;
  return { ids: idsOf(ids), notes, heapBytes: HEAP_BYTES_PER_CHAR * text.length };
}

/** Whether the checksum at a place in a file is that of the bytes that follow it. */
async function isWhole(file: AsyncBuffer, checksumAt: number): Promise<boolean> {
  const bytes = await file.slice(checksumAt, file.byteLength);
  const checksum = new DataView(bytes).getUint32(0, true);
  return checksum === Bun.hash.crc32(new Uint8Array(bytes, CHECKSUM_BYTES));
}

/** Where the last page of a file ends. */
function pagesEndOf({ row_groups: groups }: FileMetaData): number {
  const ends = groups.flatMap(({ columns }) =>
    columns.map(({ meta_data: column }) => {
      const start = column?.dictionary_page_offset ?? column?.data_page_offset;
      return Number(start) + Number(column?.total_compressed_size);
    }),
  );
  return ends.reduce((last, end) => Math.max(last, end), MAGIC_BYTES);
}

/**
 * The field `formerIds` of `FileNotes`: ids of descriptions that differ from the last ids of the fixture.
 * @param descriptions those of the field `fixtures`, in the same order, with the ids of each
 * @param last the ids of each fixture's last description, by event id
 */
export function packFormerIds(
  descriptions: readonly { readonly fixture: TickFixture; readonly ids: FixtureIds }[],
  last: ReadonlyMap<string, FixtureIds>,
): Pick<FileNotes, 'formerIds'> {
  const formerIds = descriptions.flatMap(({ fixture, ids }, at): PackedFormerIds[] => {
    const { leagueId, homeId, awayId } = ids;
    const now = last.get(fixture.eventId);
    const isSame = now?.leagueId === leagueId && now.homeId === homeId && now.awayId === awayId;
    return isSame ? [] : [[at, leagueId, homeId, awayId]];
  });
  return formerIds.length === 0 ? {} : { formerIds };
}

/** Reads back what `packFormerIds` wrote, by index in `fixtures`. */
export function formerIdsOf({ formerIds = [] }: FileNotes): ReadonlyMap<number, FixtureIds> {
  return new Map(formerIds.map(([at, leagueId, homeId, awayId]) => [at, { leagueId, homeId, awayId }]));
}

/** The last bytes of a Parquet file: the length of the metadata, and the letters PAR1. */
const TRAILER_BYTES = 8;
/** The first bytes of a Parquet file: the letters PAR1. */
const MAGIC_BYTES = 4;
const CHECKSUM_BYTES = 4;

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
