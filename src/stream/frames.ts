// The bytes of one stream event in the server-sent events format of the HTML standard: `event`, `id` if the
// event has one, and `data` on one line. They are made once and shared by all readers that get the event. The
// WebSocket uses the same event name, cursor and data in its own message format.

import type { SocketEventName } from '../contract/stream/socket.ts';
import type { ByeReason } from '../contract/stream/stream.ts';
import { freeBytes } from '../memory/free-bytes.ts';
import type { OddsDelta } from '../query/odds/odds-delta.ts';
import type { WholeSlate } from '../query/odds/whole-slates.ts';

const ENCODER = new TextEncoder();
const END = ENCODER.encode('\n\n');

/** One event, ready to be sent. */
export interface Frame {
  readonly event: SocketEventName;
  /** The reader's cursor after this event; null for an event that a client cannot resume from. */
  readonly cursor: string | null;
  /** The event's data as JSON text: a part of `bytes`. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** The whole event in the server-sent events format. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether the frame is made for one reader only. Its sink may then free the bytes after sending. */
  readonly isForOne?: boolean;
}

/**
 * Makes the frame of a small event, whose data is an object.
 * @param id a cursor; null for an event that a client cannot resume from
 */
export function frameOf(event: SocketEventName, id: string | null, data: object): Frame {
  return toFrame(event, id, [ENCODER.encode(JSON.stringify(data))]);
}

/** @param additions extra fields that describe what the reader gets besides odds */
export function helloFrame(
  hello: { cursor: string; heartbeatMs: number; tickMs: number },
  additions: object,
): Frame {
  const { cursor, heartbeatMs, tickMs } = hello;
  const facts = { cursor, heartbeat_ms: heartbeatMs, tick_ms: tickMs, conflates: true, signals: null };
  return frameOf('hello', null, { ...facts, ...additions });
}

/** How long a client should wait before it reconnects, by the reason why the server ended its stream. */
const RECONNECT_AFTER_MS: Readonly<Record<ByeReason, number>> = {
  shutdown: 2_000,
  slow_reader: 5_000,
  key_revoked: 60_000,
  limit: 60_000,
};

export function byeFrame(reason: ByeReason): Frame {
  return frameOf('bye', null, { reason, reconnect_after_ms: RECONNECT_AFTER_MS[reason] });
}

/** One delta of one view as frames. Readers at the same cursor share the bytes. */
export class DeltaFrames {
  readonly cursor: string;
  readonly #conflated: boolean;
  readonly #pieces: readonly Uint8Array[];
  readonly #byFrom = new Map<string, Frame>();

  /**
   * @param conflated whether the reader fell behind, so that several deltas were merged into this one
   * @param body the delta's body in pieces
   */
  constructor(delta: OddsDelta, conflated: boolean, body: Iterable<Uint8Array> = delta.body()) {
    this.cursor = delta.cursor;
    this.#conflated = conflated;
    const [first, ...rest] = body;
    // Skip the opening brace of the body: the frame's own data begins with one.
    this.#pieces = [first!.subarray(1), ...rest];
  }

  /** @param from the cursor of the last frame that the reader was sent */
  from(from: string): Frame {
    const made = this.#byFrom.get(from);
    if (made !== undefined) return made;
    const prefix = JSON.stringify({ from, to: this.cursor, conflated: this.#conflated }).slice(0, -1);
    const frame = toFrame('delta', this.cursor, [ENCODER.encode(`${prefix},`), ...this.#pieces]);
    this.#byFrom.set(from, frame);
    return frame;
  }
}

/** The frames of what one reader has missed; null if their data would have more than `bytesMax`. */
export function missedFrames(delta: OddsDelta, bytesMax: number): DeltaFrames | null {
  const body: Uint8Array[] = [];
  let byteCount = 0;
  for (const piece of delta.body()) {
    body.push(piece);
    byteCount += piece.length;
    if (byteCount > bytesMax) return null;
  }
  return new DeltaFrames(delta, true, body);
}

/** Frames that are sent one after another, as fast as the client reads. */
export interface FrameSource {
  /** The next frame; null after the last one. @throws NoRoomError as `WholeSlate.piece` */
  next(): Frame | null;
  /** Call it when no more frames are wanted. It frees what the source holds. */
  close(): void;
}

interface SnapshotPart {
  readonly frame: Frame;
  /** The index of the fixture that the next part begins with; null in the last part. */
  readonly next: number | null;
}

/**
 * The whole view in parts of about 64 KB, at least one. A part is made when it is needed, unless another
 * reader's copy can be shared.
 */
export class SnapshotFrames implements FrameSource {
  readonly #whole: Pick<WholeSlate, 'delta' | 'piece' | 'close'>;
  #first: number | null = 0;
  #part = 0;

  constructor(whole: Pick<WholeSlate, 'delta' | 'piece' | 'close'>) {
    this.#whole = whole;
  }

  next(): Frame | null {
    if (this.#first === null) return null;
    this.#part += 1;
    const part = this.#part;
    const { piece, isShared } = this.#whole.piece(
      'snapshot',
      this.#first,
      (first) => snapshotPart(this.#whole.delta, first, part),
      ({ frame: { bytes } }) => bytes.length,
    );
    this.#first = piece.next;
    return isShared ? piece.frame : { ...piece.frame, isForOne: true };
  }

  close(): void {
    this.#whole.close();
  }
}

function snapshotPart(delta: OddsDelta, first: number, part: number): SnapshotPart {
  const { bytes, next } = delta.fixturesPiece(first);
  const last = next === null;
  const { cursor, asOf, isStale } = delta;
  const facts = { part, last, cursor, full: true, as_of: asOf, stale: isStale };
  const head = ENCODER.encode(`${JSON.stringify(facts).slice(0, -1)},"fixtures":[`);
  const tail = ENCODER.encode('],"removed":[]}');
  const frame = toFrame('snapshot', last ? cursor : null, [head, bytes, tail]);
  freeBytes(bytes);
  return { frame, next };
}

/** @param data the JSON text in pieces; must hold no line break */
function toFrame(event: SocketEventName, cursor: string | null, data: readonly Uint8Array[]): Frame {
  const id = cursor === null ? '' : `id: ${cursor}\n`;
  const head = ENCODER.encode(`event: ${event}\n${id}data: `);
  const bytes = joined([head, ...data, END]);
  return { event, cursor, data: bytes.subarray(head.length, bytes.length - END.length), bytes };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}
