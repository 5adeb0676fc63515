// The whole server as a process of its own, as an operator runs it, so that a test can kill it at any moment.

import { resolve } from 'node:path';

const REPOSITORY = resolve(import.meta.dir, '../..');
const START_MAX_MS = 20_000;

export interface ServerProcess {
  readonly url: string;
  /** What it has written to its log so far. */
  log(): string;
  /** Asks it to stop, with SIGTERM. @returns its exit code */
  stop(): Promise<number>;
  /** Ends it at once, with SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts `src/main.ts` on any free port and waits until it says where it listens. @throws Error when it exits */
export async function startServerProcess(
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = Bun.spawn([process.execPath, 'src/main.ts'], {
    cwd: REPOSITORY,
    env: { ...Bun.env, PORT: '0', NODE_ENV: 'test', LOG_LEVEL: 'info', ...environment },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: 10 * START_MAX_MS,
    killSignal: 'SIGKILL',
  });
  const reader = child.stderr.getReader();
  const decoder = new TextDecoder();
  let log = '';
  let url: string | null = null;
  while (url === null) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`Cannot start the server: it ended with ${log}`);
    log += decoder.decode(value, { stream: true });
    url = /"?listening"?.*url"?[=:]"([^"]+)"/.exec(log)?.[1] ?? null;
  }
  // What it says later is read on, so that it never waits for a full pipe.
  const drained = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      log += decoder.decode(value, { stream: true });
    }
  })();
  return {
    url,
    log: () => log,
    stop: async () => {
      child.kill('SIGTERM');
      const exitCode = await child.exited;
      await drained;
      return exitCode;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await child.exited;
      await drained;
    },
  };
}
