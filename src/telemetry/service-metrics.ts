// The metrics of the whole service, for the one thread that tells them: the page of GET /metrics, and for the operator how it
// does now and did in the last hour. To make them takes milliseconds, so a thread that is polled has none of this.

import type { Clock } from '../clock.ts';
import type { ServiceState } from '../contract/operator.ts';
import type { SlateReader } from '../store/reader.ts';
import { MetricsHistory } from './metrics-history.ts';
import { attachMetricsMemory, type MetricsMemory } from './metrics-memory.ts';
import { type MetricsPageOptions, type MetricsType, metricFamilies, metricsPage } from './metrics-page.ts';
import type { MetricRoutes } from './request-metrics.ts';

const PAGE_KEPT_MS = 100;
const SAMPLE_EVERY_MS = 10_000;

export interface ServiceMetricsOptions {
  readonly memory: SharedArrayBuffer;
  readonly routes: MetricRoutes;
  readonly reader: SlateReader;
  readonly clock: Clock;
  /** After how long a source of the feed is silent. */
  readonly silentAfterMs: number;
  /** When the certificate that is served ends; null without HTTPS. */
  readonly certificateEndsAtMs: () => number | null;
  /** Brings this thread's own state up to date; the others do so by themselves. */
  readonly publish: () => void;
}

export class ServiceMetrics {
  readonly #options: ServiceMetricsOptions;
  readonly #memory: MetricsMemory;
  readonly #history = new MetricsHistory();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #pages = new Map<MetricsType, Blob>();
  #pagesUntilMs = 0;

  constructor(options: ServiceMetricsOptions) {
    this.#options = options;
    this.#memory = attachMetricsMemory(options.memory);
    this.#timer = setInterval(() => this.#sample(), SAMPLE_EVERY_MS);
    this.#timer.unref();
  }

  /**
   * The answer of GET /metrics, for all threads. It is kept for PAGE_KEPT_MS and sent as the same Blob, so that many
   * slow readers hold one copy of it.
   */
  page(nowMs: number, type: MetricsType): Blob {
    const monotonicMs = this.#options.clock.monotonicMs();
    if (monotonicMs >= this.#pagesUntilMs) {
      this.#options.publish();
      this.#pages.clear();
      this.#pagesUntilMs = monotonicMs + PAGE_KEPT_MS;
    }
    const kept = this.#pages.get(type);
    if (kept !== undefined) return kept;
    const page = new Blob([metricsPage(this.#sources(nowMs), type)]);
    this.#pages.set(type, page);
    return page;
  }

  /** How the service does now and did in the last hour, as far as this thread has lived. */
  state(nowMs: number): ServiceState {
    this.#options.publish();
    return this.#history.state(metricFamilies(this.#sources(nowMs)));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const nowMs = this.#options.clock.wallMs();
    this.#history.sample(metricFamilies(this.#sources(nowMs)), nowMs);
  }

  #sources(nowMs: number): MetricsPageOptions {
    const { routes, reader, clock, silentAfterMs, certificateEndsAtMs } = this.#options;
    return {
      ...{ memory: this.#memory, routes, reader, nowMs, wallMs: clock.wallMs(), silentAfterMs },
      certificateEndsAtMs: certificateEndsAtMs(),
    };
  }
}
