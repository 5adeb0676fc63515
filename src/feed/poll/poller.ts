// One pull source from its plan to numbered messages: asks what is due, keeps the picture, and sends the differences.
// It has no timer: whoever owns it calls `startDue` and asks `wakeAtMs` when to come again, so that a test can run hours
// with a clock of its own. Runs on the ingest worker.

import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { Budget } from './budget.ts';
import { EpochNumbers, type WireMessage } from './epoch.ts';
import { PollFailure, type PollFailureReason } from './failure.ts';
import { Picture } from './picture.ts';
import {
  dueAtMs,
  IN_FLIGHT_MAX,
  intervalMs,
  isOfFirstRound,
  newRequestState,
  type Pace,
  pressure,
  type RequestState,
  waitAfter,
} from './schedule.ts';
import type { AnswerCount, PlannedRequest, PolledAnswer, PolledSource } from './source.ts';
import { type SourceState, type SourceStatus, Tally } from './status.ts';

export interface PollerOptions {
  readonly source: PolledSource;
  readonly clock: Clock;
  readonly log: Log;
  /** A number of [0, 1): the jitter of waits. */
  readonly random: () => number;
  /** The operator's shortest interval, null for the source's own. */
  readonly forcedEveryMs: number | null;
  readonly emit: (message: WireMessage) => void;
  readonly connection: (isConnected: boolean) => void;
  /** Called when a request has ended: something may be due, and there may be messages. */
  readonly settled?: () => void;
}

const HEARTBEAT_MS = 10_000;
/** A first round with failures in it is sent as it is after this long: what did answer is better than nothing. */
const FIRST_ROUND_MS_MAX = 60_000;
/** An upstream whose clock is further off is counted: its stamps cannot be believed. */
const SKEW_MS_MAX = 60_000;
/** Requests remembered before those that are planned no more are forgotten. */
const STATES_MAX = 256;
const QUOTA_STOP = { kind: 'quota', scope: 'source' } as const;

export class Poller {
  readonly #options: PollerOptions;
  readonly #source: PolledSource;
  readonly #budget = new Budget();
  readonly #picture: Picture;
  readonly #numbers: EpochNumbers;
  readonly #states = new Map<string, RequestState>();
  readonly #failures = new Tally<PollFailureReason>();
  readonly #counts = new Tally<AnswerCount>();
  readonly #unmapped = new Tally<string>();
  readonly #abort = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #gapMs = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #firstRoundFromMs: number;
  #isRunning = false;
  /** A failure of the whole source, which rests until `#restUntilMs`. */
  #rest: PollFailure | null = null;
  #restUntilMs = 0;
  #restCount = 0;
  #heartbeatAtMs = Number.NEGATIVE_INFINITY;
  #isConnected = false;
  #shownState: SourceState = 'starting';
  #asked = 0;
  #answered = 0;
  #creditsSpent = 0;
  #epochs = 0;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#source = options.source;
    this.#picture = new Picture((what) => this.#counts.add(what));
    this.#firstRoundFromMs = options.clock.wallMs();
    this.#numbers = new EpochNumbers(options.source.name, this.#firstRoundFromMs);
  }

  /** Starts every request that is due and may be made now, and sends a heartbeat when one is due. */
  startDue(): void {
    const nowMs = this.#options.clock.wallMs();
    while (this.#underWay.size < IN_FLIGHT_MAX) {
      const request = this.#mostPressing(nowMs);
      if (request === null) break;
      this.#start(request, nowMs);
    }
    if (!this.#isRunning && nowMs - this.#firstRoundFromMs >= FIRST_ROUND_MS_MAX) this.#tryToBegin(nowMs);
    this.#heartbeat(nowMs);
  }

  /** Resolves when no request is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** When `startDue` has something to do next, Unix ms. */
  wakeAtMs(): number {
    const nowMs = this.#options.clock.wallMs();
    const requests = this.#underWay.size < IN_FLIGHT_MAX ? this.#requests(nowMs) : [];
    const pace = this.#pace(nowMs);
    const dueMs = requests.map((request) => this.#dueAtMs(request, pace, nowMs));
    const beats = this.#isRunning && this.#isAnswering();
    const heartbeatMs = (beats ? this.#heartbeatAtMs : nowMs) + HEARTBEAT_MS;
    return Math.max(nowMs + 1, Math.min(heartbeatMs, ...dueMs));
  }

  /** Ends what is under way; nothing is emitted afterwards. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.settled();
  }

  /** The state that was told last. */
  get standing(): SourceState {
    return this.#shownState;
  }

  status(): SourceStatus {
    const nowMs = this.#options.clock.wallMs();
    const pace = this.#pace(nowMs);
    const { state, reason, nextTryAtMs } = this.#standing(nowMs);
    return {
      name: this.#source.name,
      state,
      reason,
      nextTryAtMs,
      requestsAsked: this.#asked,
      requestsAnswered: this.#answered,
      creditsSpent: this.#creditsSpent,
      creditsLeft: this.#budget.quota?.left ?? null,
      periodEndMs: this.#budget.quota?.periodEndMs ?? null,
      epochs: this.#epochs,
      failures: this.#failures.counts,
      counts: this.#counts.counts,
      unmapped: this.#unmapped.counts,
      requests: this.#requests(nowMs).map((request) => {
        const held = this.#stateOf(request);
        return {
          key: request.key,
          cost: request.cost,
          everyMs: intervalMs(request, pace),
          askedAtMs: held.askedAtMs,
          answeredAtMs: held.answeredAtMs,
          reason: held.failure?.reason ?? null,
        };
      }),
    };
  }

  /** What may be asked at all now: only the probe while the source rests, no changes before there is a snapshot. */
  #requests(nowMs: number): readonly PlannedRequest[] {
    const plan = this.#plan(nowMs);
    if (this.#rest !== null && this.#rest.kind !== 'retry') {
      return this.#source.probe === null ? plan.slice(0, 1) : [this.#source.probe];
    }
    const { probe } = this.#source;
    // The free request goes first of all: it shows the quota before anything is spent.
    if (probe !== null && this.#stateOf(probe).answeredAtMs === null) return [probe];
    return this.#isRunning ? plan : plan.filter((request) => request.part === 'full');
  }

  /** What the source wants asked, without windows of changes that close before they are asked again. */
  #plan(nowMs: number): readonly PlannedRequest[] {
    const plan = this.#source.plan(this.#picture.fixtures, nowMs);
    const everyMs = this.#options.forcedEveryMs ?? 0;
    return plan.filter(({ windowMs }) => windowMs === undefined || windowMs > everyMs);
  }

  #pace(nowMs: number): Pace {
    const plan = this.#plan(nowMs);
    return { forcedEveryMs: this.#options.forcedEveryMs, stretch: this.#budget.stretch(plan, nowMs) };
  }

  #stateOf(request: PlannedRequest): RequestState {
    const held = this.#states.get(request.key);
    if (held !== undefined) return held;
    const state = newRequestState();
    this.#states.set(request.key, state);
    return state;
  }

  #dueAtMs(request: PlannedRequest, pace: Pace, nowMs: number): number {
    const state = this.#stateOf(request);
    if (this.#rest !== null) return state.isInFlight ? Number.POSITIVE_INFINITY : this.#restUntilMs;
    const dueMs = dueAtMs(request, state, { pace, budget: this.#budget, nowMs });
    return Math.max(dueMs, this.#askedAtMs + this.#gapMs);
  }

  #mostPressing(nowMs: number): PlannedRequest | null {
    if (this.#abort.signal.aborted) return null;
    const pace = this.#pace(nowMs);
    let chosen: PlannedRequest | null = null;
    let most = Number.NEGATIVE_INFINITY;
    for (const request of this.#requests(nowMs)) {
      if (this.#dueAtMs(request, pace, nowMs) > nowMs) continue;
      const pressing = pressure(request, this.#stateOf(request), pace, nowMs);
      if (pressing > most) {
        most = pressing;
        chosen = request;
      }
    }
    // While the source rests one request at a time looks whether it is over.
    return this.#rest !== null && this.#underWay.size > 0 ? null : chosen;
  }

  #start(request: PlannedRequest, nowMs: number): void {
    if (this.#states.size > STATES_MAX) this.#dropStates(nowMs);
    const state = this.#stateOf(request);
    this.#budget.spend(request.cost, isOfFirstRound(request, state), nowMs);
    state.askedAtMs = nowMs;
    state.isInFlight = true;
    this.#askedAtMs = nowMs;
    this.#asked++;
    const task = this.#ask(request, state).finally(() => {
      this.#underWay.delete(task);
      this.#options.settled?.();
    });
    this.#underWay.add(task);
  }

  /** Forgets requests that are planned no more, such as those of days gone by. */
  #dropStates(nowMs: number): void {
    const plan = this.#plan(nowMs);
    const planned = new Set(
      [...plan, ...(this.#source.probe === null ? [] : [this.#source.probe])].map(({ key }) => key),
    );
    for (const [key, { isInFlight }] of this.#states) {
      if (!planned.has(key) && !isInFlight) this.#states.delete(key);
    }
  }

  async #ask(request: PlannedRequest, state: RequestState): Promise<void> {
    const askedAtMs = state.askedAtMs!;
    try {
      const answer = await this.#source.ask(request, this.#abort.signal);
      if (this.#abort.signal.aborted) return;
      this.#take(request, state, { answer, askedAtMs });
    } catch (error) {
      if (!(error instanceof PollFailure)) {
        // Our own bug. Thrown from a task of its own: a rejection would end the worker without a word of why.
        setImmediate(() => {
          throw error;
        });
      } else if (!this.#abort.signal.aborted) this.#fail(request, state, error);
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
      count: (what) => this.#counts.add(what),
      unmapped: (bookmaker) => this.#unmapped.add(bookmaker),
    });
    const coveredAtMs = state.coveredAtMs;
    this.#answered++;
    state.answeredAtMs = nowMs;
    state.coveredAtMs = askedAtMs;
    state.failures = 0;
    state.failure = null;
    if (this.#endRest(nowMs)) return; // what was known is too old: the new epoch asks for everything
    const { windowMs } = request;
    if (windowMs !== undefined && coveredAtMs !== null && askedAtMs - coveredAtMs > windowMs) {
      this.#failures.add('missed_window');
      this.#newEpoch('missed_window', nowMs);
      return;
    }
    for (const update of updates) {
      const drafts = this.#picture.apply(update, nowMs);
      if (this.#isRunning) for (const message of this.#numbers.number(drafts)) this.#options.emit(message);
    }
    if (!this.#isRunning) this.#tryToBegin(nowMs);
    if (this.#isSpent(nowMs)) this.#restFor(new PollFailure('quota_spent', QUOTA_STOP), nowMs);
    this.#show(nowMs);
  }

  /** Whether not even the cheapest request can be paid until the period ends. */
  #isSpent(nowMs: number): boolean {
    const costs = this.#plan(nowMs).map(({ cost }) => cost);
    return costs.length > 0 && !this.#budget.hasLeft(Math.min(...costs), nowMs);
  }

  #restFor(failure: PollFailure, nowMs: number): void {
    this.#restCount++;
    this.#rest = failure;
    this.#restUntilMs = nowMs + waitAfter(failure, this.#restCount, this.#options.random());
  }

  #learn(request: PlannedRequest, { quota, gapMs, serverAtMs }: PolledAnswer, nowMs: number): void {
    this.#gapMs = gapMs;
    this.#creditsSpent += request.cost;
    if (quota !== null) this.#budget.learn(quota, nowMs);
    if (serverAtMs !== null && Math.abs(serverAtMs - nowMs) > SKEW_MS_MAX) this.#counts.add('clock_skew');
    const fields = {
      source: this.#source.name,
      request: request.key,
      cost: request.cost,
      left: quota?.left ?? null,
    };
    if (request.cost > 0) this.#options.log.info('source_answered', fields);
    else this.#options.log.debug('source_answered', fields);
  }

  #fail(request: PlannedRequest, state: RequestState, failure: PollFailure): void {
    const nowMs = this.#options.clock.wallMs();
    this.#failures.add(failure.reason);
    state.failures++;
    state.failure = failure;
    state.notBeforeMs = nowMs + waitAfter(failure, state.failures, this.#options.random());
    if (failure.scope === 'source') this.#restFor(failure, nowMs);
    const { reason, kind } = failure;
    this.#options.log.warn('source_request_failed', {
      source: this.#source.name,
      request: request.key,
      reason,
      kind,
    });
    if (!this.#isRunning) this.#tryToBegin(nowMs);
    this.#show(nowMs);
  }

  /** An answer came while the source rested. @returns whether a new epoch begins */
  #endRest(nowMs: number): boolean {
    const rested = this.#rest;
    if (rested === null) return false;
    if (rested.kind === 'quota' && this.#isSpent(nowMs)) {
      this.#restUntilMs = nowMs + waitAfter(rested, 1, 0);
      return true;
    }
    this.#rest = null;
    this.#restCount = 0;
    if (rested.kind === 'retry') return false;
    this.#newEpoch(rested.reason, nowMs);
    return true;
  }

  /** Asks for everything anew. What was served stays as it is until the new snapshot is complete. */
  #newEpoch(reason: PollFailureReason, nowMs: number): void {
    this.#options.log.info('source_new_epoch', { source: this.#source.name, reason });
    this.#isRunning = false;
    this.#firstRoundFromMs = nowMs;
    this.#picture.clear();
    this.#source.forget();
    const { probe } = this.#source;
    for (const [key, state] of this.#states)
      if (key !== probe?.key && !state.isInFlight) this.#states.delete(key);
    for (const [key, state] of this.#states) if (key !== probe?.key) state.answeredAtMs = null;
    this.#show(nowMs);
  }

  /** Sends the snapshot once the first round is complete, or has waited long enough for what keeps failing. */
  #tryToBegin(nowMs: number): void {
    const full = this.#source
      .plan(this.#picture.fixtures, nowMs)
      .filter((request) => request.part === 'full');
    const states = full.map((request) => this.#stateOf(request));
    const isLate = nowMs - this.#firstRoundFromMs >= FIRST_ROUND_MS_MAX;
    const isComplete = states.every(
      ({ answeredAtMs, failure }) =>
        answeredAtMs !== null || failure?.kind === 'final' || (isLate && failure !== null),
    );
    if (!isComplete || !states.some(({ answeredAtMs }) => answeredAtMs !== null)) return;
    this.#isRunning = true;
    this.#epochs++;
    for (const message of this.#numbers.begin(this.#picture.whole(nowMs), nowMs)) this.#options.emit(message);
    this.#tellPace(nowMs);
    this.#heartbeat(nowMs);
  }

  /** How often each request will be asked at the present pace, into the log. */
  #tellPace(nowMs: number): void {
    const pace = this.#pace(nowMs);
    for (const request of this.#requests(nowMs)) {
      const everyS = Math.round(intervalMs(request, pace) / 1_000);
      this.#options.log.info('source_pace', {
        source: this.#source.name,
        request: request.key,
        every_s: Number.isFinite(everyS) ? everyS : null,
        cost: request.cost,
        left: this.#budget.quota?.left ?? null,
      });
    }
  }

  /** Alive, and every open quote confirmed up to the oldest of the answers that confirm. */
  #heartbeat(nowMs: number): void {
    if (!this.#isRunning || !this.#isAnswering() || nowMs - this.#heartbeatAtMs < HEARTBEAT_MS) return;
    const confirms = this.#plan(nowMs).filter((request) => request.confirms);
    // Changes confirm what they leave out; full answers are older, and confirm where no changes are asked for.
    const changes = confirms.filter(({ part }) => part === 'changes');
    const confirming = changes.length > 0 ? changes : confirms;
    const answered = confirming.flatMap((request) => this.#stateOf(request).answeredAtMs ?? []);
    const confirmedMs = answered.length === 0 ? this.#firstRoundFromMs : Math.min(...answered);
    this.#heartbeatAtMs = nowMs;
    this.#options.emit(this.#numbers.heartbeat(confirmedMs));
  }

  /** Whether the upstream is there at all: the source does not rest, and not everything it was asked last failed. */
  #isAnswering(): boolean {
    if (this.#rest !== null) return false;
    const asked = [...this.#states.values()].filter((state) => state.askedAtMs !== null);
    return asked.some((state) => state.failure === null && state.answeredAtMs !== null);
  }

  #standing(nowMs: number): Pick<SourceStatus, 'state' | 'reason' | 'nextTryAtMs'> {
    if (this.#rest !== null) {
      const state = this.#rest.kind === 'retry' ? 'failing' : 'stopped';
      return { state, reason: this.#rest.reason, nextTryAtMs: this.#restUntilMs };
    }
    const states = this.#requests(nowMs).map((request) => this.#stateOf(request));
    const failed = states.find(({ failure }) => failure !== null);
    if (failed?.failure != null) {
      // Refused for good, all that was asked: a bad key that the upstream reports request by request.
      const isStopped = states.every(({ failure }) => failure?.kind === 'final');
      const state = isStopped ? 'stopped' : 'failing';
      return { state, reason: failed.failure.reason, nextTryAtMs: failed.notBeforeMs };
    }
    return { state: this.#isRunning ? 'ok' : 'starting', reason: null, nextTryAtMs: null };
  }

  /** Tells the log and the slate when the source's standing has changed. */
  #show(nowMs: number): void {
    const isConnected = this.#isAnswering();
    if (isConnected !== this.#isConnected) {
      this.#isConnected = isConnected;
      this.#options.connection(isConnected);
    }
    const { state, reason, nextTryAtMs } = this.#standing(nowMs);
    if (state === this.#shownState) return;
    this.#shownState = state;
    const next = nextTryAtMs === null ? null : Math.max(0, Math.round((nextTryAtMs - nowMs) / 1_000));
    this.#options.log.info('source_state', { source: this.#source.name, state, reason, next_try_in_s: next });
  }
}
