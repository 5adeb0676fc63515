// The metrics of the whole service, on the one thread that answers them: the page of GET /metrics, and the
// service's current state and last hour for the operator. Making them takes milliseconds, so it is not done
// on a thread that answers polls.

import type { Clock } from '../clock.ts';
import type { ServiceState } from '../contract/operator.ts';
import type { SlateReader } from '../store/reader.ts';
import type { MemoryBudgetState } from './metric-family.ts';
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
  /** A source of the feed that sends nothing for this long counts as silent. */
  readonly silentAfterMs: number;
  /** When the served certificate expires; null without HTTPS. */
  readonly certificateEndsAtMs: () => number | null;
  /** The bytes held in memory for clients. */
  readonly budget: () => MemoryBudgetState;
  /** Publishes this thread's own state; the other threads publish theirs on a timer. */
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
    this.#sample();
    this.#timer = setInterval(() => this.#sample(), SAMPLE_EVERY_MS);
    this.#timer.unref();
  }

  /**
   * The answer of GET /metrics for all threads. It is kept for PAGE_KEPT_MS and sent as the same Blob, so
   * that many slow readers share one copy.
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

  /** The current state of the service and its last hour, or less if this thread started later. */
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
    const { routes, reader, clock, silentAfterMs, certificateEndsAtMs, budget } = this.#options;
    return {
      ...{ memory: this.#memory, routes, reader, nowMs, wallMs: clock.wallMs(), silentAfterMs },
      certificateEndsAtMs: certificateEndsAtMs(),
      budget: budget(),
    };
  }
}
