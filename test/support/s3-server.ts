// A small stand-in for a bucket: PUT, GET with ranges, HEAD, DELETE and lists of the S3 protocol, in memory.

const LIST_MAX = 100;

export class S3Server implements Disposable {
  readonly objects = new Map<string, Uint8Array>();
  /** If this is true, every write is refused. */
  refusesWrites = false;
  /**
   * Answers a read in place of the bucket; null leaves the answer to the bucket.
   * @param object null for a list
   */
  fault: ((object: Uint8Array | null) => Response | null) | null = null;
  /** How many objects and common prefixes all lists together have returned. */
  listed = 0;
  /** Called before an object is read. The read waits for the returned promise. */
  onRead: ((key: string) => Promise<void>) | null = null;
  /** Called before an object is removed. The removal waits for the returned promise. */
  onRemove: ((key: string) => Promise<void>) | null = null;
  /** Called before an object is written. The write waits for the returned promise. */
  onWrite: ((key: string) => Promise<void>) | null = null;
  /** The time that every write takes. */
  writeMs = 0;
  readonly #server: Bun.Server<undefined>;

  constructor() {
    this.#server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => this.#answer(request) });
  }

  /** The settings with which Bun's client reaches this stand-in. */
  get options() {
    return {
      endpoint: `http://127.0.0.1:${this.#server.port}`,
      accessKeyId: 'test',
      secretAccessKey: 'test',
      region: 'us-east-1',
    };
  }

  /** The settings with which our server reaches this stand-in. */
  get environment(): Record<string, string> {
    const { endpoint, accessKeyId, secretAccessKey, region } = this.options;
    return {
      ...{ S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId },
      ...{ S3_SECRET_ACCESS_KEY: secretAccessKey, S3_REGION: region },
    };
  }

  [Symbol.dispose](): void {
    this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const isList = url.searchParams.get('list-type') === '2';
    const [, bucket = '', ...rest] = url.pathname.split('/');
    const key = `${bucket}/${rest.map(decodeURIComponent).join('/')}`;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const fault = isRead ? (this.fault?.(isList ? null : (this.objects.get(key) ?? null)) ?? null) : null;
    if (fault !== null) return fault;
    if (request.method === 'GET' && isList) return this.#list(bucket, url);
    if (request.method === 'PUT') {
      await Bun.sleep(this.writeMs);
      if (this.refusesWrites) return failure(507, 'InsufficientStorage');
      const object = new Uint8Array(await request.arrayBuffer());
      await this.onWrite?.(key);
      this.objects.set(key, object);
      return new Response(null, { headers: { etag: '"1"' } });
    }
    if (request.method === 'DELETE') {
      await this.onRemove?.(key);
      this.objects.delete(key);
      return new Response(null, { status: 204 });
    }
    await this.onRead?.(key);
    const object = this.objects.get(key);
    if (object === undefined) return failure(404, 'NoSuchKey');
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '');
    if (range === null)
      return new Response(object.slice(), {
        headers: { etag: '"1"', 'content-type': 'application/octet-stream' },
      });
    const end = range[2] === '' ? object.length : Number(range[2]) + 1;
    return new Response(object.slice(Number(range[1]), end), { status: 206 });
  }

  #list(bucket: string, url: URL): Response {
    const prefix = url.searchParams.get('prefix') ?? '';
    const delimiter = url.searchParams.get('delimiter') ?? '';
    const token = url.searchParams.get('continuation-token') ?? '';
    // With a token, S3 ignores the parameter with which the first list began.
    const after = token === '' ? (url.searchParams.get('start-after') ?? '') : token;
    const listMax = Math.min(LIST_MAX, Number(url.searchParams.get('max-keys') ?? LIST_MAX));
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(`${bucket}/${prefix}`))
      .map((key) => key.slice(bucket.length + 1))
      .filter((key) => key > after)
      .sort();
    // A key that has the delimiter after the prefix is listed only as its common prefix, once for all such
    // keys.
    const rolledUp = (key: string): string => {
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      return end < 0 ? key : key.slice(0, end + delimiter.length);
    };
    const names = [...new Set(keys.map(rolledUp))].filter((name) => name !== token);
    const page = names.slice(0, listMax);
    this.listed += page.length;
    const isTruncated = names.length > listMax;
    const isCommon = (name: string): boolean => !this.objects.has(`${bucket}/${name}`);
    const prefixes = page
      .filter(isCommon)
      .map((name) => `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`);
    const objects = page.filter((name) => !isCommon(name));
    const contents = objects.map((key) => {
      const size = this.objects.get(`${bucket}/${key}`)!.length;
      return `<Contents><Key>${key}</Key><Size>${size}</Size><ETag>"1"</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`;
    });
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return new Response(
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>${bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}${prefixes.join('')}</ListBucketResult>`,
      { headers: { 'content-type': 'application/xml' } },
    );
  }
}

function failure(status: number, code: string): Response {
  return new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  });
}
