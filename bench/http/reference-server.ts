// The least work that a cache hit needs, written by hand: find the key, take a token from its bucket in
// shared memory, check one version, compare the tag, send ten headers. No router, no URL cache, no metrics.
// `bun bench/http/reference-server.ts <file> <keys, one a line>` answers with the bytes of the file and
// prints its port.

/** The time after which one token comes back. */
const INTERVAL_MS = 1;
/** The size of a full bucket, as time. */
const WINDOW_MS = 2_000;
const LIMIT = '60000';

const bytes = await Bun.file(process.argv[2]!).bytes();
const keys = (await Bun.file(process.argv[3]!).text()).split('\n');
const buckets = new Int32Array(new SharedArrayBuffer(4 * keys.length));
const bucketByHeader = new Map(keys.map((key, index) => [`Bearer ${key}`, index]));
const version = new Int32Array(new SharedArrayBuffer(4));

let body = new Blob([bytes]);
let bodyVersion = 0;
let etag = '"reference-0"';
let serial = 0;

/** Takes one token. @returns milliseconds until the bucket is full, or the refusal */
function take(authorization: string | null): number | Response {
  const bucket = bucketByHeader.get(authorization ?? '');
  if (bucket === undefined) return new Response(null, { status: 401 });
  const nowMs = Math.floor(performance.now());
  for (;;) {
    const before = Atomics.load(buckets, bucket);
    const aheadMs = Math.max(0, (before - nowMs) | 0) + INTERVAL_MS;
    if (aheadMs > WINDOW_MS) return new Response(null, { status: 429 });
    if (Atomics.compareExchange(buckets, bucket, before, (nowMs + aheadMs) | 0) === before) return aheadMs;
  }
}

function answer(request: Request): Response {
  const { headers } = request;
  const fullInMs = take(headers.get('authorization'));
  if (typeof fullInMs !== 'number') return fullInMs;
  const current = Atomics.load(version, 0);
  if (current !== bodyVersion) {
    body = new Blob([bytes]);
    bodyVersion = current;
    etag = `"reference-${current}"`;
  }
  const isUnchanged = headers.get('if-none-match') === etag;
  serial += 1;
  return new Response(isUnchanged ? null : body, {
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
  });
}

const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
console.log(server.port);

export {};
