// Watches open connections from the main thread. Bun does not limit them, and a process out of file
// descriptors keeps a core busy (bun#32705). If an address has more connections than its share, the surplus
// is closed. Near the limit of descriptors, connections without a response are closed first
// (connection-choice.ts). If that is not enough, no HTTP thread accepts connections until enough have closed;
// open ones are still served. The count comes from /proc, and before Linux 6.2 reading it takes milliseconds
// if there are many connections. Outside Linux there is no /proc, and no limit is applied.
//
// test/faults/descriptors.test.ts measures it. It may be removed when Bun limits connections by itself
// (bun#32705).

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { every } from '../pause.ts';
import { connectionsToEnd, SILENT_AFTER_MS, UNFINISHED_COUNT_MAX } from './connection-choice.ts';
import type { ConnectionTable } from './open-connections.ts';
import { isOutOfDescriptors } from './socket-descriptors.ts';

/**
 * If more than PAUSE_SHARE of the limit is in use and more than FULL_CHECKS_MAX checks find too few
 * connections to close, no connection is accepted. Below RESUME_SHARE they are accepted again.
 */
const PAUSE_SHARE = 0.9;
const RESUME_SHARE = 0.6;
const FULL_CHECKS_MAX = 5;
/** Above this share of the limit, connections are closed until fewer than RESUME_SHARE remain. */
const END_SHARE = 0.7;
/**
 * While nothing is near its limit, single connections are listed only at every fifth check, because listing
 * takes milliseconds.
 */
const LIST_EVERY = 5;
/**
 * How often to check. The last tenth of the limit is left for connections that arrive between two checks; if
 * more arrive, the next check closes them.
 */
const CHECK_EVERY_MS = 100;

export interface Acceptor {
  readonly isPaused: boolean;
  pause(): void;
  resume(): void;
}

export interface ConnectionCapOptions {
  readonly acceptor: Acceptor;
  /** Open descriptors of the process, or null if unknown. */
  readonly openCount: () => number | null;
  readonly limit: number;
  /** Lists single connections; null if the system cannot. */
  readonly table: ConnectionTable | null;
  /** The most connections that one address may have. */
  readonly perAddressMax: number;
  readonly isProxy: (address: string) => boolean;
  /** The addresses that live keys of paid plans were used from lately, written as in `table`. */
  readonly paidAddresses: () => ReadonlySet<string>;
  /** Called with the number of connections closed. */
  readonly onEnded: (count: number) => void;
  readonly onChange: (isPaused: boolean, openCount: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Decides once whether to accept connections; `watchConnections` calls it on a timer. Bun can stop accepting
 * only by also closing idle connections, those of customers too. So accepting goes on while enough silent
 * connections are found to close, and for a few checks more.
 * @param count open descriptors of the process
 * @param fullChecks how many checks, since the process came near its limit, found too few to close
 * @param isRelieved whether this check closed enough
 * @returns the same number for the next check
 */
function pauseOrResume(
  { acceptor, limit, table, onChange }: ConnectionCapOptions,
  count: number,
  fullChecks: number,
  isRelieved: boolean,
): number {
  if (acceptor.isPaused) {
    if (count >= limit * RESUME_SHARE) return 0;
    acceptor.resume();
    onChange(false, count);
    return 0;
  }
  if (count <= limit * PAUSE_SHARE) return 0;
  if (isRelieved) return fullChecks;
  if (table !== null && fullChecks < FULL_CHECKS_MAX) return fullChecks + 1;
  acceptor.pause();
  onChange(true, count);
  return 0;
}

/**
 * Closes connections beyond the limits. If fewer are open in total than one address may have, no address can
 * exceed its share. Few connections cannot hold much memory either. With every check that finds too few to
 * close, connections without a response count as silent sooner: strangers may come so fast that none is
 * silent for a quarter of a second. The last of these checks, before accepting is paused, also closes
 * connections of clients with few.
 * @returns whether it closed enough to get far below the limit of descriptors
 */
function endConnections(
  options: ConnectionCapOptions,
  count: number,
  checks: number,
  fullChecks: number,
): boolean {
  const { acceptor, table, limit, perAddressMax, isProxy, paidAddresses, onEnded } = options;
  if (table === null) return false;
  // While accepting is paused, close as many as it takes to resume. Otherwise clients that hold connections
  // open would shut out everyone.
  const isCrowded = count > limit * END_SHARE || (acceptor.isPaused && count >= limit * RESUME_SHARE);
  const isFew = count <= Math.min(perAddressMax, UNFINISHED_COUNT_MAX);
  if (!isCrowded && (isFew || checks % LIST_EVERY !== 0)) return false;
  const excess = isCrowded ? Math.floor(count - limit * RESUME_SHARE) + 1 : 0;
  const silentAfterMs = SILENT_AFTER_MS / 2 ** fullChecks;
  const paid = paidAddresses();
  const isPaid = (address: string) => paid.has(address);
  const isLastResort = acceptor.isPaused || fullChecks >= FULL_CHECKS_MAX;
  const choice = { perAddressMax, silentAfterMs, excess, isLastResort, isProxy, isPaid };
  const chosen = connectionsToEnd(table.list(), choice);
  for (const connection of chosen) table.end(connection);
  if (chosen.length > 0) onEnded(chosen.length);
  return isCrowded && chosen.length >= excess;
}

/** Checks regularly, without keeping the process alive. @returns a function that stops the checks */
export function watchConnections(options: ConnectionCapOptions): () => void {
  let checks = 0;
  let fullChecks = 0;
  return every(CHECK_EVERY_MS, () => {
    try {
      checks += 1;
      const count = options.openCount();
      if (count === null) return;
      const isRelieved = endConnections(options, count, checks, fullChecks);
      fullChecks = pauseOrResume(options, count, fullChecks, isRelieved);
    } catch (error) {
      options.onError(error);
    }
  });
}

const DESCRIPTORS = '/proc/self/fd';

/**
 * Open file descriptors of this process. If no descriptor is left to read /proc with, returns `limit`;
 * without /proc, null.
 */
export function openDescriptorCount(limit: number): number | null {
  try {
    // Since Linux 6.2 the size of this folder is their number; before that it is 0, and they are listed.
    return statSync(DESCRIPTORS).size || readdirSync(DESCRIPTORS).length;
  } catch (error) {
    return isOutOfDescriptors(error) ? limit : null; // the system is not Linux
  }
}

/** The soft limit of file descriptors; infinite if /proc does not show it. */
export function descriptorLimit(): number {
  try {
    const match = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return match === null ? Number.POSITIVE_INFINITY : Number(match[1]);
  } catch {
    return Number.POSITIVE_INFINITY; // the system is not Linux
  }
}
