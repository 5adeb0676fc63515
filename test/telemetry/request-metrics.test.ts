// Requests are counted by route, status and time.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { attachMetricsMemory, createMetricsMemory } from '../../src/telemetry/metrics-memory.ts';
import {
  LATENCY_BOUNDS_S,
  METRIC_STATUSES,
  MetricRoutes,
  RequestRecorder,
  requestTotals,
  threadRequestCount,
} from '../../src/telemetry/request-metrics.ts';

const ROUTES = ['/v1/a', '/v1/a/:id', '/v1/b'];

interface Answered {
  readonly thread: number;
  readonly route: string;
  readonly status: number;
  readonly latencyMs: number;
}

const answered: fc.Arbitrary<Answered> = fc.record({
  thread: fc.integer({ min: 0, max: 2 }),
  route: fc.constantFrom(...ROUTES, 'unmatched', '/nobody/knows'),
  status: fc.constantFrom(...METRIC_STATUSES.filter((status) => status > 0), 418, 599),
  latencyMs: fc.oneof(
    fc.constantFrom(...LATENCY_BOUNDS_S.map((seconds) => seconds * 1000), 0, 20_000),
    fc.double({ min: 0, max: 12_000, noNaN: true }),
  ),
});

describe('RequestRecorder', () => {
  test('the counts of any requests on any threads equal those of a plain list', () => {
    fc.assert(
      fc.property(fc.array(answered, { maxLength: 60 }), (requests) => {
        const memory = attachMetricsMemory(createMetricsMemory(3));
        const routes = new MetricRoutes(ROUTES);
        const recorders = [0, 1, 2].map((thread) => new RequestRecorder({ memory, thread, routes }));
        for (const { thread, route, status, latencyMs } of requests) {
          recorders[thread]!.record(route, status, latencyMs);
        }
        const totals = requestTotals(memory, routes);
        expect(totals.map(({ route }) => route).toSorted()).toEqual(
          [...new Set(requests.map(labelOf))].toSorted(),
        );
        for (const total of totals) {
          const own = requests.filter((request) => labelOf(request) === total.route);
          for (const { status, count } of total.statuses) {
            expect(count).toBe(own.filter((request) => statusOf(request) === status).length);
          }
          expect(total.statuses.reduce((sum, { count }) => sum + count, 0)).toBe(own.length);
          const sumS = own.reduce((sum, { latencyMs }) => sum + latencyMs, 0) / 1000;
          expect(Math.abs(total.latencySumS - sumS)).toBeLessThan(own.length * 1e-6);
          LATENCY_BOUNDS_S.forEach((bound, index) => {
            const upTo = total.buckets.slice(0, index + 1).reduce((sum, count) => sum + count, 0);
            expect(upTo).toBe(own.filter(({ latencyMs }) => latencyMs <= bound * 1000).length);
          });
        }
        for (const thread of [0, 1, 2]) {
          const own = requests.filter((request) => request.thread === thread);
          expect(threadRequestCount(memory, thread, routes)).toBe(own.length);
        }
      }),
    );
  });
});

function labelOf({ route }: Answered): string {
  return ROUTES.includes(route) ? route : 'unmatched';
}

function statusOf({ status }: Answered): number {
  return METRIC_STATUSES.some((known) => known === status) ? status : 0;
}
