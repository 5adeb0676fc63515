// Whether each of the feed's sources can be believed: connected, heard, applied, and since when what it says does not
// apply. Told by the handler of each source, and published in the store for /ready, /health and /metrics: at once when a
// source is lost, whole again, connected or cut, else about once a second.

import type { Clock } from '../clock.ts';
import type { SourceStatus } from '../feed/poll/status.ts';
import type { SourceReport } from '../store/source-reports.ts';

/** Where reports and the connection are published: the store's writer. */
export interface HealthOutlet {
  setSourceReports(reports: readonly SourceReport[]): void;
  setConnected(connected: boolean): void;
}

/** All sources of the feed. */
export class FeedHealth {
  readonly #outlet: HealthOutlet;
  readonly #clock: Clock;
  readonly #sources: SourceHealth[] = [];

  constructor(outlet: HealthOutlet, clock: Clock) {
    this.#outlet = outlet;
    this.#clock = clock;
  }

  /** One more source, which has brought nothing yet. @param name as FEED names it */
  add(name: string): SourceHealth {
    const source = new SourceHealth(name, this.#clock, () => this.publish());
    this.#sources.push(source);
    return source;
  }

  /** Publishes how all sources stand. Call it about once a second; what is urgent publishes itself. */
  publish(): void {
    // The feed counts as connected while one of its sources is; the reports say which of them are not.
    this.#outlet.setConnected(this.#sources.some(({ isConnected }) => isConnected));
    this.#outlet.setSourceReports(this.#sources.map((source) => source.report()));
  }
}

/** What a batch of one source's messages was. */
export interface BatchOutcome {
  /** Whether anything came that shows that the source lives. */
  readonly isHeard: boolean;
  /** Whether anything of it was applied. */
  readonly isApplied: boolean;
  /** Whether messages were lost and nothing applies until a snapshot begins. */
  readonly isLost: boolean;
  /** Whether the connection speaks another protocol. */
  readonly isRefused: boolean;
  /** Whether a snapshot is under way: what is published is what was there before. */
  readonly inSnapshot: boolean;
}

/** One source. */
export class SourceHealth {
  readonly name: string;
  readonly #clock: Clock;
  readonly #changed: () => void;
  #isConnected = false;
  #heardAtMs: number | null = null;
  #appliedAtMs: number | null = null;
  /** A source begins lost: nothing it says applies before its first snapshot. */
  #lostSinceMs: number | null;
  #wasWhole = false;
  #isRefused = false;
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

  /** Whether its part of the slate is what it last said: from the end of a snapshot until messages are lost. */
  get isWhole(): boolean {
    return this.#lostSinceMs === null;
  }

  connection(isConnected: boolean): void {
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    this.#changed();
  }

  /** A batch was handled. */
  batch({ isHeard, isApplied, isLost, isRefused, inSnapshot }: BatchOutcome): void {
    const nowMs = this.#clock.wallMs();
    if (isHeard) this.#heardAtMs = nowMs;
    if (isApplied) this.#appliedAtMs = nowMs;
    const wasWhole = this.isWhole;
    if (isLost) this.#lostSinceMs ??= nowMs;
    // While a snapshot comes nothing changes: without a loss before it the slate is right already, and after a loss it is
    // right only once the snapshot has ended.
    else if (!inSnapshot) this.#lostSinceMs = null;
    this.#wasWhole ||= this.isWhole;
    const wasRefused = this.#isRefused;
    this.#isRefused = isRefused;
    if (wasWhole !== this.isWhole || wasRefused !== isRefused) this.#changed();
  }

  /** What the source says of itself. */
  says(status: SourceStatus): void {
    const isNews = status.state !== this.#status?.state;
    this.#status = status;
    if (isNews) this.#changed();
  }

  report(): SourceReport {
    const own = this.#status;
    const stand = {
      name: own?.name ?? this.name,
      isConnected: this.#isConnected,
      heardAtMs: this.#heardAtMs,
      appliedAtMs: this.#appliedAtMs,
      lostSinceMs: this.#lostSinceMs,
      nextTryAtMs: own?.nextTryAtMs ?? null,
      requestsAsked: own?.requestsAsked ?? 0,
      requestsAnswered: own?.requestsAnswered ?? 0,
      epochs: own?.epochs ?? 0,
      creditsSpent: own?.creditsSpent ?? 0,
      creditsLeft: own?.creditsLeft ?? null,
      periodEndMs: own?.periodEndMs ?? null,
      failures: Object.fromEntries(own?.failures ?? []),
      counts: Object.fromEntries(own?.counts ?? []),
      unmapped: Object.fromEntries(own?.unmapped ?? []),
      requests: (own?.requests ?? []).map((request) => ({
        ...request,
        everyMs: Number.isFinite(request.everyMs) ? request.everyMs : null,
      })),
    };
    // A source's own report comes first, since it knows why it has nothing. A source that reports itself well may still
    // have sent messages that could not be applied.
    if (own !== null && own.state !== 'ok') return { ...stand, state: own.state, reason: own.reason };
    if (this.#isRefused) return { ...stand, state: 'failing', reason: 'bad_protocol' };
    if (!this.isWhole && this.#wasWhole) return { ...stand, state: 'failing', reason: 'messages_lost' };
    if (!this.isWhole) return { ...stand, state: 'starting', reason: null };
    if (!this.#isConnected) return { ...stand, state: 'failing', reason: 'disconnected' };
    return { ...stand, state: 'ok', reason: null };
  }
}
