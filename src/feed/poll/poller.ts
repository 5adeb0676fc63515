// Runs one pull source, from its plan to numbered messages: sends the requests that are due, keeps the
// present state of the fixtures (the picture), and emits the differences. It has no timer: its owner calls
// `startDue`, and gets the time of the next call from `wakeAtMs`, so that a test can run hours with a clock
// of its own. Runs on the ingest worker.

import type { Clock } from '../../clock.ts';
import { endThread } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { CreditBudget } from './budget.ts';
import { Cooldown } from './cooldown.ts';
import type { WireMessage } from './epoch.ts';
import { EpochSender } from './epoch-sender.ts';
import { PollFailure, type PollFailureReason } from './failure.ts';
import { Picture, type PolledFixture } from './picture.ts';
import { RequestTable } from './request-table.ts';
import { IN_FLIGHT_MAX, isOfFirstRound, type RequestState, waitAfter } from './schedule.ts';
import type { PlannedRequest, PolledAnswer, PolledSource } from './source.ts';
import { Ledger, SourceReporter } from './source-report.ts';
import type { SourceState, SourceStatus } from './status.ts';
import { Timetable } from './timetable.ts';

export interface PollerOptions {
  readonly source: PolledSource;
  readonly clock: Clock;
  readonly log: Log;
  /** A random number of [0, 1): the jitter of waits. */
  readonly random: () => number;
  /** The operator's shortest interval, null for the source's own. */
  readonly forcedEveryMs: number | null;
  readonly emit: (message: WireMessage) => void;
  readonly connection: (isConnected: boolean) => void;
  /** Called when there may be messages to pass on, or a request has ended, so that another may be due. */
  readonly settled?: () => void;
}

/**
 * After this long, the snapshot of an epoch is sent without the answers to requests that keep failing,
 * because a part of the prices is better than none.
 */
const FIRST_ROUND_MS_MAX = 60_000;
/** An upstream whose clock is off by more is counted, because its stamps cannot be trusted. */
const SKEW_MS_MAX = 60_000;
const QUOTA_STOP = { kind: 'quota', scope: 'source' } as const;

export class Poller {
  readonly #options: PollerOptions;
  readonly #source: PolledSource;
  readonly #budget = new CreditBudget();
  readonly #picture: Picture;
  readonly #sender: EpochSender;
  readonly #timetable: Timetable;
  readonly #table = new RequestTable();
  readonly #cooldown = new Cooldown();
  readonly #ledger = new Ledger();
  readonly #report: SourceReporter;
  readonly #abort = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #firstRoundFromMs: number;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#source = options.source;
    this.#picture = new Picture((what) => this.#ledger.counts.add(what));
    this.#firstRoundFromMs = options.clock.wallMs();
    this.#sender = new EpochSender(options.source.name, this.#firstRoundFromMs, options.emit);
    const parts = {
      ...{ source: options.source, forcedEveryMs: options.forcedEveryMs, picture: this.#picture },
      ...{ budget: this.#budget, cooldown: this.#cooldown, table: this.#table, sender: this.#sender },
    };
    this.#timetable = new Timetable(parts);
    const { log, connection } = options;
    const timetable = this.#timetable;
    this.#report = new SourceReporter({ ...parts, log, connection, ledger: this.#ledger, timetable });
    options.source.push?.start((updates) => this.#hear(updates));
  }

  /** Applies what the upstream has pushed between two answers. */
  #hear(updates: readonly PolledFixture[]): void {
    if (this.#abort.signal.aborted) return;
    const nowMs = this.#options.clock.wallMs();
    for (const update of updates) this.#sender.send(this.#picture.apply(update, nowMs));
    this.#options.settled?.();
  }

  /** Starts every request that is due and may be sent now, and sends a heartbeat if one is due. */
  startDue(): void {
    const nowMs = this.#options.clock.wallMs();
    while (this.#mayStart()) {
      const request = this.#timetable.mostPressing(nowMs);
      if (request === null) break;
      this.#start(request, nowMs);
    }
    if (!this.#sender.isRunning && this.#isFirstRoundLate(nowMs)) this.#tryToBegin(nowMs);
    this.#sendDueLiquidity(nowMs);
    this.#heartbeat(nowMs);
    this.#report.update(nowMs); // time alone can make prices count as lost
  }

  #sendDueLiquidity(nowMs: number): void {
    const drafts = this.#picture.dueLiquidity(nowMs);
    if (drafts.length === 0) return;
    this.#sender.send(drafts);
    this.#options.settled?.();
  }

  /** Resolves when no request is open. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** When `startDue` has something to do next, Unix ms. */
  wakeAtMs(): number {
    const nowMs = this.#options.clock.wallMs();
    const dueMs = this.#underWay.size < IN_FLIGHT_MAX ? this.#timetable.dueTimesMs(nowMs) : [];
    const heartbeats = this.#sender.isRunning && this.#report.isAnswering(nowMs);
    const heartbeatMs = this.#sender.heartbeatDueAtMs(heartbeats, nowMs);
    return Math.max(nowMs + 1, Math.min(heartbeatMs, this.#picture.liquidityDueAtMs(), ...dueMs));
  }

  /** Ends open requests; nothing is emitted afterwards. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#source.push?.close();
    await this.settled();
  }

  /** The state that was reported last. */
  get state(): SourceState {
    return this.#report.state;
  }

  /** Receives the score of a match from another source. */
  setScore(event: string, score: readonly [number, number]): void {
    this.#source.setScore?.(this.#picture.upstreamKeyOf(event), score);
  }

  status(): SourceStatus {
    return this.#report.status(this.#options.clock.wallMs());
  }

  #mayStart(): boolean {
    if (this.#abort.signal.aborted) return false;
    // During the cooldown one request at a time checks whether it is over.
    const countMax = this.#cooldown.failure === null ? IN_FLIGHT_MAX : 1;
    return this.#underWay.size < countMax;
  }

  #start(request: PlannedRequest, nowMs: number): void {
    this.#table.prune([
      ...this.#timetable.requests(nowMs),
      ...(this.#source.probe === null ? [] : [this.#source.probe]),
    ]);
    const state = this.#table.of(request);
    this.#budget.spend(request.cost, isOfFirstRound(request, state), nowMs);
    state.askedAtMs = nowMs;
    state.isInFlight = true;
    this.#timetable.asked(nowMs);
    this.#ledger.requestsAsked++;
    const task = this.#ask(request, state).finally(() => {
      this.#underWay.delete(task);
      this.#options.settled?.();
    });
    this.#underWay.add(task);
  }

  async #ask(request: PlannedRequest, state: RequestState): Promise<void> {
    const askedAtMs = state.askedAtMs!;
    try {
      const answer = await this.#source.ask(request, this.#abort.signal);
      if (!this.#abort.signal.aborted) this.#take(request, state, { answer, askedAtMs });
    } catch (error) {
      if (!(error instanceof PollFailure)) endThread(error);
      else if (!this.#abort.signal.aborted) this.#fail(request, state, error);
    } finally {
      state.isInFlight = false;
    }
  }

  #take(
    request: PlannedRequest,
    state: RequestState,
    { answer, askedAtMs }: { readonly answer: PolledAnswer; readonly askedAtMs: number },
  ): void {
    const nowMs = this.#options.clock.wallMs();
    this.#learn(request, answer, nowMs);
    const updates = this.#source.read(request, answer.body, {
      picture: this.#picture.fixtures,
      nowMs,
      count: (what) => this.#ledger.counts.add(what),
      unmapped: (bookmaker) => this.#ledger.unmapped.add(bookmaker),
    });
    const { coveredAtMs } = state;
    this.#ledger.requestsAnswered++;
    Object.assign(state, { answeredAtMs: nowMs, coveredAtMs: askedAtMs, failures: 0, failure: null });
    // An answer that arrives before the cooldown is over was requested before the cooldown began, so it does
    // not end the cooldown.
    if (this.#cooldown.failure !== null && nowMs >= this.#cooldown.untilMs && this.#endCooldown(nowMs))
      return;
    const { windowMs } = request;
    if (windowMs !== undefined && coveredAtMs !== null && askedAtMs - coveredAtMs > windowMs) {
      this.#ledger.failures.add('missed_window');
      this.#newEpoch('missed_window', nowMs);
      return;
    }
    for (const update of updates) this.#sender.send(this.#picture.apply(update, nowMs));
    if (!this.#sender.isRunning) this.#tryToBegin(nowMs);
    if (this.#cooldown.failure === null && this.#timetable.isSpent(nowMs)) {
      this.#cooldown.begin(new PollFailure('quota_spent', QUOTA_STOP), nowMs, this.#options.random());
    }
    this.#report.update(nowMs);
  }

  #learn(request: PlannedRequest, { quota, gapMs, serverAtMs }: PolledAnswer, nowMs: number): void {
    const { key, cost } = request;
    this.#timetable.keepGap(gapMs);
    this.#ledger.creditsSpent += cost;
    if (quota !== null) this.#budget.learn(quota, nowMs);
    const isSkewed = serverAtMs !== null && Math.abs(serverAtMs - nowMs) > SKEW_MS_MAX;
    if (isSkewed) this.#ledger.counts.add('clock_skew');
    const fields = { source: this.#source.name, request: key, cost, left: quota?.left ?? null };
    if (cost > 0) this.#options.log.info('source_answered', fields);
    else this.#options.log.debug('source_answered', fields);
  }

  #fail({ key }: PlannedRequest, state: RequestState, failure: PollFailure): void {
    const nowMs = this.#options.clock.wallMs();
    const { reason, kind } = failure;
    const random = this.#options.random();
    this.#ledger.failures.add(reason);
    state.failures++;
    state.failure = failure;
    state.notBeforeMs = nowMs + waitAfter(failure, state.failures, random);
    if (failure.scope === 'source') this.#cooldown.begin(failure, nowMs, random);
    const fields = { source: this.#source.name, request: key, reason, kind };
    // An error, because only an update of the server by the operator helps.
    if (failure.field !== null)
      this.#options.log.error('source_changed', { ...fields, field: failure.field });
    else this.#options.log.warn('source_request_failed', fields);
    if (!this.#sender.isRunning) this.#tryToBegin(nowMs);
    this.#report.update(nowMs);
  }

  /**
   * Call it when an answer has arrived after the cooldown's time: ends the cooldown, unless there are still
   * no credits.
   * @returns whether the answer must be dropped: the cooldown continues, or a new epoch has begun
   */
  #endCooldown(nowMs: number): boolean {
    const { failure, isStop } = this.#cooldown;
    if (failure === null) return false;
    if (failure.kind === 'quota' && this.#timetable.isSpent(nowMs)) {
      this.#cooldown.begin(failure, nowMs, this.#options.random());
      return true;
    }
    this.#cooldown.end();
    if (isStop) this.#newEpoch(failure.reason, nowMs);
    return isStop;
  }

  /** Requests everything again. The old slate stays until the new snapshot is complete. */
  #newEpoch(reason: PollFailureReason, nowMs: number): void {
    this.#options.log.info('source_new_epoch', { source: this.#source.name, reason });
    this.#sender.end();
    this.#firstRoundFromMs = nowMs;
    this.#picture.clear();
    this.#source.forget();
    this.#table.restart(this.#source.probe);
    this.#report.update(nowMs);
  }

  #isFirstRoundLate(nowMs: number): boolean {
    return nowMs - this.#firstRoundFromMs >= FIRST_ROUND_MS_MAX;
  }

  /**
   * Sends the snapshot once the first round of requests is complete, or once it has waited long enough for
   * requests that keep failing.
   */
  #tryToBegin(nowMs: number): void {
    const full = this.#timetable.plan(nowMs).filter(({ part }) => part === 'full');
    if (!this.#table.isRoundComplete(full, this.#isFirstRoundLate(nowMs))) return;
    this.#ledger.epochs++;
    this.#sender.begin(this.#picture.whole(nowMs), nowMs);
    this.#report.updatePace(nowMs);
    this.#heartbeat(nowMs);
  }

  /**
   * Sends a heartbeat if one is due. It confirms every open quote up to the time that the push side reports.
   * If the push side reports no time, the oldest answer that confirms quotes gives the time.
   */
  #heartbeat(nowMs: number): void {
    if (!this.#sender.isRunning || !this.#report.isAnswering(nowMs)) return;
    const confirmedAtMs =
      this.#source.push?.confirmedAtMs() ??
      this.#table.confirmedAtMs(this.#timetable.plan(nowMs)) ??
      this.#firstRoundFromMs;
    this.#sender.heartbeat(confirmedAtMs, nowMs);
  }
}
