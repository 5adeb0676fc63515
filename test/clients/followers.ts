// The programs that follow a service in each language and runtime, as processes, and what each reports
// that it holds.

import { join } from 'node:path';

export interface MirrorRequest {
  readonly name: string;
  readonly via: string;
  readonly [filter: string]: unknown;
}

export interface Holding {
  readonly name: string;
  readonly cursor: string;
  readonly digest: string;
}

/** Bundles follower.ts into one file without dependencies. */
export async function bundleFollower(folder: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'follower.ts')],
    target: 'node',
    outdir: folder,
    naming: 'follower.mjs',
  });
  if (!built.success) throw new AggregateError(built.logs, 'Cannot bundle the follower');
  return join(folder, 'follower.mjs');
}

interface FollowerOptions {
  readonly url: string;
  readonly key: string;
  readonly mirrors: readonly MirrorRequest[];
  readonly env?: Readonly<Record<string, string>>;
}

export class FollowerProcess {
  readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  #errors = '';
  #isEnding = false;

  /** @param command without the arguments that every follower gets */
  constructor(
    command: readonly string[],
    { url, key, mirrors, env = {} }: FollowerOptions,
    hear: (holding: Holding) => void,
  ) {
    this.child = Bun.spawn([...command, url, key, JSON.stringify(mirrors)], {
      env: { ...process.env, ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    void this.#read(hear);
    void new Response(this.child.stderr).text().then((text) => {
      this.#errors = text;
    });
  }

  /** @throws Error with the process's output if it has exited */
  assertAlive(): void {
    if (this.child.exitCode !== null && !this.#isEnding) throw new Error(`A follower ended: ${this.#errors}`);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    this.child.kill('SIGKILL');
    await this.child.exited;
  }

  async #read(hear: (holding: Holding) => void): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of this.child.stdout) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) hear(JSON.parse(line) as Holding);
    }
  }
}
