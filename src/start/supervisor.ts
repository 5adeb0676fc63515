// Keeps one worker alive: starts it, detects when it dies or falls silent, and starts another after a pause.
// In Bun an unhandled rejection ends a worker silently with code 0, so any close that was not requested
// counts as a crash.

import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { processorWaitMs } from '../platform/thread-scheduling.ts';
import { Restarts } from '../restarts.ts';
import { HEARTBEAT_EVERY_MS } from './threads/heartbeat.ts';

const RESTART_PAUSES = { pauseFirstMs: 100, pauseMaxMs: 10_000 };
/**
 * A worker that has sent nothing within this time has hung in its start. Until its first message it reads its
 * code and its tables, which takes seconds of processor time.
 */
const STARTED_WITHIN_MS = 60_000;
/** After this silence, the supervisor asks the system whether the worker had a processor. */
const UNEXPLAINED_SILENCE_MS = 2 * HEARTBEAT_EVERY_MS;
/** A worker that lived this long was healthy. After its death, the pauses start from the shortest again. */
const HEALTHY_AFTER_MS = 60_000;
/**
 * This many losses in a row are a crash loop. The worker is still restarted, after the longest pause each
 * time, and the service runs without it meanwhile.
 */
const CRASH_LOOP_LOSSES = 6;

export interface SupervisorOptions<Message> {
  readonly name: string;
  readonly url: URL;
  readonly clock: Clock;
  readonly log: Log;
  /** The first message to every worker. */
  readonly startMessage: Message;
  readonly onMessage?: (message: FromWorker) => void;
  /** Called each time the worker is started again. */
  readonly onRestart?: () => void;
  /** Called each time the worker is started, including the first time; it can post further first messages. */
  readonly onStart?: () => void;
  /** Called when the worker is in a crash loop. */
  readonly onCrashLoop?: () => void;
  /** What the service does without the worker, for the log of a crash loop. */
  readonly withoutIt?: string;
  /** Called each time the worker is lost. */
  readonly onLost?: (reason: string) => void;
  /**
   * For workers that send heartbeats (heartbeat.ts): the silence after which the worker is replaced. Time in
   * which it waits for a processor does not count. If it is left out, any silence is allowed.
   */
  readonly hungAfterMs?: number;
  /** How long the worker's thread has waited for a processor so far; null if unknown. Default: asks Linux. */
  readonly processorWaitMs?: (name: string) => number | null;
}

/**
 * A message from a worker. Every worker sends `stopped` when it has finished what it was asked to do before
 * its end.
 */
export interface FromWorker {
  readonly type: string;
}

export class Supervisor<Message> {
  readonly #options: SupervisorOptions<Message>;
  readonly #restarts = new Restarts(RESTART_PAUSES);
  /** Resolves when the worker may be ended: it has sent `stopped`, or it is gone. */
  readonly #stopped = Promise.withResolvers<void>();
  #worker: Worker | null = null;
  #startedAtMs = 0;
  #isStopping = false;
  #lossesInARow = 0;
  /** How long the worker has sent nothing, without the time in which it waited for a processor. */
  #silentMs = 0;
  /** How long the worker's thread had waited for a processor at the last check; null if not measured. */
  #processorWaitMs: number | null = null;
  /** Whether the worker has sent anything yet; before that, it is loading its code. */
  #wasHeard = false;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: SupervisorOptions<Message>) {
    this.#options = options;
  }

  start(): void {
    const { url, name, log, onMessage, startMessage, clock } = this.#options;
    // The system shows this as the name of the thread (`top -H`, `perf`).
    const worker = new Worker(url.href, { name });
    this.#worker = worker;
    this.#startedAtMs = clock.monotonicMs();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      this.#silentMs = 0;
      this.#wasHeard = true;
      if (data.type === 'heartbeat') return;
      if (data.type === 'stopped') this.#stopped.resolve();
      onMessage?.(data);
    };
    worker.addEventListener('error', (event) => {
      log.error('worker_failed', { worker: name, error: event.message });
      this.#died(worker, event.message);
    });
    worker.addEventListener('close', () => this.#died(worker, 'it ended'));
    worker.postMessage(startMessage);
    this.#silentMs = 0;
    this.#wasHeard = false;
    const { hungAfterMs } = this.#options;
    if (hungAfterMs !== undefined) {
      this.#timer ??= setInterval(() => this.#check(hungAfterMs), HEARTBEAT_EVERY_MS);
    }
    this.#options.onStart?.();
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /**
   * Sends a message, which is dropped while there is no worker. Use `onStart` for messages that every new
   * worker needs.
   */
  post(message: Message, transfer: MessagePort[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  /**
   * Sends `request`, and ends the worker when it has sent `stopped` or died, at the latest after `graceMs`.
   */
  async stop(request: Message, graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#restarts.stop();
    if (this.#worker === null) return;
    this.post(request);
    const late = setTimeout(this.#stopped.resolve, graceMs);
    await this.#stopped.promise;
    clearTimeout(late);
    this.terminate();
  }

  /** Ends the worker at once and does not restart it. */
  terminate(): void {
    this.#isStopping = true;
    this.#restarts.stop();
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#stopped.resolve();
  }

  /**
   * Counts checks and not time. If the main thread itself was stuck, the heartbeats of that time are still in
   * its queue, and the next check counts only once. On a busy machine a thread may get a processor only now
   * and then; the time it waits for one does not count either.
   */
  #check(hungAfterMs: number): void {
    const { log, name } = this.#options;
    this.#silentMs += Math.max(0, HEARTBEAT_EVERY_MS - this.#waitedMs());
    const silentMs = Math.round(this.#silentMs);
    if (this.#worker === null || silentMs <= (this.#wasHeard ? hungAfterMs : STARTED_WITHIN_MS)) return;
    log.error('worker_hung', { worker: name, silentMs });
    this.#died(this.#worker, 'it hung');
  }

  /** How long the worker has waited for a processor since the last check. */
  #waitedMs(): number {
    const { name, processorWaitMs: ask = processorWaitMs } = this.#options;
    const beforeMs = this.#processorWaitMs;
    this.#processorWaitMs = this.#silentMs < UNEXPLAINED_SILENCE_MS ? null : ask(name);
    if (beforeMs === null || this.#processorWaitMs === null) return 0;
    return Math.max(0, this.#processorWaitMs - beforeMs);
  }

  #died(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    worker.terminate();
    if (this.#isStopping) {
      this.#stopped.resolve();
      return;
    }
    const { clock, log, name, onRestart, onLost, onCrashLoop, withoutIt = '' } = this.#options;
    onLost?.(reason);
    if (clock.monotonicMs() - this.#startedAtMs > HEALTHY_AFTER_MS) {
      this.#restarts.reset();
      this.#lossesInARow = 0;
    }
    this.#lossesInARow += 1;
    if (this.#lossesInARow === CRASH_LOOP_LOSSES) {
      log.error('worker_crash_loop', { worker: name, losses: CRASH_LOOP_LOSSES, meanwhile: withoutIt });
      onCrashLoop?.();
    }
    const inMs = this.#restarts.schedule(() => {
      onRestart?.();
      this.start();
    });
    log.error('worker_restarting', { worker: name, inMs });
  }
}
