// A fake server that answers as each test defines, and a clock that advances only while the client waits.

import type { Runtime } from '../../clients/typescript/src/index.ts';

export class StandIn {
  readonly url: string;
  readonly requests: Request[] = [];
  readonly #server: Bun.Server<undefined>;

  constructor(answer: (request: Request, count: number) => Response) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        this.requests.push(request);
        return answer(request, this.requests.length);
      },
    });
    this.url = `http://127.0.0.1:${this.#server.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}

/** A server-sent event, as text. */
export function eventText(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A clock that advances only by sleeps, which end immediately. */
export class SleepingRuntime implements Runtime {
  readonly sleepsMs: number[] = [];
  #nowMs = 0;

  nowMs(): number {
    return this.#nowMs;
  }

  random(): number {
    return 0;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await Promise.resolve();
    signal?.throwIfAborted();
    this.sleepsMs.push(ms);
    this.#nowMs += ms;
  }
}

/** An error answer in the server's format. */
export function refusal(
  status: number,
  { code, retryAfterS = null, scope }: { code: string; retryAfterS?: number | null; scope?: string },
): Response {
  const headers: Record<string, string> = { 'x-request-id': 'r-1' };
  if (retryAfterS !== null) headers['retry-after'] = String(retryAfterS);
  if (scope !== undefined) headers['x-ratelimit-scope'] = scope;
  const error = {
    code,
    message: 'Cannot serve this now',
    fix: 'Ask again later',
    is_retriable: status === 429 || status === 503,
    retry_after_seconds: retryAfterS,
    documentation_url: 'http://127.0.0.1/docs/errors',
  };
  return Response.json({ error }, { status, headers });
}
