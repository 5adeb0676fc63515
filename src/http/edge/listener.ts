// A listening socket that can stop accepting connections and start again, as platform/connection-watch.ts
// decides. It can also be replaced by one with another certificate, while connections of the old one
// continue.

import type { SocketHandler } from '../../stream/connections/socket-handler.ts';

export type Listening = Bun.Server<SocketHandler>;

/** The contents of the certificate and key files, in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface ListenerOptions {
  /** Starts listening on a port; 0 chooses any free one. */
  readonly listen: (port: number) => Listening;
  readonly port: number;
  /**
   * How long a replaced listener still serves. Each of its answers is the last on its connection. This time
   * is as long as an idle connection may last, so that no connection is cut that would otherwise have
   * continued.
   */
  readonly retireMs: number;
}

export class Listener {
  readonly #listen: (port: number) => Listening;
  readonly #port: number;
  readonly #retireMs: number;
  /**
   * The newest listener, and the earlier ones, which finish their requests until their last connection has
   * closed.
   */
  #current: Listening;
  readonly #former = new Set<Listening>();
  /** The earlier listeners that were replaced, not paused. */
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

  /** Whether this listener was replaced: its connections must end with their next answer. */
  isRetiring(listening: Listening): boolean {
    return this.#former.size > 0 && this.#retiring.has(listening);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  pendingCount(): number {
    if (this.#former.size === 0) return this.#current.pendingRequests;
    return this.#all().reduce((sum, { pendingRequests }) => sum + pendingRequests, 0);
  }

  /**
   * Stops accepting connections. Bun closes connections that are between two requests, and continues to serve
   * the others.
   */
  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    const former = this.#current;
    this.#former.add(former);
    void former.stop(false).then(() => this.#former.delete(former));
  }

  /**
   * Accepts connections again.
   * @throws when another process has taken the port meanwhile; the listener then stays paused
   */
  resume(): void {
    if (!this.#isPaused) return;
    this.#current = this.#listen(this.#port);
    this.#isPaused = false;
  }

  /**
   * Opens a new listener beside the current one, which is retired. Needs reusePort.
   * @throws when the new listener cannot be opened; the current one then continues
   */
  replace(): void {
    if (this.#isPaused) return; // `resume` opens a new listener, with the new certificate
    const former = this.#current;
    this.#current = this.#listen(this.#port);
    this.#former.add(former);
    this.#retiring.add(former);
    setTimeout(() => {
      void former.stop(false).then(() => this.#former.delete(former));
    }, this.#retireMs).unref();
  }

  /** Finishes requests in flight for at most `graceMs`, then closes all connections. */
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
