// What the main thread watches while its workers serve: memory, open connections, and connections whose peer
// reads nothing.

import { PaidAddresses } from '../access/paid-addresses.ts';
import { attachAccessMemory } from '../access/quotas/memory.ts';
import { streamCountOf } from '../access/quotas/stream-places.ts';
import { systemClock } from '../clock.ts';
import { isInRanges, parseAddress, parseAddressRange } from '../ip-address.ts';
import { BoundedLog, type Log } from '../log.ts';
import { descriptorLimit, openDescriptorCount, watchConnections } from '../platform/connection-watch.ts';
import { watchMemory } from '../platform/memory-watch.ts';
import { connectionTableOf } from '../platform/open-connections.ts';
import { addressOf, watchUnread } from '../platform/unread-watch.ts';
import type { Config } from '../settings/config.ts';
import type { ServingWorkers } from './serving-workers.ts';

export interface ServingWatchesOptions {
  /** The settings of a listening server, with its port. */
  readonly config: Config;
  readonly log: Log;
  readonly workers: ServingWorkers;
  /** Asks every worker to collect garbage. */
  readonly collect: () => void;
  readonly accessMemory: SharedArrayBuffer;
  readonly streamMemory: SharedArrayBuffer;
}

/** Starts watching. @returns a function that stops it */
export function watchServing({
  config,
  log,
  workers,
  collect,
  accessMemory,
  streamMemory,
}: ServingWatchesOptions): () => void {
  const endMemoryWatch = watchMemory(collect);
  const endedLog = new BoundedLog(log, systemClock, { countMax: 10, windowMs: 60_000 });
  const limit = descriptorLimit();
  const { paid, seed } = attachAccessMemory(accessMemory);
  const paidAddresses = new PaidAddresses(paid, seed);
  const endConnectionWatch = watchConnections({
    acceptor: workers,
    openCount: () => openDescriptorCount(limit),
    limit,
    table: connectionTableOf(config.port, limit),
    perAddressMax: config.connectionsPerAddress ?? Math.max(256, Math.floor(limit / 8)),
    isProxy: proxies(config.trustedProxies),
    paidAddresses: () => paidAddresses.list(Math.floor(systemClock.wallMs() / 1_000)),
    onEnded: (count) => endedLog.warn('connections_ended', { count }),
    onChange: (isPaused, openCount) =>
      log.error(isPaused ? 'accepting_paused' : 'accepting_resumed', { openCount }),
    onError: (error) => log.error('connection_watch_failed', { error: String(error) }),
  });
  const endUnreadWatch = watchUnread({
    port: config.port,
    streamCount: () => streamCountOf(streamMemory),
    monotonicMs: systemClock.monotonicMs,
    onStuck: (peers) => workers.stuck(peers),
    onError: (error) => log.error('unread_watch_failed', { error: String(error) }),
  });
  return () => {
    endMemoryWatch();
    endConnectionWatch();
    endUnreadWatch();
  };
}

/** A function that tests whether an address, in the notation of /proc/net/tcp, is a trusted proxy's. */
function proxies(trusted: readonly string[]): (address: string) => boolean {
  const ranges = trusted.map(parseAddressRange).filter((range) => range !== null);
  return (hex) => {
    const address = parseAddress(addressOf(hex));
    return address !== null && isInRanges(address, ranges);
  };
}
