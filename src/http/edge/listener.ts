// A listening socket that can stop accepting and start again, as start/connection-watch.ts tells it to, and that can be
// replaced by one with another certificate while the connections of the former go on.

import type { SocketHandler } from '../kit/socket.ts';

export type Listening = Bun.Server<SocketHandler>;

/** Contents of the two files, in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface ListenerOptions {
  /** Starts listening on a port; 0 takes any free one. */
  readonly listen: (port: number) => Listening;
  readonly port: number;
  /**
   * How long a listener that was replaced still serves, each of its answers being the last of its connection. As long as
   * a silent connection may live, so that none is ended that would not have ended by then.
   */
  readonly retireMs: number;
}

export class Listener {
  readonly #listen: (port: number) => Listening;
  readonly #port: number;
  readonly #retireMs: number;
  /** The newest, and those that finish what they have until their last connection has closed. */
  #current: Listening;
  readonly #former = new Set<Listening>();
  /** Those of them that were replaced. */
  readonly #retiring = new WeakSet<Listening>();
  #isPaused = false;

  /** @throws when the port is taken */
  constructor(options: ListenerOptions) {
    this.#listen = options.listen;
    this.#retireMs = options.retireMs;
    this.#current = options.listen(options.port);
    this.#port = this.#current.port ?? options.port;
  }

  get hostname(): string {
    return this.#current.hostname ?? '';
  }

  get port(): number {
    return this.#port;
  }

  /** Whether it was replaced: its connections are to end with their next answer. */
  isRetiring(listening: Listening): boolean {
    return this.#former.size > 0 && this.#retiring.has(listening);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  pendingCount(): number {
    return this.#all().reduce((sum, { pendingRequests }) => sum + pendingRequests, 0);
  }

  /** Accepts no more connections. Bun closes those that wait between two requests, and the others are served on. */
  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    const former = this.#current;
    this.#former.add(former);
    void former.stop(false).then(() => this.#former.delete(former));
  }

  /** Accepts again. @throws when another process took the port meanwhile; it stays paused then */
  resume(): void {
    if (!this.#isPaused) return;
    this.#current = this.#listen(this.#port);
    this.#isPaused = false;
  }

  /** Listens anew beside the current listener, which retires. Needs reusePort. @throws when that cannot be: it goes on */
  replace(): void {
    if (this.#isPaused) return; // who resumes listens anew anyway
    const former = this.#current;
    this.#current = this.#listen(this.#port);
    this.#former.add(former);
    this.#retiring.add(former);
    setTimeout(() => {
      void former.stop(false).then(() => this.#former.delete(former));
    }, this.#retireMs).unref();
  }

  /** Finishes what is in flight for at most `graceMs`, then closes the rest. */
  async stop(graceMs: number): Promise<void> {
    this.#isPaused = true;
    const drained = Promise.all(this.#all().map((one) => one.stop(false)));
    for (const one of this.#all()) one.closeIdleConnections();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, graceMs);
    await Promise.race([drained, late]);
    clearTimeout(timer);
    await Promise.all(this.#all().map((one) => one.stop(true)));
  }

  #all(): Listening[] {
    return [...new Set([this.#current, ...this.#former])];
  }
}
