// Replies, which a handler may return instead of a plain object (for encoded bytes, another status, a tag,
// headers), error replies, and bodies that are sent in pieces.

import type { ErrorEnvelope, ValidationErrorBody } from '../../contract/errors.ts';
import { type ErrorCode, envelopeOf, ServiceError, ValidationError } from '../../errors.ts';
import { codedPieces, type FormedAnswer } from './forms.ts';
import type { Representation } from './representation.ts';

/**
 * Use a Blob for an answer that is sent repeatedly (cached or static): it is not copied for each client.
 * Bytes are copied for each answer, and large ones are sent in pieces that count against the client. Use
 * MadePieces for an answer that is too large to be made as a whole: it is made while it is sent. The bytes of
 * a ReadableStream are not counted here: the code that makes the stream must count them.
 */
export type ReplyBody =
  | Uint8Array<ArrayBuffer>
  | string
  | Blob
  | ReadableStream<Uint8Array>
  | MadePieces
  | EventsBody
  | FormedAnswer
  | null;

export interface MadePiecesOptions {
  readonly json: () => Iterator<Uint8Array>;
  /** The content of `json` as MessagePack. */
  readonly packed: () => Iterator<Uint8Array>;
  /** Bytes in memory that the pieces are made from, if they belong to this answer alone. */
  readonly heldBytes?: number;
  /**
   * Called once: when the last piece was taken, when the client disconnected, or when nothing is sent at all.
   */
  readonly onEnd?: () => void;
}

/** A body whose pieces are made as the socket takes them. Other requests are answered between two pieces. */
export class MadePieces {
  readonly #options: MadePiecesOptions;
  #hasEnded = false;

  constructor(options: MadePiecesOptions) {
    this.#options = options;
  }

  /** The pieces of the body in one representation, for one caller. */
  as({ isPacked, coding }: Representation): Iterator<Uint8Array> {
    const { json, packed } = this.#options;
    const pieces = isPacked ? packed() : json();
    return coding === null ? pieces : codedPieces(pieces, coding);
  }

  get heldBytes(): number {
    return this.#options.heldBytes ?? 0;
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnd?.();
  }
}

/**
 * A stream of events that ends with its answer, such as that of an MCP call which reports progress. It counts
 * like an answer in pieces.
 */
export class EventsBody {
  /** The most bytes that wait in the stream. */
  readonly heldBytes: number;
  readonly #stream: ReadableStream<Uint8Array>;

  constructor(stream: ReadableStream<Uint8Array>, heldBytes: number) {
    this.#stream = stream;
    this.heldBytes = heldBytes;
  }

  /** The events as they come. The iterator's `return` ends the work for them. */
  pieces(): AsyncIterator<Uint8Array> {
    const reader = this.#stream.getReader();
    return {
      async next() {
        const { done, value } = await reader.read();
        return done ? { done, value: undefined } : { done: false, value };
      },
      async return() {
        await reader.cancel();
        return { done: true, value: undefined };
      },
    };
  }

  /** Ends the work for events that are not sent. */
  end(): void {
    void this.#stream.cancel();
  }
}

export interface ReplyOptions {
  readonly status?: number;
  /** Default `application/json; charset=utf-8`. */
  readonly contentType?: string;
  /**
   * Entity tag with its quotes; a weak one begins with `W/`. The kit answers 304 to a matching If-None-Match.
   */
  readonly etag?: string;
  /** Default `private, no-cache`, or `no-store` on account routes and errors. */
  readonly cacheControl?: string;
  /** Names in lower case. They override the kit's own headers. */
  readonly headers?: ReplyHeaders;
}

/** A header with several values is sent as several headers, as Set-Cookie requires. */
type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** An answer without the headers that every answer carries. */
export class Reply {
  readonly body: ReplyBody;
  readonly status: number;
  readonly contentType: string;
  readonly etag: string | null;
  readonly cacheControl: string | null;
  readonly headers: ReplyHeaders | null;
  /** The value that the body was encoded from; undefined for bytes that were encoded elsewhere. */
  readonly value: unknown;

  constructor(body: ReplyBody, options: ReplyOptions = {}, value?: unknown) {
    this.body = body;
    this.status = options.status ?? 200;
    this.contentType = options.contentType ?? JSON_CONTENT_TYPE;
    this.etag = options.etag ?? null;
    this.cacheControl = options.cacheControl ?? null;
    this.headers = options.headers ?? null;
    this.value = value;
  }

  /**
   * Wraps a response that was made elsewhere, such as by the MCP endpoint. Only the body of an event stream
   * stays a stream. Any other body is complete, and is converted to bytes. Both are counted while they are
   * sent.
   * @param eventsBytesMax the maximum number of bytes that wait in an event stream
   */
  static async ofResponse(response: Response, eventsBytesMax: number): Promise<Reply> {
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const headers: Record<string, string> = {};
    response.headers.forEach((value, name) => {
      if (name !== 'content-type' && name !== 'content-length') headers[name] = value;
    });
    let body: ReplyBody = null;
    if (response.body !== null) {
      body = isEvents
        ? new EventsBody(response.body, eventsBytesMax)
        : new Uint8Array(await response.arrayBuffer());
    }
    return new Reply(body, {
      status: response.status,
      contentType: response.headers.get('content-type') ?? JSON_CONTENT_TYPE,
      headers,
    });
  }

  /** Encodes a plain value as JSON. */
  static json(value: unknown, options: ReplyOptions = {}): Reply {
    return new Reply(JSON.stringify(value), options, value);
  }
}

/** Makes a reply from anything that a handler returned. */
export function toReply(result: unknown): Reply {
  return result instanceof Reply ? result : Reply.json(result);
}

/** An error as a reply, and what may be logged about it. */
export interface ErrorReply {
  readonly reply: Reply;
  readonly code: ErrorCode;
  /** True for a bug of ours: log it with its stack. */
  readonly unexpected: boolean;
}

/**
 * Makes an error reply from anything thrown. A message that was not written for callers never leaves the
 * process.
 */
export function toErrorReply(error: unknown, publicUrl: string): ErrorReply {
  if (error instanceof ValidationError) return validationReply(error);
  if (error instanceof ServiceError) return serviceReply(error, publicUrl, error.code === 'internal');
  return serviceReply(unexpectedError(), publicUrl, true);
}

function unexpectedError(): ServiceError {
  return new ServiceError('internal', 'Cannot answer: an unexpected error was logged under this request id');
}

function validationReply(error: ValidationError): ErrorReply {
  const body: ValidationErrorBody = {
    detail: error.detail.map(({ type, loc, msg }) => ({ type, loc: [...loc], msg, input: null })),
  };
  return {
    reply: Reply.json(body, { status: 422, cacheControl: 'no-store' }),
    code: 'validation_error',
    unexpected: false,
  };
}

function serviceReply(error: ServiceError, publicUrl: string, unexpected: boolean): ErrorReply {
  const { code, retryAfterSeconds } = error;
  const body: ErrorEnvelope = envelopeOf(code, publicUrl, error);
  const headers: Record<string, string> = { ...error.headers };
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (retryAfterSeconds !== null) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  return {
    reply: Reply.json(body, { status: error.status, cacheControl: 'no-store', headers }),
    code,
    unexpected,
  };
}

/**
 * The answer to HEAD when the GET would be sent in pieces. The length is unknown, but Elysia would report
 * zero. Bun cancels this stream and sends no Content-Length.
 */
export function withoutLength({ status, headers }: Response): Response {
  headers.delete('content-length');
  return new Response(new ReadableStream<Uint8Array>({}, { highWaterMark: 0 }), { status, headers });
}

/** Larger answers are sent in pieces of this size. */
export const PIECE_BYTES = 64 * 1024;

/** Cuts `bytes` into pieces. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.byteLength; offset += PIECE_BYTES) {
    yield bytes.subarray(offset, offset + PIECE_BYTES);
  }
}

/** Reads a Blob piece by piece. All readers share its bytes. */
export function* blobPieces(blob: Blob): Generator<Promise<Uint8Array>> {
  for (let offset = 0; offset < blob.size; offset += PIECE_BYTES) {
    yield blob.slice(offset, offset + PIECE_BYTES).bytes();
  }
}

export interface PieceByPieceOptions {
  /**
   * Waits for the caller's turn. A fast reader requests the next piece immediately, and other callers must be
   * served in between.
   */
  readonly turn: () => Promise<void>;
  /**
   * Called once: when the last piece was taken, when a piece could not be made, or when the client
   * disconnected.
   */
  readonly onEnd: () => void;
}

/** The parts of a body, each made when it is needed. */
export type Pieces = Iterator<Uint8Array | Promise<Uint8Array>> | AsyncIterator<Uint8Array>;

/** A body that makes pieces as the socket takes them. */
export function pieceByPiece(
  pieces: Pieces,
  { turn, onEnd }: PieceByPieceOptions,
): ReadableStream<Uint8Array> {
  let isOver = false;
  function end(): void {
    if (isOver) return;
    isOver = true;
    onEnd();
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          await turn();
          // The client may have disconnected while the piece waited for its turn.
          if (isOver) return;
          const { done, value } = await pieces.next();
          // Or while an event was awaited.
          if (isOver) return;
          if (done !== true) {
            controller.enqueue(await value);
            return;
          }
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        end();
      },
      cancel() {
        void pieces.return?.();
        end();
      },
    },
    { highWaterMark: 0 },
  );
}
