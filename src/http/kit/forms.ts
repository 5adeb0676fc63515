// Makes the forms of an answer's body (representation.ts) from its JSON, so that all forms have the same
// content.

import { constants, crc32, deflateRawSync } from 'node:zlib';
import { Packr } from 'msgpackr/pack';
import { AnswerCaches, type CacheRooms } from './answer-cache.ts';
import type { Coding, Representation } from './representation.ts';

/** Smaller bodies are sent uncompressed, unless the client refuses that. */
export const CODED_FROM_BYTES = 1_024;
/** For bodies that are compressed once and sent often. Level 6 of libdeflate takes 50 us for 16 KB. */
const GZIP_KEPT = { level: 6, library: 'libdeflate' } as const;
/** The level for bodies that are compressed while they are sent. */
const GZIP_MADE_LEVEL = 1;
const ZSTD = { level: 3 } as const;
/** Characters of the hash that is the entity tag of a fixed answer. */
const TAG_CHARS = 32;

/**
 * A body in one form. Its bytes are valid only until the next body is made, so copy them before that, as `new
 * Response` does.
 */
export interface FormedBody {
  readonly body: Blob | Uint8Array<ArrayBuffer>;
  readonly coding: Coding | null;
}

/** An answer that is available in every form. A form's body is made only when it is sent. */
export abstract class FormedAnswer {
  /**
   * The entity tag of the plain JSON form, with its quotes. It covers everything that the bytes depend on, so
   * an answer with another tag is out of date.
   */
  abstract readonly etag: string;
  /** The body in a form. Called once for each request. */
  abstract body(form: Representation): FormedBody;
}

interface FormedBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly coding: Coding | null;
}

const PACKR = new Packr({ useRecords: false, variableMapSize: true });

/** Encodes a JSON-compatible value as MessagePack, with plain maps. */
export function packed(value: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(PACKR.pack(value));
}

/** Converts UTF-8 JSON to a form. */
export function formed(
  json: Uint8Array<ArrayBuffer>,
  { isPacked, coding, isAlwaysCoded }: Representation,
): FormedBytes {
  const bytes = isPacked ? packed(JSON.parse(new TextDecoder().decode(json))) : json;
  if (coding === null || (bytes.byteLength <= CODED_FROM_BYTES && !isAlwaysCoded)) {
    return { bytes, coding: null };
  }
  return { bytes: coding === 'gzip' ? Bun.gzipSync(bytes, GZIP_KEPT) : zstd(bytes), coding };
}

/** An answer that never changes. Each form is made once and kept. */
export class FixedAnswer extends FormedAnswer {
  readonly etag: string;
  readonly #json: string;
  readonly #bodies = new Map<Representation, FormedBody>();

  constructor(value: unknown) {
    super();
    this.#json = JSON.stringify(value);
    this.etag = `"${Bun.SHA256.hash(this.#json, 'hex').slice(0, TAG_CHARS)}"`;
  }

  body(form: Representation): FormedBody {
    const known = this.#bodies.get(form);
    if (known !== undefined) return known;
    const { bytes, coding } = formed(new TextEncoder().encode(this.#json), form);
    const body = { body: new Blob([bytes]), coding };
    this.#bodies.set(form, body);
    return body;
  }
}

/**
 * Maximum bytes of compressed bodies that are kept, per thread. When they are used up, the oldest sixteenth
 * is evicted.
 */
const FORMS_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Makes the forms of bodies that are encoded for every request. If the bytes are the same as before, the
 * earlier compressed copy is used.
 */
export class Forms {
  readonly #caches: AnswerCaches;

  constructor(rooms?: CacheRooms) {
    this.#caches = new AnswerCaches(FORMS_BYTES_MAX, rooms);
  }

  /** @param isPaid whether the caller pays */
  of(json: Uint8Array<ArrayBuffer>, form: Representation, isPaid: boolean): FormedBody {
    if (form.coding === null || (json.byteLength <= CODED_FROM_BYTES && !form.isAlwaysCoded)) {
      const { bytes, coding } = formed(json, form);
      return { body: bytes, coding };
    }
    const key = Bun.SHA256.hash(json, 'base64') + form.suffix;
    const cache = this.#caches.of(isPaid);
    const known = cache.get(key, '');
    if (known !== null && known.body !== null) return { body: known.body, coding: known.coding };
    const { bytes, coding } = formed(json, form);
    const body = new Blob([bytes]);
    cache.set(key, { etag: '', body, coding });
    return { body, coding };
  }

  /** See AnswerCache. */
  sweep(): void {
    this.#caches.sweep();
  }
}

/** Compresses a body piece by piece. */
export function codedPieces(pieces: Iterator<Uint8Array>, coding: Coding): Iterator<Uint8Array> {
  return coding === 'gzip' ? gzipPieces(pieces) : zstdPieces(pieces);
}

/** Makes one Zstandard frame of each piece: a body may consist of several frames (RFC 8878, 3.1). */
function* zstdPieces(pieces: Iterator<Uint8Array>): Generator<Uint8Array> {
  for (let piece = pieces.next(); piece.done !== true; piece = pieces.next()) yield zstd(piece.value);
}

/** Magic number, deflate, no flags, no time, unknown operating system (RFC 1952, 2.3). */
const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
/** An empty final block (RFC 1951, 3.2). */
const LAST_BLOCK = [3, 0];

/**
 * Makes one gzip member. Each piece is flushed to a byte boundary, so pieces can be compressed independently.
 */
function* gzipPieces(pieces: Iterator<Uint8Array>): Generator<Uint8Array> {
  yield GZIP_HEAD;
  let checksum = 0;
  let length = 0;
  for (let piece = pieces.next(); piece.done !== true; piece = pieces.next()) {
    checksum = crc32(piece.value, checksum);
    length += piece.value.byteLength;
    yield deflateRawSync(piece.value, { level: GZIP_MADE_LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
  }
  const end = Buffer.alloc(LAST_BLOCK.length + 8);
  end.set(LAST_BLOCK);
  end.writeUInt32LE(checksum >>> 0, LAST_BLOCK.length);
  end.writeUInt32LE(length >>> 0, LAST_BLOCK.length + 4);
  yield end;
}

function zstd(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Bun.zstdCompressSync(bytes, ZSTD));
}
