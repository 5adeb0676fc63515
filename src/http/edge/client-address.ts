// Who a request comes from: the peer's address or, behind trusted proxies only, the last untrusted X-Forwarded-For hop.

import { BlockList, isIP } from 'node:net';

export class ClientAddresses {
  readonly #trusted: BlockList | null;

  /**
   * @param trustedProxies addresses or CIDR ranges
   * @throws Error on an entry that is neither
   */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.length === 0 ? null : toBlockList(trustedProxies);
  }

  /** @param peer address of the connection's other end, null when unknown */
  of(peer: string | null, request: Request): string {
    const direct = normalised(peer ?? 'unknown');
    if (this.#trusted === null || !this.#isTrusted(direct)) return direct;
    const forwarded = request.headers.get('x-forwarded-for');
    if (forwarded === null) return direct;
    let client = direct;
    for (const hop of forwarded.split(',').reverse()) {
      const address = normalised(hop.trim());
      if (isIP(address) === 0) break;
      client = address;
      if (!this.#isTrusted(address)) break;
    }
    return client;
  }

  #isTrusted(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#trusted?.check(address, family === 6 ? 'ipv6' : 'ipv4') === true;
  }
}

/** An IPv4 address that came through an IPv6 socket is the IPv4 address. */
function normalised(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    const widest = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? widest : Number(bits);
    if (family === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > widest) {
      throw new Error(`Cannot trust proxy "${entry}": not an address or a range`);
    }
    list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
