// A Redis for one test: with its files in a temporary folder, on a free port of this machine, without
// persistence, deleted when the test ends.

import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import { RedisLink } from '../../src/storage/redis.ts';
import { realTimeEnvironment } from './child-environment.ts';
import { until } from './condition.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PROGRAM = Bun.which('redis-server');
const PATIENT_MS = 60_000;
const START_TRIES_MAX = 3;

/** Why no Redis can be started here, as the reason for a skipped test; null when one can. */
export const REDIS_MISSING: string | null =
  PROGRAM === null ? 'there is no redis-server (Debian: apt-get install redis-server)' : null;

export class RedisServer implements AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly #folder = temporaryFolder();
  #process: Bun.Subprocess;

  private constructor(port: number) {
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
    this.#process = this.#spawn();
  }

  static async start(): Promise<RedisServer> {
    for (let attempt = 1; ; attempt++) {
      const server = new RedisServer(freePort());
      try {
        await server.#listening();
        return server;
      } catch (error) {
        // Another process took the port meanwhile.
        await server[Symbol.asyncDispose]();
        if (attempt === START_TRIES_MAX) throw error;
      }
    }
  }

  get pid(): number {
    return this.#process.pid;
  }

  /**
   * A connection for the test itself, or for a part that must get an answer each time. It waits longer than a
   * running server does, so that no call fails when the machine stalls for a moment.
   */
  openLink(): RedisLink {
    return new RedisLink({ url: this.url, clock: systemClock, deadlineMs: PATIENT_MS });
  }

  get logPath(): string {
    return join(this.#folder.path, 'log');
  }

  /** Ends Redis as a crash would: its content is lost. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#process.exited;
  }

  /** Starts Redis again on the same port, without content. */
  async resume(): Promise<void> {
    this.#process = this.#spawn();
    await this.#listening();
  }

  /** Freezes the process: connections stay open and get no answer. */
  freeze(): void {
    this.#process.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.#folder[Symbol.dispose]();
  }

  #spawn(): Bun.Subprocess {
    if (PROGRAM === null) throw new Error(`Cannot start Redis: ${REDIS_MISSING}`);
    const where = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder.path];
    return Bun.spawn([PROGRAM, ...where, '--save', '', '--appendonly', 'no'], {
      env: realTimeEnvironment(),
      stdin: 'ignore',
      stdout: Bun.file(this.logPath),
      stderr: 'ignore',
    });
  }

  async #listening(): Promise<void> {
    await until('Redis answers', async () => {
      if (this.#process.exitCode !== null) throw new Error('Cannot start Redis: it ended at once');
      return Promise.race([this.#answers(), this.#process.exited.then(() => false)]);
    });
  }

  /**
   * Whether the process that answers at the port is this server, and not another one that took the same port.
   */
  #answers(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let text = '';
    Bun.connect({
      hostname: '127.0.0.1',
      port: this.port,
      socket: {
        open: (socket) => void socket.write('INFO server\r\n'),
        data: (socket, bytes) => {
          text += bytes.toString('latin1');
          const process = /^process_id:(\d+)\r$/m.exec(text)?.[1];
          if (process === undefined) return;
          resolve(Number(process) === this.pid);
          socket.terminate();
        },
        close: () => resolve(false),
        error: () => resolve(false),
      },
    }).catch(() => resolve(false));
    return promise;
  }
}
