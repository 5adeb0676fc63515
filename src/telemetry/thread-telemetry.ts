// What one HTTP thread tells of itself: its requests in the metrics and in the access log, its late failures, and twice
// a second the state of its cache and its pool, so that any thread can answer GET /metrics for all.

import { write } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { BoundedLog, type Log, withoutKeys } from '../log.ts';
import type { SlateReader } from '../store/reader.ts';
import { AccessLog, type FinishedRequest } from './access-log.ts';
import type { CrashCounters } from './crash-guards.ts';
import { LoopWatch } from './loop-watch.ts';
import type { ThreadState } from './metrics.ts';
import { MetricsHistory, type ServiceState } from './metrics-history.ts';
import { attachMetricsMemory, type MetricsMemory, SharedValues } from './metrics-memory.ts';
import { type MetricsPageOptions, type MetricsType, metricFamilies, metricsPage } from './metrics-page.ts';
import { MetricRoutes, RequestRecorder } from './request-metrics.ts';

const PUBLISH_EVERY_MS = 500;
const PAGE_KEPT_MS = 100;
const SAMPLE_EVERY_MS = 10_000;
const STANDARD_ERROR = 2;
/** Lines about a held event loop. More within the window: left out and counted. */
const LOOP_LOG = { countMax: 10, windowMs: 60_000 };

export interface TelemetryOptions {
  readonly memory: SharedArrayBuffer;
  readonly thread: number;
  /** Path template of every route. */
  readonly paths: readonly string[];
  readonly reader: SlateReader;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Pick<Config, 'production' | 'logLevel'>;
  /** When the certificate that is served ends; absent or null without HTTPS. */
  readonly certificateEndsAtMs?: () => number | null;
  /** The thread's state now, but for what is kept here. */
  readonly read: () => Omit<ThreadState, 'accessLogDropped' | 'loopDelays'>;
}

export class Telemetry implements CrashCounters {
  /** Runs what the thread does besides requests. */
  readonly loop: LoopWatch;
  readonly #memory: MetricsMemory;
  readonly #routes: MetricRoutes;
  readonly #recorder: RequestRecorder;
  readonly #values: SharedValues;
  readonly #accessLog: AccessLog | null;
  readonly #isTalkative: boolean;
  readonly #options: TelemetryOptions;
  #timer: ReturnType<typeof setInterval> | null = null;
  readonly #history = new MetricsHistory();
  #nextSampleMs = 0;
  readonly #pages = new Map<MetricsType, Blob>();
  #pagesUntilMs = 0;

  constructor(options: TelemetryOptions) {
    const { clock, config, thread } = options;
    this.#options = options;
    this.#memory = attachMetricsMemory(options.memory);
    this.#routes = new MetricRoutes(options.paths);
    this.#recorder = new RequestRecorder({ memory: this.#memory, thread, routes: this.#routes });
    this.#values = new SharedValues(this.#memory, thread);
    const logsRequests = config.production && (config.logLevel === 'info' || config.logLevel === 'debug');
    this.#accessLog = logsRequests ? new AccessLog({ clock, write: writeToStandardError }) : null;
    this.loop = new LoopWatch({
      clock,
      log: new BoundedLog(options.log, clock, LOOP_LOG),
      thread,
    });
    this.#isTalkative = !config.production && config.logLevel === 'debug';
  }

  /** Begins to publish the thread's state. */
  start(): void {
    this.#publish();
    this.#timer = setInterval(() => this.loop.run('metrics', () => this.#publish()), PUBLISH_EVERY_MS);
    this.loop.start();
    this.#timer.unref();
  }

  /** Counts one answer. */
  count(route: string, status: number, latencyMs: number): void {
    this.#recorder.record(route, status, latencyMs);
  }

  /** Whether answers are logged at all. */
  get tellsRequests(): boolean {
    return this.#isTalkative || this.#accessLog !== null;
  }

  /** Logs one answer. */
  observe(finished: FinishedRequest): void {
    this.#accessLog?.add(finished);
    if (this.#isTalkative) {
      const { method, status, latencyMs } = finished;
      const [path, requestId] = [withoutKeys(finished.path), withoutKeys(finished.requestId)];
      this.#options.log.debug('request', { method, path, status, ms: latencyMs, request_id: requestId });
    }
  }

  countLateFailure(kind: 'exception' | 'rejection'): void {
    this.#values.count(kind);
  }

  /**
   * The answer of GET /metrics, for all threads. It is kept for PAGE_KEPT_MS and sent as the same Blob, so that many
   * slow readers hold one copy of it.
   */
  page(nowMs: number, type: MetricsType): Blob {
    const monotonicMs = this.#options.clock.monotonicMs();
    if (monotonicMs >= this.#pagesUntilMs) {
      this.#publish();
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
    this.#publish();
    return this.#history.state(metricFamilies(this.#sources(nowMs)));
  }

  /** Writes the access log's last lines. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.loop.stop();
    await this.#accessLog?.close();
  }

  #publish(): void {
    const accessLogDropped = this.#accessLog?.droppedCount ?? 0;
    const loopDelays = this.loop.delays;
    this.#values.publish({ ...this.#options.read(), accessLogDropped, loopDelays });
    const { clock } = this.#options;
    const monotonicMs = clock.monotonicMs();
    if (monotonicMs < this.#nextSampleMs) return;
    this.#nextSampleMs = monotonicMs + SAMPLE_EVERY_MS;
    const nowMs = clock.wallMs();
    this.#history.sample(metricFamilies(this.#sources(nowMs)), nowMs);
  }

  #sources(nowMs: number): MetricsPageOptions {
    const { reader, certificateEndsAtMs } = this.#options;
    return {
      memory: this.#memory,
      routes: this.#routes,
      reader,
      nowMs,
      certificateEndsAtMs: certificateEndsAtMs?.() ?? null,
    };
  }
}

/** Writes on the runtime's thread pool: when nobody reads standard error, the write waits there and requests go on. */
function writeToStandardError(
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
): void {
  write(STANDARD_ERROR, bytes, 0, bytes.byteLength, null, done);
}
