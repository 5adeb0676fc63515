// The server as its user runs it: in a separate process, with its own data folder, on any port.

import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import { SMALL_SLATE } from './small-slate.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';
import { PROGRAM_PATH } from './test-program.ts';

const ROOT = join(import.meta.dir, '../..');
/** What most tests want of a server: any port, a small slate, and no thread for a price history. */
const SMALL_SERVER = { PORT: '0', HISTORY_DAYS: '0', ...SMALL_SLATE };

interface ServerProcessOptions {
  /** Flags of bun, before the script. */
  readonly flags?: readonly string[];
  /** A command that runs the server, such as `prlimit --nofile=512`. */
  readonly wrapper?: readonly string[];
  /** An executable to run in this folder instead of the source. */
  readonly binary?: { readonly path: string; readonly folder: string };
  /** Default: that of test-program.ts. */
  readonly script?: string;
}

export class ServerProcess {
  readonly dataDir: string;
  readonly child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>;
  /** Everything it printed so far. */
  log = '';
  readonly #reading: Promise<void>;
  #heard = Promise.withResolvers<void>();
  readonly #folder: TemporaryFolder | null;

  constructor(
    environment: Readonly<Record<string, string>>,
    { flags = [], wrapper = [], binary, script = PROGRAM_PATH }: ServerProcessOptions = {},
  ) {
    this.#folder = environment.DATA_DIR === undefined ? temporaryFolder() : null;
    this.dataDir = environment.DATA_DIR ?? this.#folder!.path;
    const program = binary === undefined ? [process.execPath, ...flags, script] : [binary.path];
    this.child = Bun.spawn([...wrapper, ...program, 'start'], {
      cwd: binary?.folder ?? ROOT,
      env: { ...childEnvironment(), ...SMALL_SERVER, DATA_DIR: this.dataDir, ...environment },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    });
    this.#reading = this.#read();
  }

  /** Waits until the log holds a match. @throws Error with the log when the process ends before */
  async logged(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.log);
      if (match !== null) return match;
      const ended = await Promise.race([
        this.#heard.promise.then(() => false),
        this.#reading.then(() => true),
      ]);
      if (ended && !pattern.test(this.log))
        throw new Error(`The server ended without ${pattern}: ${this.log}`);
    }
  }

  /** Waits until it listens. @returns its address */
  async listening(): Promise<string> {
    const [, url] = await this.logged(/"?url"?[=:]"(http[^"]+)"/);
    return url!;
  }

  /** Waits until it serves a slate. @returns its address */
  async serving(): Promise<string> {
    await this.logged(/feed_snapshot_complete/);
    return await this.listening();
  }

  /** Kills it and waits until it is gone. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited();
  }

  /** Ends it and waits. @returns the exit code, once all its output is in `log` */
  async end(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number> {
    this.child.kill(signal);
    return this.exited();
  }

  async exited(): Promise<number> {
    const code = await this.child.exited;
    await this.#reading;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.#folder?.[Symbol.dispose]();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.child.stderr) {
      this.log += decoder.decode(chunk, { stream: true });
      this.#heard.resolve();
      this.#heard = Promise.withResolvers<void>();
    }
  }
}
