// Routes for operators: health, readiness and metrics, which need no key and cost nothing. Also the usage of
// a key, for its owner.

import { timingSafeEqual } from 'node:crypto';
import type { Gate } from '../../access/gate.ts';
import { Health, NodeHealth, Ready, UsageReport } from '../../contract/operations.ts';
import { assert, ServiceError } from '../../errors.ts';
import { isLoopback } from '../../ip-address.ts';
import type { Slate } from '../../query/slate/slate.ts';
import { METRICS_TYPES, type MetricsType, metricsTypeFor } from '../../telemetry/metrics-page.ts';
import { Reply } from '../kit/reply.ts';
import type { HandlerContext } from '../kit/request/handler-context.ts';
import { definePage, defineRoute, type Route } from '../kit/route.ts';

const TAGS = ['Operations'];

export interface MetricsOptions {
  /** Makes the answer of /metrics at an instant. */
  readonly page: (nowMs: number, type: MetricsType) => Blob;
  /** The bearer token for callers on other machines; null refuses those callers. */
  readonly token: string | null;
}

export interface HealthParts {
  readonly slate: Slate;
  /** Counts of damaged rows and indexes in the database. */
  readonly damage: () => Ready['database'];
  /** The memory budget for clients, and how much of it is in use. */
  readonly memory: () => Ready['memory'];
  /** The state of the price history; null without one. */
  readonly history: (() => NonNullable<Ready['history']>) | null;
  /** Why callers without a key see no price; null if they see some. */
  readonly note: string | null;
  /** The role of a node in a cluster; null for a server that runs alone. */
  readonly role: 'ingest' | 'serve' | null;
  /**
   * Resolves once queries can be answered without work that would delay every caller; null if they can be
   * answered now.
   */
  readonly whenQueried: (nowMs: number) => Promise<void> | null;
}

export function healthRoutes(parts: HealthParts): Route[] {
  const { slate, damage, memory, history, note, role, whenQueried } = parts;
  function healthAt(nowMs: number): Health {
    const stand = slate.health(nowMs);
    const { damaged_rows, damaged_indexes } = damage();
    const isDegraded = stand.status === 'ok' && damaged_rows + damaged_indexes > 0;
    return isDegraded ? { ...stand, status: 'degraded' } : stand;
  }
  function readyAt(nowMs: number): Ready {
    const parts = { database: damage(), memory: memory(), history: history?.() ?? null, note };
    return { ...slate.ready(nowMs), ...parts };
  }
  const health = {
    method: 'GET',
    path: '/health',
    operationId: 'getHealth',
    summary: 'Health of the service and its feed',
    description: 'Answers at all times. `feed_live` and `as_of` say how current the slate is.',
    tags: TAGS,
    access: 'open',
    thread: 'http',
  } as const;
  return [
    role === null
      ? defineRoute({ ...health, response: Health, handle: (_input, { nowMs }) => healthAt(nowMs) })
      : defineRoute({
          ...health,
          response: NodeHealth,
          handle: (_input, { nowMs }) => ({ ...healthAt(nowMs), node: { role, ...slate.node() } }),
        }),
    defineRoute({
      method: 'GET',
      path: '/ready',
      operationId: 'getReady',
      summary: 'Whether the slate is being served',
      description:
        '200 once the first snapshot is complete and as long as the feed is not lost, otherwise 503, like the odds. Lists the sources of the feed.',
      tags: TAGS,
      access: 'open',
      thread: 'http',
      response: Ready,
      handle: (_input, { nowMs }) => whenQueried(nowMs)?.then(() => readyAt(nowMs)) ?? readyAt(nowMs),
    }),
  ];
}

export function metricsRoutes(metrics: MetricsOptions): Route[] {
  return [
    definePage({
      path: '/metrics',
      access: 'account',
      handle: (context) => {
        requireOperator(context, metrics.token);
        const type = metricsTypeFor(context.header('accept'));
        return new Reply(metrics.page(context.nowMs, type), {
          contentType: METRICS_TYPES[type],
          cacheControl: 'no-store',
        });
      },
    }),
  ];
}

export function usageRoutes(gate: Gate): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/usage',
      operationId: 'getUsage',
      summary: 'Usage of the key',
      description:
        'Requests, errors and latency of the key since the server started, and totals of all callers.',
      tags: TAGS,
      access: 'key',
      response: UsageReport,
      handle: (_input, { principal }) => {
        const usage = gate.usage(principal);
        assert(usage !== null, 'a route that needs a key has a principal with one');
        return usage;
      },
    }),
  ];
}

/** An untrusted proxy on this machine looks like a local caller. These headers reveal it. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];

/** @throws ServiceError forbidden unless the caller is on this machine or sends the operator's token */
function requireOperator(context: HandlerContext, token: string | null): void {
  const isProxied = PROXY_HEADERS.some((name) => context.header(name) !== null);
  if (isLoopback(context.clientAddress) && !isProxied) return;
  const sent = bearerOf(context.header('authorization'));
  if (token !== null && sent !== null && isSameText(sent, token)) return;
  throw new ServiceError('forbidden', 'Cannot show metrics: they are for the operator of this server', {
    fix: 'Ask from the machine of the server, or send `Authorization: Bearer <METRICS_TOKEN>`',
  });
}

/** The token of a bearer Authorization header; null for any other header. */
export function bearerOf(authorization: string | null): string | null {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** Compares in constant time, so that the duration reveals nothing about the texts. */
export function isSameText(one: string, other: string): boolean {
  const digestOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest();
  return timingSafeEqual(digestOf(one), digestOf(other));
}
