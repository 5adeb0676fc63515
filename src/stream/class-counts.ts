// How many streams the callers of each class have open on one HTTP thread. Each caller has a limit of its own
// (access/quotas/stream-places.ts), but strangers have any number of addresses, and anybody can get free
// keys. Without limits for their classes, they could take the places, memory and connections of customers.

import { networkTextOf } from '../access/client-address.ts';
import { classOf, type SharingPrincipal, sharerOf } from '../domain/tiers.ts';
import { FREE_STREAMS_OPEN_MAX, KEYLESS_STREAMS_OPEN_MAX } from './limits.ts';

/** The part of the streams without a key that one network may have. */
const NETWORK_PART = 1 / 4;

export class ClassCounts {
  readonly #max = {
    keyless: KEYLESS_STREAMS_OPEN_MAX,
    free: FREE_STREAMS_OPEN_MAX,
    paid: Number.POSITIVE_INFINITY,
  };
  readonly #open = { keyless: 0, free: 0, paid: 0 };
  /** Streams without a key by network: an IPv4 /24 or an IPv6 /48. */
  readonly #ofNetwork = new Map<string, number>();

  /**
   * Counts one more stream of a caller.
   * @returns the function that ends it, to be called once; null if the class, or the stranger's network, has
   * the most that it may have
   */
  add(principal: SharingPrincipal, clientAddress: string): (() => void) | null {
    const kind = classOf(sharerOf(principal) ?? { hasKey: false });
    if (this.#open[kind] >= this.#max[kind]) return null;
    const network = kind === 'keyless' ? networkTextOf(clientAddress) : null;
    if (network !== null && this.#of(network) >= this.#max.keyless * NETWORK_PART) return null;
    this.#open[kind] += 1;
    if (network !== null) this.#ofNetwork.set(network, this.#of(network) + 1);
    return () => {
      this.#open[kind] -= 1;
      if (network !== null) this.#leave(network);
    };
  }

  #of(network: string): number {
    return this.#ofNetwork.get(network) ?? 0;
  }

  #leave(network: string): void {
    const left = this.#of(network) - 1;
    if (left > 0) this.#ofNetwork.set(network, left);
    else this.#ofNetwork.delete(network);
  }
}
