// IP addresses and ranges of them as text, parsed strictly: an IPv4 address has four decimal numbers, and one that came
// through an IPv6 socket (`::ffff:1.2.3.4`) is the IPv4 address.

import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Bits of an IPv6 address before the IPv4 address that it stands for. */
const IPV4_PREFIX_BITS = 96;

/** The address, or null when the text is none. A zone such as `%eth0` is allowed. */
export function parseAddress(text: string): IpAddress | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.process(text);
}

/**
 * An address or a range as address/bits, as what `match` of an address takes; null when the text is neither, and null for
 * what begins as a range of IPv4 addresses written as IPv6 ones and is wider than all of them, as `::ffff:0:0/95` is: whoever
 * writes it means IPv4 addresses, and it would hold none.
 */
export function parseAddressRange(text: string): [IpAddress, number] | null {
  const address = parseAddress(text);
  if (address !== null) return [address, address.kind() === 'ipv4' ? 32 : 128];
  const isRange = ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
  if (!isRange) return null;
  const [base, bits] = ipaddr.parseCIDR(text);
  if (!(base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress())) return [base, bits];
  // An address of such a range is an IPv4 address by the time it is compared.
  return bits < IPV4_PREFIX_BITS ? null : [base.toIPv4Address(), bits - IPV4_PREFIX_BITS];
}

/** Whether the address lies in one of the ranges, as `parseAddressRange` gives them. */
export function isInRanges(address: IpAddress, ranges: readonly (readonly [IpAddress, number])[]): boolean {
  return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/** Whether a host or an address is this machine's own: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(host: string): boolean {
  const text = host.toLowerCase().replace(/^\[|\]$/g, '');
  return text === 'localhost' || parseAddress(text)?.range() === 'loopback';
}

/**
 * The network of an address, for logs that must not name a person: `203.0.113.0/24` of an IPv4 address, the /48 of an IPv6
 * address. A text that is no address stays as it is.
 */
export function networkOf(text: string): string {
  const address = parseAddress(text);
  if (address === null) return text;
  if (address.kind() === 'ipv4') return `${address.toString().replace(/\d+$/, '0')}/24`;
  const groups = address.toByteArray().map((byte, index) => (index < 6 ? byte : 0));
  return `${ipaddr.fromByteArray(groups).toString()}/48`;
}
