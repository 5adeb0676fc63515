// The ring between the writer of the slate and the thread that keeps the price history: what each publish
// changed, as records of one size in shared memory. The writer never waits. If the ring has no room, the
// record is dropped and counted, and the writer later sends the whole slate so that the tape is right again
// (tape-recorder.ts). One thread writes, one reads.
//
//   control   written | read | wanted | id       Int32, Atomics; the first two are record counts that wrap
//   wide      settledAtMs | dropped              BigInt64, Atomics
//   words     RECORD_WORDS Int32 per record      times lie over the same bytes as Float64
//   report    how the tape is doing, as text, for /ready: written by the reader of the ring
//
// A batch's records become visible together: `written` rises once, after the publish that shows the changes.

import { HISTORY_REPORT_BYTES_MAX } from '../limits.ts';
import {
  attachSharedBuffer,
  type ColumnCursor,
  createSharedBuffer,
  type SharedLayout,
} from '../memory/shared-buffer.ts';
import { readSharedText, type SharedText, sharedText, writeSharedText } from '../memory/shared-text.ts';

const CONTROL_WRITTEN = 0;
const CONTROL_READ = 1;
const CONTROL_WANTED = 2;
const CONTROL_ID = 3;
const WIDE_SETTLED = 0;
const WIDE_DROPPED = 1;

/** Int32 words of a record: 64 bytes. */
export const RECORD_WORDS = 16;
const RECORD_FLOATS = RECORD_WORDS / 2;

/** Words of a record, by index. */
export const TAPE_WORD = {
  /** What `packHead` makes. */
  head: 0,
  quoteKey: 1,
  /** Prices in ten-thousandths, in outcome order. */
  priceA: 2,
  priceB: 3,
  /** Red cards, in the place of prices, in a record of kind `fixture`. -1 when unknown. */
  cardsHome: 2,
  cardsAway: 3,
  priceC: 4,
  /** What `packScore` makes. */
  score: 5,
} as const;

/** Float64 words of a record, by index. Entity rows are whole numbers. */
export const TAPE_FLOAT = {
  eventNumber: 3,
  /** NaN when unknown. */
  scheduledAtMs: 4,
  quoteAtMs: 5,
  receivedAtMs: 6,
  /** League, home and away rows of the entity table: 17 bits each. */
  entities: 7,
} as const;

export const TAPE_KIND = {
  /** A line as it is now, or that it was withdrawn. */
  line: 1,
  /** The fixture is new, or its kickoff, names, status, score or red cards changed. */
  fixture: 2,
  /** Every line and fixture of the slate follows, among other changes, until `syncEnd`. */
  syncBegin: 3,
  syncEnd: 4,
  /** The feed is lost from this instant on; the slate may be wrong until the next `syncEnd`. */
  feedLost: 5,
  /** Records were dropped from this instant on, until the next `syncEnd`. */
  overrun: 6,
  /** The fixture left the slate. */
  left: 7,
  /** Nobody followed the feed from this instant on; the slate may be wrong until the next `syncEnd`. */
  unseen: 8,
} as const;

/** Whether a record of this kind begins a gap. Its time may lie in the past. */
export function beginsGap(kind: number): boolean {
  return kind === TAPE_KIND.feedLost || kind === TAPE_KIND.overrun || kind === TAPE_KIND.unseen;
}

/** The status of a line that was withdrawn: the number after those of QUOTE_STATUSES. */
export const TAPE_LINE_WITHDRAWN = 2;

/** The small numbers of a record, a byte each. */
interface RecordHead {
  /** One of TAPE_KIND. */
  readonly kind: number;
  /** Index into EVENT_STATUSES. In a record about the feed: 1 while the feed is lost. */
  readonly eventStatus: number;
  readonly sport: number;
}

export function packHead({ kind, eventStatus, sport }: RecordHead): number {
  return kind | (eventStatus << 16) | (sport << 24);
}

/** @param lineStatus one of QUOTE_STATUSES, or TAPE_LINE_WITHDRAWN */
export function withLineStatus(head: number, lineStatus: number): number {
  return head | (lineStatus << 8);
}

/** The kind of the record whose words begin at `at`. */
export function kindOf(words: Int32Array, at: number): number {
  return words[at + TAPE_WORD.head]! & 0xff;
}

export function lineStatusOf(words: Int32Array, at: number): number {
  return (words[at + TAPE_WORD.head]! >> 8) & 0xff;
}

export function eventStatusOf(words: Int32Array, at: number): number {
  return (words[at + TAPE_WORD.head]! >> 16) & 0xff;
}

export function sportOf(words: Int32Array, at: number): number {
  return words[at + TAPE_WORD.head]! >>> 24;
}

/** @param home and away of 16 bits, -1 when unknown */
export function packScore(home: number, away: number): number {
  return (home & 0xffff) | (away << 16);
}

export function scoreHomeOf(words: Int32Array, at: number): number {
  return (words[at + TAPE_WORD.score]! << 16) >> 16;
}

export function scoreAwayOf(words: Int32Array, at: number): number {
  return words[at + TAPE_WORD.score]! >> 16;
}

const ENTITY_LIMIT = 2 ** 17;

/** Three rows of the entity table as one number. */
export function packEntities(league: number, home: number, away: number): number {
  return (league * ENTITY_LIMIT + home) * ENTITY_LIMIT + away;
}

/** The rows that `packEntities` packed: league, home, away. */
export function unpackEntities(packed: number): readonly [number, number, number] {
  const rest = Math.floor(packed / ENTITY_LIMIT);
  return [Math.floor(rest / ENTITY_LIMIT), rest % ENTITY_LIMIT, packed % ENTITY_LIMIT];
}

interface TapeRingViews {
  readonly capacity: number;
  readonly report: SharedText;
  readonly control: Int32Array<SharedArrayBuffer>;
  readonly wide: BigInt64Array<SharedArrayBuffer>;
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly floats: Float64Array<SharedArrayBuffer>;
}

const LAYOUT: SharedLayout<'records', TapeRingViews> = {
  name: 'tape ring',
  magic: 0x54_41_50_45, // "TAPE"
  version: 2,
  sizeNames: ['records'],
  columns: (cursor: ColumnCursor, { records }) => {
    const control = cursor.int32(4);
    const wide = cursor.bigInt64(2);
    const floats = cursor.float64(records * RECORD_FLOATS);
    const words = new Int32Array(floats.buffer, floats.byteOffset, floats.length * 2);
    const report = sharedText(cursor, HISTORY_REPORT_BYTES_MAX);
    return { capacity: records, report, control, wide, words, floats };
  },
};

/**
 * Makes an empty ring.
 * @param records a power of two
 * @param id a number that no other process uses, from 1 to 2^31 - 1
 */
export function createTapeRing(records: number, id: number): SharedArrayBuffer {
  const buffer = createSharedBuffer(LAYOUT, { records });
  attachSharedBuffer(LAYOUT, buffer).control[CONTROL_ID] = id;
  return buffer;
}

/** The number that the ring was made with. */
export function tapeRingId(buffer: SharedArrayBuffer): number {
  return attachSharedBuffer(LAYOUT, buffer).control[CONTROL_ID]!;
}

export class TapeRingWriter {
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly floats: Float64Array<SharedArrayBuffer>;
  readonly #views: TapeRingViews;
  /** Records written, including those of the batch in progress. */
  #next: number;
  /** The first record of the batch in progress. */
  #batch: number;
  /** For how many records the writer knows that there is room. The reader may have freed more since. */
  #free = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#views = attachSharedBuffer(LAYOUT, buffer);
    this.words = this.#views.words;
    this.floats = this.#views.floats;
    this.#next = Atomics.load(this.#views.control, CONTROL_WRITTEN);
    this.#batch = this.#next;
  }

  /** How many records fit now. */
  room(): number {
    const used = (this.#next - Atomics.load(this.#views.control, CONTROL_READ)) | 0;
    return this.#views.capacity - used;
  }

  get capacity(): number {
    return this.#views.capacity;
  }

  /** The instant that this or an earlier writer last passed to `settle`, Unix ms; 0 if none did. */
  settledAtMs(): number {
    return Number(Atomics.load(this.#views.wide, WIDE_SETTLED));
  }

  /**
   * Takes the next record for the batch in progress. @returns its place, or -1 when the ring is full. Its
   * words begin at place * RECORD_WORDS, its floats at half of that
   */
  take(): number {
    if (this.#free <= 0) {
      this.#free = this.room();
      if (this.#free <= 0) return -1;
    }
    this.#free--;
    const record = this.#next & (this.#views.capacity - 1);
    this.#next = (this.#next + 1) | 0;
    return record;
  }

  /** Makes the batch visible. @param receivedAtMs when it was published */
  commit(receivedAtMs: number): void {
    const mask = this.#views.capacity - 1;
    for (let number = this.#batch; number !== this.#next; number = (number + 1) | 0) {
      this.floats[(number & mask) * RECORD_FLOATS + TAPE_FLOAT.receivedAtMs] = receivedAtMs;
    }
    this.#batch = this.#next;
    Atomics.store(this.#views.control, CONTROL_WRITTEN, this.#next);
  }

  countDropped(count: number): void {
    Atomics.add(this.#views.wide, WIDE_DROPPED, BigInt(count));
  }

  /** Records that everything published before this instant is in the ring, or was dropped. */
  settle(atMs: number): void {
    Atomics.store(this.#views.wide, WIDE_SETTLED, BigInt(Math.trunc(atMs)));
  }

  /** Whether the reader has asked for the whole slate since the last call. */
  takeWanted(): boolean {
    return Atomics.exchange(this.#views.control, CONTROL_WANTED, 0) !== 0;
  }
}

export class TapeRingReader {
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly floats: Float64Array<SharedArrayBuffer>;
  readonly #views: TapeRingViews;

  constructor(buffer: SharedArrayBuffer) {
    this.#views = attachSharedBuffer(LAYOUT, buffer);
    this.words = this.#views.words;
    this.floats = this.#views.floats;
  }

  get capacity(): number {
    return this.#views.capacity;
  }

  /** Count of records ever written, wrapping at 32 bits: the end of what can be read. */
  written(): number {
    return Atomics.load(this.#views.control, CONTROL_WRITTEN);
  }

  /** Count of records ever read, wrapping as above: reading continues there. */
  position(): number {
    return Atomics.load(this.#views.control, CONTROL_READ);
  }

  /**
   * The place of a record: its words begin at place * RECORD_WORDS.
   * @param number between position and written
   */
  placeOf(number: number): number {
    return number & (this.#views.capacity - 1);
  }

  /** Gives the room of every record before `number` back to the writer. */
  release(number: number): void {
    Atomics.store(this.#views.control, CONTROL_READ, number);
  }

  /**
   * Nothing published before this instant will be added any more, Unix ms; 0 until the writer first calls
   * `settle`. Read it before `written`.
   */
  settledAtMs(): number {
    return Number(Atomics.load(this.#views.wide, WIDE_SETTLED));
  }

  waitingCount(): number {
    return (this.written() - this.position()) | 0;
  }

  droppedCount(): number {
    return Number(Atomics.load(this.#views.wide, WIDE_DROPPED));
  }

  /** Asks the writer for the whole slate, because what the reader knows of it may be wrong. */
  want(): void {
    Atomics.store(this.#views.control, CONTROL_WANTED, 1);
  }
}

/** Publishes how the tape is doing. @returns false when the text is too long */
export function writeTapeReport(buffer: SharedArrayBuffer, text: string): boolean {
  return writeSharedText(attachSharedBuffer(LAYOUT, buffer).report, new TextEncoder().encode(text));
}

/** What `writeTapeReport` published last; null before the first. Any thread. */
export function readTapeReport(buffer: SharedArrayBuffer): string | null {
  return readSharedText(attachSharedBuffer(LAYOUT, buffer).report);
}
