// Manages the followers of signals. Followers whose prices are compared in the same way share the scores of
// one watch (signal-watch.ts), and the number of watches is bounded. signal-follower.ts decides what one
// follower is sent.

import type { Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import type { OddsView } from '../../query/odds/odds-view.ts';
import type { PlausibleLimits } from '../../query/signals/signals.ts';
import { SignalFollower } from './signal-follower.ts';
import { type SignalView, type SignalWords, signalView } from './signal-view.ts';
import { SignalWatch, type WatchParts } from './signal-watch.ts';

/**
 * Maximum number of signals of one view. New signals wait until others have closed; `left_out` counts the
 * fixtures that have waiting signals.
 */
export const SIGNALS_MAX = 2_000;
/**
 * Maximum number of ways to compare prices (tier, bookmakers, markets, period) followed at the same time by
 * one HTTP thread. Tiers without the sharp book may use at most half. Callers of streams share them as they
 * share channels (`SIGNAL_CHANNELS_MAX`). A follower that needs a further way is refused, 503.
 */
const WATCHES_MAX = 16;

/** SIGNALS_MAX and WATCHES_MAX; tests pass smaller values. */
export interface LiveSignalsBounds {
  readonly signals: number;
  readonly watches: number;
}

const BOUNDS: LiveSignalsBounds = { signals: SIGNALS_MAX, watches: WATCHES_MAX };
const RETRY_S = 5;
export class LiveSignals {
  readonly #parts: WatchParts;
  readonly #limits: PlausibleLimits;
  readonly #bounds: LiveSignalsBounds;
  /** Each watch with the key of its scoring (SignalView). */
  readonly #watches = new Map<SignalWatch, string>();

  constructor(parts: WatchParts, limits: PlausibleLimits, bounds: LiveSignalsBounds = BOUNDS) {
    this.#parts = parts;
    this.#limits = limits;
    this.#bounds = bounds;
  }

  /**
   * The signals that a request asks for, null when it asks for none.
   * @throws ServiceError `invalid_request`, `forbidden`
   */
  view(words: SignalWords, odds: OddsView, principal: Principal): SignalView | null {
    return signalView(words, { odds, principal, limits: this.#limits });
  }

  /** Watches in use. */
  get watchCount(): number {
    return this.#watches.size;
  }

  /** How many watches may be in use. */
  get watchesMax(): number {
    return this.#bounds.watches;
  }

  /** The watch that a follower of this view would share; null if it would need a new one. */
  watchOf({ scoringId, criteria }: SignalView): SignalWatch | null {
    for (const [watch, id] of this.#watches)
      if (id === scoringId && watch.canJoin(criteria.kinds)) return watch;
    return null;
  }

  /** @throws ServiceError `upstream_unavailable` when all watches are in use by other views */
  requireRoom(view: SignalView): void {
    if (this.watchOf(view) !== null) return;
    const { criteria } = view;
    const followed = [...this.#watches.keys()].map((watch) => watch.seesSharp);
    if (this.hasRoom(followed, criteria.seesSharp, this.#bounds.watches)) return;
    throw new ServiceError(
      'upstream_unavailable',
      `Cannot follow signals: ${this.#bounds.watches} other choices of bookmakers, markets and period are being followed`,
      { fix: 'Drop bookmakers, markets and period, or retry later', retryAfterSeconds: RETRY_S },
    );
  }

  /**
   * Whether there is room for one more user of a resource that callers of all tiers share. Callers without
   * the sharp book, which may be anonymous, may fill half of it.
   * @param taken for each present user, whether its callers see the sharp book
   */
  hasRoom(taken: readonly boolean[], seesSharp: boolean, max: number): boolean {
    if (taken.length >= max) return false;
    return seesSharp || taken.filter((sharp) => !sharp).length < max / 2;
  }

  /**
   * Starts following a view. @throws ServiceError as `requireRoom`
   * @param showsChanges false for followers that need only what opens and closes, which costs much less
   */
  follow(view: SignalView, showsChanges = true): SignalFollower {
    this.requireRoom(view);
    const watch = this.watchOf(view) ?? this.#newWatch(view);
    const stop = (): void => {
      watch.remove(follower);
      if (watch.listenerCount === 0) this.#watches.delete(watch);
    };
    const signalsMax = this.#bounds.signals;
    const follower = new SignalFollower({ view, watch, stop, signalsMax, showsChanges });
    watch.add(follower, view.criteria);
    return follower;
  }

  #newWatch({ scoringId, criteria }: SignalView): SignalWatch {
    const watch = new SignalWatch(this.#parts, criteria);
    this.#watches.set(watch, scoringId);
    return watch;
  }
}
