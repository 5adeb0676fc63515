// Telemetry of one serving thread: its requests in the metrics and the access log, and its late failures.
// Twice a second it also notes the state of its cache and pool, for the thread that answers GET /metrics
// (service-metrics.ts).

import { write } from 'node:fs';
import type { Clock } from '../clock.ts';
import { BoundedLog, type Log, withoutKeys } from '../log.ts';
import type { CrashCounters } from '../platform/crash-guards.ts';
import type { Config } from '../settings/config.ts';
import { AccessLog, type LoggedRequest } from './access-log.ts';
import { LoopWatch } from './loop-watch.ts';
import type { ThreadState } from './metric-family.ts';
import { attachMetricsMemory, SharedValues } from './metrics-memory.ts';
import { type MetricRoutes, RequestRecorder } from './request-metrics.ts';

const PUBLISH_EVERY_MS = 500;
const STANDARD_ERROR = 2;
/** Maximum number of lines about a blocked event loop in a window. Further lines are dropped and counted. */
const LOOP_LOG = { countMax: 10, windowMs: 60_000 };

export interface TelemetryOptions {
  readonly memory: SharedArrayBuffer;
  readonly thread: number;
  readonly routes: MetricRoutes;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Pick<Config, 'production' | 'logLevel'>;
  /** The thread's current state, apart from what is kept here. */
  readonly read: () => Omit<ThreadState, 'accessLogDropped' | 'loopDelays'>;
}

export class Telemetry implements CrashCounters {
  /** Runs the thread's jobs other than requests. */
  readonly loop: LoopWatch;
  readonly #recorder: RequestRecorder;
  readonly #values: SharedValues;
  readonly #accessLog: AccessLog | null;
  readonly #logsAtDebug: boolean;
  readonly #options: TelemetryOptions;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: TelemetryOptions) {
    const { clock, config, thread } = options;
    this.#options = options;
    const memory = attachMetricsMemory(options.memory);
    this.#recorder = new RequestRecorder({ memory, thread, routes: options.routes });
    this.#values = new SharedValues(memory, thread);
    const logsRequests = config.production && (config.logLevel === 'info' || config.logLevel === 'debug');
    this.#accessLog = logsRequests ? new AccessLog({ clock, write: writeToStandardError }) : null;
    this.loop = new LoopWatch({
      clock,
      log: new BoundedLog(options.log, clock, LOOP_LOG),
      thread,
    });
    this.#logsAtDebug = !config.production && config.logLevel === 'debug';
  }

  /** Starts publishing the thread's state. */
  start(): void {
    this.publish();
    this.#timer = setInterval(() => this.loop.run('metrics', () => this.publish()), PUBLISH_EVERY_MS);
    this.loop.start();
    this.#timer.unref();
  }

  /** Counts one answer. */
  count(route: string, status: number, latencyMs: number): void {
    this.#recorder.record(route, status, latencyMs);
  }

  /** Whether answers are logged at all. */
  get reportsRequests(): boolean {
    return this.#logsAtDebug || this.#accessLog !== null;
  }

  /** Logs one answer. */
  observe(finished: LoggedRequest): void {
    this.#accessLog?.add(finished);
    if (this.#logsAtDebug) {
      const { method, status, latencyMs } = finished;
      const [path, requestId] = [withoutKeys(finished.path), withoutKeys(finished.requestId)];
      this.#options.log.debug('request', { method, path, status, ms: latencyMs, request_id: requestId });
    }
  }

  countLateFailure(kind: 'exception' | 'rejection'): void {
    this.#values.count(kind);
  }

  /**
   * Publishes the thread's state for all threads' metrics (service-metrics.ts); this also happens twice a
   * second.
   */
  publish(): void {
    const accessLogDropped = this.#accessLog?.droppedCount ?? 0;
    const loopDelays = this.loop.delays;
    this.#values.publish({ ...this.#options.read(), accessLogDropped, loopDelays });
  }

  /** Writes the last lines of the access log. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.loop.stop();
    await this.#accessLog?.close();
  }
}

/**
 * Writes on the runtime's thread pool: if nobody reads standard error, the write blocks there while requests
 * are still served.
 */
function writeToStandardError(
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
): void {
  write(STANDARD_ERROR, bytes, 0, bytes.byteLength, null, done);
}
