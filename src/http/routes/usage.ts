// GET /v1/usage: what the caller's key did, plus global totals.

import type { Gate } from '../../access/gate.ts';
import { UsageReport } from '../../contract/usage.ts';
import { assert } from '../../errors.ts';
import { defineRoute, type RouteGroup } from '../kit/route.ts';

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
        tags: ['Operations'],
        access: 'key',
        response: UsageReport,
        errors: [],
        handle: (_input, { principal, nowMs }) => {
          const usage = gate.usage(principal, nowMs);
          assert(usage !== null, 'a route that needs a key has a principal with one');
          return usage;
        },
      }),
    ],
  };
}
