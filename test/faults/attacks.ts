// Attacks of callers without a key that read slowly or ask for much, each bounded in count and time. Tests run them small;
// `bun test/faults/run-attacks.ts <name> --full` runs them in full and prints what a customer sees meanwhile.

import { BOOKMAKER_KEYS, isSharpBookmaker } from '../../src/domain/catalogue.ts';
import { AttackSite, type Polled, RawClient, requestText, strangers } from './attack-site.ts';

export interface AttackResult {
  /** Polls of a key before and during the attack. */
  readonly quiet: Polled;
  readonly attacked: Polled;
  /** Its questions about the whole slate, or of the query thread. */
  readonly quietOther: Polled;
  readonly attackedOther: Polled;
  /** Of the requests of the attack, by status; `open` of those that had no answer. */
  readonly strangers: Readonly<Record<string, number>>;
  readonly startMb: number;
  readonly peakMb: number;
  readonly lostThreads: readonly string[];
}

export interface AttackSize {
  readonly fixtures: number;
  /** Client addresses. */
  readonly addresses: number;
  /** Requests of each. */
  readonly each: number;
  readonly seconds: number;
}

/** The requests of one attack. */
interface Attack {
  /** Whether its clients read their answers. */
  readonly reads: boolean;
  readonly hasKey?: boolean;
  /** What a customer polls meanwhile. */
  readonly polled: 'odds' | 'queries';
  request(index: number): { readonly path: string; readonly body?: unknown };
}

const TOOL = '/v1/mcp/list_movers';

export const ATTACKS = {
  /** Unread streams, each of which asks for a pace of its own. */
  unreadStreams: {
    ...{ reads: false, polled: 'odds' },
    request: (index) => ({ path: `/v1/stream?tick_ms=${5_000 + index}` }),
  },
  /** The same with filters of its own, so that no two have the same bytes. */
  unreadViews: {
    ...{ reads: false, polled: 'odds' },
    request: (index) => ({
      path: `/v1/stream?tick_ms=${5_000 + index}&bookmakers=${someBookmakers(index)}`,
    }),
  },
  /** The whole slate, unread. */
  slowReaders: { reads: false, polled: 'odds', request: () => ({ path: '/v1/odds' }) },
  /** The same with filters of its own. */
  slowViews: {
    ...{ reads: false, polled: 'odds' },
    request: (index) => ({ path: `/v1/odds?bookmakers=${someBookmakers(index)}` }),
  },
  /** The same question again and again. */
  sweeps: {
    ...{ reads: true, polled: 'queries' },
    request: () => ({ path: TOOL, body: { market_type: '1x2' } }),
  },
  /** Questions that all differ. */
  differentSweeps: {
    ...{ reads: true, polled: 'queries' },
    request: (index) => ({ path: TOOL, body: { minutes: 1 + (index % 60), limit: 1 + (index % 97) } }),
  },
  /** A key that asks many questions at once. */
  oneKey: {
    ...{ reads: true, hasKey: true, polled: 'queries' },
    request: (index) => ({ path: TOOL, body: { minutes: 1 + (index % 60), limit: 1 + (index % 97) } }),
  },
} as const satisfies Record<string, Attack>;
export type AttackName = keyof typeof ATTACKS;

/** Runs one attack on a server of its own while a customer polls. */
export async function runAttack(name: AttackName, size: AttackSize): Promise<AttackResult> {
  await using site = await AttackSite.start({ fixtures: size.fixtures });
  const attack: Attack = ATTACKS[name];
  const { data } = await site.json<{ data: { id: string }[] }>('/v1/events?limit=20');
  const polls = data.map(({ id }) => `/v1/events/${id}/odds`);
  const others =
    attack.polled === 'queries' ? ['/v1/teams?limit=5', '/docs', '/v1/leagues'] : ['/v1/odds?status=live'];
  const pollBoth = (isOver: () => boolean) =>
    Promise.all([site.poll(polls, isOver), site.poll(others, isOver, OTHER_PAUSE_MS)]);
  await pollBoth(after(WARM_SECONDS));
  const [quiet, quietOther] = await pollBoth(after(WARM_SECONDS));
  const startMb = site.residentMb;
  const attackOver = after(size.seconds);
  const clients = openAll(site, attack, size);
  const [attacked, attackedOther] = await pollBoth(attackOver);
  const opened = await clients;
  for (const client of opened) client.listen();
  await Bun.sleep(500);
  const counts: Record<string, number> = {};
  for (const client of opened) {
    const statuses = client.statuses;
    for (const status of statuses.length === 0 ? ['open'] : statuses)
      counts[status] = (counts[status] ?? 0) + 1;
    client.end();
  }
  return {
    ...{ quiet, attacked, quietOther, attackedOther, strangers: counts },
    ...{ startMb, peakMb: site.peakMb, lostThreads: site.lostThreads },
  };
}

const WARM_SECONDS = 3;
/** A customer asks for more than a fixture now and then. */
const OTHER_PAUSE_MS = 200;

function after(seconds: number): () => boolean {
  const endMs = performance.now() + seconds * 1_000;
  return () => performance.now() > endMs;
}

/** Connects all clients first, so that their requests come at once. */
async function openAll(site: AttackSite, attack: Attack, size: AttackSize): Promise<RawClient[]> {
  const key = attack.hasKey ? site.attackerKey : undefined;
  const addresses = strangers(size.addresses);
  const clients: RawClient[] = [];
  for (let index = 0; index < size.addresses * size.each; index++) {
    clients.push(await RawClient.open(site.port, attack));
  }
  for (const [index, client] of clients.entries()) {
    const { path, body } = attack.request(index);
    client.send(requestText(path, { address: addresses[index % addresses.length]!, key, body }));
  }
  return clients;
}

const BOOKMAKERS = BOOKMAKER_KEYS.filter((_, index) => !isSharpBookmaker(index)).slice(0, 10);

/** A different choice for each index up to 1,022. */
function someBookmakers(index: number): string {
  return BOOKMAKERS.filter((_, bit) => ((index + 1) >> bit) % 2 === 1).join(',');
}
