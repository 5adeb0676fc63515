// What a handler may return besides a plain object: bytes that are encoded already, another status, a tag, headers.

/**
 * A Blob is not copied for each client: answers that are sent again and again (cached, static) should be one. Bytes
 * are copied per answer, and large ones are sent in pieces that count against the client.
 */
export type ReplyBody = Uint8Array<ArrayBuffer> | string | Blob | ReadableStream<Uint8Array> | null;

export interface ReplyOptions {
  readonly status?: number;
  /** Default `application/json; charset=utf-8`. */
  readonly contentType?: string;
  /** Strong entity tag with its quotes. A matching If-None-Match is answered 304 by the kit. */
  readonly etag?: string;
  /** Default `private, no-cache`, or `no-store` on account routes and errors. */
  readonly cacheControl?: string;
  /** Lower-case names; they win over the kit's own. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** An answer as it goes out, short of the headers that every answer carries. */
export class Reply {
  readonly body: ReplyBody;
  readonly status: number;
  readonly contentType: string;
  readonly etag: string | null;
  readonly cacheControl: string | null;
  readonly headers: Readonly<Record<string, string>> | null;

  constructor(body: ReplyBody, options: ReplyOptions = {}) {
    this.body = body;
    this.status = options.status ?? 200;
    this.contentType = options.contentType ?? JSON_CONTENT_TYPE;
    this.etag = options.etag ?? null;
    this.cacheControl = options.cacheControl ?? null;
    this.headers = options.headers ?? null;
  }

  /** Takes over an answer made elsewhere, such as by the MCP endpoint. */
  static ofResponse(response: Response): Reply {
    const headers: Record<string, string> = {};
    response.headers.forEach((value, name) => {
      if (name !== 'content-type' && name !== 'content-length') headers[name] = value;
    });
    return new Reply(response.body, {
      status: response.status,
      contentType: response.headers.get('content-type') ?? JSON_CONTENT_TYPE,
      headers,
    });
  }

  /** Encodes a plain value as JSON. */
  static json(value: unknown, options: ReplyOptions = {}): Reply {
    return new Reply(JSON.stringify(value), options);
  }
}

/** Makes the reply of whatever a handler returned. */
export function toReply(result: unknown): Reply {
  return result instanceof Reply ? result : Reply.json(result);
}
