// The server as a user runs it: in a process of its own, with its own data folder, on any port.

import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import { SMALL_SLATE } from './small-slate.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';
import { PROGRAM_PATH } from './test-program.ts';

const ROOT = join(import.meta.dir, '../..');
/** The settings for most tests: any port, a small slate, and no thread for a price history. */
const SMALL_SERVER = { PORT: '0', HISTORY_DAYS: '0', ...SMALL_SLATE };

interface ServerProcessOptions {
  /** Flags for bun, in front of the script. */
  readonly flags?: readonly string[];
  /** A command in front of bun that runs the server, such as `prlimit --nofile=512`. */
  readonly wrapper?: readonly string[];
  /** An executable that is run instead of the source, and the folder in which it runs. */
  readonly binary?: { readonly path: string; readonly folder: string };
  /** The entry of the program. Default: the entry that test-program.ts gives. */
  readonly script?: string;
}

export class ServerProcess {
  readonly dataDir: string;
  readonly child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>;
  /** Everything that the server has printed so far. */
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

  /** The mode, `production` or `development`, that the log names once the server listens. */
  get loggedMode(): string {
    return JSON.parse(this.log.split('\n').find((line) => line.includes('"listening"'))!).mode;
  }

  /**
   * Waits until the log contains a match of the pattern. @throws Error with the log when the process ends
   * first
   */
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

  /** Waits until the server listens. @returns its address */
  async listening(): Promise<string> {
    const [, url] = await this.logged(/"?url"?[=:]"(http[^"]+)"/);
    return url!;
  }

  /** Waits until the server serves a slate. @returns its address */
  async serving(): Promise<string> {
    await this.logged(/feed_snapshot_complete/);
    return await this.listening();
  }

  /** Kills the process and waits until it is gone. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited();
  }

  /**
   * Stops the server and waits until it has ended. @returns the exit code, once all its output is in `log`
   */
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
