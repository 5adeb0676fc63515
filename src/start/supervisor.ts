// Keeps one worker of main alive: starts it, hears it die or fall silent, and starts another after a pause. In Bun an
// unhandled rejection ends a worker silently with code 0, so any close that was not asked for counts as a crash.

import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { Restarts } from '../restarts.ts';
import { BEAT_EVERY_MS } from './beat.ts';

const RESTART_PAUSES = { pauseFirstMs: 100, pauseMaxMs: 10_000 };
/** A worker that has said nothing by then has hung in its start. On a crowded machine a start takes seconds. */
const STARTED_WITHIN_MS = 30_000;
/** A worker that lived this long was healthy: the next death starts from the first pause again. */
const HEALTHY_AFTER_MS = 60_000;
/** So many losses in a row are a crash loop. The worker is still tried, at the longest pause; the service does without it. */
const CRASH_LOOP_LOSSES = 6;

export interface SupervisorOptions<Message> {
  readonly name: string;
  readonly url: URL;
  readonly clock: Clock;
  readonly log: Log;
  /** The first message of every worker. */
  readonly startMessage: Message;
  readonly onMessage?: (message: FromWorker) => void;
  /** Told each time the worker is started again. */
  readonly onRestart?: () => void;
  /** Told each time a worker was started, the first included: further first messages can be posted. */
  readonly onStart?: () => void;
  /** Told when the worker is in a crash loop. */
  readonly onCrashLoop?: () => void;
  /** What the service does without it, for the log of a crash loop. */
  readonly withoutIt?: string;
  /** Told each time a worker was lost. */
  readonly onLost?: (reason: string) => void;
  /** For workers that beat (beat.ts): the silence after which one is replaced. Absent: it may be silent for ever. */
  readonly hungAfterMs?: number;
}

/** What workers say; every one says `stopped` when it has done what it was asked to do before its end. */
export interface FromWorker {
  readonly type: string;
}

export class Supervisor<Message> {
  readonly #options: SupervisorOptions<Message>;
  readonly #restarts = new Restarts(RESTART_PAUSES);
  /** Resolved when the worker may be ended: it has said `stopped`, or there is none any more. */
  readonly #stopped = Promise.withResolvers<void>();
  #worker: Worker | null = null;
  #startedAtMs = 0;
  #isStopping = false;
  #lossesInARow = 0;
  /** Looks in a row without a beat in between. */
  #silentLooks = 0;
  /** Whether the worker has said anything yet: until then it is loading its code. */
  #wasHeard = false;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: SupervisorOptions<Message>) {
    this.#options = options;
  }

  start(): void {
    const { url, name, log, onMessage, startMessage, clock } = this.#options;
    // The system shows the name of the thread (`top -H`, `perf`).
    const worker = new Worker(url.href, { name });
    this.#worker = worker;
    this.#startedAtMs = clock.monotonicMs();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      this.#silentLooks = 0;
      this.#wasHeard = true;
      if (data.type === 'beat') return;
      if (data.type === 'stopped') this.#stopped.resolve();
      onMessage?.(data);
    };
    worker.addEventListener('error', (event) => {
      log.error('worker_failed', { worker: name, error: event.message });
      this.#died(worker, event.message);
    });
    worker.addEventListener('close', () => this.#died(worker, 'it ended'));
    worker.postMessage(startMessage);
    this.#silentLooks = 0;
    this.#wasHeard = false;
    const { hungAfterMs } = this.#options;
    if (hungAfterMs !== undefined) {
      this.#timer ??= setInterval(() => this.#look(hungAfterMs), BEAT_EVERY_MS);
    }
    this.#options.onStart?.();
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** Dropped while there is no worker; `onStart` is the place for what each must be told. */
  post(message: Message, transfer: MessagePort[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  /** Sends `request` and ends the worker when it has said `stopped` or died, at the latest after `graceMs`. */
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

  /** Ends the worker at once, for good. */
  terminate(): void {
    this.#isStopping = true;
    this.#restarts.stop();
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#stopped.resolve();
  }

  /**
   * Looks are counted, not time: when main itself stood still, the beats of that time lie in its queue and the next look
   * is still one look.
   */
  #look(hungAfterMs: number): void {
    this.#silentLooks += 1;
    const silentMs = this.#silentLooks * BEAT_EVERY_MS;
    if (this.#worker === null || silentMs <= (this.#wasHeard ? hungAfterMs : STARTED_WITHIN_MS)) return;
    this.#options.log.error('worker_hung', { worker: this.#options.name, silentMs });
    this.#died(this.#worker, 'it hung');
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
