// Checks whether a fixture is unchanged since an answer was built, so that the answer can be sent again. The
// check takes two look-ups in the store, and makes `as_of` and `stale` again. The state of the feed is read
// once a millisecond.

import { STATUS_LIVE } from '../../domain/catalogue.ts';
import { statusAt } from '../../domain/match-status.ts';
import type { FreshnessWindows } from '../../domain/signal-gate.ts';
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
    return { view, slot, page, generation, shown, ...freshnessOf(fixture, shown) };
  }

  /** Whether an answer built when the fixture was marked is still right. */
  holds(
    { view, slot, page, generation, shown, asOfMs, stale }: FixtureMark,
    { nowMs, monotonicMs }: Instant,
  ): boolean {
    if (this.#reader.pageOf(slot) !== page || this.#reader.generationOf(page) !== generation) return false;
    if (monotonicMs - this.#readAtMs >= FEED_READ_EVERY_MS) this.#readFeed(monotonicMs);
    if (nowMs > this.#readyUntilMs) return false;
    if (fixtureAsOfMs(view, shown, this.#steps.now()) !== asOfMs) return false;
    const isLive = statusAt(view.facts, nowMs) === STATUS_LIVE;
    return nowMs >= staleFromMs(asOfMs, isLive, this.#windows) === stale;
  }

  #readFeed(monotonicMs: number): void {
    const { snapshotComplete, appliedAtMs } = this.#reader.feed();
    this.#readAtMs = monotonicMs;
    this.#readyUntilMs = snapshotComplete ? appliedAtMs + this.#windows.prematchMs : Number.NEGATIVE_INFINITY;
  }
}
