// Which client a request comes from, and the 64-bit subject under which that client is counted. The client is
// the peer or, behind trusted proxies only, the last untrusted X-Forwarded-For hop. The subject is an IPv4
// address, or the /64 of an IPv6 address.

import { TextMemory } from '../domain/texts/text-memory.ts';
import { type IpAddress, isInRanges, parseAddress, parseAddressRange } from '../ip-address.ts';

/**
 * The 64-bit number under which a client is counted: two unsigned 32-bit halves, as Int32. The high half is
 * never 0, because 0 marks an empty slot.
 */
export interface Subject {
  readonly high: number;
  readonly low: number;
}

/**
 * The high half of IPv4 addresses. RFC 4291 leaves 0000::/8 unassigned, so no IPv6 client has the same
 * subject.
 */
const IPV4_HIGH = 0x00ff_0000;
/**
 * Everything that is not a client's address (a Unix socket, an unreadable address, multicast) shares one
 * subject.
 */
const UNKNOWN: Subject = { high: 0x00fe_0000, low: 0 };
/** The subject of ::/32, which is reserved: in practice it holds only `::1`. */
const LOOPBACK_IPV6: Subject = { high: 0x00fd_0000, low: 1 };

/**
 * Maximum number of pairs of a peer and its X-Forwarded-For whose client is remembered, because parsing
 * addresses takes a third of the time of a polling request. When it is reached, all are forgotten.
 */
const REMEMBERED_MAX = 1_024;
const REMEMBERED_CHARS_MAX = 256;

export class ClientAddresses {
  readonly #trusted: readonly [IpAddress, number][];
  readonly #remembered = new TextMemory<string>(REMEMBERED_MAX, REMEMBERED_CHARS_MAX);

  /**
   * @param trustedProxies addresses or CIDR ranges
   * @throws Error if an entry is neither
   */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.map((entry) => {
      const range = parseAddressRange(entry);
      if (range === null) throw new Error(`Cannot trust proxy "${entry}": not an address or a range`);
      return range;
    });
  }

  /**
   * The address of a request's client, as text; `unknown` if the address of the peer is unknown.
   * @param peer address of the other end of the connection, null if unknown
   */
  of(peer: string | null, request: Request): string {
    if (peer === null) return 'unknown';
    const hasProxies = this.#trusted.length > 0;
    // Without proxies nothing needs parsing, except that an IPv6 socket shows an IPv4 peer as ::ffff:a.b.c.d.
    if (!hasProxies && !peer.startsWith('::ffff:')) return peer;
    const forwarded = hasProxies ? (request.headers.get('x-forwarded-for') ?? '') : '';
    const pair = `${peer} ${forwarded}`;
    const known = this.#remembered.get(pair);
    if (known !== undefined) return known;
    return this.#remembered.put(pair, hasProxies ? this.#find(peer, forwarded) : textOf(peer));
  }

  #find(peer: string, forwarded: string): string {
    let client = parseAddress(peer);
    if (client === null) return peer;
    const hops = forwarded.split(',');
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

/** The subject under which a client address is counted. A zone (`fe80::1%eth0`) is ignored. */
export function subjectOfAddress(text: string): Subject {
  const address = parseAddress(text);
  if (address === null) return UNKNOWN;
  const bytes = new DataView(Uint8Array.from(address.toByteArray()).buffer);
  if (address.kind() === 'ipv4') return { high: IPV4_HIGH, low: bytes.getInt32(0) };
  if (address.range() === 'multicast') return UNKNOWN;
  const high = bytes.getInt32(0);
  return high === 0 ? LOOPBACK_IPV6 : { high, low: bytes.getInt32(4) };
}

/**
 * The subject of an IPv6 address' /48, distinct from the subject of every single address. Null for IPv4, for
 * loopback, and for a text that is not an address.
 */
export function networkSubjectOf(text: string): Subject | null {
  if (!text.includes(':')) return null;
  const address = parseAddress(text);
  if (address === null || address.kind() === 'ipv4' || address.range() === 'loopback') return null;
  const { high, low } = subjectOfAddress(text);
  // Flipping the first bit gives an unassigned address, so no /64 has the same subject.
  return { high: high ^ (1 << 31), low: low & 0xffff_0000 };
}

/** The subject as text, for throttles keyed by text. */
export function subjectTextOf(address: string): string {
  const { high, low } = subjectOfAddress(address);
  return `${(high >>> 0).toString(16)}:${(low >>> 0).toString(16)}`;
}

/** The network that one customer of a provider can easily get, as text: the /24 of IPv4, the /48 of IPv6. */
export function networkTextOf(address: string): string {
  const { high, low } = networkSubjectOf(address) ?? subjectOfAddress(address);
  const network = high === IPV4_HIGH ? low & 0xffff_ff00 : low;
  return `${(high >>> 0).toString(16)}:${(network >>> 0).toString(16)}`;
}

function textOf(address: string): string {
  return parseAddress(address)?.toString() ?? address;
}
