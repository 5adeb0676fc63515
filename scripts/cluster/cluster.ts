// A cluster on this machine: a Redis, a Postgres, ingest nodes with one leader, serving nodes, and nginx in
// front of them, all on loopback and free ports. `bun run cluster` runs one; the fault suite starts smaller
// ones and breaks them.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '../../test/support/child-environment.ts';
import { until } from '../../test/support/condition.ts';
import { freePort } from '../../test/support/free-port.ts';
import { POSTGRES_MISSING, PostgresServer } from '../../test/support/postgres-server.ts';
import { REDIS_MISSING, RedisServer } from '../../test/support/redis-server.ts';
import { PROGRAM_PATH } from '../../test/support/test-program.ts';

const ROOT = join(import.meta.dir, '../..');
const NGINX = Bun.which('nginx') ?? ['/usr/sbin/nginx'].find((path) => existsSync(path)) ?? null;
const NGINX_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const ANSWER_MS = 1_000;
/**
 * How many characters from the end of a node's log an error contains. The log itself may be deleted by the
 * time somebody reads the error.
 */
const LOG_END_CHARS = 1_000;
/** A line in a node's metrics that shows at least one answered poll. */
const POLLS_ANSWERED =
  /^overround_http_requests_total\{[^}]*route="\/v1\/odds"[^}]*status="200"[^}]*\} [1-9]/m;
/** If nginx rejects its configuration, it exits within this time. */
const PROXY_REFUSES_MS = 300;

/** Why a cluster cannot be started on this machine; null when it can. */
export const CLUSTER_MISSING: string | null =
  REDIS_MISSING ??
  POSTGRES_MISSING ??
  (NGINX === null ? 'there is no nginx (Debian: apt-get install nginx-light)' : null);

interface ClusterOptions {
  /** The folder for the data and logs of the nodes, one folder each, and for nginx's log. */
  readonly folder: string;
  /** Settings of all nodes, in addition to their addresses. */
  readonly settings: Readonly<Record<string, string>>;
  /** The value of FEED on the ingest nodes. */
  readonly feed: string;
  readonly ingestNodes: number;
  readonly servingNodes: number;
  /** The folder of the release that the nodes run at first; without it, this checkout. */
  readonly source?: string;
}

/** A process of the service that can be killed, paused and started again. */
export class ClusterNode {
  readonly name: string;
  readonly url: string;
  readonly logPath: string;
  readonly dataDir: string;
  readonly #settings: Readonly<Record<string, string>>;
  #source: string;
  #process: Bun.Subprocess | null = null;

  constructor(name: string, { folder, source = ROOT }: ClusterOptions, settings: ClusterOptions['settings']) {
    const port = freePort();
    this.#source = source;
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.logPath = join(folder, `${name}.log`);
    this.dataDir = join(folder, name);
    mkdirSync(this.dataDir, { recursive: true });
    this.#settings = { PORT: String(port), DATA_DIR: this.dataDir, ...settings };
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** The id of the node's process. @throws Error before its first start */
  get pid(): number {
    if (this.#process === null) throw new Error(`${this.name} has not been started`);
    return this.#process.pid;
  }

  /** Starts the process; use `ask` to find out when the node listens. */
  start(): void {
    const program = this.#source === ROOT ? PROGRAM_PATH : 'src/main.ts';
    this.#process = Bun.spawn([process.execPath, program, 'start'], {
      cwd: this.#source,
      env: { ...childEnvironment(), ...this.#settings },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: Bun.file(this.logPath),
    });
  }

  /** Stops the node in order and starts it again with the release of this checkout. */
  async upgrade(): Promise<void> {
    await this.stop();
    this.#source = ROOT;
    this.start();
  }

  /** Whether the node's process runs. */
  get isRunning(): boolean {
    return this.#process !== null && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /**
   * The node's answer to a request for a path; null when it does not run or does not answer within a second.
   */
  async ask(path: string): Promise<{ readonly status: number; readonly body: unknown } | null> {
    try {
      const init = { signal: AbortSignal.timeout(ANSWER_MS), keepalive: false };
      const response = await fetch(this.url + path, init);
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
    } catch {
      return null; // The process has ended or does not answer; callers find out which of the two.
    }
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.exited;
  }

  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Ends the process in an orderly way: requests that it has begun are finished. */
  async stop(): Promise<void> {
    this.#process?.kill('SIGTERM');
    await this.#process?.exited;
  }
}

export class Cluster implements AsyncDisposable {
  readonly url: string;
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  readonly ingest: readonly ClusterNode[];
  readonly serving: readonly ClusterNode[];
  readonly #folder: string;
  readonly #proxyPort: number;
  #proxy: Bun.Subprocess | null = null;

  private constructor(options: ClusterOptions, engines: { redis: RedisServer; postgres: PostgresServer }) {
    this.redis = engines.redis;
    this.postgres = engines.postgres;
    this.#folder = options.folder;
    this.#proxyPort = freePort();
    this.url = `http://localhost:${this.#proxyPort}`;
    const shared = {
      REDIS_URL: this.redis.url,
      DATABASE_URL: this.postgres.url(),
      PUBLIC_URL: this.url,
      TRUSTED_PROXIES: '127.0.0.1',
      SCORING_THREADS: '1',
      ...options.settings,
    };
    this.ingest = Array.from({ length: options.ingestNodes }, (_, index) => {
      return new ClusterNode(`ingest-${index + 1}`, options, {
        ...shared,
        ROLE: 'ingest',
        FEED: options.feed,
      });
    });
    this.serving = Array.from({ length: options.servingNodes }, (_, index) => {
      return new ClusterNode(`serve-${index + 1}`, options, { ...shared, ROLE: 'serve' });
    });
  }

  /**
   * Starts everything and waits until the serving nodes are ready. @throws Error that names what does not
   * start
   */
  static async start(options: ClusterOptions): Promise<Cluster> {
    if (CLUSTER_MISSING !== null) throw new Error(`Cannot start a cluster: ${CLUSTER_MISSING}`);
    mkdirSync(options.folder, { recursive: true });
    const [redis, postgres] = await Promise.all([RedisServer.start(), PostgresServer.start()]);
    const cluster = new Cluster(options, { redis, postgres });
    try {
      for (const node of cluster.nodes) node.start();
      await cluster.#startProxy();
      await Promise.all(cluster.serving.map((node) => cluster.whenReady(node)));
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  get nodes(): readonly ClusterNode[] {
    return [...this.ingest, ...this.serving];
  }

  /** The ingest node that is the leader; null without a leader. */
  async leader(): Promise<ClusterNode | null> {
    for (const node of this.ingest) {
      const health = (await node.ask('/health'))?.body as
        | { readonly node?: { readonly state: string } }
        | undefined;
      if (health?.node?.state === 'leading') return node;
    }
    return null;
  }

  /** Resolves when a node reports that it is ready. @throws Error when its process exits instead */
  async whenReady(node: ClusterNode): Promise<void> {
    await until(`${node.name} is ready`, async () => {
      if (!node.isRunning) {
        const log = await Bun.file(node.logPath).text();
        throw new Error(`${node.name} has ended: ${log.slice(-LOG_END_CHARS)}`);
      }
      return (await node.ask('/ready'))?.status === 200;
    });
  }

  /**
   * Resolves when a restarted serving node has answered polls that came through the proxy. After a
   * node has refused a connection, nginx sends it nothing for two seconds, even if it is ready earlier.
   */
  async whenPolled(node: ClusterNode): Promise<void> {
    await until(`nginx passes polls to ${node.name}`, async () => {
      const page = (await node.ask('/metrics'))?.body;
      return typeof page === 'string' && POLLS_ANSWERED.test(page);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#proxy?.kill('SIGTERM');
    for (const node of this.nodes) node.thaw();
    await Promise.all([this.#proxy?.exited, ...this.serving.map((node) => node.stop())]);
    await Promise.all(this.ingest.map((node) => node.stop()));
    this.redis.thaw();
    await Promise.all([this.redis[Symbol.asyncDispose](), this.postgres[Symbol.asyncDispose]()]);
  }

  /** Starts nginx with the configuration in ops/, in which the addresses of these nodes are filled in. */
  async #startProxy(): Promise<void> {
    const shipped = await Bun.file(join(ROOT, 'ops/nginx-cluster.conf')).text();
    const site = shipped
      .replace('listen 80;', `listen 127.0.0.1:${this.#proxyPort};`)
      .replace(/(?: *server serve-\d:3000 ([^;]*);\n)+/g, (_, parameters: string) =>
        this.serving.map(({ port }) => `server 127.0.0.1:${port} ${parameters};\n`).join(''),
      );
    const folder = join(this.#folder, 'nginx');
    mkdirSync(folder, { recursive: true });
    await Bun.write(join(folder, 'site.conf'), site);
    const temporary = NGINX_FOLDERS.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
    const log = join(this.#folder, 'nginx.log');
    const main = [
      `daemon off; master_process off; pid ${folder}/pid; error_log ${log};`,
      `events { worker_connections 4096; } http { ${temporary} include ${folder}/site.conf; }`,
    ].join('\n');
    await Bun.write(join(folder, 'nginx.conf'), main);
    this.#proxy = Bun.spawn([NGINX!, '-c', join(folder, 'nginx.conf'), '-e', log], {
      stdout: 'ignore',
      stderr: 'ignore',
    });
    await Promise.race([this.#proxy.exited, Bun.sleep(PROXY_REFUSES_MS)]);
    if (this.#proxy.exitCode !== null) throw new Error(`nginx has ended: see ${log}`);
  }
}
