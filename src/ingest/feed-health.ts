// The state of each of the feed's sources: connected, last heard, last applied, and since when its messages
// are not applied. The handler of each source reports to it. It publishes to the store for /ready, /health
// and /metrics: immediately when a source connects or disconnects, loses messages or is complete again,
// otherwise about once a second.

import type { Clock } from '../clock.ts';
import type { SourceStatus } from '../feed/poll/status.ts';
import { pushStatus } from '../feed/push-status.ts';
import type { SourceReport } from '../store/source-reports.ts';

/** Where reports and the connection are published: the store's writer. */
export interface HealthOutlet {
  setSourceReports(reports: readonly SourceReport[]): void;
  readonly facts: { setConnected(connected: boolean): void };
}

/** The health of all sources of the feed. */
export class FeedHealth {
  readonly #outlet: HealthOutlet;
  readonly #clock: Clock;
  readonly #sources: SourceHealth[] = [];

  constructor(outlet: HealthOutlet, clock: Clock) {
    this.#outlet = outlet;
    this.#clock = clock;
  }

  /** Adds a source that has sent nothing yet. @param name as FEED names it */
  add(name: string): SourceHealth {
    const source = new SourceHealth(name, this.#clock, () => this.publish());
    this.#sources.push(source);
    return source;
  }

  /**
   * Publishes the state of all sources. Call it about once a second; a source that changes its state
   * publishes immediately.
   */
  publish(): void {
    // The feed counts as connected while one of its sources is; the reports say which of them are not.
    this.#outlet.facts.setConnected(this.#sources.some(({ isConnected }) => isConnected));
    this.#outlet.setSourceReports(this.#sources.map((source) => source.report()));
  }
}

/** The outcome of a batch of one source's messages. */
export interface BatchOutcome {
  /** Whether anything came that shows that the source is alive. */
  readonly isHeard: boolean;
  /** Whether any of its messages was applied. */
  readonly isApplied: boolean;
  /** Whether messages were lost, so that nothing applies until a snapshot begins. */
  readonly isLost: boolean;
  /** Whether the connection speaks another protocol. */
  readonly isRefused: boolean;
  readonly quotesTaken: number;
  readonly quotesRefused: number;
  /** How far the source's clock is ahead of ours; its stamps are corrected by this. */
  readonly clockAheadMs: number;
  /** Whether a snapshot is in progress. Until it ends, the earlier state stays published. */
  readonly inSnapshot: boolean;
}

/** Quotes refused in a row before a source that had quotes accepted counts as failing. */
const QUOTES_REFUSED_MAX = 100;

/** The health of one source. */
export class SourceHealth {
  readonly name: string;
  readonly #clock: Clock;
  readonly #changed: () => void;
  #isConnected = false;
  #heardAtMs: number | null = null;
  #appliedAtMs: number | null = null;
  /**
   * When the loss of messages began, Unix ms; null when the source is complete. A source starts with messages
   * lost, because nothing that it sends applies before its first snapshot.
   */
  #lostSinceMs: number | null;
  #wasWhole = false;
  #isRefused = false;
  #clockAheadMs = 0;
  /** Quotes refused since the last one that was accepted. */
  #quotesRefused = 0;
  #hasQuote = false;
  #status: SourceStatus | null = null;

  constructor(name: string, clock: Clock, changed: () => void) {
    this.name = name;
    this.#clock = clock;
    this.#changed = changed;
    this.#lostSinceMs = clock.wallMs();
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /**
   * Whether the source's part of the slate is up to date: from the end of a snapshot until messages are lost.
   */
  get isWhole(): boolean {
    return this.#lostSinceMs === null;
  }

  /**
   * Whether all quotes so far were refused, or the last QUOTES_REFUSED_MAX in a row. The slate then lacks
   * quotes while everything else looks healthy.
   */
  get #areQuotesRefused(): boolean {
    return this.#quotesRefused >= (this.#hasQuote ? QUOTES_REFUSED_MAX : 1);
  }

  connection(isConnected: boolean): void {
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    this.#changed();
  }

  /** Notes the outcome of a batch. */
  batch(outcome: BatchOutcome): void {
    const { isHeard, isApplied, isLost, isRefused, inSnapshot, quotesTaken, quotesRefused } = outcome;
    this.#clockAheadMs = outcome.clockAheadMs;
    const wereRefused = this.#areQuotesRefused;
    this.#hasQuote ||= quotesTaken > 0;
    this.#quotesRefused = quotesTaken > 0 ? quotesRefused : this.#quotesRefused + quotesRefused;
    const nowMs = this.#clock.wallMs();
    if (isHeard) this.#heardAtMs = nowMs;
    if (isApplied) this.#appliedAtMs = nowMs;
    const wasWhole = this.isWhole;
    if (isLost) this.#lostSinceMs ??= nowMs;
    // A snapshot clears an earlier loss only at its end, because the slate is not complete before.
    else if (!inSnapshot) this.#lostSinceMs = null;
    this.#wasWhole ||= this.isWhole;
    const wasRefused = this.#isRefused;
    this.#isRefused = isRefused;
    const isOther = wereRefused !== this.#areQuotesRefused;
    if (wasWhole !== this.isWhole || wasRefused !== isRefused || isOther) this.#changed();
  }

  /** Receives the state that the source itself reports. */
  setReported(status: SourceStatus): void {
    const isNews = status.state !== this.#status?.state;
    this.#status = status;
    if (isNews) this.#changed();
  }

  report(): SourceReport {
    const own = this.#status ?? pushStatus({ name: this.name, state: 'ok', reason: null, nextTryAtMs: null });
    const stand = {
      ...own,
      isConnected: this.#isConnected,
      heardAtMs: this.#heardAtMs,
      appliedAtMs: this.#appliedAtMs,
      lostSinceMs: this.#lostSinceMs,
      clockAheadMs: this.#clockAheadMs,
      failures: Object.fromEntries(own.failures),
      counts: Object.fromEntries(own.counts),
      unmapped: Object.fromEntries(own.unmapped),
      requests: own.requests.map((request) => ({
        ...request,
        everyMs: Number.isFinite(request.everyMs) ? request.everyMs : null,
      })),
    };
    // A source's own report comes first, since it knows the cause. A source that reports itself healthy may
    // still have sent messages that could not be applied.
    if (own.state !== 'ok') return stand;
    if (this.#isRefused) return { ...stand, state: 'failing', reason: 'bad_protocol' };
    if (!this.isWhole && this.#wasWhole) return { ...stand, state: 'failing', reason: 'messages_lost' };
    if (this.#areQuotesRefused) return { ...stand, state: 'failing', reason: 'quotes_refused' };
    if (!this.isWhole) return { ...stand, state: 'starting', reason: null };
    if (!this.#isConnected) return { ...stand, state: 'failing', reason: 'disconnected' };
    return { ...stand, state: 'ok', reason: null };
  }
}
