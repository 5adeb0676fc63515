// Attacks of callers without a key. They send bodies that are large and refused, or that stall, or reconnect
// as soon as they are answered. Each attack is bounded in count and time. Tests run small versions; `bun
// test/faults/run-attacks.ts <name>` runs them in full.

import { MARKET_TYPES } from '../../src/domain/catalogue.ts';
import type { AttackSize } from './attacks.ts';
import type { CallerAttackName } from './caller-attacks.ts';
import type { QuestionAttackName } from './question-attacks.ts';
import type { RequestAttackName } from './request-attacks.ts';
import type { StreamAttackName } from './stream-attacks.ts';
import type { WireAttackName } from './wire-attacks.ts';
import type { WireFacts } from './wire-text.ts';

export interface BodyRequest {
  readonly method?: string;
  readonly path: string;
  /** The Content-Length header; null sends an endless chunked body. */
  readonly length: number | null;
  /**
   * How many bytes of the body are sent; the client then waits until its connection is closed. Default: all.
   */
  readonly sent?: number;
}

export interface BodyAttack {
  /** Whether each request comes from another address. */
  readonly movesOn?: boolean;
  request(index: number): BodyRequest;
}

const TOOL = '/v1/mcp/list_movers';
const KEY_IN_QUERY = `/v1/odds?api_key=isk_${'x'.repeat(32)}`;
const REFUSED_READS = ['/nothing', '/v1/events/evt_x/odds', KEY_IN_QUERY, '/%2f'];
const REFUSED_PATHS = ['/v1/tickets', '/platform/login', '/v1/nothing', TOOL];

export const BODY_ATTACKS = {
  /** Streams with many different filters and tick intervals, each closed as soon as it begins. */
  leftStreams: {
    movesOn: true,
    request: (index) => ({ method: 'GET', path: leftStream(index), length: 0 }),
  },
  /** The whole slate, left at its first bytes. */
  leftSlates: {
    movesOn: true,
    request: () => ({ method: 'GET', path: '/v1/odds', length: 0 }),
  },
  /** Reads that are refused at once. */
  refusedReads: {
    movesOn: true,
    request: (index) => ({ method: 'GET', path: REFUSED_READS[index % REFUSED_READS.length]!, length: 0 }),
  },
  /** Bodies of 0.8 MB: to a route that answers 401, a log-in, a route that does not exist, and a tool. */
  refusedBodies: {
    movesOn: true,
    request: (index) => ({ path: REFUSED_PATHS[index % REFUSED_PATHS.length]!, length: 800_000 }),
  },
  /** Bodies of 0.8 MB with a wrong method. */
  wrongMethods: { request: () => ({ path: TOOL, method: 'PUT', length: 800_000 }) },
  hugeBodies: {
    movesOn: true,
    request: () => ({ path: '/platform/login', length: 64_000_000 }),
  },
  endlessChunks: { movesOn: true, request: () => ({ path: TOOL, length: null }) },
  /** Reads with a body that never ends. */
  endlessReads: { movesOn: true, request: () => ({ method: 'GET', path: '/v1/leagues', length: null }) },
  /** Large bodies of which the last byte is never sent. */
  stalledBodies: { request: () => ({ path: TOOL, length: 1_000_000, sent: 999_999 }) },
  /** Bodies of the largest accepted size, of which the last byte is never sent. */
  stalledSmallBodies: { request: () => ({ path: TOOL, length: 65_536, sent: 65_535 }) },
  stalledLogins: { request: () => ({ path: '/platform/login', length: 100, sent: 99 }) },
  oneByteBodies: { request: () => ({ path: TOOL, length: 2, sent: 1 }) },
} as const satisfies Record<string, BodyAttack>;

function leftStream(index: number): string {
  const market = MARKET_TYPES[index % MARKET_TYPES.length]!;
  return `/v1/stream?tick_ms=${50 + (index % 400)}&markets=${market}`;
}

export type BodyAttackName = keyof typeof BODY_ATTACKS;
/** The attacks that crowd.worker.ts can run. */
export type CrowdAttackName =
  | BodyAttackName
  | WireAttackName
  | StreamAttackName
  | RequestAttackName
  | QuestionAttackName
  | CallerAttackName;

/** The task of crowd.worker.ts. */
export interface CrowdOrder extends Omit<WireFacts, 'index' | 'address'> {
  readonly name: CrowdAttackName;
  readonly port: number;
  /**
   * Whether a header gives the client addresses; otherwise each connection comes from a different address.
   */
  readonly trustsHeaders: boolean;
  /** The block of addresses (`strangers`). */
  readonly block: number;
  readonly size: AttackSize;
  /**
   * After its set time, the attack continues until each of these statuses was the answer to some of its
   * requests, for at most LATE_SECONDS_MAX longer.
   */
  readonly awaited: readonly string[];
}

export interface CrowdReport {
  readonly strangers: Readonly<Record<string, number>>;
  /** How much of a body the attacker's system accepted for sending, on average. */
  readonly sentKb: number;
}
