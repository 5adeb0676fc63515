// The common part of the stand-ins of polled sources: a server on this machine.

export abstract class StandInServer implements Disposable {
  protected readonly nowMs: () => number;
  readonly #server: Bun.Server<unknown>;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
    this.#server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.answer(request) });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  [Symbol.dispose](): void {
    this.#server.stop(true);
  }

  protected abstract answer(request: Request): Response | Promise<Response>;
}

/** Changes an answer: replaces this text, such as the name of a field, wherever it occurs. */
export function renaming(from: string, to: string): (body: unknown) => unknown {
  return (body) => JSON.parse(JSON.stringify(body).replaceAll(from, to)) as unknown;
}
