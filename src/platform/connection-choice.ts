// Chooses which connections to close when there are too many. If a client exceeds its share, its surplus is
// closed. Near the limit of file descriptors, connections that never got a response are closed first, then
// idle ones of the clients with the most connections. If that is not enough, and accepting would have to
// pause, clients with few connections lose idle ones too. Addresses that paid keys were used from lose idle
// connections last, and only addresses with many connections do. So strangers in many networks, each with few
// connections, cannot take the connections of a customer with forty. A client is an address or, for IPv6, a
// /48. Anybody can get a /48, and could otherwise open one connection from each of its 65,536 networks.
//
// Connections are also closed if their unfinished requests may take too much memory. Until the headers of a
// request have arrived in full, Bun keeps them in memory that counts against no budget of ours: 13,000
// connections with 15 KB of headers each took 305 MB.
//
// It may be removed together with connection-watch.ts.

import type { OpenConnection } from './open-connections.ts';

/** A connection without a response counts as silent after this time; before, it may just be slow. */
export const SILENT_AFTER_MS = 250;
/** A client with at most this many connections has few. */
const FAIR_COUNT = 32;

/** The most bytes of unfinished headers that Bun keeps for a connection. Longer headers are refused. */
const UNFINISHED_BYTES_MAX = 16 * 1024;
/**
 * Maximum bytes of unfinished headers on all connections together, up to UNFINISHED_BYTES_MAX for each. While
 * a client waits for an answer, all that it has sent on that connection counts, because it is unknown how
 * much of it is unfinished. Connections of proxies, and of addresses that paid keys were used from, do not
 * count. When the maximum is exceeded, connections of the clients with the most such bytes are closed.
 */
const UNFINISHED_TOTAL_BYTES_MAX = 64 * 1024 * 1024;
/** With at most this many connections, unfinished headers cannot exceed their maximum. */
export const UNFINISHED_COUNT_MAX = UNFINISHED_TOTAL_BYTES_MAX / UNFINISHED_BYTES_MAX;

/** How /proc/net/tcp6 begins the address of an IPv4 client. */
const MAPPED_IPV4 = '0000000000000000FFFF0000';
const IPV6_DIGITS = 32;

export interface ChoiceOptions {
  /** The most connections that one client may have. */
  readonly perAddressMax: number;
  /** Milliseconds after which a connection without a response counts as silent; default SILENT_AFTER_MS. */
  readonly silentAfterMs?: number;
  /** How many connections to close in total, at least, to get far enough below the limit of descriptors. */
  readonly excess: number;
  /**
   * Whether an address stands for many clients, as a trusted proxy does. Such an address has no share of its
   * own.
   */
  readonly isProxy: (address: string) => boolean;
  /** Whether other ways to stay below the limit have failed. */
  readonly isLastResort: boolean;
  /** Whether a live key of a paid plan was used from an address lately. */
  readonly isPaid: (address: string) => boolean;
}

/** @returns the connections to close, each once */
export function connectionsToEnd(
  connections: readonly OpenConnection[],
  { perAddressMax, silentAfterMs = SILENT_AFTER_MS, excess, ...options }: ChoiceOptions,
): OpenConnection[] {
  const { isLastResort, isProxy, isPaid } = options;
  const clients = [...clientsOf(connections, isProxy)];
  const countOfClient = new Map<OpenConnection, number>();
  const ended = new Set<OpenConnection>();
  for (const own of clients) {
    for (const connection of own) countOfClient.set(connection, own.length);
    if (own.length <= perAddressMax) continue;
    const ordered = own
      .filter(({ address }) => !isProxy(address))
      .sort((a, b) => Number(isPaid(a.address)) - Number(isPaid(b.address)) || worstFirst(a, b));
    for (const connection of ordered.slice(0, own.length - perAddressMax)) ended.add(connection);
  }
  endUnfinished(clients, ended, (address) => isProxy(address) || isPaid(address));
  const countOf = (connection: OpenConnection) => countOfClient.get(connection) ?? 0;
  const goal = Math.max(ended.size, excess);
  const silent = connections.filter(({ isAnswered, silentMs }) => !isAnswered && silentMs >= silentAfterMs);
  const answered = connections.filter((one) => one.isAnswered && !isProxy(one.address));
  const unpaid = answered.filter(({ address }) => !isPaid(address));
  const isCrowd = (one: OpenConnection) => countOf(one) > FAIR_COUNT;
  const paidCrowd = answered.filter((one) => isPaid(one.address) && isCrowd(one));
  for (const group of isLastResort ? [silent, unpaid, paidCrowd] : [silent, unpaid.filter(isCrowd)]) {
    for (const connection of group.toSorted((a, b) => countOf(b) - countOf(a) || worstFirst(a, b))) {
      if (ended.size >= goal) return [...ended];
      ended.add(connection);
    }
  }
  return [...ended];
}

/**
 * Adds the connections that must close because unfinished headers may take too much memory. Clients with more
 * than an equal share keep that share; what clients with less leave is divided among the others.
 */
function endUnfinished(
  clients: readonly (readonly OpenConnection[])[],
  ended: Set<OpenConnection>,
  isSpared: (address: string) => boolean,
): void {
  const shares = clients.map((own) => {
    const open = own.filter((one) => !ended.has(one) && !isSpared(one.address));
    return { open, bytes: open.reduce((sum, one) => sum + unfinishedBytesOf(one), 0) };
  });
  shares.sort((left, right) => left.bytes - right.bytes);
  let leftBytes = UNFINISHED_TOTAL_BYTES_MAX;
  for (const [index, { open, bytes }] of shares.entries()) {
    const shareBytes = leftBytes / (shares.length - index);
    let keptBytes = bytes;
    if (bytes > shareBytes) {
      for (const connection of open.filter((one) => unfinishedBytesOf(one) > 0).sort(worstFirst)) {
        if (keptBytes <= shareBytes) break;
        ended.add(connection);
        keptBytes -= unfinishedBytesOf(connection);
      }
    }
    leftBytes -= keptBytes;
  }
}

function unfinishedBytesOf({ unfinishedBytes }: OpenConnection): number {
  return Math.min(unfinishedBytes, UNFINISHED_BYTES_MAX);
}

/**
 * The connections of each client. A proxy with many is a client of its own, so that its connections do not
 * count against its neighbours.
 */
function clientsOf(
  connections: readonly OpenConnection[],
  isProxy: ChoiceOptions['isProxy'],
): Iterable<OpenConnection[]> {
  const byAddress = Map.groupBy(connections, ({ address }) => address);
  const clientOf = new Map<string, string>();
  for (const [address, { length }] of byAddress) {
    clientOf.set(address, length > FAIR_COUNT && isProxy(address) ? address : networkOf(address));
  }
  return Map.groupBy(connections, ({ address }) => clientOf.get(address)).values();
}

/**
 * The /48 of an IPv6 address; any other address as it is. Addresses are as in /proc/net/tcp6: four words of
 * eight hexadecimal digits, each with its bytes reversed. So bytes five and six of the address are the last
 * four digits of the second word.
 */
function networkOf(address: string): string {
  if (address.length !== IPV6_DIGITS || address.startsWith(MAPPED_IPV4)) return address;
  return address.slice(0, 8) + address.slice(12, 16);
}

/** Connections without a response first, then those silent for longest. */
function worstFirst(a: OpenConnection, b: OpenConnection): number {
  return Number(a.isAnswered) - Number(b.isAnswered) || b.silentMs - a.silentMs;
}
