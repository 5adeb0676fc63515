// Chooses which connections to close when there are too many. If an address exceeds its share, its surplus is
// closed. Near the limit of file descriptors, connections that never got a response go first, then idle ones
// of the addresses with the most connections. An address with few connections keeps its idle ones.
//
// It may be removed together with connection-watch.ts.

import type { OpenConnection } from './open-connections.ts';

/** A connection without a response counts as silent after this time; before, it may just be slow. */
export const SILENT_AFTER_MS = 250;
/** An address with at most this many connections loses none that has had a response. */
const FAIR_COUNT = 32;

export interface ChoiceOptions {
  /** The most connections that one address may have. */
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
}

/** @returns the connections to close, each once */
export function connectionsToEnd(
  connections: readonly OpenConnection[],
  { perAddressMax, silentAfterMs = SILENT_AFTER_MS, excess, isProxy }: ChoiceOptions,
): OpenConnection[] {
  const byAddress = Map.groupBy(connections, ({ address }) => address);
  const ended = new Set<OpenConnection>();
  for (const [address, own] of byAddress) {
    if (own.length <= perAddressMax || isProxy(address)) continue;
    const ordered = own.toSorted(worstFirst);
    for (const connection of ordered.slice(0, own.length - perAddressMax)) ended.add(connection);
  }
  const countOf = ({ address }: OpenConnection) => byAddress.get(address)?.length ?? 0;
  const goal = Math.max(ended.size, excess);
  const silent = connections.filter(({ isAnswered, silentMs }) => !isAnswered && silentMs >= silentAfterMs);
  const crowd = connections.filter(
    (one) => one.isAnswered && countOf(one) > FAIR_COUNT && !isProxy(one.address),
  );
  for (const group of [silent, crowd]) {
    for (const connection of group.toSorted((a, b) => countOf(b) - countOf(a) || worstFirst(a, b))) {
      if (ended.size >= goal) return [...ended];
      ended.add(connection);
    }
  }
  return [...ended];
}

/** Connections without a response first, then those silent for longest. */
function worstFirst(a: OpenConnection, b: OpenConnection): number {
  return Number(a.isAnswered) - Number(b.isAnswered) || b.silentMs - a.silentMs;
}
