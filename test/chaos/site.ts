// The server under chaos: started, put under faults, killed and restarted on one data folder. If this user
// may mount disks, the folder is on a small disk, which can be filled.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_NAME } from '../../src/storage/database.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { readPrometheus, sampleOf } from '../support/prometheus.ts';
import { SET_CLOCK_MISSING, SetClock } from '../support/set-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_ENVIRONMENT } from '../support/test-program.ts';
import type { ToDisk } from './disk.worker.ts';

const DISK = 'size=24m';

export class Site {
  url = '';
  readonly dataDir: string;
  /** Whether the disk can be filled. */
  readonly hasOwnDisk: boolean;
  /** The server's clock, which can be set; null if it cannot be. */
  readonly clock: SetClock | null;
  readonly #feedUrl: string;
  readonly #folder = temporaryFolder();
  readonly #disk = new Worker(new URL('./disk.worker.ts', import.meta.url).href);
  #child: Bun.Subprocess<'pipe', 'pipe', 'ignore'> | null = null;
  /** Called each time the server has started and listens on a new `url`. */
  onStart: () => void = () => {};

  /**
   * @param options `setsClock`: the server's clock can be set, which makes reading it take ten times as long
   */
  constructor(feedUrl: string, { setsClock = false } = {}) {
    this.#feedUrl = feedUrl;
    this.dataDir = join(this.#folder.path, 'data');
    mkdirSync(this.dataDir);
    this.clock = setsClock && SET_CLOCK_MISSING === null ? new SetClock(this.#folder.path) : null;
    const words = ['mount', '-t', 'tmpfs', '-o', DISK, 'tmpfs', this.dataDir];
    this.hasOwnDisk = Bun.which('mount') !== null && Bun.spawnSync(words).exitCode === 0;
  }

  /** Starts the server and waits until it listens. */
  async start(): Promise<void> {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'server.ts')], {
      env: {
        ...childEnvironment(),
        ...PROGRAM_ENVIRONMENT,
        PORT: '0',
        DATA_DIR: this.dataDir,
        FEED: this.#feedUrl,
        HTTP_THREADS: '2',
        HISTORY_DAYS: '0', // the faults of the history are in test/faults
        TRUSTED_PROXIES: '127.0.0.1',
        LOG_LEVEL: 'error',
        ...this.clock?.settings,
      },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'ignore',
    });
    this.#child = child;
    const reader = child.stdout.getReader();
    let text = '';
    while (!text.includes('\n')) {
      const { value, done } = await reader.read();
      if (done) throw new Error('Cannot start the server: it ended before it listened');
      text += new TextDecoder().decode(value);
    }
    reader.releaseLock();
    this.url = /http:\S+/.exec(text)![0];
    this.onStart();
  }

  /**
   * Makes a thread throw, end or hang: `throw`, `reject`, `exit` or `hang`. Threads of scoring and accounts
   * always end.
   */
  thread(name: 'http' | 'ingest' | 'query' | 'scoring' | 'accounts', thread: number, how: string): void {
    this.#child!.stdin.write(`${name} ${thread} ${how}\n`);
    this.#child!.stdin.flush();
  }

  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#child?.exited;
  }

  /** Freezes the whole process, so that all its clocks jump when it continues. */
  async standStill(ms: number): Promise<void> {
    this.#child!.kill('SIGSTOP');
    await Bun.sleep(ms);
    this.#child!.kill('SIGCONT');
  }

  /** Lets another connection hold the database's write lock for `ms`. */
  lockDatabase(ms: number): Promise<void> {
    return this.#onDisk({ type: 'lock', database: join(this.dataDir, DATABASE_NAME), ms });
  }

  fillDisk(ms: number): Promise<void> {
    return this.#onDisk({ type: 'fill', file: join(this.dataDir, 'filler'), ms });
  }

  #onDisk(message: ToDisk): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#disk.onmessage = () => resolve();
    this.#disk.onerror = ({ message: why }) => reject(new Error(`Cannot ${message.type}: ${why}`));
    this.#disk.postMessage(message);
    return promise;
  }

  /** The last answer, either of `/health` or of `/v1/sports`. */
  #state = 'no answer';
  #looks = 0;

  /** Whether the server has a whole slate of a live feed, and its query thread answers. */
  async isWell(): Promise<boolean> {
    this.#state = 'no answer';
    try {
      const response = await fetch(`${this.url}/health`, {
        signal: AbortSignal.timeout(1_000),
        keepalive: false,
      });
      const text = await response.text();
      const { status, feed_live } = JSON.parse(text) as { status: string; feed_live: boolean };
      this.#state = text;
      if (status !== 'ok' || !feed_live) return false;
      // Each request comes from another address, because requests without a key are limited by address.
      this.#looks += 1;
      const list = await fetch(`${this.url}/v1/sports`, {
        signal: AbortSignal.timeout(1_000),
        keepalive: false,
        headers: { 'x-forwarded-for': `10.8.${(this.#looks >> 8) & 255}.${this.#looks & 255}` },
      });
      this.#state = `/v1/sports is ${list.status}: ${await list.text()}`;
      return list.status === 200;
    } catch {
      return false; // no answer at all
    }
  }

  /** How often a thread of this name was restarted. */
  async restarts(worker: string): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`, { keepalive: false })).text();
    return sampleOf(readPrometheus(text), 'overround_worker_restarts_total', { worker });
  }

  /** @throws Error with the last answer when the server has not recovered after two minutes of checks */
  async whenWell(after: string): Promise<void> {
    try {
      await until('the server is well', () => this.isWell());
    } catch (error) {
      throw new Error(`After ${after} the server does not recover: ${this.#state}`, { cause: error });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.#disk.terminate();
    if (this.hasOwnDisk) Bun.spawnSync(['umount', '-l', this.dataDir]);
    this.#folder[Symbol.dispose]();
  }
}
