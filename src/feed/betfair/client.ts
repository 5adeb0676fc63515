// Betfair as a push source: requests the catalogue, connects, authenticates, subscribes, and passes on the
// messages that follow from changes of the order books. After a lost connection it resumes from the stream's
// clocks (`initialClk`, `clk`). If that is not possible, a full image follows, which begins a new epoch.

import type { Clock } from '../../clock.ts';
import type { Random } from '../../domain/random.ts';
import type { Log } from '../../log.ts';
import { jsonOrUndefined } from '../../parse-json.ts';
import { pause } from '../../pause.ts';
import { Backoff, FINAL_RETRY_MS } from '../backoff.ts';
import { sourceOf } from '../handover.ts';
import { EpochNumbers } from '../poll/epoch.ts';
import { PollFailure, type PollFailureReason } from '../poll/failure.ts';
import type { AnswerCount } from '../poll/source.ts';
import { type SourceStatus, Tally } from '../poll/status.ts';
import { type PushStanding, pushStatus } from '../push-status.ts';
import type { FeedSink, FeedSource } from '../source.ts';
import { askCatalogue, type CatalogueOptions } from './catalogue.ts';
import { failureOfCode } from './failure.ts';
import { type ChangeMessage, type StatusMessage, streamMessageOf } from './messages.ts';
import { BetfairBooks, type BetfairParseOptions } from './parse.ts';
import { keepAlive, readSession, type SessionOptions } from './session.ts';
import { connectStream, type StreamConnection, UntrustedError } from './stream.ts';

export interface BetfairOptions extends CatalogueOptions, BetfairParseOptions, SessionOptions {
  /** `tls://host:port`, or `tcp://host:port` for a proxy. */
  readonly streamUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  /** Receives the source's state when it changes. */
  readonly report: (status: SourceStatus) => void;
}

const AUTHENTICATION_ID = 1;
const SUBSCRIPTION_ID = 2;
const HEARTBEAT_MS = 5_000;
/** A connection that is silent for this long counts as dead. */
const SILENCE_MAX_MS = 15_000;
const WATCH_MS = 500;
/** A connection that takes longer than this to open, its handshake included, is closed. */
const OPEN_MS = 10_000;
/** While changes arrive, the quotes are confirmed this often. */
const CONFIRM_MS = 1_000;
/** If a request for the catalogue fails while the stream runs, it is sent again after this long. */
const CATALOGUE_RETRY_MS = 60_000;
/**
 * How often the session is kept alive. Otherwise it ends after twenty minutes to a day, depending on the
 * country.
 */
const KEEP_ALIVE_MS = 10 * 60_000;
/** How often the session's file is read once the session has ended. */
const SESSION_FILE_MS = 2_000;
/**
 * How often the catalogue is requested, to learn which fixtures came and went. Betfair advises not to request
 * it more often.
 */
const CATALOGUE_MS = 10 * 60_000;

/** Opens the source. It connects, and reconnects, until it is closed. */
export function openBetfair(options: BetfairOptions, sink: FeedSink): FeedSource {
  const link = new BetfairLink(options, sink);
  return {
    ...sourceOf(link.run(), () => link.close()),
    setScore: (event, score) => link.setScore(event, score),
  };
}

class BetfairLink {
  readonly #options: BetfairOptions;
  readonly #sink: FeedSink;
  readonly #backoff: Backoff;
  readonly #books: BetfairBooks;
  readonly #numbers: EpochNumbers;
  readonly #abort = new AbortController();
  #marketIds: readonly string[] = [];
  #catalogueAtMs = Number.NEGATIVE_INFINITY;
  /** The clocks to resume from; null if only a full image can be requested. */
  #resume: { initialClk: string; clk: string } | null = null;
  /** Parts of a change that arrives in segments. */
  #segments: ChangeMessage[] | null = null;
  #heardAtMs = 0;
  /** Source time of the last heartbeat that was passed on. */
  #confirmedAtMs = Number.NEGATIVE_INFINITY;
  #standing: Omit<PushStanding, 'name'> = { state: 'starting', reason: null, nextTryAtMs: null };
  /** How many parts of messages were left out since the source was opened, by reason. */
  readonly #refusals = new Tally<AnswerCount>();
  readonly #failures = new Tally<PollFailureReason>();
  /** Source time of the last change. */
  #publishedAtMs = Number.NaN;
  /** Whether a snapshot was passed on. */
  #isServing = false;
  #isAskingCatalogue = false;
  /** The token as it was last read. */
  #token: string;
  #keptAliveAtMs: number;
  /** Ends the current connection. */
  #wake: (failure: PollFailure | null) => void = () => {};

  constructor(options: BetfairOptions, sink: FeedSink) {
    this.#options = options;
    this.#sink = sink;
    this.#backoff = new Backoff(options.random);
    this.#books = new BetfairBooks(options);
    this.#numbers = new EpochNumbers('betfair', options.clock.wallMs());
    this.#token = options.session;
    this.#keptAliveAtMs = options.clock.monotonicMs();
  }

  close(): void {
    this.#abort.abort();
    this.#wake(null);
  }

  /**
   * Receives the score of a match from another source. With it the match's in-play handicaps can be
   * converted.
   */
  setScore(event: string, score: readonly [number, number]): void {
    if (!this.#isServing) return; // the score is sent again after the next snapshot
    // These drafts get the stream's time. With our time, the stream's next price might seem older than the
    // drafts.
    const drafts = this.#books.setScore(event, score, this.#publishedAtMs);
    if (drafts.length > 0 && !this.#offer(this.#numbers.number(drafts))) this.#refused();
  }

  async run(): Promise<void> {
    while (!this.#isClosed) {
      this.#token = await readSession(this.#options, this.#token);
      const failure = await this.#session().catch((error: unknown) => {
        if (error instanceof PollFailure) return error;
        throw error; // this is a bug of ours
      });
      if (this.#isClosed) return;
      this.#sink.connection(false);
      if (failure === null) continue; // the connection ended because other markets are wanted
      this.#failures.add(failure.reason);
      const isFinal = failure.kind === 'final';
      const waitMs = isFinal ? FINAL_RETRY_MS : Math.max(failure.retryAfterMs ?? 0, this.#backoff.nextMs());
      const fields = { source: 'betfair', why: failure.message, retry_ms: waitMs };
      if (isFinal) this.#options.log.error('feed_refused', fields);
      else this.#options.log.warn('feed_disconnected', fields);
      this.#report({
        state: isFinal ? 'stopped' : 'failing',
        reason: failure.reason,
        nextTryAtMs: this.#options.clock.wallMs() + waitMs,
      });
      await this.#pause(waitMs, isFinal);
    }
  }

  /**
   * Waits before the next connection. After a final failure, such as an ended session, the wait ends early
   * when the session's file holds another token.
   */
  async #pause(waitMs: number, isFinal: boolean): Promise<void> {
    if (!isFinal || this.#options.sessionFile === null) {
      await pause(waitMs, this.#abort.signal);
      return;
    }
    const refused = this.#token;
    const untilMs = this.#options.clock.monotonicMs() + waitMs;
    while (!this.#isClosed && this.#options.clock.monotonicMs() < untilMs) {
      await pause(SESSION_FILE_MS, this.#abort.signal);
      if ((await readSession(this.#options, refused)) === refused) continue;
      this.#options.log.info('betfair_session_renewed');
      this.#keptAliveAtMs = this.#options.clock.monotonicMs();
      return;
    }
  }

  /**
   * Keeps the session alive. A failure is only logged, because the connection fails anyway if the session
   * ends.
   */
  async #keepAlive(): Promise<void> {
    this.#token = await readSession(this.#options, this.#token);
    const why = await keepAlive(this.#options, this.#token, this.#abort.signal);
    if (why !== null && !this.#isClosed) this.#options.log.warn('betfair_keep_alive_failed', { why });
  }

  /** Reports the source's state, with its failures and what was refused inside its messages so far. */
  #report(standing: Omit<PushStanding, 'name'>): void {
    this.#standing = standing;
    const counted = { failures: this.#failures, counts: this.#refusals };
    this.#options.report({ ...pushStatus({ name: 'betfair', ...standing }), ...counted });
  }

  get #isClosed(): boolean {
    return this.#abort.signal.aborted;
  }

  /**
   * Runs one connection until it ends.
   * @returns why it ended; null when other markets are wanted, or the source is closed
   */
  async #session(): Promise<PollFailure | null> {
    await this.#refreshCatalogue();
    const ended = Promise.withResolvers<PollFailure | null>();
    this.#wake = ended.resolve;
    let connection: StreamConnection | null = null;
    try {
      const handlers = {
        line: (text: string) => this.#line(text, connection),
        closed: (why: string) => ended.resolve(new PollFailure('cut_short', { message: why })),
      };
      const signal = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(OPEN_MS)]);
      connection = await connectStream(this.#options.streamUrl, handlers, signal);
    } catch (error) {
      const reason = error instanceof UntrustedError ? 'tls_failed' : 'unreachable';
      throw new PollFailure(reason, { message: 'cannot connect' }); // the error's text may hold the address
    }
    this.#segments = null;
    this.#heardAtMs = this.#options.clock.monotonicMs();
    const watch = setInterval(() => this.#check(), WATCH_MS);
    const { appKey } = this.#options;
    connection.send({ op: 'authentication', id: AUTHENTICATION_ID, appKey, session: this.#token });
    try {
      return await ended.promise;
    } finally {
      clearInterval(watch);
      connection.close();
    }
  }

  async #refreshCatalogue(): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#catalogueAtMs < CATALOGUE_MS) return;
    const markets = await askCatalogue({ ...this.#options, session: this.#token }, this.#abort.signal);
    if (markets.length === 0)
      throw new PollFailure('empty', { message: 'no market is listed for the sports chosen' });
    this.#catalogueAtMs = nowMs;
    const marketIds = [...new Set(markets.map(({ marketId }) => marketId))].sort();
    // The subscription changes, so it must start again with full images.
    if (!Bun.deepEquals(marketIds, this.#marketIds)) this.#resume = null;
    this.#marketIds = marketIds;
    this.#books.learn(markets);
  }

  #check(): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#keptAliveAtMs >= KEEP_ALIVE_MS) {
      this.#keptAliveAtMs = nowMs;
      void this.#keepAlive();
    }
    if (nowMs - this.#heardAtMs > SILENCE_MAX_MS) {
      this.#wake(new PollFailure('timed_out', { message: `nothing heard for ${SILENCE_MAX_MS} ms` }));
    } else if (nowMs - this.#catalogueAtMs > CATALOGUE_MS && !this.#isAskingCatalogue)
      void this.#renewMarkets();
  }

  /** Requests the catalogue while the stream runs, and ends the connection when it names other markets. */
  async #renewMarkets(): Promise<void> {
    this.#isAskingCatalogue = true;
    const before = this.#marketIds;
    try {
      await this.#refreshCatalogue();
      if (!Bun.deepEquals(before, this.#marketIds)) this.#wake(null);
    } catch (error) {
      if (!(error instanceof PollFailure)) throw error;
      if (error.kind === 'final') this.#wake(error);
      this.#catalogueAtMs = this.#options.clock.monotonicMs() - CATALOGUE_MS + CATALOGUE_RETRY_MS;
    } finally {
      this.#isAskingCatalogue = false;
    }
  }

  #line(text: string, connection: StreamConnection | null): void {
    if (text === '') return;
    this.#heardAtMs = this.#options.clock.monotonicMs();
    const message = streamMessageOf(jsonOrUndefined(text));
    if (message === null) this.#sink.undecodable();
    else if (message.op === 'status') this.#status(message, connection);
    else if (message.op === 'mcm') this.#change(message);
  }

  #status({ id, isSuccess, errorCode }: StatusMessage, connection: StreamConnection | null): void {
    if (!isSuccess) {
      if (errorCode === 'INVALID_CLOCK') this.#resume = null; // the clocks are too old, so an image is needed
      this.#wake(failureOfCode(errorCode));
    } else if (id === AUTHENTICATION_ID) {
      connection?.send({
        op: 'marketSubscription',
        id: SUBSCRIPTION_ID,
        marketFilter: { marketIds: this.#marketIds },
        marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_TRADED_VOL', 'EX_MARKET_DEF'], ladderLevels: 3 },
        heartbeatMs: HEARTBEAT_MS,
        segmentationEnabled: true,
        ...this.#resume,
      });
    } else if (id === SUBSCRIPTION_ID) {
      this.#sink.connection(true);
      this.#report({ state: 'ok', reason: null, nextTryAtMs: null });
    }
  }

  /** Parts of one change are applied together, when the last one has arrived. */
  #change(message: ChangeMessage): void {
    for (const reason of message.refused) this.#refusals.add(reason);
    if (message.refused.length > 0) this.#report(this.#standing);
    const { segment } = message;
    if (segment === null) {
      this.#apply(message);
      return;
    }
    if (segment === 'SEG_START') this.#segments = [message];
    else if (this.#segments === null)
      return; // the first part of this change was never received
    else this.#segments.push(message);
    if (segment !== 'SEG_END') return;
    const parts = this.#segments;
    this.#segments = null;
    this.#apply({ ...parts[0]!, ...clocksOf(parts), markets: parts.flatMap(({ markets }) => markets) });
  }

  #apply(message: ChangeMessage): void {
    const { changeType, publishedAtMs, initialClk, clk } = message;
    if (Number.isNaN(publishedAtMs)) return; // the message only reports that the data may be stale
    this.#backoff.reset(); // the stream works, so the next cut counts as a first failure
    this.#publishedAtMs = publishedAtMs;
    let isTaken = true;
    if (changeType === 'SUB_IMAGE') {
      this.#books.clear();
      this.#books.apply(message);
      isTaken = this.#offer(this.#numbers.begin(this.#books.whole(publishedAtMs), publishedAtMs));
      this.#isServing = true;
    } else {
      isTaken = this.#offer(this.#numbers.number(this.#books.apply(message)));
    }
    const initial = initialClk ?? this.#resume?.initialClk ?? null;
    const latest = clk ?? this.#resume?.clk ?? null;
    if (initial !== null && latest !== null) this.#resume = { initialClk: initial, clk: latest };
    // Data that may be stale confirms nothing.
    if (isTaken && !message.isStale && publishedAtMs - this.#confirmedAtMs >= CONFIRM_MS) {
      this.#confirmedAtMs = publishedAtMs;
      isTaken = this.#offer([this.#numbers.heartbeat(publishedAtMs)]);
    }
    if (!isTaken) this.#refused();
  }

  /** A change that the queue refused is lost, so the source reconnects and requests a full image. */
  #refused(): void {
    this.#resume = null;
    this.#wake(new PollFailure('missed_window', { message: 'the feed queue is full' }));
  }

  #offer(messages: readonly unknown[]): boolean {
    return messages.every((message) => this.#sink.offer(message));
  }
}

/** The last `initialClk` and the last `clk` that the parts of a change have. */
function clocksOf(parts: readonly ChangeMessage[]): Pick<ChangeMessage, 'initialClk' | 'clk'> {
  return {
    initialClk: parts.findLast(({ initialClk }) => initialClk !== null)?.initialClk ?? null,
    clk: parts.findLast(({ clk }) => clk !== null)?.clk ?? null,
  };
}
