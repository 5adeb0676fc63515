// What attackers write on a connection, as text or bytes, and what they know when they connect.

/** How much longer than its set time an attack may wait for the statuses that its requests must get. */
export const LATE_SECONDS_MAX = 20;

export interface WireAttack {
  /** Whether the clients read the answers. */
  readonly reads: boolean;
  /** Whether each connection comes from another address. */
  readonly movesOn?: boolean;
  /** Whether a client ends its side of the connection as soon as it has written. */
  readonly halfCloses?: boolean;
  /** How long a client waits for its connection to end. Default: until it is answered. */
  readonly holdMs?: number;
  /** What a connection writes, in this order. */
  writes(facts: WireFacts): readonly (string | Uint8Array)[];
  /** What a connection writes after it has been answered, such as messages after the handshake. */
  readonly thenWrites?: (facts: WireFacts) => readonly (string | Uint8Array)[];
}

/** What an attacker knows when it connects. */
export interface WireFacts {
  /** The number of the connection, from 0. */
  readonly index: number;
  readonly address: string;
  /** The key of an attacker who is a customer. */
  readonly key: string;
  /** Keys of the free plan, which anybody can get. */
  readonly freeKeys: readonly string[];
  /** A cursor of the whole slate as a caller without a key sees it, from before the attack. */
  readonly cursor: string;
  /** The paths of the odds of some fixtures. */
  readonly oddsPaths: readonly string[];
  /** The session of an attacker who has an account of the free plan, and one of its alert rules. */
  readonly session: string;
  readonly alertId: string;
  /** Where that alert rule sends: an endpoint whose answer never ends. */
  readonly endpoint: string;
  /** A key of that account. */
  readonly keyId: string;
}

export function get(path: string, address: string, headers: readonly string[] = []): string {
  return head('GET', path, address, headers);
}

export function post(path: string, address: string, body: string, headers: readonly string[] = []): string {
  const framing = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return head('POST', path, address, [...framing, ...headers]) + body;
}

export function head(method: string, path: string, address: string, headers: readonly string[]): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `X-Forwarded-For: ${address}`, ...headers];
  return [...lines, '', ''].join('\r\n');
}

/** A WebSocket frame of a client, masked with zeros. @param first its first byte: flags and kind */
export function frameOf(first: number, payload: Uint8Array): Uint8Array {
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255];
  return Buffer.concat([Uint8Array.from([first, ...size, 0, 0, 0, 0]), payload]);
}
