// Replies, which a handler may return instead of a plain object: for encoded bytes, another status, a tag or
// headers.

import type { FormedAnswer } from './forms.ts';
import { EventsBody, type MadePieces } from './pieces.ts';

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

/**
 * The answer to HEAD when the GET would be sent in pieces. The length is unknown, but Elysia would report
 * zero. Bun cancels this stream and sends no Content-Length.
 */
export function withoutLength({ status, headers }: Response): Response {
  headers.delete('content-length');
  return new Response(new ReadableStream<Uint8Array>({}, { highWaterMark: 0 }), { status, headers });
}
