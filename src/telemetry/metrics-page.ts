// The page of GET /metrics: every family of the table, summed over all threads, in the Prometheus text
// format, version 0.0.4, or in OpenMetrics 1.0. https://prometheus.io/docs/instrumenting/exposition_formats/
// and https://prometheus.io/docs/specs/om/open_metrics_spec/

import { assert } from '../errors.ts';
import type { Family, Labels, MetricSources, Sample, SharedValue } from './metric-family.ts';
import { METRICS } from './metrics.ts';
import { type MetricsMemory, SharedValues } from './metrics-memory.ts';
import { NodeNumbers } from './node-numbers.ts';
import { type MetricRoutes, requestTotals, threadRequestCount } from './request-metrics.ts';

export const METRICS_TYPES = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const;
export type MetricsType = keyof typeof METRICS_TYPES;

/** OpenMetrics if the client accepts it by name, as Prometheus does; otherwise the older text format. */
export function metricsTypeFor(accept: string | null): MetricsType {
  const named = (accept ?? '').split(',').find((part) => /^\s*application\/openmetrics-text\b/i.test(part));
  return named === undefined || /;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(named) ? 'text' : 'openmetrics';
}

export interface MetricsPageOptions extends Omit<MetricSources, 'node' | 'routes' | 'threadRequests'> {
  readonly memory: MetricsMemory;
  readonly routes: MetricRoutes;
}

export interface SampledFamily extends Family {
  readonly samples: readonly Sample[];
}

/** @returns the text of all metrics */
export function metricsPage(options: MetricsPageOptions, type: MetricsType = 'text'): string {
  return metricsText(metricFamilies(options), type);
}

/** Every family of the table with its current samples, summed over all threads. */
export function metricFamilies({ memory, routes, ...known }: MetricsPageOptions): readonly SampledFamily[] {
  const main = new SharedValues(memory, null);
  const threads = Array.from({ length: memory.threadCount }, (_, thread) => new SharedValues(memory, thread));
  const sources: MetricSources = {
    ...known,
    node: new NodeNumbers(memory),
    routes: requestTotals(memory, routes),
    threadRequests: threads.map((_, thread) => threadRequestCount(memory, thread, routes)),
  };
  return METRICS.map((metric) => ({ ...metric, samples: samplesOf(metric) }));

  function samplesOf(metric: (typeof METRICS)[number]): readonly Sample[] {
    if (!('values' in metric)) return metric.samples(sources);
    const sampleOf = (
      { labels = {}, unit = 1, suffix }: SharedValue,
      count: number,
      more: Labels = {},
    ): Sample => ({
      ...(suffix === undefined ? {} : { suffix }),
      labels: { ...labels, ...more },
      value: count * unit,
    });
    if (metric.by === 'thread') {
      // Samples are grouped by thread, so that the samples of one histogram are adjacent.
      return threads.flatMap((values, thread) =>
        metric.values.map((value) => sampleOf(value, values.get(value), { thread })),
      );
    }
    return metric.values.map((value) =>
      sampleOf(
        value,
        threads.reduce((sum, values) => sum + values.get(value), main.get(value)),
      ),
    );
  }
}

const NAME_PATTERN = /^[a-z_][a-z0-9_]*$/;

/**
 * One HELP and one TYPE line per family that has samples, then the samples with escaped labels. The name of a
 * counter ends in `_total`. In OpenMetrics the suffix is on the samples only, not on the name of the family.
 */
export function metricsText(families: readonly SampledFamily[], format: MetricsType = 'text'): string {
  const names = new Set<string>();
  let text = '';
  for (const { type, name, help, samples } of families) {
    assert(type !== 'counter' || name.endsWith('_total'), 'the name of a counter ends in _total');
    assert(NAME_PATTERN.test(name) && !names.has(name), 'a metric has a plain name of its own');
    names.add(name);
    if (samples.length === 0) continue; // the node has nothing that this family measures
    const isOpen = format === 'openmetrics';
    const family = isOpen && type === 'counter' ? name.slice(0, -'_total'.length) : name;
    const helpText = isOpen ? escapeLabel(help) : help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
    text += `# HELP ${family} ${helpText}\n# TYPE ${family} ${type}\n`;
    for (const { suffix = '', labels = {}, value } of samples) {
      text += `${name}${suffix}${labelText(labels)} ${valueText(value)}\n`;
    }
  }
  return format === 'openmetrics' ? `${text}# EOF\n` : text;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(String(text))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function valueText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
