import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NO_SCORING } from '../../src/scoring/pool-limits.ts';
import { createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import type { ThreadState } from '../../src/telemetry/metric-family.ts';
import {
  attachMetricsMemory,
  createMetricsMemory,
  type MetricsMemory,
  SharedValues,
} from '../../src/telemetry/metrics-memory.ts';
import { metricsPage, metricsText } from '../../src/telemetry/metrics-page.ts';
import { MetricRoutes, RequestRecorder } from '../../src/telemetry/request-metrics.ts';
import { codePoint } from '../support/code-point.ts';
import { readPrometheus, sampleOf } from '../support/prometheus.ts';

const LATENCIES = 'overround_http_request_duration_seconds';
const IDLE: ThreadState = {
  pendingCount: 0,
  planCount: 0,
  streamCount: 0,
  accessLogDropped: 0,
  loopDelays: { buckets: [], sumUs: 0 },
  cache: { hits: 0, misses: 0, bytes: 0, size: 0 },
  scoring: NO_SCORING,
};

const ROUTES = ['/v1/a', '/v1/a/:id', '/v1/b'];

describe('SharedValues', () => {
  test('SharedValues: each thread and the process have their own values', () => {
    const memory = attachMetricsMemory(createMetricsMemory(2));
    const [own, first, second] = [null, 0, 1].map((thread) => new SharedValues(memory, thread));
    own!.count('http_restart');
    own!.count('http_restart');
    first!.publish({ ...IDLE, pendingCount: 3, cache: { ...IDLE.cache, bytes: 2 ** 40 } });
    second!.publish({ ...IDLE, cache: { ...IDLE.cache, bytes: 7 } });
    second!.count('rejection');
    const page = readPrometheus(pageOf(memory));
    expect(sampleOf(page, 'overround_answer_cache_bytes')).toBe(2 ** 40 + 7);
    expect(page.get('overround_http_requests_in_flight')!.samples.map(({ value }) => value)).toEqual([3, 0]);
    expect(sampleOf(page, 'overround_worker_restarts_total', { worker: 'http' })).toBe(2);
    expect(sampleOf(page, 'overround_worker_restarts_total', { worker: 'ingest' })).toBe(0);
    expect(sampleOf(page, 'overround_late_failures_total', { kind: 'rejection' })).toBe(1);
  });

  test('SharedValues refuses a memory of another kind or size', () => {
    expect(() => attachMetricsMemory(new SharedArrayBuffer(64))).toThrow('metrics magic');
    const header = new Int32Array(createMetricsMemory(1), 0, 4);
    const cut = new SharedArrayBuffer(1024);
    new Int32Array(cut).set(header);
    expect(() => attachMetricsMemory(cut)).toThrow('size its header says');
  });
});

describe('metricsPage', () => {
  test('any label text and any number are read back by an independent reader', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint }).filter((text) => !text.includes('\r')),
        fc.double(),
        (label, value) => {
          const text = metricsText([
            {
              type: 'gauge',
              name: 'a_thing',
              help: 'A \\ thing\nof two lines.',
              samples: [{ labels: { label, other: 1 }, value }],
            },
          ]);
          const sample = readPrometheus(text).get('a_thing')!.samples[0]!;
          expect(sample.labels).toEqual({ label, other: '1' });
          expect(Object.is(sample.value, value) || (sample.value === 0 && value === 0)).toBe(true);
        },
      ),
    );
  });

  test('histogram buckets are cumulative, and the last one, +Inf, equals the count', () => {
    const memory = attachMetricsMemory(createMetricsMemory(1));
    const routes = new MetricRoutes(ROUTES);
    const recorder = new RequestRecorder({ memory, thread: 0, routes });
    for (const latencyMs of [0.05, 3, 3, 20_000]) recorder.record('/v1/b', 200, latencyMs);
    const { samples } = readPrometheus(pageOf(memory, routes)).get(LATENCIES)!;
    const buckets = samples.filter(({ name }) => name.endsWith('_bucket'));
    const counts = buckets.map(({ value }) => value);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(buckets.at(-1)).toEqual({
      name: `${LATENCIES}_bucket`,
      labels: { route: '/v1/b', le: '+Inf' },
      value: 4,
    });
    expect(buckets.find(({ labels }) => labels.le === '0.005')!.value).toBe(3);
    expect(samples.find(({ name }) => name.endsWith('_sum'))!.value).toBeCloseTo(20.00605);
  });

  test('metricsPage throws for a duplicate name, and for a counter without _total', () => {
    const gauge = { type: 'gauge', name: 'a', help: 'A.', samples: [{ value: 1 }] } as const;
    expect(() => metricsText([gauge, gauge])).toThrow('Assertion failed');
    expect(() => metricsText([{ ...gauge, type: 'counter' }])).toThrow('_total');
    expect(sampleOf(readPrometheus(metricsText([gauge])), 'a')).toBe(1);
  });
});

function pageOf(memory: MetricsMemory, routes = new MetricRoutes(ROUTES)): string {
  return metricsPage({
    memory,
    routes,
    reader: new SlateReader(createStore(1)),
    nowMs: 1,
    wallMs: 1,
    silentAfterMs: 30_000,
    certificateEndsAtMs: null,
    budget: {
      total: 0,
      strangers: { held: 0, refused: 0 },
      keys: { held: 0, refused: 0 },
      freeKeys: { held: 0, refused: 0 },
    },
  });
}
