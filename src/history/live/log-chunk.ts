// The log of ticks that are not in a file yet: chunks with a checksum, one after the other. A log begins with
// a chunk that names its format and the roster, and holds the standing rows. A process that is killed leaves
// at most a torn chunk at the end, which is cut off when the log is read.
//
//   chunk   magic | payload bytes | checksum | ring id | ring position | row count | settledAtMs
//           payload: bytes of the facts | facts as JSON | rows of ROW_BYTES each
//
// Numbers are little-endian. The checksum is CRC-32 over everything after it.

import { type PackedMark, packMark, unpackMark } from '../mark.ts';
import type { FixtureIds, GapReason, TickFixture } from '../tick.ts';
import type { LiveSegment, SegmentFixture } from './live-segment.ts';
import type { ReusedRow, SegmentRow } from './segment-columns.ts';

const MAGIC = 0x4b_43_49_54; // "TICK"
const HEADER_BYTES = 32;
const CHECKED_FROM = 12;
const ROW_BYTES = 48;
const FORMAT = 1;
const FLAG_IN_PLAY = 4;
const FLAG_STANDING = 8;
const STATUS_MASK = 3;

/** Where the reader of the ring was, so that a new thread of the same process continues there. */
export interface RingPosition {
  /** A number that no other process uses; 0 when the rows came from no ring. */
  readonly ringId: number;
  readonly position: number;
}

/** What a chunk holds besides its rows. */
export interface ChunkFacts {
  /** In the first chunk of a log only. */
  readonly begin?: LogBegin & { readonly format: number };
  /** Fixtures that the segment got since the last chunk. */
  readonly fixtures?: readonly FixtureFacts[];
  /** Marks of fixtures that the segment got since the last chunk. */
  readonly marks?: readonly PackedMark[];
  /**
   * The gap that is open after this chunk, or null without one. If the field is absent, the gap is the same
   * as after the chunk before.
   */
  readonly gap?: { readonly fromMs: number; readonly reason: GapReason } | null;
}

export interface LogBegin {
  /** The roster that the quote keys refer to. */
  readonly bookmakers: readonly string[];
  /** Length of the log before this one, in bytes. */
  readonly bytesBefore: number;
  /** Path of the log before this one; absent in the first log. */
  readonly after?: string;
  /** The segment's `setBackToMs`; absent if it is Infinity. */
  readonly setBackToMs?: number;
  /** How many marks of the first chunk an earlier segment has. Earlier versions did not write it. */
  readonly repeatedMarks?: number;
}

type FixtureFacts = readonly [eventNumber: number, sport: number, fixture: TickFixture, ids: FixtureIds];

export interface Chunk {
  readonly facts: ChunkFacts;
  /** Every row is read into the same object, because objects for a whole log would take tens of megabytes. */
  readonly rows: Iterable<SegmentRow>;
  readonly ring: RingPosition;
  /** Everything published before this instant is in the log once this chunk is written, Unix ms. */
  readonly settledAtMs: number;
}

export interface ChunkParts extends Omit<Chunk, 'rows' | 'facts'> {
  readonly segment: LiveSegment;
  readonly rowFrom: number;
  readonly fixtureFrom: number;
  readonly markFrom: number;
  readonly facts: Omit<ChunkFacts, 'begin' | 'fixtures' | 'marks'>;
  /** Present in the first chunk of a log. */
  readonly begin?: LogBegin;
}

/**
 * Encodes a chunk with the rows, fixtures and marks that were added to the segment since the given counts.
 */
export function encodeChunk(parts: ChunkParts): Uint8Array {
  const { segment, rowFrom, fixtureFrom, markFrom, begin, ring, settledAtMs } = parts;
  const fixtures = segment.fixtures.slice(fixtureFrom).map(toFacts);
  const marks = segment.marks.slice(markFrom).map(packMark);
  const facts: ChunkFacts = {
    ...parts.facts,
    ...(fixtures.length === 0 ? {} : { fixtures }),
    ...(marks.length === 0 ? {} : { marks }),
    ...(begin === undefined ? {} : { begin: { format: FORMAT, ...begin } }),
  };
  const factBytes = new TextEncoder().encode(JSON.stringify(facts));
  const rowCount = segment.rowCount - rowFrom;
  const bytes = new Uint8Array(HEADER_BYTES + 4 + factBytes.length + rowCount * ROW_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, bytes.length - HEADER_BYTES, true);
  view.setUint32(12, ring.ringId, true);
  view.setInt32(16, ring.position, true);
  view.setUint32(20, rowCount, true);
  view.setFloat64(24, settledAtMs, true);
  view.setUint32(HEADER_BYTES, factBytes.length, true);
  bytes.set(factBytes, HEADER_BYTES + 4);
  let offset = HEADER_BYTES + 4 + factBytes.length;
  const row = {} as ReusedRow;
  for (let at = rowFrom; at < segment.rowCount; at++, offset += ROW_BYTES) {
    writeRow(view, offset, segment.readInto(row, at));
  }
  view.setUint32(8, Bun.hash.crc32(bytes.subarray(CHECKED_FROM)), true);
  return bytes;
}

/**
 * Reads chunks until the bytes end or a checksum is wrong.
 * @returns the chunks and their length in bytes; the bytes after them were not written completely
 */
export function decodeChunks(bytes: Uint8Array): { readonly chunks: Chunk[]; readonly byteCount: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  let offset = 0;
  for (;;) {
    const end = chunkEnd(view, offset);
    if (
      end === null ||
      Bun.hash.crc32(bytes.subarray(offset + CHECKED_FROM, end)) !== view.getUint32(offset + 8, true)
    ) {
      return { chunks, byteCount: offset };
    }
    chunks.push(decodeChunk(bytes, view, offset));
    offset = end;
  }
}

/**
 * Adds the content of a chunk to a segment.
 * @param beginMs when the log begins. If the log does not say how many marks an earlier segment has, they are
 * those from before `beginMs`
 */
export function addChunk(segment: LiveSegment, { facts, rows }: Chunk, beginMs: number): void {
  for (const [eventNumber, sport, fixture, ids] of facts.fixtures ?? []) {
    segment.addFixture({ eventNumber, sport, fixture, ids });
  }
  const repeatedMarks = facts.begin?.repeatedMarks;
  for (const [index, packed] of (facts.marks ?? []).entries()) {
    const mark = unpackMark(packed);
    const isRepeated = repeatedMarks === undefined ? mark.atMs < beginMs : index < repeatedMarks;
    if (isRepeated) segment.repeatMark(mark);
    else segment.addMark(mark);
  }
  for (const row of rows) segment.add(row);
}

/** Where the chunk ends, or null when no whole chunk can begin here. */
function chunkEnd(view: DataView, offset: number): number | null {
  if (offset + HEADER_BYTES > view.byteLength || view.getUint32(offset, true) !== MAGIC) return null;
  const end = offset + HEADER_BYTES + view.getUint32(offset + 4, true);
  return end > view.byteLength ? null : end;
}

function decodeChunk(bytes: Uint8Array, view: DataView, offset: number): Chunk {
  const factsAt = offset + HEADER_BYTES + 4;
  const factCount = view.getUint32(offset + HEADER_BYTES, true);
  const facts = JSON.parse(
    new TextDecoder().decode(bytes.subarray(factsAt, factsAt + factCount)),
  ) as ChunkFacts;
  const rowsAt = factsAt + factCount;
  return {
    facts,
    rows: rowsIn(view, rowsAt, view.getUint32(offset + 20, true)),
    ring: { ringId: view.getUint32(offset + 12, true), position: view.getInt32(offset + 16, true) },
    settledAtMs: view.getFloat64(offset + 24, true),
  };
}

function* rowsIn(view: DataView, from: number, count: number): Generator<SegmentRow> {
  const row = {} as ReusedRow;
  for (let index = 0; index < count; index++) {
    readRow(view, from + index * ROW_BYTES, row);
    yield row;
  }
}

function writeRow(view: DataView, offset: number, row: SegmentRow): void {
  view.setInt32(offset, row.fixtureIndex, true);
  view.setInt32(offset + 4, row.quoteKey, true);
  view.setInt32(offset + 8, row.priceA, true);
  view.setInt32(offset + 12, row.priceB, true);
  view.setInt32(offset + 16, row.priceC, true);
  const flags = row.status | (row.inPlay ? FLAG_IN_PLAY : 0) | (row.standing ? FLAG_STANDING : 0);
  view.setInt32(offset + 20, flags, true);
  view.setInt16(offset + 24, row.scoreHome, true);
  view.setInt16(offset + 26, row.scoreAway, true);
  view.setFloat64(offset + 32, row.atMs, true);
  view.setFloat64(offset + 40, row.receivedAtMs, true);
}

function readRow(view: DataView, offset: number, row: ReusedRow): void {
  const flags = view.getInt32(offset + 20, true);
  row.fixtureIndex = view.getInt32(offset, true);
  row.quoteKey = view.getInt32(offset + 4, true);
  row.priceA = view.getInt32(offset + 8, true);
  row.priceB = view.getInt32(offset + 12, true);
  row.priceC = view.getInt32(offset + 16, true);
  row.status = flags & STATUS_MASK;
  row.inPlay = (flags & FLAG_IN_PLAY) !== 0;
  row.standing = (flags & FLAG_STANDING) !== 0;
  row.scoreHome = view.getInt16(offset + 24, true);
  row.scoreAway = view.getInt16(offset + 26, true);
  row.atMs = view.getFloat64(offset + 32, true);
  row.receivedAtMs = view.getFloat64(offset + 40, true);
}

function toFacts({ eventNumber, sport, fixture, ids }: SegmentFixture): FixtureFacts {
  return [eventNumber, sport, fixture, ids];
}
