// Attacks of callers without a key by the bodies of their requests, large ones that are refused and ones that stall, or by
// connecting again as soon as they are answered. Each is bounded in count and time. Tests run them small;
// `bun test/faults/run-attacks.ts <name>` runs them in full.

import { AttackSite } from './attack-site.ts';
import type { AttackResult, AttackSize } from './attacks.ts';

interface BodyRequest {
  readonly method?: string;
  readonly path: string;
  /** What Content-Length says; null sends chunks without end. */
  readonly length: number | null;
  /** Bytes that are sent; the client then waits until its connection is closed. Default: all. */
  readonly sent?: number;
}

export interface BodyAttack {
  /** What a customer polls meanwhile. */
  readonly polled: 'odds' | 'queries';
  /** Whether each request comes from another address. */
  readonly movesOn?: boolean;
  request(index: number): BodyRequest;
}

const TOOL = '/v1/mcp/list_movers';
const REFUSED_READS = ['/nothing', '/v1/events/evt_x/odds', '/v1/odds?api_key=isk_x', '/%2f'];
const REFUSED_PATHS = ['/v1/tickets', '/platform/login', '/v1/nothing', TOOL];

export const BODY_ATTACKS = {
  /** Streams that are left as soon as they begin, of many views and paces. */
  leftStreams: {
    ...{ polled: 'odds', movesOn: true },
    request: (index) => ({ method: 'GET', path: leftStream(index), length: 0 }),
  },
  /** Reads that are refused at once. */
  refusedReads: {
    ...{ polled: 'odds', movesOn: true },
    request: (index) => ({ method: 'GET', path: REFUSED_READS[index % REFUSED_READS.length]!, length: 0 }),
  },
  /** 0.8 MB for 401, a log-in, 404 and a tool. */
  refusedBodies: {
    ...{ polled: 'odds', movesOn: true },
    request: (index) => ({ path: REFUSED_PATHS[index % REFUSED_PATHS.length]!, length: 800_000 }),
  },
  /** 0.8 MB with a wrong method. */
  wrongMethods: { polled: 'odds', request: () => ({ path: TOOL, method: 'PUT', length: 800_000 }) },
  hugeBodies: {
    ...{ polled: 'odds', movesOn: true },
    request: () => ({ path: '/platform/login', length: 64_000_000 }),
  },
  endlessChunks: { polled: 'odds', movesOn: true, request: () => ({ path: TOOL, length: null }) },
  /** Large bodies that end one byte short. */
  stalledBodies: { polled: 'queries', request: () => ({ path: TOOL, length: 1_000_000, sent: 999_999 }) },
  /** The same of the largest size that is taken. */
  stalledSmallBodies: { polled: 'queries', request: () => ({ path: TOOL, length: 65_536, sent: 65_535 }) },
  stalledLogins: { polled: 'queries', request: () => ({ path: '/platform/login', length: 100, sent: 99 }) },
  oneByteBodies: { polled: 'queries', request: () => ({ path: TOOL, length: 2, sent: 1 }) },
} as const satisfies Record<string, BodyAttack>;

function leftStream(index: number): string {
  const market = ['1x2', 'asian_handicap', 'total'][index % 3]!;
  return `/v1/stream?tick_ms=${50 + (index % 400)}&markets=${market}`;
}

export type BodyAttackName = keyof typeof BODY_ATTACKS;

/** What crowd.worker.ts is asked. */
export interface CrowdOrder {
  readonly name: BodyAttackName;
  readonly port: number;
  readonly size: AttackSize;
}

export interface CrowdReport {
  readonly statuses: Readonly<Record<string, number>>;
  /** What an attacking client's system took of a body, on average. */
  readonly sentKb: number;
}

export interface BodyAttackResult extends Omit<AttackResult, 'quietOther' | 'attackedOther'> {
  /** Statuses of log-ins from addresses that attack nobody. */
  readonly logins: Readonly<Record<string, number>>;
  /** What an attacking client's system took of a body, on average. */
  readonly sentKb: number;
}

/** Runs one attack on a server of its own while a customer polls and others log in. */
export async function runBodyAttack(name: BodyAttackName, size: AttackSize): Promise<BodyAttackResult> {
  await using site = await AttackSite.start({ fixtures: size.fixtures });
  const attack: BodyAttack = BODY_ATTACKS[name];
  const { data } = await site.json<{ data: { id: string }[] }>('/v1/events?status=scheduled&limit=10');
  const polls = data.map(({ id }) => `/v1/events/${id}/odds`);
  const paths =
    attack.polled === 'odds' ? polls : [...polls.slice(0, 5), '/v1/teams?limit=5', '/docs', '/v1/leagues'];
  const quietMs = Math.min(4_000, size.seconds * 1_000);
  await site.poll(paths, after(quietMs / 2));
  const quiet = await site.poll(paths, after(quietMs));
  const startMb = site.residentMb;
  const isOver = after(size.seconds * 1_000);
  const attacking = crowdOf({ name, port: site.port, size });
  const loggingIn = logIn(site.port, isOver);
  const attacked = await site.poll(paths, isOver);
  const { statuses, sentKb } = await attacking;
  return {
    ...{ quiet, attacked, strangers: statuses, sentKb, startMb, peakMb: site.peakMb },
    logins: await loggingIn,
    lostThreads: site.lostThreads,
  };
}

function crowdOf(order: CrowdOrder): Promise<CrowdReport> {
  const worker = new Worker(new URL('./crowd.worker.ts', import.meta.url).href);
  const { promise, resolve, reject } = Promise.withResolvers<CrowdReport>();
  worker.onmessage = ({ data }: MessageEvent<CrowdReport>) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage(order);
  return promise.finally(() => worker.terminate());
}

function after(ms: number): () => boolean {
  const endMs = performance.now() + ms;
  return () => performance.now() > endMs;
}

/** A wrong password twice a second, each from an address and for an account of its own. */
async function logIn(port: number, isOver: () => boolean): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (let turn = 0; !isOver(); turn++) {
    const status = await fetch(`http://127.0.0.1:${port}/platform/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${1 + (turn % 250)}` },
      body: JSON.stringify({ email: `ada${turn}@example.com`, password: 'of tin and copper' }),
    }).then(
      (response) => response.arrayBuffer().then(() => response.status),
      (error: Error) => error.message,
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
    await Bun.sleep(500);
  }
  return statuses;
}
