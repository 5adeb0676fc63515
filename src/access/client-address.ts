// A client's IP address as the 64-bit subject of its bucket: an IPv4 address, or the /64 of an IPv6 address.

/** Two unsigned 32-bit halves, as Int32. Never 0/0, which marks an empty slot. */
export interface Subject {
  readonly high: number;
  readonly low: number;
}

/**
 * IPv4 addresses are kept inside 00ff::/64-sized numbers: RFC 4291 leaves 0000::/8 unassigned, so no IPv6 client can
 * have the same subject.
 */
const IPV4_HIGH = 0x00ff_0000;
/** Everything that is no client's address (a Unix socket, a broken proxy header, multicast) shares one subject. */
const UNKNOWN: Subject = { high: 0x00fe_0000, low: 0 };
/** ff00::/8. */
const MULTICAST_GROUP = 0xff00;
/** ::/64 holds only ::1 and ::, which would be 0/0. */
const LOOPBACK_IPV6: Subject = { high: 0x00fd_0000, low: 1 };

/**
 * The subject that a client address is counted under. IPv4-mapped IPv6 (`::ffff:1.2.3.4`) counts as IPv4; a zone
 * (`fe80::1%eth0`) is ignored.
 */
export function subjectOfAddress(address: string): Subject {
  if (!address.includes(':')) {
    const value = parseIpv4(address);
    return value === null ? UNKNOWN : { high: IPV4_HIGH, low: value };
  }
  const groups = parseIpv6(address);
  if (groups === null) return UNKNOWN;
  const [a, b, c, d, e, f, g, h] = groups as [number, number, number, number, number, number, number, number];
  if (a >= MULTICAST_GROUP) return UNKNOWN;
  const high = (a << 16) | b | 0;
  const low = (c << 16) | d | 0;
  if (high !== 0 || low !== 0) return { high, low };
  if (e === 0 && f === 0xffff) return { high: IPV4_HIGH, low: (g << 16) | h | 0 };
  return LOOPBACK_IPV6;
}

/** The subject as text, for throttles that are keyed by one. */
export function subjectTextOf(address: string): string {
  const { high, low } = subjectOfAddress(address);
  return `${(high >>> 0).toString(16)}:${(low >>> 0).toString(16)}`;
}

/** Int32 of a dotted quad, null when it is none. */
function parseIpv4(text: string): number | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  let value = 0;
  for (const part of parts) {
    if (!/^\d{1,3}$/.test(part)) return null;
    const byte = Number(part);
    if (byte > 255) return null;
    value = (value << 8) | byte;
  }
  return value | 0;
}

/** Eight 16-bit groups, null when the text is no IPv6 address. */
function parseIpv6(text: string): number[] | null {
  const zone = text.indexOf('%');
  const halves = (zone < 0 ? text : text.slice(0, zone)).split('::');
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0] ?? '');
  if (head === null) return null;
  if (halves.length === 1) return head.length === 8 ? head : null;
  const tail = parseGroups(halves[1] ?? '');
  if (tail === null || head.length + tail.length > 7) return null;
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function parseGroups(text: string): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes('.')) {
      const value = parseIpv4(part);
      if (value === null) return null;
      groups.push((value >>> 16) & 0xffff, value & 0xffff);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return null;
    }
  }
  return groups;
}
