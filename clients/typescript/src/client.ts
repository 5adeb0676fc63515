// The client: typed calls of every operation, and mirrors.

import createFetchClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import { Mirror, type MirrorOptions } from './mirror.ts';
import { type Runtime, systemRuntime } from './runtime.ts';
import type { paths } from './schema.ts';
import type { SocketConstructor } from './sessions.ts';
import { type MessagePack, Transport } from './transport.ts';

export interface ClientOptions {
  /** Where the server is, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** An API key, `isk_...`; without one the free tier answers. */
  readonly key?: string | null | undefined;
  /** How often a call is tried again that may succeed later; 3 by default. */
  readonly retriesMax?: number;
  /** The longest wait before such a try; an error that asks for a longer one is thrown. 60,000 by default. */
  readonly waitMsMax?: number;
  /** How long an answer, or the begin of a stream, may take; 30,000 by default. */
  readonly timeoutMs?: number;
  /** The longest answer or event that is read, in characters; 64 million by default. */
  readonly answerCharsMax?: number;
  /** Answers kept with their ETag: 256, and 16 million characters, by default; `entriesMax: 0` keeps none. */
  readonly cache?: { readonly entriesMax?: number; readonly charsMax?: number };
  /** In place of the platform's own: a proxy's, or a test's. */
  readonly fetch?: typeof fetch;
  /** Where the platform has none: Node 20, with the package `ws`. */
  readonly WebSocket?: SocketConstructor;
  /**
   * Mirrors by polling and WebSocket take MessagePack in place of JSON: hand in the package msgpackr, or what has the same
   * two functions: `createClient({ url, msgpack: await import('msgpackr') })`. Events are always JSON.
   */
  readonly msgpack?: MessagePack;
  /** Time and chance, for tests. */
  readonly runtime?: Runtime;
}

export interface OverroundClient {
  /**
   * GET of any path of the OpenAPI document, typed by it.
   * @throws OverroundError for every answer but a good one, after the tries that `retriesMax` allows
   */
  readonly get: Call<'get'>;
  /** POST, likewise. */
  readonly post: Call<'post'>;
  /** DELETE, likewise. */
  readonly delete: Call<'delete'>;
  /** A mirror of the fixtures and quotes that pass the filters. It begins at once; `close()` ends it. */
  mirror(options?: MirrorOptions): Mirror;
}

type CalledMethod = 'get' | 'post' | 'delete';

/** Paths that have an operation of this method. */
type PathsOf<Method extends CalledMethod> = {
  [Path in keyof paths]: undefined extends paths[Path][Method] ? never : Path;
}[keyof paths];

type Init<Path extends keyof paths, Method extends CalledMethod> = MaybeOptionalInit<paths[Path], Method>;

/** A method of openapi-fetch that answers with the data alone. */
type Call<Method extends CalledMethod> = <Path extends PathsOf<Method>>(
  path: Path,
  ...init: undefined extends Init<Path, Method> ? [init?: Init<Path, Method>] : [init: Init<Path, Method>]
) => Promise<
  NonNullable<FetchResponse<NonNullable<paths[Path][Method]>, Init<Path, Method>, 'application/json'>['data']>
>;

/** Makes a client. It opens nothing before it is asked something. @throws TypeError when `url` or `key` is none */
export function createClient(options: ClientOptions): OverroundClient {
  const { origin, pathname, protocol } = new URL(options.url);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`Cannot use ${options.url}: it must begin with http`);
  // In a header anything else would fail at each call, as if the server were not there.
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
    delete: dataOf(client.DELETE) as OverroundClient['delete'],
    mirror: (mirrorOptions = {}) => new Mirror(transport, mirrorOptions, WebSocket),
  };
}

/** The transport throws what is no answer, so there is always data. */
function dataOf(method: unknown): (path: unknown, init: unknown) => Promise<unknown> {
  const call = method as (path: unknown, init: unknown) => Promise<{ readonly data: unknown }>;
  return async (path, init) => (await call(path, init)).data;
}
