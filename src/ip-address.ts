// Strict parsing of IP addresses and ranges. An IPv4 address has four decimal numbers; an address from an
// IPv6 socket such as `::ffff:1.2.3.4` is converted to IPv4.

import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Bits of an IPv4-mapped IPv6 address before the IPv4 part. */
const IPV4_PREFIX_BITS = 96;

/** The address, or null when the text is not one. A zone such as `%eth0` is allowed. */
export function parseAddress(text: string): IpAddress | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.process(text);
}

/**
 * Parses an address or a range (address/bits) into its address and the bits of its prefix (32 or 128 for a
 * single address); null when the text is neither. Also null for an IPv4-mapped range wider than all IPv4
 * addresses, such as `::ffff:0:0/95`: its author means IPv4 addresses, but it would match none.
 */
export function parseAddressRange(text: string): [IpAddress, number] | null {
  const address = parseAddress(text);
  if (address !== null) return [address, address.kind() === 'ipv4' ? 32 : 128];
  const isRange = ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
  if (!isRange) return null;
  const [base, bits] = ipaddr.parseCIDR(text);
  if (!(base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress())) return [base, bits];
  // Mapped addresses are converted to IPv4 before they are compared, so the range must be IPv4 too.
  return bits < IPV4_PREFIX_BITS ? null : [base.toIPv4Address(), bits - IPV4_PREFIX_BITS];
}

/** Whether the address is in one of the ranges, as returned by `parseAddressRange`. */
export function isInRanges(address: IpAddress, ranges: readonly (readonly [IpAddress, number])[]): boolean {
  return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/** Whether a host or an address is this machine's own: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(host: string): boolean {
  const text = host.toLowerCase().replace(/^\[|\]$/g, '');
  return text === 'localhost' || parseAddress(text)?.range() === 'loopback';
}

/**
 * The network of an address, for logs that must not identify a person: `203.0.113.0/24` for IPv4, the /48 for
 * IPv6. A text that is not an address is returned unchanged.
 */
export function networkOf(text: string): string {
  const address = parseAddress(text);
  if (address === null) return text;
  if (address.kind() === 'ipv4') return `${address.toString().replace(/\d+$/, '0')}/24`;
  const groups = address.toByteArray().map((byte, index) => (index < 6 ? byte : 0));
  return `${ipaddr.fromByteArray(groups).toString()}/48`;
}
