// Sends requests to the server: adds the key, applies the time-out and the ETag cache, waits for rate limits,
// and turns failures into OverroundError. openapi-fetch sends its requests through `call`, the mirror through
// `open`.

import { errorOf, OverroundError } from './errors.ts';
import { type CacheLimits, EtagCache } from './etag-cache.ts';
import { Backoff, type BackoffOptions, type Runtime } from './runtime.ts';

export interface TransportOptions {
  readonly url: string;
  readonly key: string | null;
  readonly fetch: typeof fetch;
  readonly runtime: Runtime;
  /** How often a call is sent again after the first time. */
  readonly retriesMax: number;
  /**
   * The longest wait before a retry, or for a rate limit. If the server asks for a longer one before a retry,
   * the error is thrown.
   */
  readonly waitMsMax: number;
  /** The longest wait for an answer, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest answer, and the longest event of a stream: in characters, or in bytes for MessagePack. */
  readonly answerCharsMax: number;
  readonly backoff: BackoffOptions;
  readonly cache: CacheLimits;
  /** The codec for MessagePack. Null: mirrors use JSON. */
  readonly msgpack: MessagePack | null;
}

/** Encodes and decodes MessagePack, like the exports of the package msgpackr. */
export interface MessagePack {
  pack(value: unknown): Uint8Array;
  unpack(bytes: Uint8Array): unknown;
}

const MSGPACK_TYPE = 'application/msgpack';

interface Sent<Header> {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly headers: Header;
}

export class Transport {
  readonly options: TransportOptions;
  readonly cache: EtagCache;
  /** When the rate limit that was reached admits calls again. All calls of this client wait until then. */
  #resumeAtMs = 0;

  constructor(options: TransportOptions) {
    this.options = options;
    this.cache = new EtagCache(options.cache);
  }

  /**
   * Sends a request, with retries. @returns a response with status 200 and the whole body @throws
   * OverroundError
   */
  async call(request: Request): Promise<Response> {
    const { runtime, retriesMax, waitMsMax, backoff } = this.options;
    const { method, url, signal } = request;
    const body = method === 'GET' ? null : await request.text();
    const pauses = new Backoff(runtime, backoff);
    for (let tries = 0; ; tries++) {
      try {
        return await this.#try({ method, url, body, headers: request.headers }, signal);
      } catch (error) {
        if (!(error instanceof OverroundError) || !mayRetry(error, request) || tries === retriesMax)
          throw error;
        const pauseMs = pauses.next(error.retryAfterMs ?? 0);
        if (pauseMs > waitMsMax) throw error;
        await runtime.sleep(pauseMs, signal);
      }
    }
  }

  /**
   * Sends a request once and returns its answer as soon as that starts.
   * @param path with its query
   * @throws OverroundError unless the status is 200
   */
  async open(path: string, signal: AbortSignal, accept: string): Promise<Response> {
    await this.#waitForPace(signal);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.options.timeoutMs);
    try {
      const response = await this.#send(
        { method: 'GET', url: this.options.url + path, body: null, headers: { accept } },
        AbortSignal.any([signal, late.signal]),
        late.signal,
      );
      if (response.status === 200) return response;
      const isPacked = response.headers.get('content-type')?.startsWith(MSGPACK_TYPE) === true;
      throw this.#refusal(
        response,
        isPacked ? JSON.stringify(await this.#unpacked(response)) : await this.text(response),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * The decoded body of the answer to a GET: MessagePack if the client can decode it, otherwise JSON. @throws
   * OverroundError as `open` does
   */
  async value(path: string, signal: AbortSignal): Promise<unknown> {
    if (this.options.msgpack === null) {
      return JSON.parse(await this.text(await this.open(path, signal, 'application/json')));
    }
    return await this.#unpacked(await this.open(path, signal, MSGPACK_TYPE));
  }

  /** The whole body as text. @throws OverroundError `too_large` above the limit, without reading the rest */
  async text(response: Response): Promise<string> {
    const decoder = new TextDecoder();
    const parts: string[] = [];
    await this.#read(response, (bytes) => {
      const part = decoder.decode(bytes, { stream: true });
      parts.push(part);
      return part.length;
    });
    return parts.join('') + decoder.decode();
  }

  async #unpacked(response: Response): Promise<unknown> {
    const parts: Uint8Array[] = [];
    let length = 0;
    await this.#read(response, (bytes) => {
      parts.push(bytes);
      length += bytes.length;
      return bytes.length;
    });
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return this.options.msgpack!.unpack(whole);
  }

  /** @param take receives a part of the body, and returns how much of the limit that part uses up */
  async #read(response: Response, take: (bytes: Uint8Array) => number): Promise<void> {
    if (response.body === null) return;
    const reader = response.body.getReader();
    for (let taken = 0; ; ) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw unreachable(this.options.url, cause);
      });
      if (done) return;
      taken += take(value);
      if (taken > this.options.answerCharsMax) {
        await reader.cancel();
        throw tooLarge('an answer', this.options.answerCharsMax);
      }
    }
  }

  async #try({ method, url, body, headers: given }: Sent<Headers>, signal: AbortSignal): Promise<Response> {
    await this.#waitForPace(signal);
    const headers: Record<string, string> = { ...Object.fromEntries(given), accept: 'application/json' };
    if (body !== null && body !== '') headers['content-type'] = 'application/json';
    const kept = method === 'GET' ? this.cache.get(url) : null;
    if (kept !== null) headers['if-none-match'] = kept.etag;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.options.timeoutMs);
    try {
      const response = await this.#send(
        { method, url, body, headers },
        AbortSignal.any([signal, late.signal]),
        late.signal,
      );
      const text = await this.text(response);
      if (response.status === 304 && kept !== null) return answer(kept.text, kept.contentType);
      if (!response.ok) throw this.#refusal(response, text);
      const etag = response.headers.get('etag');
      const contentType = response.headers.get('content-type') ?? 'application/json';
      if (method === 'GET' && etag !== null) this.cache.set(url, { etag, text, contentType });
      return answer(text, contentType);
    } catch (error) {
      if (late.signal.aborted && !signal.aborted) throw this.#late(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(
    request: Sent<Readonly<Record<string, string>>>,
    signal: AbortSignal,
    late: AbortSignal,
  ): Promise<Response> {
    const { key } = this.options;
    const { method, url, body } = request;
    const headers = key === null ? request.headers : { ...request.headers, authorization: `Bearer ${key}` };
    const content = body === null || body === '' ? {} : { body };
    try {
      return await this.options.fetch(url, { method, headers, signal, ...content });
    } catch (error) {
      if (late.aborted) throw this.#late(error);
      if (signal.aborted) throw error;
      throw unreachable(this.options.url, error);
    }
  }

  #refusal(response: Response, text: string): OverroundError {
    const error = errorOf(response.status, response.headers, text);
    if (error.status === 429 && error.scope === null && error.retryAfterMs !== null) {
      this.#resumeAtMs = Math.max(this.#resumeAtMs, this.options.runtime.nowMs() + error.retryAfterMs);
    }
    return error;
  }

  /**
   * Waits until the rate limit allows the next call, plus a small random time, so that waiting calls spread
   * out.
   */
  async #waitForPace(signal: AbortSignal): Promise<void> {
    const { runtime, waitMsMax } = this.options;
    const leftMs = this.#resumeAtMs - runtime.nowMs();
    if (leftMs > 0) await runtime.sleep(Math.min(leftMs, waitMsMax) * (1 + runtime.random() / 10), signal);
  }

  #late(cause: unknown): OverroundError {
    const message = `No answer of ${this.options.url} within ${this.options.timeoutMs} ms`;
    return new OverroundError(message, { code: 'timeout', isRetriable: true, cause });
  }
}

/**
 * Whether a call may be sent again. Calls below /v1/ and GETs change no account, so they may. Other calls may
 * only after a 429, because the server has not carried them out.
 */
function mayRetry(error: OverroundError, request: Request): boolean {
  if (!error.isRetriable || error.scope !== null) return false;
  return error.status === 429 || new URL(request.url).pathname.startsWith('/v1/') || request.method === 'GET';
}

function answer(text: string, contentType: string): Response {
  return new Response(text, { status: 200, headers: { 'content-type': contentType } });
}

function unreachable(url: string, cause: unknown): OverroundError {
  return new OverroundError(`Cannot reach ${url}`, { code: 'unreachable', isRetriable: true, cause });
}

export function tooLarge(what: string, max: number): OverroundError {
  return new OverroundError(`Cannot read ${what}: it is above ${max.toLocaleString('en')} characters`, {
    code: 'too_large',
    fix: 'Narrow the filters, or raise answerCharsMax',
  });
}
