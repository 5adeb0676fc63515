// A server under attack in a separate process: many client addresses, clients that read nothing, a customer
// that polls meanwhile, and measurements of the server. The server trusts 127.0.0.1 as a proxy, so a header
// provides as many strangers as an attack needs.

import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { AccountClient } from '../support/account-client.ts';
import { createKeys, PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { type ProxyName, RunningProxy } from '../support/proxies.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { TEST_REAL_HASHES } from '../support/test-program.ts';
import type { CrowdOrder, CrowdReport } from './body-attacks.ts';
import type { CustomerOrder, CustomerReport } from './customer.worker.ts';
import { writeOldTape } from './old-tape.ts';
import type { WireFacts } from './wire-text.ts';

/**
 * This many keys would take all places and bytes for keys by requests at the same time, if nothing limited
 * them.
 */
const FREE_KEYS = 60;
const FOOTBALL_SHARE = 0.8;
/**
 * The pause of customers and visitors between their requests. It is short, so that percentiles are of many
 * requests.
 */
const SHORT_PAUSES: Pauses = { pollMs: 5, otherMs: 50, pastMs: 100, loginMs: 250 };
/** How often a visitor checks whether the attack is over, while the visitor waits to log in again. */
const LOGIN_CHECK_MS = 50;
const SLATE_PATHS = ['/v1/odds?status=live'];
/** Paths that the query thread answers. */
const QUERY_PATHS = ['/v1/teams?limit=5', '/docs', '/v1/leagues'];
const LOSSES = /worker_(hung|restarting|failed)[^\n]*/g;

/** How long a customer or visitor waits between two requests of one kind. */
interface Pauses {
  readonly pollMs: number;
  /** The pause between requests for the live slate, and between requests to the query thread. */
  readonly otherMs: number;
  readonly pastMs: number;
  readonly loginMs: number;
}

export interface SiteOptions {
  readonly fixtures: number;
  /** The number of fixtures in the price history. Default: as many as on the slate. */
  readonly pastFixtures?: number;
  /** Default: short ones, for measurements. */
  readonly pauses?: Pauses;
  readonly environment?: Readonly<Record<string, string>>;
  /** The proxy that all clients connect to. Each stranger then connects from its own loopback address. */
  readonly behind?: ProxyName | undefined;
}

/** How long requests of one kind took, and the statuses of their answers. */
export interface Polled {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** The answers that customers saw, by the kind of their requests. */
export interface Served {
  readonly polls: Polled;
  /** Requests for the live slate. */
  readonly slates: Polled;
  /** Requests to the query thread. */
  readonly queries: Polled;
  /** Odds of fixtures at an instant of the past. */
  readonly pasts: Polled;
}

export class AttackSite implements AsyncDisposable {
  /** The port of the server, or of the proxy before it. */
  port: number;
  /** Enterprise keys of a customer and of an attacker. */
  readonly key: string;
  readonly attackerKey: string;
  /** Keys of the free plan. */
  readonly freeKeys: readonly string[];
  readonly #server: ServerProcess;
  readonly #pauses: Pauses;
  #proxy: RunningProxy | null = null;
  /** An instant that the price history knows. */
  #instant = '';
  #blocks = 0;
  #visitors = 0;
  /** Threads of customers that wait for their next order. */
  readonly #idle: Worker[] = [];
  /** Threads of attackers that wait for their next order. */
  readonly #idleCrowds: Worker[] = [];
  readonly #folder: TemporaryFolder;
  readonly #endless = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const pump = (): void => {
      while (!socket.destroyed && socket.write(`2710\r\n${'x'.repeat(10_000)}\r\n`));
    };
    socket.on('drain', pump);
    pump();
  }).listen(0, '127.0.0.1');

  private constructor(
    server: ServerProcess,
    port: number,
    {
      keys: [key, attackerKey, ...freeKeys],
      folder,
      pauses = SHORT_PAUSES,
    }: { readonly keys: readonly string[]; readonly folder: TemporaryFolder; readonly pauses?: Pauses },
  ) {
    this.#pauses = pauses;
    this.#folder = folder;
    this.#server = server;
    this.port = port;
    this.key = key!;
    this.attackerKey = attackerKey!;
    this.freeKeys = freeKeys;
  }

  static async start({
    fixtures,
    pastFixtures,
    pauses,
    environment = {},
    behind,
  }: SiteOptions): Promise<AttackSite> {
    const football = Math.round(fixtures * FOOTBALL_SHARE);
    const folder = temporaryFolder();
    await writeOldTape(folder.path, pastFixtures ?? fixtures);
    const settings = {
      ...PROXY_SETTINGS,
      NODE_ENV: 'development',
      LOG_LEVEL: 'info',
      FEED: 'simulator',
      HISTORY_DAYS: '30',
      HISTORY_DIR: folder.path,
      ALERTS_ALLOW: '127.0.0.1',
      SIMULATOR_FOOTBALL_FIXTURES: String(football),
      SIMULATOR_BASKETBALL_FIXTURES: String(fixtures - football),
      // Otherwise the suite's program would hash passwords too fast, so log-ins would be no load.
      [TEST_REAL_HASHES]: '1',
      ...environment,
    };
    const server = new ServerProcess(settings);
    const port = Number(new URL(await server.serving()).port);
    const enterprise = await createKeys(server.dataDir, 'enterprise', 2);
    const keys = [...enterprise, ...(await createKeys(server.dataDir, 'free', FREE_KEYS))];
    const site = new AttackSite(server, port, { keys, folder, ...(pauses && { pauses }) });
    await until('it is ready', async () => (await site.get('/ready')) === 200);
    await until('it has a price history', async () => {
      site.#instant = (await site.json<{ to: string | null }>('/v1/history')).to ?? '';
      return site.#instant !== '';
    });
    await site.#comeThrough(behind);
    return site;
  }

  /** Measures the least that a server can do under an attack (`floor-server.ts`). */
  static async floor(behind: ProxyName | undefined): Promise<AttackSite> {
    const server = new ServerProcess({}, { script: 'test/faults/floor-server.ts' });
    const port = Number(new URL(await server.serving()).port);
    // A proxy does not limit requests that have something like a key.
    const keys = ['isk_customer', 'isk_attacker', 'isk_free'];
    const site = new AttackSite(server, port, { keys, folder: temporaryFolder() });
    await site.#comeThrough(behind);
    return site;
  }

  async #comeThrough(proxy: ProxyName | undefined): Promise<void> {
    if (proxy === undefined) return;
    this.#proxy = await RunningProxy.start(proxy, this.port);
    this.port = Number(new URL(this.#proxy.url).port);
  }

  /** The status of a GET with the key, once its body has arrived. */
  async get(path: string): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      headers: { authorization: `Bearer ${this.key}` },
    });
    await response.arrayBuffer();
    return response.status;
  }

  async json<T>(path: string): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      headers: { authorization: `Bearer ${this.key}` },
    });
    return (await response.json()) as T;
  }

  /**
   * A cursor of the whole slate, as a caller without a key gets it. The minimal server (floor-server.ts) has
   * no cursor.
   */
  async cursorWithoutKey(): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.port}/v1/odds`);
    const { cursor } = (await response.json()) as { readonly cursor?: string };
    return cursor ?? '';
  }

  /** An attacker's account with a key, and with a rule that sends to an endpoint whose answer never ends. */
  async accountFacts(): Promise<Pick<WireFacts, 'session' | 'alertId' | 'endpoint' | 'keyId'>> {
    const endpoint = `http://127.0.0.1:${(this.#endless.address() as AddressInfo).port}/`;
    const email = `mallory${++this.#visitors}@example.com`;
    const site = { url: `http://127.0.0.1:${this.port}`, dataDir: this.#server.dataDir };
    const account = new AccountClient(site, { email, address: '203.0.113.99' });
    await account.enter();
    const rule = {
      name: 'First',
      when: { kind: 'value', min_edge_pct: 0 },
      to: { url: endpoint, format: 'raw' },
    };
    const { status, body, text } = await account.send('POST', '/platform/alerts', rule);
    if (status !== 200) throw new Error(text);
    const made = await account.send('POST', '/platform/keys', { label: 'first' });
    if (made.status !== 200) throw new Error(made.text);
    const keyId = (made.body as { key_id: string }).key_id;
    return { session: account.token, alertId: (body as { alert: { id: string } }).alert.id, endpoint, keyId };
  }

  /** The paths of the odds of some fixtures. */
  async oddsPaths(): Promise<string[]> {
    const { data } = await this.json<{ data: { id: string }[] }>('/v1/events?status=scheduled&limit=20');
    return data.map(({ id }) => `/v1/events/${id}/odds`);
  }

  /**
   * Runs several customers at the same time: polls of `paths`, and less often requests for the live slate,
   * requests to the query thread and requests about the past.
   * @param meanwhile called when the customers are ready, before their requests are counted. They are served
   * until it resolves.
   */
  async serveCustomers(paths: readonly string[], meanwhile: () => Promise<unknown>): Promise<Served> {
    const pastPaths = paths.map((path) => `${path}?at=${this.#instant}`);
    const { pollMs, otherMs, pastMs } = this.#pauses;
    const customers = [
      this.#customer({ paths, pauseMs: pollMs }),
      this.#customer({ paths: SLATE_PATHS, pauseMs: otherMs }),
      this.#customer({ paths: QUERY_PATHS, pauseMs: otherMs }),
      this.#customer({ paths: pastPaths, pauseMs: pastMs }),
    ];
    await Promise.all(customers.map(({ warm }) => warm));
    for (const { worker } of customers) worker.postMessage('begin');
    await meanwhile();
    const [polls, slates, queries, pasts] = await Promise.all(customers.map(({ served }) => served()));
    return { polls: polls!, slates: slates!, queries: queries!, pasts: pasts! };
  }

  #customer(order: Omit<CustomerOrder, 'url' | 'key'>) {
    const whole: CustomerOrder = { ...order, url: `http://127.0.0.1:${this.port}`, key: this.key };
    const worker =
      this.#idle.pop() ??
      new Worker(new URL('./customer.worker.ts', import.meta.url).href, { name: 'customer' });
    const warm = nextAnswer(worker);
    worker.postMessage(whole);
    return {
      worker,
      warm,
      served: async (): Promise<Polled> => {
        const report = nextAnswer<CustomerReport>(worker);
        worker.postMessage('end');
        const { timesMs, statuses } = await report;
        this.#idle.push(worker);
        const times = timesMs.toSorted((left, right) => left - right);
        const at = (share: number) =>
          times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
        return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), statuses };
      },
    };
  }

  /** Sends attackers. When their last connection has closed, resolves with the answers that they saw. */
  async crowd(order: CrowdOrder): Promise<CrowdReport> {
    const worker =
      this.#idleCrowds.pop() ??
      new Worker(new URL('./crowd.worker.ts', import.meta.url).href, { name: 'attackers' });
    const report = nextAnswer<CrowdReport>(worker);
    worker.postMessage(order);
    const seen = await report;
    this.#idleCrowds.push(worker);
    return seen;
  }

  /**
   * Whether a header can give a client's address. Behind a proxy the address of the connection counts
   * instead.
   */
  get trustsHeaders(): boolean {
    return this.#proxy === null;
  }

  /** The number of a block of addresses that no attack has used on this server (`strangers`). */
  nextBlock(): number {
    return ++this.#blocks;
  }

  /**
   * Logs in with a wrong password again and again, each time from another address and for another account.
   */
  async logIn(isOver: () => boolean): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    for (let nextMs = 0; !isOver(); ) {
      if (performance.now() < nextMs) {
        await Bun.sleep(LOGIN_CHECK_MS);
        continue;
      }
      const visitor = this.#visitors++;
      const address = `203.0.${Math.floor(visitor / 250)}.${1 + (visitor % 250)}`;
      const status = await fetch(`http://127.0.0.1:${this.port}/platform/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ email: `ada${visitor}@example.com`, password: 'of tin and copper' }),
      }).then(
        (response) => response.arrayBuffer().then(() => response.status),
        (error: Error) => error.message,
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
      nextMs = performance.now() + this.#pauses.loginMs;
    }
    return statuses;
  }

  /** The log lines about threads that were lost since the start. */
  get lostThreads(): readonly string[] {
    return [...this.#server.log.matchAll(LOSSES)].map(([found]) => found);
  }

  get log(): string {
    return this.#server.log;
  }

  get residentMb(): number {
    return this.#status('VmRSS');
  }

  get pid(): number {
    return this.#server.child.pid;
  }

  /** The highest resident memory so far. */
  get peakMb(): number {
    return this.#status('VmHWM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of [...this.#idle, ...this.#idleCrowds]) worker.terminate();
    await this.#proxy?.[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
    this.#endless.close();
    this.#folder[Symbol.dispose]();
  }

  #status(field: string): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
  }
}

/** The next message of a worker. */
function nextAnswer<Answer>(worker: Worker): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  return promise;
}

/** Whether this many seconds have passed. */
export function after(seconds: number): () => boolean {
  const endMs = performance.now() + seconds * 1_000;
  return () => performance.now() > endMs;
}

/**
 * A connection that sends requests. It reads answers from the start with `reads`, otherwise after
 * `startReading`.
 */
export class RawClient {
  /** The first bytes of the answer, enough for a status line and headers. */
  head = '';
  receivedBytes = 0;
  isClosed = false;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** @param localAddress the address that the connection comes from; any address by default */
  static async open(
    port: number,
    { reads, localAddress }: { readonly reads: boolean; readonly localAddress?: string | undefined },
  ): Promise<RawClient> {
    const socket = connect({
      host: '127.0.0.1',
      port,
      ...(localAddress === undefined ? {} : { localAddress }),
    });
    const client = new RawClient(socket);
    socket.on('data', (data) => {
      client.receivedBytes += data.length;
      if (client.head.length < 4_000) client.head += data.toString('latin1');
    });
    if (!reads) socket.pause();
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on('connect', resolve);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      client.isClosed = true;
      resolve();
    });
    await promise;
    return client;
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  startReading(): void {
    this.#socket.resume();
  }

  end(): void {
    this.#socket.destroy();
  }

  /** Statuses of the answers in `head`. */
  get statuses(): number[] {
    return [...this.head.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
  }
}
