// A listening socket that can stop accepting and start again, as start/connection-watch.ts tells it to.

import type { SocketHandler } from '../kit/socket.ts';

export type Listening = Bun.Server<SocketHandler>;

export interface ListenerOptions {
  /** Starts listening on a port; 0 takes any free one. */
  readonly listen: (port: number) => Listening;
  readonly port: number;
}

export class Listener {
  readonly #listen: (port: number) => Listening;
  readonly #port: number;
  /** The newest, and those that finish what they have until their last connection has closed. */
  #current: Listening;
  readonly #former = new Set<Listening>();
  #isPaused = false;

  /** @throws when the port is taken */
  constructor(options: ListenerOptions) {
    this.#listen = options.listen;
    this.#current = options.listen(options.port);
    this.#port = this.#current.port ?? options.port;
  }

  get hostname(): string {
    return this.#current.hostname ?? '';
  }

  get port(): number {
    return this.#port;
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
