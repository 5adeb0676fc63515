// A listening socket that can stop accepting and start again, and the watch that tells it to: Bun has no limit of
// connections, and a process out of file descriptors spins a core (bun#32705). Near the limit of descriptors this thread
// stops accepting until enough of them have closed; connections that are open already are served on. The count comes
// from /proc; elsewhere than on Linux there is nothing to read and no limit.

import { readdirSync, readFileSync } from 'node:fs';

export type Listening = ReturnType<typeof Bun.serve>;

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

  /** Accepts no more connections and closes those that wait between two requests. */
  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    const former = this.#current;
    this.#former.add(former);
    void former.stop(false).then(() => this.#former.delete(former));
    former.closeIdleConnections();
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

/** Above the first share of the limit no connection is accepted; below the second one they are accepted again. */
const PAUSE_SHARE = 0.75;
const RESUME_SHARE = 0.6;
/** Connections that come between two looks must fit in the quarter of the limit that is left. */
const LOOK_EVERY_MS = 100;

export interface Acceptor {
  readonly isPaused: boolean;
  pause(): void;
  resume(): void;
}

export interface ConnectionCapOptions {
  readonly acceptor: Acceptor;
  /** Open descriptors of the process, or null when that cannot be known. */
  readonly openCount: () => number | null;
  readonly limit: number;
  readonly onChange: (isPaused: boolean, openCount: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Looks once; called on a timer by `watchConnections`. */
function lookAtConnections(options: ConnectionCapOptions): void {
  const { acceptor, limit, onChange } = options;
  const count = options.openCount();
  if (count === null) return;
  if (!acceptor.isPaused && count > limit * PAUSE_SHARE) {
    acceptor.pause();
    onChange(true, count);
  } else if (acceptor.isPaused && count < limit * RESUME_SHARE) {
    acceptor.resume();
    onChange(false, count);
  }
}

/** Looks again and again without keeping the process alive. Returns the function that ends it. */
export function watchConnections(options: ConnectionCapOptions): () => void {
  const timer = setInterval(() => {
    try {
      lookAtConnections(options);
    } catch (error) {
      options.onError(error);
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Open file descriptors of this process, or null where /proc does not say. */
export function openDescriptorCount(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null; // not Linux
  }
}

/** The soft limit of file descriptors; infinite where /proc does not say. */
export function descriptorLimit(): number {
  try {
    const match = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return match === null ? Number.POSITIVE_INFINITY : Number(match[1]);
  } catch {
    return Number.POSITIVE_INFINITY; // not Linux
  }
}
