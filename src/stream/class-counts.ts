// How many streams the callers of each class have open on one HTTP thread. Each caller has a limit of its own
// (access/quotas/stream-places.ts), but strangers have any number of addresses, anybody can get free keys,
// and an account has many keys. Strangers and free keys could take the places, memory and connections of
// customers, so each class has a limit. A single customer could do the same, so each account has one too.

import { networkTextOf } from '../access/client-address.ts';
import { classOf, type SharingPrincipal, sharerOf } from '../domain/tiers.ts';
import { FREE_STREAMS_OPEN_MAX, KEYLESS_STREAMS_OPEN_MAX, PAID_STREAMS_OPEN_MAX } from './limits.ts';

const OPEN_MAX = {
  keyless: KEYLESS_STREAMS_OPEN_MAX,
  free: FREE_STREAMS_OPEN_MAX,
  paid: PAID_STREAMS_OPEN_MAX,
} as const;

/** The part of its class that one caller may have: a network without a key, or the keys of an account. */
const CALLER_PART = { keyless: 1 / 4, free: 1, paid: 1 / 3 } as const;

export class ClassCounts {
  readonly #open = { keyless: 0, free: 0, paid: 0 };
  /** Streams by account or, without a key, by network: an IPv4 /24 or an IPv6 /48. */
  readonly #ofCaller = new Map<string, number>();

  /**
   * Counts one more stream of a caller.
   * @returns the function that ends the stream, to be called once; or which limit is reached: that of the
   * class, or that of the caller's account or network
   */
  add(principal: SharingPrincipal, clientAddress: string): (() => void) | 'class_full' | 'caller_full' {
    const sharer = sharerOf(principal);
    const kind = classOf(sharer ?? { hasKey: false });
    if (this.#open[kind] >= OPEN_MAX[kind]) return 'class_full';
    const caller = `${kind} ${sharer?.name ?? networkTextOf(clientAddress)}`;
    const count = this.#ofCaller.get(caller) ?? 0;
    if (count >= Math.floor(OPEN_MAX[kind] * CALLER_PART[kind])) return 'caller_full';
    this.#open[kind] += 1;
    this.#ofCaller.set(caller, count + 1);
    return () => {
      this.#open[kind] -= 1;
      this.#leave(caller);
    };
  }

  #leave(caller: string): void {
    const left = this.#ofCaller.get(caller)! - 1;
    if (left > 0) this.#ofCaller.set(caller, left);
    else this.#ofCaller.delete(caller);
  }
}
