// Decides which quotes of which source are still fresh. When a source is gone, its bookmakers' prices expire
// after the freshness window, while the heartbeats of the other sources continue.

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
  /** Sources with quotes that may be stale. */
  readonly #doubted = new Set<SourceSlate>();

  constructor(options: FreshnessOptions) {
    this.#options = options;
  }

  /** Whether a source has confirmed its live quotes within their window. */
  isAlive({ confirmedAtMs }: SourceSlate): boolean {
    return this.#options.clock.wallMs() - confirmedAtMs <= this.#options.liveMs;
  }

  /**
   * Whether an open quote is still fresh. A source that requests its fixtures at different intervals confirms
   * each separately, because its heartbeats for all fixtures are only as recent as its least recently
   * requested fixture.
   * @param heardAtMs when its source last sent the quote, or confirmed its fixture
   */
  isFresh({ confirmedAtMs }: SourceSlate, heardAtMs: number, match: Match): boolean {
    const nowMs = this.#options.clock.wallMs();
    const windowMs = match.isLive(nowMs) ? this.#options.liveMs : this.#options.prematchMs;
    return nowMs - Math.max(confirmedAtMs, heardAtMs) <= windowMs;
  }

  /** Whether quotes of a source may be stale, because it has not confirmed them within the live window. */
  isDue(source: SourceSlate, nowMs: number): boolean {
    if (!source.isComplete || nowMs - source.confirmedAtMs <= this.#options.liveMs) return false;
    this.#doubted.add(source);
    return true;
  }

  /**
   * Whether a source that `isDue` found stale is fresh again. Returns true once, and again only after `isDue`
   * has found the source stale again.
   */
  isBack(source: SourceSlate): boolean {
    return this.isAlive(source) && this.#doubted.delete(source);
  }
}
