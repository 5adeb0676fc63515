// One HTTP thread over real sockets, compared with a bare Bun.serve that answers the same bytes; and the cost
// of counting and logging a request. Both servers are separate processes. The client sends AT_ONCE requests
// at a time and reads every body.

import { join } from 'node:path';
import { bench, do_not_optimize, group } from 'mitata';
import { assert } from '../src/errors.ts';
import type { LoggedRequest } from '../src/telemetry/access-log.ts';
import { accessLine } from '../src/telemetry/access-log.ts';
import { attachMetricsMemory, createMetricsMemory } from '../src/telemetry/metrics-memory.ts';
import { MetricRoutes, RequestRecorder, requestTotals } from '../src/telemetry/request-metrics.ts';
import { createKeys } from '../test/support/callers.ts';
import { benchFolder } from './bench-folder.ts';
import { readUntil } from './processes.ts';

const ROOT = join(import.meta.dir, '..');
const AT_ONCE = 16;
/** An enterprise key is admitted 1,000 times a second, so with this many keys no request is refused. */
const KEYS = 100;

export async function define(size: 'smoke' | 'full'): Promise<void> {
  defineReporting();
  const folder = benchFolder();
  const keys = await createKeys(folder, 'enterprise', size === 'smoke' ? 3 : KEYS);
  const url = await startService(folder);
  const client = new Client(url, keys);
  const ids = await client.eventIds();
  const path = `/v1/events/${ids[0]}/odds`;
  const odds = await client.get(path);
  const bytes = await odds.bytes();
  const etag = odds.headers.get('etag')!;
  const bareUrl = await startBare(folder, bytes);
  const bare = new Client(bareUrl, keys);
  await checkAnswers({ client, bare, path, etag, byteCount: bytes.byteLength });

  let turn = 0;
  group(`GET /v1/events/{id}/odds of ${bytes.byteLength} bytes, ${AT_ONCE} at a time`, () => {
    bench('from the cache', () => client.getMany(() => path));
    bench('unchanged, 304', () => client.getMany(() => path, { 'if-none-match': '*' }));
    bench('all fixtures in turn', () => client.getMany(() => `/v1/events/${ids[turn++ % ids.length]}/odds`));
    bench('bare Bun.serve, the same bytes', () => bare.getMany(() => path)).baseline(true);
  });
}

/** Counting a request and formatting its log line, compared with a plain Map of counts and JSON.stringify. */
function defineReporting(): void {
  const routes = Array.from({ length: 70 }, (_, index) => `/v1/route/${index}/:event_id`);
  const names = new MetricRoutes(routes);
  const memory = attachMetricsMemory(createMetricsMemory(1));
  const recorder = new RequestRecorder({ memory, thread: 0, routes: names });
  recorder.record(routes[7]!, 200, 0.2);
  assert(requestTotals(memory, names)[0]?.route === routes[7], 'a request is counted under its route');
  const counts = new Map<string, number>();
  let turn = 0;
  group('counting one request', () => {
    bench('RequestRecorder.record', () => {
      turn += 1;
      recorder.record(routes[turn % routes.length]!, 200, turn % 20);
    });
    bench('a Map of label texts', () => {
      turn += 1;
      const label = `${routes[turn % routes.length]} 200`;
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }).baseline(true);
  });
  const finished: LoggedRequest = {
    method: 'GET',
    route: '/v1/events/:event_id/odds',
    path: '/v1/events/evt_t3gshXLqIE/odds',
    status: 200,
    latencyMs: 0.123,
    principal: { tier: 'enterprise', seesSharp: true, keyId: 'key_1' },
    clientAddress: '127.0.0.1',
    requestId: '5a29b50f-c99a-4373-97c4-7ef4f266fe7a',
    errorCode: null,
  };
  assert(JSON.parse(accessLine(finished, 0)).path === finished.path, 'a line of the access log is JSON');
  group('one line of the access log', () => {
    bench('accessLine', () => do_not_optimize(accessLine(finished, turn++)));
    bench('JSON.stringify', () =>
      do_not_optimize(JSON.stringify({ at: new Date(turn++).toISOString(), ...finished })),
    ).baseline(true);
  });
}

class Client {
  readonly #url: string;
  readonly #keys: readonly string[];
  #turn = 0;

  constructor(url: string, keys: readonly string[]) {
    this.#url = url;
    this.#keys = keys;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const key = this.#keys[this.#turn++ % this.#keys.length];
    return fetch(this.#url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
  }

  async getMany(pathOf: () => string, headers: Record<string, string> = {}): Promise<number> {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const response = await this.get(pathOf(), headers);
        return (await response.arrayBuffer()).byteLength;
      }),
    );
    return answers.reduce((sum, byteCount) => sum + byteCount, 0);
  }

  /** Fixtures that have not begun, so that the clock does not change them. */
  async eventIds(): Promise<string[]> {
    const page = (await (await this.get('/v1/events?limit=200')).json()) as {
      data: { id: string; status: string }[];
    };
    const ids = page.data.filter(({ status }) => status === 'scheduled').map(({ id }) => id);
    assert(ids.length > 10, 'the slate has fixtures that have not begun');
    return ids;
  }
}

async function checkAnswers(options: {
  readonly client: Client;
  readonly bare: Client;
  readonly path: string;
  readonly etag: string;
  readonly byteCount: number;
}): Promise<void> {
  const { client, bare, path, etag, byteCount } = options;
  const unchanged = await client.get(path, { 'if-none-match': '*' });
  assert(unchanged.status === 304 && (await unchanged.text()) === '', 'an unchanged answer has no body');
  assert(/^"[^"]+"$/.test(etag), 'an answer has a tag');
  const plain = await (await bare.get(path)).arrayBuffer();
  assert(plain.byteLength === byteCount, 'the bare server answers the same bytes');
}

/** Starts the server for the life of this process. @returns its address */
async function startService(dataDir: string): Promise<string> {
  const log = join(dataDir, 'log.txt');
  start([join(ROOT, 'src/main.ts'), 'start'], log, {
    PORT: '0',
    DATA_DIR: dataDir,
    HTTP_THREADS: '1',
    FEED: 'simulator',
  });
  // The lookahead is needed because the two log lines come in either order.
  return await readUntil(log, /(?=[\s\S]*feed_snapshot_complete)[\s\S]*"?url"?[=:]"([^"]+)"/);
}

async function startBare(folder: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, 'answer.json');
  await Bun.write(path, bytes);
  const log = join(folder, 'bare.txt');
  start([join(import.meta.dir, 'http/bare-server.ts'), path], log, {});
  return `http://127.0.0.1:${await readUntil(log, /\d+(?=\n)/)}`;
}

/** Starts a process that prints into a file, so that no open pipe keeps this process from ending. */
function start(command: readonly string[], log: string, environment: Record<string, string>): void {
  const child = Bun.spawn([process.execPath, ...command], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', Bun.file(log), Bun.file(log)],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  child.unref();
}
