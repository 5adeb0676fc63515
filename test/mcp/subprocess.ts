// Child processes for the tests of this room. Each has a time limit, and ends with its test.

import { resolve } from 'node:path';

export const REPOSITORY = resolve(import.meta.dir, '../..');

export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. @throws Error when it takes longer than `timeoutMs` */
export async function run(
  command: readonly string[],
  options: { readonly timeoutMs: number; readonly env?: Readonly<Record<string, string>> },
): Promise<Finished> {
  const child = Bun.spawn([...command], {
    cwd: REPOSITORY,
    env: { ...Bun.env, ...options.env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: options.timeoutMs,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (child.signalCode !== null) {
    throw new Error(`Cannot finish ${command.join(' ')} in ${options.timeoutMs} ms: ${stdout}${stderr}`);
  }
  return { exitCode, stdout, stderr };
}

export interface ConformanceServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts the conformance entry and waits for its address. */
export async function startConformanceServer(): Promise<ConformanceServer> {
  const child = Bun.spawn([process.execPath, 'test/mcp/conformance-server.ts'], {
    cwd: REPOSITORY,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes('\n')) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`Cannot start the conformance server: it printed "${text}"`);
    text += decoder.decode(value, { stream: true });
  }
  return {
    url: text.trim(),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await child.exited;
    },
  };
}
