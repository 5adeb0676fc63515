// What the hand-written servers do for every request: find the key, take a token from its bucket in shared
// memory, and report that in ten headers.

/** The time after which one token comes back. */
const INTERVAL_MS = 1;
/** The size of a full bucket, as time. */
const WINDOW_MS = 2_000;
const LIMIT = '60000';

export class ReferenceGate {
  readonly #buckets: Int32Array;
  readonly #bucketByHeader: ReadonlyMap<string, number>;

  /** @param keys one a line */
  constructor(keys: string) {
    const list = keys.split('\n');
    this.#buckets = new Int32Array(new SharedArrayBuffer(4 * list.length));
    this.#bucketByHeader = new Map(list.map((key, index) => [`Bearer ${key}`, index]));
  }

  /** Takes one token. @returns milliseconds until the bucket is full, or the refusal */
  take(authorization: string | null): number | Response {
    const bucket = this.#bucketByHeader.get(authorization ?? '');
    if (bucket === undefined) return new Response(null, { status: 401 });
    const nowMs = Math.floor(performance.now());
    for (;;) {
      const before = Atomics.load(this.#buckets, bucket);
      const aheadMs = Math.max(0, (before - nowMs) | 0) + INTERVAL_MS;
      if (aheadMs > WINDOW_MS) return new Response(null, { status: 429 });
      const fullAtMs = (nowMs + aheadMs) | 0;
      if (Atomics.compareExchange(this.#buckets, bucket, before, fullAtMs) === before) return aheadMs;
    }
  }
}

interface ReferenceFacts {
  readonly etag: string;
  readonly isUnchanged: boolean;
  readonly serial: number;
  /** Milliseconds until the bucket is full. */
  readonly fullInMs: number;
}

/** Status and headers. */
export function referenceInit({ etag, isUnchanged, serial, fullInMs }: ReferenceFacts): ResponseInit {
  return {
    status: isUnchanged ? 304 : 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      etag,
      'cache-control': 'private, no-cache',
      vary: 'Authorization',
      'x-content-type-options': 'nosniff',
      'x-request-id': `0-${serial}`,
      'x-ratelimit-limit': LIMIT,
      'x-ratelimit-remaining': String(WINDOW_MS - fullInMs),
      'x-ratelimit-reset': String(Math.ceil((Date.now() + fullInMs) / 1000)),
      'server-timing': 'app;dur=0.01',
    },
  };
}
