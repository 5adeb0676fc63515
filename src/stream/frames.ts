// The bytes of one event of a stream: `event`, `id` where the event has one, and `data` on one line, as the server-sent
// events of the HTML standard. They are made once and shared by all readers they go to. Another wire takes the same event,
// cursor and data and puts its own words around them.

import type { SocketEventName } from '../contract/socket.ts';
import type { ByeReason } from '../contract/stream.ts';
import type { OddsDelta } from '../query/odds-delta.ts';

const ENCODER = new TextEncoder();
const END = ENCODER.encode('\n\n');

/** One event, ready to be sent. */
export interface Frame {
  readonly event: SocketEventName;
  /** The cursor that the reader stands at after it; null where the event is none to resume from. */
  readonly cursor: string | null;
  /** The event's data as JSON text, a part of `bytes`. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** The whole as a server-sent event. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Of small events: the data as an object. @param id a cursor, null where the event is none to resume from */
export function frameOf(event: SocketEventName, id: string | null, data: object): Frame {
  return toFrame(event, id, [ENCODER.encode(JSON.stringify(data))]);
}

/** @param additions fields of what the reader is sent besides odds */
export function helloFrame(
  hello: { cursor: string; heartbeatMs: number; tickMs: number },
  additions: object,
): Frame {
  const { cursor, heartbeatMs, tickMs } = hello;
  const facts = { cursor, heartbeat_ms: heartbeatMs, tick_ms: tickMs, conflates: true, signals: null };
  return frameOf('hello', null, { ...facts, ...additions });
}

/** When a reader may come back, by why it was sent away. */
const RECONNECT_AFTER_MS: Readonly<Record<ByeReason, number>> = {
  shutdown: 2_000,
  slow_reader: 5_000,
  key_revoked: 60_000,
  limit: 60_000,
};

export function byeFrame(reason: ByeReason): Frame {
  return frameOf('bye', null, { reason, reconnect_after_ms: RECONNECT_AFTER_MS[reason] });
}

/** One delta of one view as frames. Readers that stand at the same cursor share the bytes. */
export class DeltaFrames {
  readonly cursor: string;
  readonly #conflated: boolean;
  readonly #pieces: readonly Uint8Array[];
  readonly #byFrom = new Map<string, Frame>();

  /** @param conflated whether the readers fell behind and several deltas are one */
  constructor(delta: OddsDelta, conflated: boolean) {
    this.cursor = delta.cursor;
    this.#conflated = conflated;
    const [first, ...rest] = delta.body();
    // The body begins with a brace, which the frame has already.
    this.#pieces = [first!.subarray(1), ...rest];
  }

  /** @param from the cursor that the reader was last told */
  from(from: string): Frame {
    const made = this.#byFrom.get(from);
    if (made !== undefined) return made;
    const prefix = JSON.stringify({ from, to: this.cursor, conflated: this.#conflated }).slice(0, -1);
    const frame = toFrame('delta', this.cursor, [ENCODER.encode(`${prefix},`), ...this.#pieces]);
    this.#byFrom.set(from, frame);
    return frame;
  }
}

/** The whole view in parts of some 64 KB; one part at least. */
export function snapshotFrames(delta: OddsDelta): Frame[] {
  const parts = [...delta.fixtures()];
  if (parts.length === 0) parts.push(new Uint8Array(0));
  return parts.map((fixtures, index) => {
    const last = index === parts.length - 1;
    const { cursor, asOf, isStale } = delta;
    const facts = { part: index + 1, last, cursor, full: true, as_of: asOf, stale: isStale };
    const head = ENCODER.encode(`${JSON.stringify(facts).slice(0, -1)},"fixtures":[`);
    return toFrame('snapshot', last ? cursor : null, [head, fixtures, ENCODER.encode('],"removed":[]}')]);
  });
}

/** @param data the JSON text in pieces, without a line break */
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
