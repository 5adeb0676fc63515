// What a file of ticks has beside its rows: ids of leagues and teams, once per fixture, since the columns
// have only names, and a writer's notes. They lie in front of the Parquet metadata, which has their length:
// Parquet allows bytes that belong to no column, and texts in the metadata would have to be valid UTF-8 and
// so a third longer. Files of earlier releases have them in the metadata.

import type { AsyncBuffer, FileMetaData, KeyValue } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import { type PackedMark, pairOf } from '../mark.ts';
import type { FixtureIds, TickFixture } from '../tick.ts';

/** In the metadata: the length of what lies in front of it. */
const LENGTH_KEY = 'overround';
/** In the metadata of files of earlier releases. */
const FORMER_KEYS = { ids: 'overround:ids', notes: 'overround:notes' } as const;
/** Memory of marks by the length of their JSON, as measured. Ids take a little more. */
const HEAP_BYTES_PER_CHAR = 3;

/** One fixture. Its result is there only if an import knows it. */
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

/** What `appendNotes` writes. */
type Stored = FileNotes & { readonly ids: readonly PackedIds[] };

export interface ReadNotes {
  readonly ids: ReadonlyMap<string, FixtureIds>;
  readonly notes: FileNotes;
  /** About how much memory both take. */
  readonly heapBytes: number;
}

/** Writes them behind the last row group. @returns the entry for the metadata */
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
  writer.appendBytes(bytes);
  return { key: LENGTH_KEY, value: String(bytes.length) };
}

/** Reads them back. @throws when they are damaged */
export async function readNotes(file: AsyncBuffer, metadata: FileMetaData): Promise<ReadNotes> {
  const textOf = (wanted: string): string | undefined =>
    metadata.key_value_metadata?.find(({ key }) => key === wanted)?.value;
  const length = textOf(LENGTH_KEY);
  if (length !== undefined) {
    const end = file.byteLength - metadata.metadata_length - TRAILER_BYTES;
    const text = unpacked(new Uint8Array(await file.slice(end - Number(length), end)));
    const { ids, ...notes } = JSON.parse(text) as Stored;
    return { ids: idsOf(ids), notes, heapBytes: HEAP_BYTES_PER_CHAR * text.length };
  }
  const [ids = '[]', notes = '{}'] = [FORMER_KEYS.ids, FORMER_KEYS.notes].map((key) => {
    const value = textOf(key);
    return value === undefined ? undefined : unpacked(Uint8Array.fromBase64(value));
  });
  return {
    ids: idsOf(JSON.parse(ids) as readonly PackedIds[]),
    notes: JSON.parse(notes) as FileNotes,
    heapBytes: HEAP_BYTES_PER_CHAR * (ids.length + notes.length),
  };
}

/** Behind the metadata: its length, and the letters PAR1. */
const TRAILER_BYTES = 8;

function unpacked(bytes: Uint8Array): string {
  return new TextDecoder().decode(Bun.zstdDecompressSync(bytes));
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
