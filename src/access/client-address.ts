// Who a request comes from (the peer or, behind trusted proxies only, the last untrusted X-Forwarded-For hop), and the
// 64-bit subject that a client address is counted under: an IPv4 address, or the /64 of an IPv6 address.

import { type IpAddress, isInRanges, parseAddress, parseAddressRange } from '../ip-address.ts';

/** Two unsigned 32-bit halves, as Int32. The high half is never 0, which marks an empty slot. */
export interface Subject {
  readonly high: number;
  readonly low: number;
}

/** The high half of IPv4 addresses. RFC 4291 leaves 0000::/8 unassigned, so no IPv6 client has the same subject. */
const IPV4_HIGH = 0x00ff_0000;
/** Everything that is no client's address (a Unix socket, a broken proxy header, multicast) shares one subject. */
const UNKNOWN: Subject = { high: 0x00fe_0000, low: 0 };
/** ::/32 is reserved; in practice it holds only `::1`. */
const LOOPBACK_IPV6: Subject = { high: 0x00fd_0000, low: 1 };

export class ClientAddresses {
  readonly #trusted: readonly [IpAddress, number][];

  /**
   * @param trustedProxies addresses or CIDR ranges
   * @throws Error on an entry that is neither
   */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.map((entry) => {
      const range = parseAddressRange(entry);
      if (range === null) throw new Error(`Cannot trust proxy "${entry}": not an address or a range`);
      return range;
    });
  }

  /** @param peer address of the connection's other end, null when unknown */
  of(peer: string | null, request: Request): string {
    if (peer === null) return 'unknown';
    // Without proxies nothing is parsed: one short cut for what an IPv6 socket says of an IPv4 peer.
    if (this.#trusted.length === 0) return peer.startsWith('::ffff:') ? textOf(peer) : peer;
    let client = parseAddress(peer);
    if (client === null) return peer;
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',');
    while (this.#isTrusted(client)) {
      const hop = parseAddress(hops.pop()?.trim() ?? '');
      if (hop === null) break;
      client = hop;
    }
    return client.toString();
  }

  #isTrusted(address: IpAddress): boolean {
    return isInRanges(address, this.#trusted);
  }
}

/** The subject that a client address is counted under. A zone (`fe80::1%eth0`) is ignored. */
export function subjectOfAddress(text: string): Subject {
  const address = parseAddress(text);
  if (address === null) return UNKNOWN;
  const bytes = new DataView(Uint8Array.from(address.toByteArray()).buffer);
  if (address.kind() === 'ipv4') return { high: IPV4_HIGH, low: bytes.getInt32(0) };
  if (address.range() === 'multicast') return UNKNOWN;
  const high = bytes.getInt32(0);
  return high === 0 ? LOOPBACK_IPV6 : { high, low: bytes.getInt32(4) };
}

/** The subject as text, for throttles that are keyed by one. */
export function subjectTextOf(address: string): string {
  const { high, low } = subjectOfAddress(address);
  return `${(high >>> 0).toString(16)}:${(low >>> 0).toString(16)}`;
}

function textOf(address: string): string {
  return parseAddress(address)?.toString() ?? address;
}
