// Trials of alert rules: the past is played to a rule, to show what it would have reported. One trial runs at
// a time, in a worker that ends after a while without trials. One trial of another paid account may wait for
// the running one. A new worker for every trial would compile all its code again, which takes more processor
// time than most trials, and would start before the hundred megabytes of the previous one are free.

import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { PastAlerts, PastAlertsQuestion } from '../../query/lists/history-calls.ts';
import type { Config } from '../../settings/config.ts';
import type { PastRule } from './past-alerts.ts';

/** Time limit of a trial. After it, the answer is about the part of the past that was played. */
const DEADLINE_MS = 4_000;
/**
 * Time limit of a trial for an account without a paid plan, which pauses for at least half of the time. For
 * every account, the wait before a trial and the trial together may take no longer than this.
 */
const RESTING_DEADLINE_MS = 7_000;
/**
 * The worker is terminated if the wait and the trial together take longer than this. This includes the few
 * hundred milliseconds that loading the worker's code takes. It must be less than the deadline of a request.
 */
const ENDS_MS = 9_000;

/** How long the worker is kept for the next trial. */
const KEPT_MS = 60_000;

/**
 * If an account with a paid plan has waited longer than this for another account's trial, its own trial is
 * refused.
 */
const WAIT_MS_MAX = 5_000;

/** A trial that would have to wait longer than this for the cooldown is refused. */
const COOLDOWN_MS_MAX = 4_000;

export interface PastAlertsTask {
  readonly config: Pick<Config, 'dataDir' | 'historyDir' | 'valueEdgeMaxPct' | 'arbitrageMarginMaxPct'>;
  readonly rule: PastRule;
  readonly fromMs: number;
  readonly toMs: number;
  /** After this time, the answer is about the part of the past that was played. */
  readonly deadlineMs: number;
  /** Whether the trial pauses for at least half of the time (half-pace.ts). */
  readonly rests: boolean;
}

/** A message to the worker: a trial, or `cut`: end the running trial and answer about the part played. */
export type ToTrialWorker = PastAlertsTask | 'cut';

interface RunningTrial {
  readonly accountId: string;
  readonly rests: boolean;
  /** Resolves when the trial ends, even if it fails. */
  readonly ended: Promise<void>;
}

export class PastAlertsWorkers {
  readonly #config: PastAlertsTask['config'];
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #wait: (ms: number) => Promise<void>;
  #worker: Worker | null = null;
  /** Timer that ends the worker; cleared by the next trial. */
  #ending: ReturnType<typeof setTimeout> | undefined;
  #running: RunningTrial | null = null;
  /** Whether a trial with a paid plan waits for the running one. */
  #isWaiting = false;
  #isCoolingDown = false;
  /** No trial for an account without a paid plan starts before this time. */
  #cooldownUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    config: PastAlertsTask['config'],
    clock: Pick<Clock, 'monotonicMs'>,
    wait: (ms: number) => Promise<void> = Bun.sleep,
  ) {
    const { dataDir, historyDir, valueEdgeMaxPct, arbitrageMarginMaxPct } = config;
    this.#config = { dataDir, historyDir, valueEdgeMaxPct, arbitrageMarginMaxPct };
    this.#clock = clock;
    this.#wait = wait;
  }

  /**
   * Plays the past for a rule. If an account with a paid plan needs the worker, the running trial of an
   * account without one is cut short and answers about the part that was played. If the running trial is that
   * of another account with a paid plan, one trial may wait for it, so that no account keeps all others from
   * trying rules.
   * @throws ServiceError `upstream_unavailable` during another trial, or when the worker fails
   */
  async play({ accountId, fromMs, toMs, when, where, names, plan }: PastAlertsQuestion): Promise<PastAlerts> {
    const rests = plan === 'free';
    let waitedMs = rests ? await this.#coolDown() : 0;
    // During each wait, another trial may have begun.
    while (this.#running !== null) {
      if (rests) throw isBusy();
      waitedMs += await this.#waitFor(this.#running, accountId);
      if (waitedMs > WAIT_MS_MAX) throw isBusy();
    }
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#running = { accountId, rests, ended };
    const begunAtMs = this.#clock.monotonicMs();
    // Copy only these fields. The question may hold more than its type says, such as the caller's signal,
    // which a worker cannot receive.
    const rule = { when, where, names, plan };
    const deadlineMs = Math.min(rests ? RESTING_DEADLINE_MS : DEADLINE_MS, RESTING_DEADLINE_MS - waitedMs);
    const task: PastAlertsTask = { config: this.#config, rule, fromMs, toMs, deadlineMs, rests };
    clearTimeout(this.#ending);
    try {
      const answer = await answerOf(this.#current(), task, ENDS_MS - waitedMs);
      this.#ending = setTimeout(() => this.#end(), KEPT_MS);
      return answer;
    } catch (error) {
      await this.#end();
      throw error;
    } finally {
      const endedAtMs = this.#clock.monotonicMs();
      const workedMs = (endedAtMs - begunAtMs) / (rests ? 2 : 1);
      this.#cooldownUntilMs = endedAtMs + workedMs;
      this.#running = null;
      end();
    }
  }

  #send(message: ToTrialWorker): void {
    this.#worker?.postMessage(message);
  }

  #current(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(new URL('./past-alerts.worker.ts', import.meta.url).href, { name: 'trial' });
    // The worker may also exit on its own between two trials.
    worker.addEventListener('close', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    this.#worker = worker;
    return worker;
  }

  /** Ends the worker, and waits until it is gone. */
  async #end(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    this.#worker = null;
    const gone = new Promise((resolve) => worker.addEventListener('close', resolve));
    worker.terminate();
    await gone;
  }

  /**
   * Cuts the running trial of an account without a paid plan, or waits for that of another account.
   * @returns how long the caller has waited for the other account, in milliseconds
   */
  async #waitFor(running: RunningTrial, accountId: string): Promise<number> {
    if (running.rests) {
      this.#send('cut');
      await running.ended;
      return 0;
    }
    if (this.#isWaiting || running.accountId === accountId) throw isBusy();
    const fromMs = this.#clock.monotonicMs();
    this.#isWaiting = true;
    await running.ended;
    this.#isWaiting = false;
    return this.#clock.monotonicMs() - fromMs;
  }

  /**
   * Waits for the cooldown after the last trial. It limits all accounts without a paid plan together to a
   * third of a processor. Accounts with a paid plan do not wait.
   * @returns how long the caller has waited, in milliseconds
   */
  async #coolDown(): Promise<number> {
    if (this.#running !== null) throw isBusy();
    const cooldownMs = this.#cooldownUntilMs - this.#clock.monotonicMs();
    if (cooldownMs <= 0) return 0;
    if (this.#isCoolingDown || cooldownMs > COOLDOWN_MS_MAX) throw isBusy();
    this.#isCoolingDown = true;
    await this.#wait(cooldownMs);
    this.#isCoolingDown = false;
    return cooldownMs;
  }
}

function isBusy(): ServiceError {
  return unavailable('another rule is being tried');
}

function answerOf(worker: Worker, task: PastAlertsTask, withinMs: number): Promise<PastAlerts> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable('it took too long')), withinMs);
    worker.onmessage = (event: MessageEvent<PastAlerts>) => {
      clearTimeout(timer);
      resolve(event.data);
    };
    worker.onerror = () => {
      clearTimeout(timer);
      reject(unavailable('the history cannot be read'));
    };
    worker.postMessage(task);
  });
}

function unavailable(why: string): ServiceError {
  return new ServiceError('upstream_unavailable', `Cannot try the rule on the past: ${why}`, {
    fix: 'Retry later; the rule can be created without this trial',
    retryAfterSeconds: 5,
  });
}
