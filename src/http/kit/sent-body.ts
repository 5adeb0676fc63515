// The body of an answer as it is sent: in the caller's form, and in pieces if it is large.

import { codedPieces, FormedAnswer, type Forms, packed } from './forms.ts';
import { pathOf } from './matched-route.ts';
import { blobPieces, EventsBody, MadePieces, PIECE_BYTES, type Pieces, piecesOf } from './pieces.ts';
import { JSON_CONTENT_TYPE, type Reply, type ReplyBody } from './reply.ts';
import { type Coding, FORMED_PATHS, type Negotiator, PLAIN, type Representation } from './representation.ts';

/** Approximate memory, on all threads together, of a connection that receives an answer in pieces. */
export const READER_BYTES = 128 * 1024;
/** How much memory a parsed value takes for each byte of its JSON, while it is converted part by part. */
const PARSED_BYTES_PER_BYTE = 4;
/** Values with longer lists in them are converted part by part. */
const WHOLE_ITEMS_MAX = 16;
const MAP_32 = 0xdf;
const ARRAY_32 = 0xdd;

/** The form of an answer. JSON under /v1/ is available in several forms; anything else is sent as it is. */
export function formOf(
  { contentType, body }: Reply,
  { url, headers }: Request,
  negotiator: Negotiator,
): Representation {
  if (contentType !== JSON_CONTENT_TYPE || body === null) return PLAIN;
  if (body instanceof Blob || body instanceof ReadableStream) return PLAIN;
  const form = negotiator.of(headers.get('accept'), headers.get('accept-encoding'));
  return form === PLAIN || !pathOf(url).startsWith(FORMED_PATHS) ? PLAIN : form;
}

export interface SentBody {
  readonly body: Exclude<ReplyBody, MadePieces | EventsBody | FormedAnswer>;
  /** How the body is compressed; null when it is not. */
  readonly coding: Coding | null;
  /** Whether this answers a HEAD whose GET would be sent in pieces, so that the length is unknown. */
  readonly isLengthUnknown: boolean;
  /** Whether the body is known to be larger than a piece. */
  readonly isLong: boolean;
}

export interface SentBodyOptions {
  readonly form: Representation;
  readonly forms: Forms;
  /** Whether the caller pays. */
  readonly isPaid: boolean;
  /** Whether the answer is 304. */
  readonly isUnchanged: boolean;
  readonly isHead: boolean;
  /** See ServerParts. */
  readonly cutsBlobs: boolean;
  /** Makes a stream of pieces. The request counts as in flight until the stream ends. */
  readonly inPieces: (pieces: Pieces, options: InPiecesOptions) => ReadableStream<Uint8Array>;
}

export interface InPiecesOptions {
  /** Bytes in memory that the pieces are cut from. */
  readonly heldBytes?: number;
  /**
   * Whether the pieces are ready and only copied. If too many jobs wait, they are sent without a turn, so
   * that the body is not cut short after its status was sent.
   */
  readonly isReady?: boolean;
  readonly onEnd?: () => void;
}

/** What is sent without a body, and before anything is sent. */
export const NO_BODY: SentBody = { body: null, coding: null, isLengthUnknown: false, isLong: false };

/**
 * Chooses how to send a body. A large body is sent in pieces, and keeps a place in flight and a part of the
 * memory budget until the client has read it. A Blob is sent whole by the thread that has the connection,
 * because all its readers share one copy.
 * @throws ServiceError 503 when no place in flight is free, or no room for what the client has not read
 */
export function sentBodyOf(body: ReplyBody, options: SentBodyOptions): SentBody {
  const { form, forms, isPaid, isUnchanged, isHead, inPieces } = options;
  const { coding } = form;
  if (body instanceof MadePieces) return sentPieces(body, options);
  if (body instanceof EventsBody) return sentEvents(body, options);
  if (isUnchanged || body === null) return NO_BODY;
  if (body instanceof FormedAnswer) {
    const made = body.body(form);
    return sentWhole(made.body, made.coding, options);
  }
  if (body instanceof ReadableStream && isHead) return lengthUnknown(null);
  if (body instanceof Blob || body instanceof ReadableStream) return sentWhole(body, null, options);
  if (form === PLAIN && (body.length <= PIECE_BYTES || isHead)) return sent(body, null);
  const json = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (json.byteLength <= PIECE_BYTES) {
    const made = forms.of(json, form, isPaid);
    return sent(made.body, made.coding);
  }
  if (isHead) return lengthUnknown(coding);
  const pieces = form.isPacked ? packedJson(json) : piecesOf(json);
  const heldBytes = json.byteLength * (form.isPacked ? PARSED_BYTES_PER_BYTE : 1);
  return sent(inPieces(coding === null ? pieces : codedPieces(pieces, coding), { heldBytes }), coding);
}

function sentPieces(body: MadePieces, { form, isUnchanged, isHead, inPieces }: SentBodyOptions): SentBody {
  if (isUnchanged || isHead) {
    body.end();
    return isUnchanged ? NO_BODY : lengthUnknown(form.coding);
  }
  try {
    const { heldBytes } = body;
    return sent(inPieces(body.as(form), { heldBytes, onEnd: () => body.end() }), form.coding);
  } catch (error) {
    body.end();
    throw error;
  }
}

function sentEvents(body: EventsBody, { isHead, inPieces }: SentBodyOptions): SentBody {
  if (isHead) {
    body.end();
    return lengthUnknown(null);
  }
  const pieces = body.pieces();
  try {
    return sent(inPieces(pieces, { heldBytes: body.heldBytes, isReady: true }), null);
  } catch (error) {
    void pieces.return?.();
    throw error;
  }
}

function sentWhole(
  body: Exclude<SentBody['body'], string | null>,
  coding: Coding | null,
  { cutsBlobs, isHead, inPieces }: SentBodyOptions,
): SentBody {
  if (!(cutsBlobs && body instanceof Blob && body.size > PIECE_BYTES) || isHead) return sent(body, coding);
  return { ...sent(inPieces(blobPieces(body), { isReady: true }), coding), isLong: true };
}

function sent(body: SentBody['body'], coding: Coding | null): SentBody {
  return { body, coding, isLengthUnknown: false, isLong: false };
}

function lengthUnknown(coding: Coding | null): SentBody {
  return { body: null, coding, isLengthUnknown: true, isLong: false };
}

/** Parses the JSON only when the first piece is taken, so after its memory was reserved. */
function* packedJson(json: Uint8Array): Generator<Uint8Array> {
  yield* packedPieces(JSON.parse(new TextDecoder().decode(json)));
}

/**
 * Encodes a JSON-compatible value as `packed` does, but in parts, because encoding a large value in one go
 * would stop the thread for tens of milliseconds. The lengths of long lists, and of objects that contain
 * them, are written in 32 bits.
 */
export function* packedPieces(value: unknown): Generator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let byteCount = 0;
  for (const part of partsOf(value)) {
    parts.push(part);
    byteCount += part.byteLength;
    if (byteCount < PIECE_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    byteCount = 0;
  }
  yield Buffer.concat(parts);
}

function* partsOf(value: unknown): Generator<Uint8Array> {
  if (!hasLongList(value)) yield packed(value);
  else if (Array.isArray(value)) {
    yield headOf(ARRAY_32, value.length);
    for (const item of value) yield* partsOf(item);
  } else {
    const entries = Object.entries(value);
    yield headOf(MAP_32, entries.length);
    for (const [name, field] of entries) {
      yield packed(name);
      yield* partsOf(field);
    }
  }
}

/** Whether a value is a long list or has one in it. */
function hasLongList(value: unknown): value is object {
  if (Array.isArray(value)) return value.length > WHOLE_ITEMS_MAX || value.some(hasLongList);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongList);
}

/** The first bytes of a MessagePack list or map with a 32-bit count. */
export function headOf(kind: number, count: number): Uint8Array {
  const head = new DataView(new ArrayBuffer(5));
  head.setUint8(0, kind);
  head.setUint32(1, count);
  return new Uint8Array(head.buffer);
}
