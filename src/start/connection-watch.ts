// The watch over open connections, in main: Bun has no limit of them, and a process out of file descriptors spins a core
// (bun#32705). Near the limit of descriptors no HTTP thread accepts any more until enough of them have closed;
// connections that are open already are served on. The count comes from /proc, which takes milliseconds when there are
// many; elsewhere than on Linux there is nothing to read and no limit.

import { readdirSync, readFileSync } from 'node:fs';

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
