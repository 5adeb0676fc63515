// For operators: health, readiness and metrics, which need no key and cost nothing; and the usage of a key, for that key.

import type { Gate } from '../../access/gate.ts';
import { Health, Ready, UsageReport } from '../../contract/operations.ts';
import { assert } from '../../errors.ts';
import type { Queries } from '../../query/queries.ts';
import { METRICS_CONTENT_TYPE } from '../../telemetry/metrics-page.ts';
import { Reply } from '../kit/reply.ts';
import { definePage, defineRoute, type RouteGroup } from '../kit/route.ts';

const TAGS = ['Operations'];

/** @param metricsPage the answer of /metrics at an instant, in the Prometheus text format */
export function operationsRoutes({ slate }: Queries, metricsPage: (nowMs: number) => Blob): RouteGroup {
  return {
    name: 'operations',
    routes: [
      defineRoute({
        method: 'GET',
        path: '/health',
        operationId: 'getHealth',
        summary: 'Health of the service and its feed',
        description: 'Answers at all times. `feed_live` and `as_of` say how current the slate is.',
        tags: TAGS,
        access: 'open',
        response: Health,
        handle: (_input, { nowMs }) => slate.health(nowMs),
      }),
      defineRoute({
        method: 'GET',
        path: '/ready',
        operationId: 'getReady',
        summary: 'Whether the slate is being served',
        description:
          '200 once the first snapshot is complete and while the feed is not gone, else 503, as the odds. Lists the sources of the feed.',
        tags: TAGS,
        access: 'open',
        response: Ready,
        errors: ['upstream_unavailable'],
        handle: (_input, { nowMs }) => slate.ready(nowMs),
      }),
      definePage({
        path: '/metrics',
        handle: ({ nowMs }) =>
          new Reply(metricsPage(nowMs), { contentType: METRICS_CONTENT_TYPE, cacheControl: 'no-store' }),
      }),
    ],
  };
}

export function usageRoutes(gate: Gate): RouteGroup {
  return {
    name: 'usage',
    routes: [
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
    ],
  };
}
