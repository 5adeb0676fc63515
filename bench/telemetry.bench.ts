// The cost of counting and logging a request, compared with a plain Map of counts and JSON.stringify.

import { bench, do_not_optimize, group } from 'mitata';
import { assert } from '../src/errors.ts';
import type { LoggedRequest } from '../src/telemetry/access-log.ts';
import { accessLine } from '../src/telemetry/access-log.ts';
import { attachMetricsMemory, createMetricsMemory } from '../src/telemetry/metrics-memory.ts';
import { MetricRoutes, RequestRecorder, requestTotals } from '../src/telemetry/request-metrics.ts';

export function define(): void {
  const routes = Array.from({ length: 70 }, (_, index) => `/v1/route/${index}/:event_id`);
  const names = new MetricRoutes(routes);
  const memory = attachMetricsMemory(createMetricsMemory(1));
  const recorder = new RequestRecorder({ memory, thread: 0, routes: names });
  recorder.record(routes[7]!, 200, 0.2);
  assert(requestTotals(memory, names)[0]?.route === routes[7], 'a request is counted under its route');
  const counts = new Map<string, number>();
  let turn = 0;
  group('counting one request', () => {
    bench('RequestRecorder.record', () => {
      turn += 1;
      recorder.record(routes[turn % routes.length]!, 200, turn % 20);
    });
    bench('a Map of label texts', () => {
      turn += 1;
      const label = `${routes[turn % routes.length]} 200`;
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }).baseline(true);
  });
  const finished: LoggedRequest = {
    method: 'GET',
    route: '/v1/events/:event_id/odds',
    path: '/v1/events/evt_t3gshXLqIE/odds',
    status: 200,
    latencyMs: 0.123,
    principal: { tier: 'enterprise', seesSharp: true, keyId: 'key_1' },
    clientAddress: '127.0.0.1',
    requestId: '5a29b50f-c99a-4373-97c4-7ef4f266fe7a',
    errorCode: null,
  };
  assert(JSON.parse(accessLine(finished, 0)).path === finished.path, 'a line of the access log is JSON');
  group('one line of the access log', () => {
    bench('accessLine', () => do_not_optimize(accessLine(finished, turn++)));
    bench('JSON.stringify', () =>
      do_not_optimize(JSON.stringify({ at: new Date(turn++).toISOString(), ...finished })),
    ).baseline(true);
  });
}
