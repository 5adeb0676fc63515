// Which quotes of which source still stand: a source that is gone takes its bookmakers' prices with it after the
// freshness window, while the heartbeats of the others go on.

import type { Clock } from '../../clock.ts';
import type { Match } from './match.ts';
import type { SourceSlate } from './source-slate.ts';

export interface FreshnessOptions {
  readonly clock: Clock;
  /** Freshness windows of live matches and of the others, milliseconds. */
  readonly liveMs: number;
  readonly prematchMs: number;
}

export class Freshness {
  readonly #options: FreshnessOptions;
  /** Sources of which something may be stale. */
  readonly #doubted = new Set<SourceSlate>();

  constructor(options: FreshnessOptions) {
    this.#options = options;
  }

  /** Whether a source has confirmed its live quotes within their window. */
  isAlive({ confirmedAtMs }: SourceSlate): boolean {
    return this.#options.clock.wallMs() - confirmedAtMs <= this.#options.liveMs;
  }

  /**
   * Whether an open quote still stands. A source that asks for its fixtures at different paces confirms each by describing
   * it: its heartbeats are as old as the one that it asks for most rarely.
   * @param saidAtMs when its source last said the quote, or described its fixture
   */
  isFresh({ confirmedAtMs }: SourceSlate, saidAtMs: number, match: Match): boolean {
    const nowMs = this.#options.clock.wallMs();
    const windowMs = match.isLive(nowMs) ? this.#options.liveMs : this.#options.prematchMs;
    return nowMs - Math.max(confirmedAtMs, saidAtMs) <= windowMs;
  }

  /** Whether quotes of a source may have become stale since the last look. */
  isDue(source: SourceSlate, nowMs: number): boolean {
    if (!source.isComplete || nowMs - source.confirmedAtMs <= this.#options.liveMs) return false;
    this.#doubted.add(source);
    return true;
  }

  /** Whether a source that was doubted has confirmed its quotes. */
  isBack(source: SourceSlate): boolean {
    return this.isAlive(source) && this.#doubted.delete(source);
  }
}
