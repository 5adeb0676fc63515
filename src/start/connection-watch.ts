// The watch over open connections, in main: Bun has no limit of them, and a process out of file descriptors spins a core
// (bun#32705). An address with more connections than its share loses the rest. Near the limit of descriptors those that had
// no answer yet go first (connection-choice.ts), and when that does not help no HTTP thread accepts any more until enough
// have closed; connections that are open already are served on. The count comes from /proc, which takes milliseconds when
// there are many; elsewhere than on Linux there is nothing to read and no limit.

import { readdirSync, readFileSync } from 'node:fs';
import { connectionsToEnd } from './connection-choice.ts';
import { type ConnectionTable, isOutOfDescriptors } from './open-connections.ts';

/**
 * Above the first share of the limit, once that many looks in a row have found it so, no connection is accepted; below the
 * second one they are accepted again.
 */
const PAUSE_SHARE = 0.9;
const RESUME_SHARE = 0.6;
const FULL_LOOKS_MAX = 5;
/** Above this share silent connections end until there are fewer than at RESUME_SHARE. */
const END_SHARE = 0.7;
/** While nothing is near its limit, single connections are listed at every fifth look only, since that takes milliseconds. */
const LIST_EVERY = 5;
/** What comes between two looks has the tenth of the limit that is left; if it is more, the next look ends it. */
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
  /** What can be seen of single connections; null where the system shows none. */
  readonly table: ConnectionTable | null;
  /** Connections that one address may have. */
  readonly perAddressMax: number;
  readonly isProxy: (address: string) => boolean;
  /** Told how many connections were ended. */
  readonly onEnded: (count: number) => void;
  readonly onChange: (isPaused: boolean, openCount: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Looks once; called on a timer by `watchConnections`. To accept no more ends the idle connections of customers (Bun's stop
 * does), so first the silent ones of strangers have time to become silent and to end, where they can be seen.
 * @param fullLooks looks in a row before this one that found the limit as near
 * @returns the same for the next look
 */
function lookAtConnections(options: ConnectionCapOptions, fullLooks: number): number {
  const { acceptor, limit, table, onChange } = options;
  const count = options.openCount();
  if (count === null) return 0;
  if (acceptor.isPaused) {
    if (count >= limit * RESUME_SHARE) return 0;
    acceptor.resume();
    onChange(false, count);
    return 0;
  }
  if (count <= limit * PAUSE_SHARE) return 0;
  if (table !== null && fullLooks < FULL_LOOKS_MAX) return fullLooks + 1;
  acceptor.pause();
  onChange(true, count);
  return 0;
}

/** Ends connections beyond the limits. With fewer open in all than one address may have, no address can be beyond its own. */
function endConnections(options: ConnectionCapOptions, looks: number): void {
  const { acceptor, table, limit, perAddressMax, isProxy, onEnded } = options;
  const count = options.openCount();
  if (table === null || count === null) return;
  // While nothing is accepted, as many end as it takes to accept again: else whoever holds on shuts everybody else out.
  const isCrowded = count > limit * END_SHARE || (acceptor.isPaused && count >= limit * RESUME_SHARE);
  if (!isCrowded && (count <= perAddressMax || looks % LIST_EVERY !== 0)) return;
  const excess = isCrowded ? Math.floor(count - limit * RESUME_SHARE) + 1 : 0;
  const chosen = connectionsToEnd(table.list(), { perAddressMax, excess, isProxy });
  for (const connection of chosen) table.end(connection);
  if (chosen.length > 0) onEnded(chosen.length);
}

/** Looks again and again without keeping the process alive. Returns the function that ends it. */
export function watchConnections(options: ConnectionCapOptions): () => void {
  let looks = 0;
  let fullLooks = 0;
  const timer = setInterval(() => {
    try {
      looks += 1;
      endConnections(options, looks);
      fullLooks = lookAtConnections(options, fullLooks);
    } catch (error) {
      options.onError(error);
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Open file descriptors of this process, of at most `limit`, or null where /proc does not say. */
export function openDescriptorCount(limit: number): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch (error) {
    return isOutOfDescriptors(error) ? limit : null; // not Linux
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
