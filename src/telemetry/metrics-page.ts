// The page of GET /metrics: every family of the table, summed over all threads, in the Prometheus text format, version
// 0.0.4. https://prometheus.io/docs/instrumenting/exposition_formats/

import { assert } from '../errors.ts';
import type { SlateReader } from '../store/reader.ts';
import { type Family, type Labels, METRICS, type MetricSources, type Sample } from './metrics.ts';
import { type MetricsMemory, SharedValues } from './metrics-memory.ts';
import { type MetricRoutes, requestTotals, threadRequestCount } from './request-metrics.ts';

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface MetricsPageOptions {
  readonly memory: MetricsMemory;
  readonly routes: MetricRoutes;
  readonly reader: SlateReader;
  readonly nowMs: number;
}

export interface SampledFamily extends Family {
  readonly samples: readonly Sample[];
}

/** @returns the text of all metrics */
export function metricsPage(options: MetricsPageOptions): string {
  return metricsText(metricFamilies(options));
}

/** Every family of the table with its samples now, summed over all threads. */
export function metricFamilies({
  memory,
  routes,
  reader,
  nowMs,
}: MetricsPageOptions): readonly SampledFamily[] {
  const main = new SharedValues(memory, null);
  const threads = Array.from({ length: memory.threadCount }, (_, thread) => new SharedValues(memory, thread));
  const sources: MetricSources = {
    reader,
    nowMs,
    routes: requestTotals(memory, routes),
    threadRequests: threads.map((_, thread) => threadRequestCount(memory, thread, routes)),
  };
  return METRICS.map((metric) => ({ ...metric, samples: samplesOf(metric) }));

  function samplesOf(metric: (typeof METRICS)[number]): readonly Sample[] {
    if (!('values' in metric)) return metric.samples(sources);
    return metric.values.flatMap((value): Sample[] => {
      const { labels = {}, unit = 1 } = value;
      const counts = threads.map((thread) => thread.get(value) * unit);
      const suffix = value.suffix === undefined ? {} : { suffix: value.suffix };
      if (metric.by === 'thread') {
        return counts.map((count, thread) => ({ ...suffix, labels: { ...labels, thread }, value: count }));
      }
      const sum = counts.reduce((all, count) => all + count, main.get(value) * unit);
      return [{ ...suffix, labels, value: sum }];
    });
  }
}

const NAME_PATTERN = /^[a-z_][a-z0-9_]*$/;

/** One HELP and TYPE line a family that has samples, and the samples with escaped labels. A counter's name ends in `_total`. */
export function metricsText(families: readonly SampledFamily[]): string {
  const names = new Set<string>();
  let text = '';
  for (const { type, name, help, samples } of families) {
    assert(type !== 'counter' || name.endsWith('_total'), 'the name of a counter ends in _total');
    assert(NAME_PATTERN.test(name) && !names.has(name), 'a metric has a plain name of its own');
    names.add(name);
    if (samples.length === 0) continue; // of sources that this feed does not have
    text += `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
    for (const { suffix = '', labels = {}, value } of samples) {
      text += `${name}${suffix}${labelText(labels)} ${valueText(value)}\n`;
    }
  }
  return text;
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
