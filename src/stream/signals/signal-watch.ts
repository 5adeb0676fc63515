// The hits of the whole slate under one set of criteria, kept up to date. With each step the scoring pool
// scores the fixtures that changed since the last one, and those whose score may have changed through time
// alone. Followers are notified which fixtures these were. There is one watch per thread and set of criteria.
// A follower with a lower threshold lowers the threshold of the watch. Some time after it has left, the watch
// searches for less again.

import { allConfirmedAt, areSame, isNoneEarlier, type SignalMoment } from '../../domain/signal-gate.ts';
import { assert } from '../../errors.ts';
import { eventLoopTurn } from '../../pause.ts';
import type { HitView } from '../../query/signals/hit-view.ts';
import type { HitScorer, SignalQueries } from '../../query/signals/signals.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import type { Slate } from '../../query/slate/slate.ts';
import { COMPARISON_SLACK, criteriaKey, type ScoreCriteria } from '../../scoring/criteria.ts';
import { joinKinds, type KindCriteria, NO_KINDS } from '../../scoring/kinds/kind-criteria.ts';
import type { ScoreWithHits } from '../../scoring/score-rows.ts';
import type { SlateReader } from '../../store/reader.ts';

/**
 * How long a watch keeps a search that is wider than its listeners need. Without it, a client that joins and
 * leaves again and again would cause the whole slate to be scored each time.
 */
export const NARROW_AFTER_MS = 60_000;

/** How many fixtures' new scores are noted for all followers before other requests have a turn. */
const KEPT_PER_STEP = 32;

export interface WatchParts {
  readonly reader: SlateReader;
  readonly slate: Slate;
  readonly signals: SignalQueries;
  readonly scorer: HitScorer;
}

/** A fixture with its hits, as it was last scored. */
export interface WatchedFixture {
  readonly fixture: FixtureNow;
  readonly score: ScoreWithHits;
  /** How the fixture's hits are shown, in decimal odds; the goal grid is fitted on first use. */
  view(): HitView;
}

/** Receives the fixtures that were scored again or have left. */
export interface WatchListener {
  changed(eventNumber: number): void;
}

export class SignalWatch {
  readonly #parts: WatchParts;
  /** Each listener with what it needs. */
  readonly #listeners = new Map<WatchListener, ScoreCriteria>();
  readonly #watched = new Map<number, WatchedFixture>();
  /** Event numbers to score in the next step. */
  readonly #pending = new Set<number>();
  readonly #eventAt: (number | undefined)[] = [];
  /** What is searched for: all that the listeners need, and perhaps what earlier ones needed. */
  #criteria: ScoreCriteria;
  #hasLostListener = false;
  /**
   * The time from which on the search may include more than its listeners need, because a listener has left,
   * Unix ms; null if it includes no more.
   */
  #wideSinceMs: number | null = null;
  #changeCount = 0;
  #confirmedAtMs = allConfirmedAt(0);
  #nextExpiryMs = Number.POSITIVE_INFINITY;
  #running: Promise<void> | null = null;

  constructor(parts: WatchParts, criteria: ScoreCriteria) {
    this.#parts = parts;
    this.#criteria = inSteps(criteria);
  }

  get seesSharp(): boolean {
    return this.#criteria.seesSharp;
  }

  /** When time alone may next change a score, Unix ms; Infinity when it cannot. */
  get nextExpiryMs(): number {
    return this.#nextExpiryMs;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** Whether the watch can search for these kinds as well. */
  canJoin(kinds: KindCriteria = NO_KINDS): boolean {
    const needed = this.#needed();
    return needed === null || joinKinds(needed.kinds ?? NO_KINDS, kinds) !== null;
  }

  /**
   * Notifies a listener of changes from now on, and searches for its signals too. Its kinds must pass
   * `canJoin`.
   */
  add(listener: WatchListener, criteria: ScoreCriteria): void {
    this.#listeners.set(listener, criteria);
    const needed = this.#needed()!;
    // A listener that has left may have searched for a kind in another way, which no search can join.
    const searched = joined(this.#criteria, needed) ?? needed;
    if (criteriaKey(searched) === criteriaKey(this.#criteria)) return;
    this.#criteria = searched;
    for (const eventNumber of this.#watched.keys()) this.#pending.add(eventNumber);
  }

  remove(listener: WatchListener): void {
    this.#listeners.delete(listener);
    this.#hasLostListener = true;
  }

  /** What all listeners need, with thresholds in steps; null without any. */
  #needed(): ScoreCriteria | null {
    let needed: ScoreCriteria | null = null;
    for (const criteria of this.#listeners.values()) {
      needed = needed === null ? criteria : joined(needed, criteria);
      assert(needed !== null, 'a watch can search for the kinds of its listeners');
    }
    return needed === null ? null : inSteps(needed);
  }

  /**
   * Drops from the search what no listener needs, some time after one has left. Nothing has to be scored for
   * that: listeners ignore what they do not need.
   */
  #narrow(nowMs: number): void {
    if (this.#hasLostListener) this.#wideSinceMs ??= nowMs;
    this.#hasLostListener = false;
    if (this.#wideSinceMs === null || nowMs - this.#wideSinceMs < NARROW_AFTER_MS) return;
    this.#criteria = this.#needed() ?? this.#criteria;
    this.#wideSinceMs = null;
  }

  /** The instant, with the times from which ages of prices are computed. */
  momentAt(nowMs: number): SignalMoment {
    return this.#parts.slate.momentAt(nowMs);
  }

  /** Every fixture of the slate, as last scored. */
  fixtures(): ReadonlyMap<number, WatchedFixture> {
    return this.#watched;
  }

  /**
   * Brings the scores up to date.
   * @throws ServiceError `upstream_unavailable` when the pool cannot score: the next step scores what changed
   */
  async step(nowMs: number): Promise<void> {
    while (this.#running !== null) await this.#running;
    this.#running = this.#step(nowMs).finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  async #step(nowMs: number): Promise<void> {
    const { slate, scorer } = this.#parts;
    const moment = slate.momentAt(nowMs);
    this.#narrow(nowMs);
    this.#takeMoved();
    this.#takeExpired(moment);
    if (this.#pending.size === 0) return;
    const eventNumbers = [...this.#pending];
    const criteria = this.#criteria;
    const scores = await scorer.scanHits({ ...criteria, eventNumbers, moment });
    const present = new Map(scores.map((score) => [score.eventNumber, score]));
    for (const [index, eventNumber] of eventNumbers.entries()) {
      if (index % KEPT_PER_STEP === KEPT_PER_STEP - 1) await eventLoopTurn();
      // If a threshold was lowered meanwhile, the fixture stays pending: it has to be scored once more.
      if (criteria === this.#criteria) this.#pending.delete(eventNumber);
      const score = present.get(eventNumber);
      const fixture = score === undefined ? null : slate.fixture(eventNumber, nowMs);
      if (score === undefined || fixture === null) this.#drop(eventNumber);
      else this.#keep(fixture, score);
    }
  }

  /** Reads the slots of the store that changed since the last step. */
  #takeMoved(): void {
    const { reader } = this.#parts;
    const { count, slots } = reader.changes(this.#changeCount);
    if (slots !== null) for (const slot of slots) this.#check(slot);
    else for (let slot = 0, end = reader.slotCount(); slot < end; slot++) this.#check(slot);
    this.#changeCount = count;
  }

  #check(slot: number): void {
    const { reader } = this.#parts;
    const { columns } = reader;
    let version = 0;
    const eventNumber = reader.read(slot, (page) => {
      version = columns.version[page]!;
      return columns.eventNumber[page]!;
    });
    const former = this.#eventAt[slot];
    if (former !== undefined && former !== eventNumber && reader.slotOf(former) < 0) this.#drop(former);
    this.#eventAt[slot] = eventNumber;
    if (eventNumber === undefined || this.#watched.get(eventNumber)?.score.version === version) return;
    this.#pending.add(eventNumber);
  }

  #takeExpired({ nowMs, confirmedAtMs }: SignalMoment): void {
    const before = this.#confirmedAtMs;
    if (confirmedAtMs === before && nowMs < this.#nextExpiryMs) return;
    this.#confirmedAtMs = confirmedAtMs;
    // After a new snapshot, the time of the last heartbeat may go back. Then fewer prices are confirmed.
    const isTakenBack = !isNoneEarlier(confirmedAtMs, before);
    this.#nextExpiryMs = Number.POSITIVE_INFINITY;
    for (const [eventNumber, { score }] of this.#watched) {
      const isAsBefore = areSame(confirmedAtMs, before, score.awaitedMask);
      if (isTakenBack || nowMs >= score.validUntilMs || !isAsBefore) this.#pending.add(eventNumber);
      else this.#nextExpiryMs = Math.min(this.#nextExpiryMs, score.validUntilMs);
    }
  }

  #keep(fixture: FixtureNow, score: ScoreWithHits): void {
    this.#nextExpiryMs = Math.min(this.#nextExpiryMs, score.validUntilMs);
    let view: HitView | null = null;
    const criteria = this.#criteria;
    const show = () =>
      this.#parts.signals.viewOf(fixture, { criteria, format: 'decimal', hits: score.valueHits });
    this.#watched.set(score.eventNumber, {
      fixture,
      score,
      view: () => {
        view ??= show();
        return view;
      },
    });
    this.#notify(score.eventNumber);
  }

  #drop(eventNumber: number): void {
    this.#pending.delete(eventNumber);
    if (this.#watched.delete(eventNumber)) this.#notify(eventNumber);
  }

  #notify(eventNumber: number): void {
    for (const listener of this.#listeners.keys()) listener.changed(eventNumber);
  }
}

/** Criteria that find everything that either of two criteria finds; null if one search cannot do that. */
function joined(one: ScoreCriteria, other: ScoreCriteria): ScoreCriteria | null {
  const lower = {
    ...one,
    minEdge: Math.min(one.minEdge, other.minEdge),
    minMargin: Math.min(one.minMargin, other.minMargin),
  };
  if (one.kinds === undefined && other.kinds === undefined) return lower;
  const kinds = joinKinds(one.kinds ?? NO_KINDS, other.kinds ?? NO_KINDS);
  return kinds === null ? null : { ...lower, kinds };
}

/**
 * The same criteria with thresholds rounded down, which find more signals than requested. With exact
 * thresholds, each follower that asks for slightly less than all earlier ones would cause the whole slate to
 * be scored again.
 */
function inSteps(criteria: ScoreCriteria): ScoreCriteria {
  const { minEdge, minMargin, kinds } = criteria;
  const rounded = { ...criteria, minEdge: roundedDown(minEdge), minMargin: roundedDown(minMargin) };
  if (kinds === undefined) return rounded;
  const { middle, move } = kinds;
  return {
    ...rounded,
    kinds: {
      ...kinds,
      middle: middle && { ...middle, minExpected: roundedDown(middle.minExpected) },
      move: move && { ...move, change: roundedDown(move.change) },
    },
  };
}

/** A fraction rounded down to a whole per cent; to a tenth between minus one and one per cent. */
function roundedDown(threshold: number): number {
  const steps = Math.abs(threshold) < 0.01 ? 1_000 : 100;
  return Math.floor(threshold * steps + COMPARISON_SLACK) / steps;
}
