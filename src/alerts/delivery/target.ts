// Where a delivery may go. A rule's URL comes from a stranger, who could try to make the server call machines
// that only the server can reach. So the URL is checked when the rule is made, and each address that its name
// resolves to is checked before each delivery.

import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../../errors.ts';
import { type IpAddress, isInRanges, parseAddress, parseAddressRange } from '../../ip-address.ts';

/**
 * Ports below this belong to well-known services that a POST request could confuse. All but 80 and 443 are
 * refused.
 */
const PORTS_FROM = 1_024;

/** Public addresses at which a cloud serves only its own machines: Azure's wire server. */
const METADATA_ADDRESSES = ['168.63.129.16'];

/** Hosts and ranges that the operator allows: http and private addresses work for them. */
export interface AllowedTargets {
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly (readonly [IpAddress, number])[];
}

export function allowedTargets(entries: readonly string[]): AllowedTargets {
  const ranges = entries.map(parseAddressRange);
  return {
    hosts: new Set(entries.filter((_, index) => ranges[index] === null).map((host) => host.toLowerCase())),
    ranges: ranges.filter((range) => range !== null),
  };
}

export interface AlertTarget {
  readonly isSecure: boolean;
  /** A name, or an address without brackets. */
  readonly host: string;
  /** The address in the URL; null when the URL has a host name, which must be resolved. */
  readonly address: IpAddress | null;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** The URL as it is stored: without fragment, its host in ASCII. */
  readonly href: string;
}

/**
 * Reads a URL by the WHATWG rules, which turn decimal, octal, hexadecimal and short IPv4 forms and Unicode
 * digits into four decimal numbers, and refuse IPv6 zones.
 * @throws ServiceError `invalid_request`
 */
export function alertTarget(text: string, allowed: AllowedTargets): AlertTarget {
  const url = URL.parse(text);
  if (url === null) throw refused('it is not a URL', 'Send a full URL, such as https://hooks.example.com/a');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refused('it is neither https nor http', 'Send a URL that starts with https://');
  }
  if (url.username !== '' || url.password !== '') {
    throw refused('it has a user name or password', 'Drop what is before the @; put a token into the path');
  }
  url.hash = '';
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  const address = parseAddress(host);
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  if (port < PORTS_FROM && port !== 80 && port !== 443) {
    throw refused(`port ${port} is not allowed`, `Use 80, 443 or a port from ${PORTS_FROM} on`);
  }
  const target = { isSecure, host, address, port, path: url.pathname + url.search, href: url.href };
  // A name may resolve to an address in an allowed range, but only the delivery resolves it. Until then, the
  // name is not refused.
  const mayBeAllowed =
    isAllowedHost(target, allowed) || (address === null && allowed.ranges.length > 0 && host !== 'localhost');
  if (!isSecure && !mayBeAllowed && !(address !== null && isInRanges(address, allowed.ranges))) {
    throw refused('it is not https', 'Use https, or ask the operator to name the host in ALERTS_ALLOW');
  }
  if (address !== null) {
    const reason = addressRefusal(target, address, allowed);
    if (reason !== null) throw refused(reason, PRIVATE_FIX);
  } else if (/^localhost$|\.localhost$/.test(host) && !isAllowedHost(target, allowed)) {
    throw refused('it is this machine', PRIVATE_FIX);
  }
  return target;
}

const PRIVATE_FIX = 'Use a public address, or ask the operator to name the host or its range in ALERTS_ALLOW';

/**
 * The reason to refuse an address that a target's name resolved to; null when sending to it is allowed.
 * @param own the addresses and networks of this machine
 */
export function addressRefusal(
  target: Pick<AlertTarget, 'host' | 'isSecure'>,
  address: IpAddress,
  allowed: AllowedTargets,
  own: readonly (readonly [IpAddress, number])[] = ownNetworks(),
): string | null {
  if (isAllowedHost(target, allowed) || isInRanges(address, allowed.ranges)) return null;
  if (!target.isSecure) return 'the URL is not https, and ALERTS_ALLOW does not name its host';
  if (isInRanges(address, own)) return 'it is this machine or its network';
  return isPublic(address) ? null : 'its address is not public';
}

/** Whether an address is on the public Internet. Every special range is refused. */
function isPublic(address: IpAddress): boolean {
  if (METADATA_ADDRESSES.includes(address.toString())) return false;
  // ipaddr.js has a name for each special range: loopback, private, link-local, unique local, multicast,
  // carrier NAT, benchmarks, and mapped and translated addresses (6to4, Teredo, NAT64). All others are
  // `unicast`.
  if (address.range() !== 'unicast') return false;
  // Only 2000::/3 of IPv6 is assigned so far. The rest contains IPv4-compatible and local translation
  // prefixes.
  return address instanceof ipaddr.IPv4 || (address.parts[0]! & 0xe000) === 0x2000;
}

/** This machine's addresses with their networks. */
function ownNetworks(): [IpAddress, number][] {
  return Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.flatMap(({ cidr }) => {
      const range = cidr === null ? null : parseAddressRange(cidr);
      return range === null ? [] : [range];
    }),
  );
}

function isAllowedHost({ host }: Pick<AlertTarget, 'host'>, { hosts }: AllowedTargets): boolean {
  return hosts.has(host.toLowerCase());
}

function refused(problem: string, fix: string): ServiceError {
  return new ServiceError('invalid_request', `Cannot send alerts to this URL: ${problem}`, { fix });
}
