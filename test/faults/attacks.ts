// Attacks that read slowly or send heavy requests, nearly all without a key, each bounded in count and time.
// Tests run small versions; `bun test/faults/run-attacks.ts <name>` runs them in full and measures the
// answers to a customer meanwhile.

import { type AttackSite, RawClient } from './attack-site.ts';
import { someBookmakers, strangers } from './strangers.ts';
import { pastInstant } from './wire-attacks.ts';
import { get, post } from './wire-text.ts';

export interface AttackSize {
  /** How many client addresses. */
  readonly addresses: number;
  /** Requests per address. */
  readonly each: number;
  readonly seconds: number;
}

/** The requests of one attack. */
interface Attack {
  /** Whether its clients read their answers. */
  readonly reads: boolean;
  readonly hasKey?: boolean;
  request(index: number): { readonly path: string; readonly body?: unknown };
}

const TOOL = '/v1/mcp/list_movers';

export const ATTACKS = {
  /** Unread streams, each with a different tick. */
  unreadStreams: {
    reads: false,
    request: (index) => ({ path: `/v1/stream?tick_ms=${5_000 + index}` }),
  },
  /** Streams with different filters, so that no two have the same bytes. */
  unreadViews: {
    reads: false,
    request: (index) => ({
      path: `/v1/stream?tick_ms=${5_000 + index}&bookmakers=${someBookmakers(index)}`,
    }),
  },
  /** Requests for the whole slate, whose answers are not read. */
  slowReaders: { reads: false, request: () => ({ path: '/v1/odds' }) },
  /** Requests for the slate under different filters, whose answers are not read. */
  slowViews: {
    reads: false,
    request: (index) => ({ path: `/v1/odds?bookmakers=${someBookmakers(index)}` }),
  },
  /** The same scan of the slate from all clients. */
  sweeps: {
    reads: true,
    request: () => ({ path: TOOL, body: { market_type: '1x2' } }),
  },
  /** Scans of the slate that are all different. */
  differentSweeps: {
    reads: true,
    request: (index) => ({ path: TOOL, body: { minutes: 1 + (index % 60), limit: 1 + (index % 97) } }),
  },
  /** The whole slate at instants of the past that are all different. */
  pastSlates: {
    reads: true,
    request: (index) => ({ path: `/v1/odds?at=${pastInstant(index)}` }),
  },
  /** One key that sends many scans at once. */
  oneKey: {
    reads: true,
    hasKey: true,
    request: (index) => ({ path: TOOL, body: { minutes: 1 + (index % 60), limit: 1 + (index % 97) } }),
  },
} as const satisfies Record<string, Attack>;
export type AttackName = keyof typeof ATTACKS;

/** Connects all clients first, so that their requests come at once. */
export async function openAll(site: AttackSite, attack: Attack, size: AttackSize): Promise<RawClient[]> {
  const headers = attack.hasKey ? [`Authorization: Bearer ${site.attackerKey}`] : [];
  const addresses = strangers(site.nextBlock(), size.addresses);
  const clients: RawClient[] = [];
  for (let index = 0; index < size.addresses * size.each; index++) {
    const localAddress = site.trustsHeaders ? undefined : addresses[index % addresses.length]!;
    clients.push(await RawClient.open(site.port, { reads: attack.reads, localAddress }));
  }
  for (const [index, client] of clients.entries()) {
    const { path, body } = attack.request(index);
    const address = addresses[index % addresses.length]!;
    const text =
      body === undefined ? get(path, address, headers) : post(path, address, JSON.stringify(body), headers);
    client.send(text);
  }
  return clients;
}
