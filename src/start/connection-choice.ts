// Which connections end when there are too many: what one address has beyond its share, and near the limit of descriptors
// those that never got an answer, then idle ones of whoever has most. A customer's few idle connections stay.

import type { OpenConnection } from './open-connections.ts';

/** A connection without an answer counts as silent from then on; before, it may just be slow. */
const SILENT_AFTER_MS = 250;
/** Nobody with as few connections loses one that was answered. */
const FAIR_COUNT = 32;

export interface ChoiceOptions {
  /** Connections that one address may have. */
  readonly perAddressMax: number;
  /** How many have to go besides, to be far enough from the limit of descriptors. */
  readonly excess: number;
  /** Addresses that stand for many clients: trusted proxies. They have no share of their own. */
  readonly isProxy: (address: string) => boolean;
}

/** @returns the connections to end, each once */
export function connectionsToEnd(
  connections: readonly OpenConnection[],
  { perAddressMax, excess, isProxy }: ChoiceOptions,
): OpenConnection[] {
  const byAddress = Map.groupBy(connections, ({ address }) => address);
  const ended = new Set<OpenConnection>();
  for (const [address, own] of byAddress) {
    if (own.length <= perAddressMax || isProxy(address)) continue;
    const ordered = own.toSorted(worstFirst);
    for (const connection of ordered.slice(0, own.length - perAddressMax)) ended.add(connection);
  }
  const countOf = ({ address }: OpenConnection) => byAddress.get(address)?.length ?? 0;
  const goals = ended.size + Math.max(0, excess - ended.size);
  const silent = connections.filter(({ isAnswered, silentMs }) => !isAnswered && silentMs >= SILENT_AFTER_MS);
  const crowd = connections.filter(
    (one) => one.isAnswered && countOf(one) > FAIR_COUNT && !isProxy(one.address),
  );
  for (const group of [silent, crowd]) {
    for (const connection of group.toSorted((a, b) => countOf(b) - countOf(a) || worstFirst(a, b))) {
      if (ended.size >= goals) return [...ended];
      ended.add(connection);
    }
  }
  return [...ended];
}

/** Those without an answer first, then those that were silent for longest. */
function worstFirst(a: OpenConnection, b: OpenConnection): number {
  return Number(a.isAnswered) - Number(b.isAnswered) || b.silentMs - a.silentMs;
}
