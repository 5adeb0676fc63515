// Checks whether a fixture is unchanged since an answer was built, so that the answer can be sent again. The
// check takes two look-ups in the store, and computes `as_of` and `stale` again. The state of the feed is
// read at most once a millisecond.

import { STATUS_LIVE } from '../../domain/catalogue.ts';
import { finishedAtMs, statusAt } from '../../domain/match-status.ts';
import type { Confirmations, FreshnessWindows } from '../../domain/signal-gate.ts';
import type { SlateReader } from '../../store/reader.ts';
import {
  ConfirmationSteps,
  type FixtureNow,
  type FixtureView,
  fixtureAsOfMs,
  freshnessOf,
  type ShownBookmakers,
  staleFromMs,
} from './fixture-view.ts';

/** A fixture as it was found: its page, and the age that an answer shows. */
export interface FixtureMark {
  readonly view: FixtureView;
  readonly slot: number;
  readonly page: number;
  readonly generation: number;
  readonly shown: ShownBookmakers;
  readonly asOfMs: number;
  readonly stale: boolean;
  /** When the mark last passed a full check, and the heartbeats at that time; null before the first. */
  checked: CheckedMark | null;
}

/**
 * From `fromMs` until just before `untilMs`, and while the heartbeats are the same, the mark is valid without
 * a full check.
 */
interface CheckedMark {
  readonly steps: Confirmations;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The instant of a request. The wall clock may stand still between two requests. */
export interface Instant {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

const FEED_READ_EVERY_MS = 1;

export class FixtureWatch {
  readonly #reader: SlateReader;
  readonly #windows: FreshnessWindows;
  #readAtMs = Number.NEGATIVE_INFINITY;
  readonly #steps: ConfirmationSteps;
  #readyUntilMs = Number.NEGATIVE_INFINITY;

  constructor(reader: SlateReader, windows: FreshnessWindows) {
    this.#reader = reader;
    this.#steps = new ConfirmationSteps(reader);
    this.#windows = windows;
  }

  /**
   * Marks a fixture that was just read; null when it has changed since.
   * @param shown which bookmakers the answer shows
   */
  mark(fixture: FixtureNow, shown: ShownBookmakers): FixtureMark | null {
    const { view } = fixture;
    const { columns } = this.#reader;
    const slot = this.#reader.slotOf(view.eventNumber);
    if (slot < 0) return null;
    const page = this.#reader.pageOf(slot);
    if (page < 0) return null;
    const generation = this.#reader.generationOf(page);
    const isSame = columns.eventNumber[page] === view.eventNumber && columns.version[page] === view.version;
    if (!isSame || !this.#reader.isIntact(page, generation) || this.#reader.pageOf(slot) !== page)
      return null;
    return { view, slot, page, generation, shown, ...freshnessOf(fixture, shown), checked: null };
  }

  /** Whether an answer built when the fixture was marked is still right. */
  holds(mark: FixtureMark, { nowMs, monotonicMs }: Instant): boolean {
    const { slot, page, generation, checked } = mark;
    if (this.#reader.pageOf(slot) !== page || this.#reader.generationOf(page) !== generation) return false;
    if (monotonicMs - this.#readAtMs >= FEED_READ_EVERY_MS) this.#readFeed(monotonicMs);
    if (nowMs > this.#readyUntilMs) return false;
    const steps = this.#steps.now();
    const isInSpan =
      checked !== null && checked.steps === steps && nowMs >= checked.fromMs && nowMs < checked.untilMs;
    return isInSpan || this.#isRight(mark, steps, nowMs);
  }

  #isRight(mark: FixtureMark, steps: Confirmations, nowMs: number): boolean {
    const { view, shown, asOfMs, stale } = mark;
    if (fixtureAsOfMs(view, shown, steps) !== asOfMs) return false;
    const isLive = statusAt(view.facts, nowMs) === STATUS_LIVE;
    const fromMs = staleFromMs(asOfMs, isLive, this.#windows);
    if (nowMs >= fromMs !== stale) return false;
    // The next instant at which its status or its staleness may change.
    const instants = [view.facts.scheduledAtMs, finishedAtMs(view.facts), fromMs];
    const untilMs = Math.min(...instants.map((atMs) => (atMs > nowMs ? atMs : Number.POSITIVE_INFINITY)));
    mark.checked = { steps, fromMs: nowMs, untilMs };
    return true;
  }

  #readFeed(monotonicMs: number): void {
    const { snapshotComplete, appliedAtMs } = this.#reader.feed();
    this.#readAtMs = monotonicMs;
    this.#readyUntilMs = snapshotComplete ? appliedAtMs + this.#windows.prematchMs : Number.NEGATIVE_INFINITY;
  }
}
