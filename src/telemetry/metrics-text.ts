// Writes metrics in the Prometheus text format, version 0.0.4: one HELP and TYPE line a family, escaped labels, and
// histograms with cumulative buckets. https://prometheus.io/docs/instrumenting/exposition_formats/

import { assert } from '../errors.ts';
import { LATENCY_BOUNDS_S } from './metrics-memory.ts';
import type { RouteTotals } from './request-metrics.ts';

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string | number>>;
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}
export type FamilyKind = 'counter' | 'gauge' | 'histogram';

const NAME_PATTERN = /^[a-z_][a-z0-9_]*$/;

export class MetricsText {
  readonly #names = new Set<string>();
  #text = '';

  /** One family of counters or gauges. Its name is new, and a counter's ends in `_total`. */
  family(kind: 'counter' | 'gauge', name: string, help: string, samples: readonly Sample[]): this {
    assert(kind === 'gauge' || name.endsWith('_total'), 'the name of a counter ends in _total');
    this.#begin(kind, name, help);
    for (const { labels, value } of samples) this.#line(name, labels ?? {}, value);
    return this;
  }

  /** A family of one sample. */
  single(kind: 'counter' | 'gauge', name: string, help: string, value: number): this {
    return this.family(kind, name, help, [{ value }]);
  }

  /** Latencies by route. */
  latencies(name: string, help: string, totals: readonly RouteTotals[]): this {
    this.#begin('histogram', name, help);
    for (const { route, buckets, latencySumS } of totals) {
      let count = 0;
      buckets.forEach((inBucket, index) => {
        count += inBucket;
        this.#line(`${name}_bucket`, { route, le: LATENCY_BOUNDS_S[index] ?? '+Inf' }, count);
      });
      this.#line(`${name}_sum`, { route }, latencySumS);
      this.#line(`${name}_count`, { route }, count);
    }
    return this;
  }

  toString(): string {
    return this.#text;
  }

  #begin(kind: FamilyKind, name: string, help: string): void {
    assert(NAME_PATTERN.test(name) && !this.#names.has(name), 'a metric has a plain name of its own');
    this.#names.add(name);
    this.#text += `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${kind}\n`;
  }

  #line(name: string, labels: Labels, value: number): void {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(String(text))}"`);
    this.#text += `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${valueText(value)}\n`;
  }
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function valueText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
