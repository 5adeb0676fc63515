// The servers of one comparison, each a separate process on the loopback: the service under test on a
// generated slate, the bare server, the reference, nginx, Elysia and Fastify with the same bodies.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeys } from '../../test/support/callers.ts';
import { freePort } from '../../test/support/free-port.ts';
import { processorSeconds, readUntil, untilReady } from '../processes.ts';
import { recordingOf } from '../tools-site.ts';
import type { PlainBlock } from './plain-slate.ts';

const ROOT = join(import.meta.dir, '../..');
const KEYS = 200;

export interface ServiceOptions {
  readonly fixtures: number;
  /** Quotes per fixture: 15 make a response of about 3 KB, 75 one of 16 KB. */
  readonly quotesPerFixture: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with the data folder after the database was created and before the service reads it. */
  readonly prepare?: (dataDir: string) => void;
}

/** The child processes and files of one bench, ended and removed together. */
export class BenchSite implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'overround-bench-http-'));
  readonly #children: Bun.Subprocess[] = [];
  readonly #pids = new Map<string, number>();
  #serial = 0;

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Starts a process that prints its port. @returns its address */
  async start(
    command: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const log = this.path(`child-${++this.#serial}.txt`);
    const { pid } = this.#spawn(command, log, environment);
    const url = `http://127.0.0.1:${await readUntil(log, /^\d+(?=\n)/m)}`;
    this.#pids.set(url, pid);
    return url;
  }

  /** Starts the service. Resolves when it serves its slate. */
  async startService(options: ServiceOptions): Promise<BenchedService> {
    const dataDir = this.path(`data-${++this.#serial}`);
    mkdirSync(dataDir);
    const keys = await createKeys(dataDir, 'enterprise', KEYS);
    options.prepare?.(dataDir);
    const recording = this.path(`slate-${this.#serial}.ndjson`);
    await Bun.write(recording, recordingOf(options.fixtures, Date.now(), options.quotesPerFixture));
    const log = this.path(`service-${this.#serial}.txt`);
    const child = this.#spawn([process.execPath, join(ROOT, 'src/main.ts'), 'start'], log, {
      FEED: `replay:${recording}`,
      PORT: '0',
      DATA_DIR: dataDir,
      // In development the service writes no access log, like nginx in the comparison. One line of the log
      // costs about as much as the rest of a hit.
      NODE_ENV: 'development',
      HTTP_THREADS: '1',
      // The recording ends immediately. Once its feed has been silent for longer than this, the service no
      // longer serves the slate.
      PREMATCH_FRESHNESS_S: '3600',
      ...options.environment,
    });
    const url = await readUntil(log, /[ "]url"?[=:]"(http[^"]+)"/);
    await untilReady(url);
    this.#pids.set(url, child.pid);
    return new BenchedService({ url, keys, pid: child.pid, end: () => child.kill('SIGTERM') });
  }

  /** Starts nginx on a folder of files. @returns its address, null if it is not installed */
  async startNginx(root: string): Promise<string | null> {
    if (Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin` }) === null) return null;
    const port = freePort();
    const config = this.path('nginx.conf');
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${this.folder}/${name};`,
    );
    await Bun.write(
      config,
      // As root, nginx would switch to a user that may not read the folder.
      `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; master_process off; pid ${this.folder}/nginx.pid; error_log stderr crit;
       events { worker_connections 1024; }
       http { access_log off; default_type application/json; keepalive_requests 100000000; sendfile on;
         open_file_cache max=100 inactive=1h; ${folders.join(' ')}
         server { listen 127.0.0.1:${port}; root ${root}; } }`,
    );
    const command = ['/usr/sbin/nginx', '-c', config, '-p', this.folder];
    const log = this.path('nginx.txt');
    const { pid } = this.#spawn(command, log, {});
    const url = `http://127.0.0.1:${port}`;
    this.#pids.set(url, pid);
    await untilReady(url, '/answer.json');
    return url;
  }

  /** The processor time that the server at `url` has used so far, over all its threads, in microseconds. */
  processorUs(url: string): number {
    const pid = this.#pids.get(url);
    if (pid === undefined) throw new Error(`Cannot bench: no server was started at ${url}`);
    return processorSeconds(pid) * 1e6;
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  #spawn(command: readonly string[], log: string, environment: Record<string, string>): Bun.Subprocess {
    const child = Bun.spawn([...command], {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: ['ignore', Bun.file(log), Bun.file(log)],
    });
    this.#children.push(child);
    return child;
  }
}

interface ServiceFacts {
  readonly url: string;
  readonly keys: readonly string[];
  readonly pid: number;
  readonly end: () => void;
}

/** The running service, with what a client needs to know about it. */
export class BenchedService {
  readonly url: string;
  readonly keys: readonly string[];
  readonly pid: number;
  readonly end: () => void;
  #turn = 0;

  constructor({ url, keys, pid, end }: ServiceFacts) {
    this.url = url;
    this.keys = keys;
    this.pid = pid;
    this.end = end;
  }

  nextKey(): string {
    return this.keys[this.#turn++ % this.keys.length]!;
  }

  /** Asks for an uncompressed answer, as wrk's requests do: another form would have another ETag. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}, status = 200): Promise<Response> {
    const own = { authorization: `Bearer ${this.nextKey()}`, 'accept-encoding': 'identity' };
    const response = await fetch(this.url + path, { headers: { ...own, ...headers } });
    if (response.status !== status) throw new Error(`Cannot bench: GET ${path} answered ${response.status}`);
    return response;
  }

  /** The ids of all fixtures on the slate. */
  async eventIds(): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = (await (await this.get(`/v1/events?limit=200${query}`)).json()) as {
        data: { id: string }[];
        page: { next_cursor: string | null };
      };
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.page.next_cursor;
    }
    return ids;
  }

  /** The answer of GET /v1/events/{id}/odds for each id, parsed. */
  async blocks(ids: readonly string[]): Promise<Record<string, PlainBlock>> {
    const blocks: Record<string, PlainBlock> = {};
    for (const id of ids) blocks[id] = (await (await this.get(`/v1/events/${id}/odds`)).json()) as PlainBlock;
    return blocks;
  }
}
