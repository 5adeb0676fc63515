// Follows the signals of one view. Each step returns which signals opened, changed and closed.

import type { StreamSignal, StreamSignals } from '../../contract/stream/stream-signals.ts';
import { EVENT_STATUSES, indexIn } from '../../domain/catalogue.ts';
import { eventLoopTurn } from '../../pause.ts';
import { isInView } from '../../query/odds/odds-view.ts';
import type { HitView } from '../../query/signals/hit-view.ts';
import { excludedOf } from '../../query/signals/signals.ts';
import { COMPARISON_SLACK } from '../../scoring/criteria.ts';
import type { ValueHit } from '../../scoring/hit-rows.ts';
import { NO_KINDS } from '../../scoring/kinds/kind-criteria.ts';
import { KIND_MIDDLE, KIND_MOVE, type KindHit } from '../../scoring/kinds/kind-rows.ts';
import { movedBy } from '../../scoring/kinds/moves.ts';
import {
  type FoundSignal,
  isUnmoved,
  OpenSignal,
  placeOf,
  sinceOf,
  toSignal,
  valuePlaceOf,
} from './open-signal.ts';
import type { SignalView } from './signal-view.ts';
import type { SignalWatch, WatchedFixture } from './signal-watch.ts';

/**
 * How many fixtures are compared for the first time, or have their goal grids fitted, before other requests
 * have a turn. Each takes some tens of microseconds.
 */
export const FIXTURES_PER_STEP = 16;

const NONE: ReadonlyMap<number, OpenSignal> = new Map();

export interface FollowerOptions {
  readonly view: SignalView;
  readonly watch: SignalWatch;
  /** Called once, by `stop`. */
  readonly stop: () => void;
  readonly signalsMax: number;
  /** False: an open signal stays as it opened, and only openings and closings are returned. */
  readonly showsChanges: boolean;
}

/** The signals that are open at one moment. Later changes of the follower do not change them. */
export interface OpenSignals {
  readonly count: number;
  readonly at: (index: number) => StreamSignal;
  /** The ids of all signals. For each id that is not made yet, this takes some 20 microseconds. */
  readonly ids: () => string[];
}

export class SignalFollower {
  readonly view: SignalView;
  readonly watch: SignalWatch;
  readonly #stop: () => void;
  readonly #signalsMax: number;
  readonly #showsChanges: boolean;
  readonly #held = new Map<number, ReadonlyMap<number, OpenSignal>>();
  readonly #dirty: Set<number>;
  /** Fixtures with signals beyond `signalsMax`. */
  readonly #crowdedOut = new Set<number>();
  /** The fixtures that are followed; null for all of the view. */
  #only: ReadonlySet<number> | null = null;
  #count = 0;
  #hasBegun = false;

  constructor({ view, watch, stop, signalsMax, showsChanges }: FollowerOptions) {
    this.view = view;
    this.watch = watch;
    this.#stop = stop;
    this.#signalsMax = signalsMax;
    this.#showsChanges = showsChanges;
    this.#dirty = new Set(watch.fixtures().keys());
  }

  /** Whether the first step is done, so that `current` is complete. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** How many signals are open. */
  get openCount(): number {
    return this.#count;
  }

  /** When time alone may next change the follower's signals, Unix ms; Infinity when it cannot. */
  get nextExpiryMs(): number {
    return this.watch.nextExpiryMs;
  }

  stop(): void {
    this.#stop();
  }

  /**
   * Follows only these fixtures from now on, or all of the view. Open signals of fixtures that were not
   * followed before are in `current`, but `step` does not return them.
   */
  followOnly(eventNumbers: ReadonlySet<number> | null, nowMs: number): void {
    const former = this.#only;
    this.#only = eventNumbers;
    if (!this.#hasBegun) {
      // The first step may be half done.
      for (const eventNumber of this.watch.fixtures().keys()) this.#dirty.add(eventNumber);
      return;
    }
    for (const eventNumber of new Set([...this.watch.fixtures().keys(), ...this.#held.keys()])) {
      const [wasIn, isIn] = [former, eventNumbers].map((only) => only === null || only.has(eventNumber));
      if (wasIn !== isIn) this.#compare(eventNumber, nowMs, () => undefined);
    }
  }

  /** Called when the watch scored a fixture again, or when the fixture left the slate. */
  changed(eventNumber: number): void {
    if (this.#isFollowed(eventNumber)) this.#dirty.add(eventNumber);
  }

  /**
   * Brings the view's signals up to date.
   * @param isConflated whether the step covers more than one tick
   * @param turn awaited before fixtures are compared, which may take milliseconds
   * @returns the changes; none for the first step, whose signals `current` returns
   * @throws ServiceError `upstream_unavailable` when the pool cannot score: the next step then includes these
   * changes
   */
  async step(nowMs: number, isConflated: boolean, turn?: () => Promise<void>): Promise<StreamSignal[]> {
    await this.watch.step(nowMs);
    await this.#fitGrids();
    await turn?.();
    const moment = this.watch.momentAt(nowMs);
    const changes: StreamSignal[] = [];
    const note = (change: StreamSignal['change'], signal: OpenSignal): void => {
      if (!this.#hasBegun) return;
      changes.push(toSignal(signal, { change, current: false, conflated: isConflated, moment }));
    };
    let compared = 0;
    for (const eventNumber of this.#dirty) {
      // No reader sees the first step before its end, so other requests may have a turn in between.
      if (!this.#hasBegun && ++compared % FIXTURES_PER_STEP === 0) await (turn ?? eventLoopTurn)();
      this.#dirty.delete(eventNumber);
      this.#compare(eventNumber, nowMs, note);
    }
    // Signals that closed have made room, so compare the fixtures that were left out.
    for (const eventNumber of [...this.#crowdedOut]) {
      if (this.#count >= this.#signalsMax) break;
      this.#compare(eventNumber, nowMs, note);
    }
    this.#hasBegun = true;
    return changes;
  }

  /**
   * Fits the goal grids that the comparison will need: a few on most ticks, on the first tick one for each
   * fixture with value. Other requests have turns in between. The comparison itself is not interrupted after
   * the first tick, so that no request sees half of it.
   */
  async #fitGrids(): Promise<void> {
    let left = FIXTURES_PER_STEP;
    for (const eventNumber of [...this.#dirty]) {
      const watched = this.watch.fixtures().get(eventNumber);
      if (watched === undefined || !this.#isFollowed(eventNumber) || !this.#isInView(watched)) continue;
      if (!this.#needsGrid(eventNumber, this.#valueHitsOf(watched))) continue;
      watched.view();
      if (--left > 0) continue;
      left = FIXTURES_PER_STEP;
      await eventLoopTurn();
    }
  }

  /** Every signal that is open. */
  current(nowMs: number): StreamSignal[] {
    const { count, at } = this.openSignals(nowMs);
    return Array.from({ length: count }, (_, index) => at(index));
  }

  /** The signals that are open now, each of which is made when it is needed. */
  openSignals(nowMs: number): OpenSignals {
    const signals = [...this.#held.values()].flatMap((ofFixture) => [...ofFixture.values()]);
    const shown = {
      ...({ change: 'opened', current: true, conflated: false } as const),
      moment: this.watch.momentAt(nowMs),
    };
    return {
      count: signals.length,
      at: (index) => toSignal(signals[index]!, shown),
      ids: () => signals.map(({ id }) => id),
    };
  }

  /** How many signals there are and what was left out, over the fixtures of the view; without ids. */
  summary(): StreamSignals {
    const scores = [...this.watch.fixtures().values()]
      .filter((watched) => this.#isInView(watched))
      .map(({ score }) => score);
    return {
      count: this.#count,
      left_out: this.#crowdedOut.size,
      ids: null,
      excluded: excludedOf(scores, this.view.kind),
      note: this.view.inEffect.note,
    };
  }

  #compare(
    eventNumber: number,
    nowMs: number,
    note: (change: StreamSignal['change'], signal: OpenSignal) => void,
  ): void {
    const held = this.#held.get(eventNumber) ?? NONE;
    const open = new Map<number, OpenSignal>();
    this.#crowdedOut.delete(eventNumber);
    const watched = this.watch.fixtures().get(eventNumber);
    const eventId = watched?.fixture.view.id ?? '';
    let count = this.#count;
    for (const found of this.#foundIn(eventNumber, watched)) {
      const place = placeOf(found);
      const former = held.get(place);
      if (former === undefined) {
        if (count >= this.#signalsMax) {
          this.#crowdedOut.add(eventNumber);
          continue;
        }
        count++;
        const signal = new OpenSignal(found, eventId, this.#openedAtMs(sinceOf(found), nowMs));
        open.set(place, signal);
        note('opened', signal);
      } else if (!this.#showsChanges || isUnmoved(former.found, found)) {
        open.set(place, former);
      } else {
        const signal = new OpenSignal(found, eventId, former.openedAtMs);
        open.set(place, signal);
        if (signal.facts !== former.facts) note('changed', signal);
      }
    }
    for (const [place, former] of held) {
      if (open.has(place)) continue;
      count--;
      note('closed', former);
    }
    this.#count = count;
    if (open.size === 0) this.#held.delete(eventNumber);
    else this.#held.set(eventNumber, open);
  }

  #isFollowed(eventNumber: number): boolean {
    return this.#only === null || this.#only.has(eventNumber);
  }

  #isInView({ fixture: { view, status } }: WatchedFixture): boolean {
    return isInView(this.view.odds, {
      sport: view.sportIndex,
      status: indexIn(EVENT_STATUSES, status),
      leagueId: view.league.id,
      scheduledAtMs: view.scheduledAtMs,
    });
  }

  /**
   * Whether this step shows a value bet of the fixture. If `showsChanges` is false, only new bets are shown.
   */
  #needsGrid(eventNumber: number, valueHits: readonly ValueHit[]): boolean {
    if (this.#showsChanges) return valueHits.length > 0;
    const held = this.#held.get(eventNumber) ?? NONE;
    return valueHits.some((hit) => !held.has(valuePlaceOf(hit)));
  }

  #foundIn(eventNumber: number, watched: WatchedFixture | undefined): FoundSignal[] {
    if (watched === undefined || !this.#isFollowed(eventNumber) || !this.#isInView(watched)) return [];
    const { kinds, odds, minMargin, maxHold } = this.view;
    const { fixture, score } = watched;
    const { format } = odds.odds;
    const valueHits = this.#valueHitsOf(watched);
    const arbHits = kinds.has('arbitrage')
      ? score.arbHits.filter(({ margin }) => margin > 0 && margin >= minMargin - COMPARISON_SLACK)
      : [];
    const lowHolds = kinds.has('low_hold')
      ? score.arbHits.filter(({ margin }) => margin >= -maxHold - COMPARISON_SLACK)
      : [];
    // Arbitrage needs no goal grid.
    const view: HitView = this.#needsGrid(eventNumber, valueHits)
      ? { ...watched.view(), format }
      : {
          sport: fixture.view.sportIndex,
          format,
          moment: fixture.moment,
          ownConfirmations: fixture.view.ownConfirmations,
          grid: null,
        };
    return [
      ...valueHits.map((hit): FoundSignal => ({ kind: 'value', hit, view })),
      ...arbHits.map((hit): FoundSignal => ({ kind: 'arbitrage', hit, view })),
      ...lowHolds.map((hit): FoundSignal => ({ kind: 'low_hold', hit, view })),
      ...(score.kindHits ?? []).filter((hit) => this.#isWanted(hit)).map((hit) => this.#foundOf(hit, view)),
    ];
  }

  /** Whether this follower wants the hit: the watch may search for more kinds, and with lower thresholds. */
  #isWanted(hit: KindHit): boolean {
    const { middle, move, steam } = this.view.criteria.kinds ?? NO_KINDS;
    if (hit.kind === KIND_MIDDLE)
      return middle !== null && hit.expected >= middle.minExpected - COMPARISON_SLACK;
    return hit.kind === KIND_MOVE ? move !== null && movedBy(hit, move.change) : steam !== null;
  }

  #foundOf(hit: KindHit, view: HitView): FoundSignal {
    const withinS = this.view.inEffect.within_s ?? 0;
    if (hit.kind === KIND_MIDDLE) return { kind: 'middle', hit, view };
    return hit.kind === KIND_MOVE
      ? { kind: 'move', hit, view, withinS }
      : { kind: 'steam', hit, view, withinS };
  }

  #valueHitsOf({ score }: WatchedFixture): readonly ValueHit[] {
    const { kinds, criteria } = this.view;
    if (!kinds.has('value')) return [];
    return score.valueHits.filter(({ edge }) => edge >= criteria.minEdge - COMPARISON_SLACK);
  }

  /**
   * A signal found by the first step counts as opened when its prices last changed; one found later counts as
   * opened now.
   */
  #openedAtMs(sinceMs: number, nowMs: number): number {
    return this.#hasBegun ? nowMs : Math.min(sinceMs, nowMs);
  }
}
