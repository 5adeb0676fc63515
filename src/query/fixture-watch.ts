// Whether a fixture is still as an answer showed it, for answers that are sent again and again: two look-ups in the
// store, and the stamp. The state of the feed is read once a millisecond.

import { STATUS_LIVE } from '../domain/catalogue.ts';
import { statusAt } from '../domain/match-status.ts';
import type { FreshnessWindows } from '../domain/signal-gate.ts';
import type { SlateReader } from '../store/reader.ts';
import {
  type FixtureNow,
  type FixtureView,
  fixtureAsOfMs,
  freshnessOf,
  staleFromMs,
} from './fixture-view.ts';

/** A fixture as it was found: its page, and what an answer says of its age. */
export interface FixtureMark {
  readonly view: FixtureView;
  readonly slot: number;
  readonly page: number;
  readonly generation: number;
  /** Source time of the fixture's last message, as far as the answer's caller may know it. */
  readonly messageAtMs: number;
  readonly asOfMs: number;
  readonly stale: boolean;
}

/** The instant of a request; the wall clock may stand still. */
export interface Instant {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

const FEED_READ_EVERY_MS = 1;

export class FixtureWatch {
  readonly #reader: SlateReader;
  readonly #windows: FreshnessWindows;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #heartbeatAtMs = 0;
  #readyUntilMs = Number.NEGATIVE_INFINITY;

  constructor(reader: SlateReader, windows: FreshnessWindows) {
    this.#reader = reader;
    this.#windows = windows;
  }

  /**
   * Marks a fixture that was just read; null when it has moved since.
   * @param showsSharp whether the answer shows the sharp bookmaker
   */
  mark(fixture: FixtureNow, showsSharp: boolean): FixtureMark | null {
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
    const messageAtMs = showsSharp ? view.lastMessageAtMs : view.commonMessageAtMs;
    return { view, slot, page, generation, messageAtMs, ...freshnessOf(fixture, showsSharp) };
  }

  /** Whether an answer made of the fixture when it was marked is the answer now. */
  holds(
    { view, slot, page, generation, messageAtMs, asOfMs, stale }: FixtureMark,
    { nowMs, monotonicMs }: Instant,
  ): boolean {
    if (this.#reader.pageOf(slot) !== page || this.#reader.generationOf(page) !== generation) return false;
    if (monotonicMs - this.#readAtMs >= FEED_READ_EVERY_MS) this.#readFeed(monotonicMs);
    if (nowMs > this.#readyUntilMs) return false;
    if (fixtureAsOfMs(messageAtMs, this.#heartbeatAtMs) !== asOfMs) return false;
    const isLive = statusAt(view.facts, nowMs) === STATUS_LIVE;
    return nowMs >= staleFromMs(asOfMs, isLive, this.#windows) === stale;
  }

  #readFeed(monotonicMs: number): void {
    const { snapshotComplete, appliedAtMs, heartbeatAtMs } = this.#reader.feed();
    this.#readAtMs = monotonicMs;
    this.#heartbeatAtMs = heartbeatAtMs;
    this.#readyUntilMs = snapshotComplete ? appliedAtMs + this.#windows.prematchMs : Number.NEGATIVE_INFINITY;
  }
}
