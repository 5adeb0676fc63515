// The client: typed calls of every operation, and mirrors.

import createFetchClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import { Mirror, type MirrorOptions } from './mirror.ts';
import { type Runtime, systemRuntime } from './runtime.ts';
import type { paths } from './schema.ts';
import type { SocketConstructor } from './sessions.ts';
import { type MessagePack, Transport } from './transport.ts';

export interface ClientOptions {
  /** The server's address, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** An API key, `isk_...`. Without a key, the server applies the free tier. */
  readonly key?: string | null | undefined;
  /** How often a call is retried if it may succeed later; 3 by default. */
  readonly retriesMax?: number;
  /**
   * The longest wait before a retry, in milliseconds; 60,000 by default. If the server asks for a longer
   * wait, the error is thrown.
   */
  readonly waitMsMax?: number;
  /** The longest wait for an answer, or for the start of a stream, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
  /** The longest answer or event that is read, in characters; 64 million by default. */
  readonly answerCharsMax?: number;
  /**
   * Cache of answers by ETag: 256 answers and 16 million characters by default; `entriesMax: 0` turns it off.
   */
  readonly cache?: { readonly entriesMax?: number; readonly charsMax?: number };
  /** Replaces the platform's fetch, for example for a proxy or a test. */
  readonly fetch?: typeof fetch;
  /** For platforms without a WebSocket: on Node 20, pass the one of the package `ws`. */
  readonly WebSocket?: SocketConstructor;
  /**
   * If set, mirrors by polling and WebSocket use MessagePack instead of JSON. Pass the package msgpackr, or
   * an object with the same two functions: `createClient({ url, msgpack: await import('msgpackr') })`.
   * Server-sent events are always JSON.
   */
  readonly msgpack?: MessagePack;
  /** The source of time and random numbers; tests replace it. */
  readonly runtime?: Runtime;
}

export interface OverroundClient {
  /**
   * GET of any path in the OpenAPI document, with its types.
   * @throws OverroundError for every failed call, after the retries that `retriesMax` allows
   */
  readonly get: Call<'get'>;
  /** POST, otherwise like `get`. */
  readonly post: Call<'post'>;
  /** PATCH, otherwise like `get`. */
  readonly patch: Call<'patch'>;
  /** DELETE, otherwise like `get`. */
  readonly delete: Call<'delete'>;
  /**
   * A mirror of the fixtures and quotes that match the filters. It connects immediately, and `close()` ends
   * it.
   */
  mirror(options?: MirrorOptions): Mirror;
}

type CalledMethod = 'get' | 'post' | 'patch' | 'delete';

/** The paths that have an operation with this method. */
type PathsOf<Method extends CalledMethod> = {
  [Path in keyof paths]: undefined extends paths[Path][Method] ? never : Path;
}[keyof paths];

type Init<Path extends keyof paths, Method extends CalledMethod> = MaybeOptionalInit<paths[Path], Method>;

/** A method of openapi-fetch that returns only the data. */
type Call<Method extends CalledMethod> = <Path extends PathsOf<Method>>(
  path: Path,
  ...init: undefined extends Init<Path, Method> ? [init?: Init<Path, Method>] : [init: Init<Path, Method>]
) => Promise<
  NonNullable<FetchResponse<NonNullable<paths[Path][Method]>, Init<Path, Method>, 'application/json'>['data']>
>;

/**
 * Creates a client. It sends nothing before its first call. @throws TypeError when `url` or `key` is invalid
 */
export function createClient(options: ClientOptions): OverroundClient {
  const { origin, pathname, protocol } = new URL(options.url);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`Cannot use ${options.url}: it must begin with http`);
  // A key with any other character cannot be sent in a header. Without this check, every call would fail as
  // if the server could not be reached.
  if (/[^\x21-\x7e]/.test(options.key ?? '')) {
    throw new TypeError(
      'Cannot use the key: it has a character that no key has, such as a space or a line break',
    );
  }
  const url = origin + pathname.replace(/\/$/, '');
  const transport = new Transport({
    url,
    key: options.key || null,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    runtime: options.runtime ?? systemRuntime,
    retriesMax: options.retriesMax ?? 3,
    waitMsMax: options.waitMsMax ?? 60_000,
    timeoutMs: options.timeoutMs ?? 30_000,
    answerCharsMax: options.answerCharsMax ?? 64_000_000,
    msgpack: options.msgpack ?? null,
    backoff: { firstPauseMs: 500, pauseMsMax: 30_000 },
    cache: {
      entriesMax: options.cache?.entriesMax ?? 256,
      charsMax: options.cache?.charsMax ?? 16_000_000,
    },
  });
  const client = createFetchClient<paths, 'application/json'>({
    baseUrl: url,
    fetch: (request) => transport.call(request),
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const WebSocket = options.WebSocket ?? (globalThis.WebSocket as SocketConstructor | undefined) ?? null;
  return {
    get: dataOf(client.GET) as OverroundClient['get'],
    post: dataOf(client.POST) as OverroundClient['post'],
    patch: dataOf(client.PATCH) as OverroundClient['patch'],
    delete: dataOf(client.DELETE) as OverroundClient['delete'],
    mirror: (mirrorOptions = {}) => new Mirror(transport, mirrorOptions, WebSocket),
  };
}

/** Returns only the data. There always is some, because the transport throws on every failure. */
function dataOf(method: unknown): (path: unknown, init: unknown) => Promise<unknown> {
  const call = method as (path: unknown, init: unknown) => Promise<{ readonly data: unknown }>;
  return async (path, init) => (await call(path, init)).data;
}
