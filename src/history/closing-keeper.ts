// Decides when the closing prices of a match are settled, and freezes them in the archive. The kickoff is the
// instant at which the match was first seen live, otherwise the kickoff that was stated last. A match that is
// never seen live is settled ten minutes after its stated kickoff, because sources restate kickoffs once a
// match is under way. A match that is postponed afterwards loses its frozen prices and is settled again. The
// prices come from the tape, so a restart in between loses nothing. After a restart the log shows which
// matches had begun. If their prices are frozen already, those prices stay.

import { STATUS_LIVE } from '../domain/catalogue.ts';
import { HISTORY_KICKOFFS_MAX } from '../limits.ts';
import { CLOSE_SETTLING_MS, startBetween } from './closing-price.ts';
import type { PublishedFixture, RestoredFixture, TapeListener } from './live/tape-state.ts';
import { UnreadableFileError } from './rows-around.ts';

/** A match whose kickoff is settled. */
export interface SettledKickoff {
  readonly eventNumber: number;
  readonly kickoffMs: number;
  /**
   * Whether prices that are already frozen are kept, because they may have been frozen when the match began.
   */
  readonly keepsFrozen: boolean;
}

export interface ClosingKeeperOptions {
  /**
   * Freezes the closing prices at this kickoff. A failure is tried again. After an UnreadableFileError the
   * same call of `settle` goes on with the other matches.
   * @returns false if the prices are not known yet, so that it is tried again
   */
  readonly freeze: (kickoff: SettledKickoff) => Promise<boolean>;
  /** Deletes the frozen prices of a match that was postponed. */
  readonly forget: (eventNumber: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

interface Awaited {
  /** NaN while unknown. */
  kickoffMs: number;
  /** When the match was first seen live; NaN before. */
  liveAtMs: number;
  /** Whether the match was not seen to begin. Its prices may then have been frozen before. */
  hadBegun: boolean;
  /** Also true while they are being frozen. */
  isFrozen: boolean;
  /** Whether closing prices that were frozen earlier must be deleted first. */
  isVoid: boolean;
  /** After a failure, or if the prices were not known yet: when to try again, Unix ms. */
  retryAtMs: number;
}

const RETRY_MS = 5_000;

export class ClosingKeeper implements TapeListener {
  readonly #options: ClosingKeeperOptions;
  readonly #awaited = new Map<number, Awaited>();
  #isBusy = false;

  constructor(options: ClosingKeeperOptions) {
    this.#options = options;
  }

  restored(eventNumber: number, { kickoffMs, liveAtMs, hasBegun }: RestoredFixture): void {
    const awaited = this.#awaited.get(eventNumber) ?? this.#await(eventNumber);
    if (!Number.isNaN(kickoffMs) && kickoffMs !== awaited.kickoffMs) {
      // Another node saw the kickoff change. If the match was postponed, it is settled again.
      if (Number.isNaN(awaited.liveAtMs)) awaited.isFrozen = false;
      awaited.kickoffMs = kickoffMs;
    }
    if (Number.isNaN(awaited.liveAtMs)) awaited.liveAtMs = liveAtMs;
    awaited.hadBegun ||= hasBegun;
  }

  fixture(eventNumber: number, facts: PublishedFixture): void {
    const { kickoffMs, eventStatus, nowMs, gapFromMs } = facts;
    const held = this.#awaited.get(eventNumber);
    const isNew = held === undefined;
    const awaited = held ?? this.#await(eventNumber);
    if (!Number.isNaN(kickoffMs) && kickoffMs !== awaited.kickoffMs) {
      // Once the match was seen live its kickoff is known, and later statements of the source do not change
      // it.
      if (awaited.isFrozen && Number.isNaN(awaited.liveAtMs) && kickoffMs > nowMs) {
        awaited.isFrozen = false;
        awaited.isVoid = true;
      }
      awaited.kickoffMs = kickoffMs;
    }
    if (eventStatus !== STATUS_LIVE || !Number.isNaN(awaited.liveAtMs)) return;
    const unseenFromMs = isNew ? Number.NEGATIVE_INFINITY : gapFromMs;
    awaited.liveAtMs = startBetween(unseenFromMs, nowMs, awaited.kickoffMs);
    awaited.hadBegun ||= isNew;
  }

  /**
   * Settles the matches that are due. Call it about twice a second, after the tape has recorded what was
   * published.
   * @returns false when it stopped at a failure that other matches would meet too, such as one of the
   * database. Then wait before the next call
   */
  async settle(nowMs: number): Promise<boolean> {
    if (this.#isBusy) return true;
    this.#isBusy = true;
    try {
      for (const [eventNumber, awaited] of this.#awaited) {
        const isWaiting = awaited.isVoid || isDue(awaited, nowMs);
        if (!isWaiting || nowMs < awaited.retryAtMs) continue;
        if (!(await this.#settle(eventNumber, awaited, nowMs))) return false;
      }
      return true;
    } finally {
      this.#isBusy = false;
    }
  }

  /** @returns false after a failure that other matches would meet too */
  async #settle(eventNumber: number, awaited: Awaited, nowMs: number): Promise<boolean> {
    try {
      if (awaited.isVoid) await this.#forget(eventNumber, awaited);
      if (isDue(awaited, nowMs) && !(await this.#freeze(eventNumber, awaited)))
        awaited.retryAtMs = nowMs + RETRY_MS;
      return true;
    } catch (error) {
      this.#options.onError(error);
      awaited.retryAtMs = nowMs + RETRY_MS;
      if (error instanceof UnreadableFileError) return true;
      // The next call begins with the other matches, in case only this one fails.
      if (this.#awaited.delete(eventNumber)) this.#awaited.set(eventNumber, awaited);
      return false;
    }
  }

  async #forget(eventNumber: number, awaited: Awaited): Promise<void> {
    await this.#options.forget(eventNumber);
    awaited.isVoid = false;
  }

  async #freeze(eventNumber: number, awaited: Awaited): Promise<boolean> {
    const { hadBegun: keepsFrozen } = awaited;
    const kickoffMs = kickoffOf(awaited);
    // If the match is postponed while its prices are being written, they must be deleted, like prices that
    // were frozen before the postponement.
    awaited.isFrozen = true;
    let isWritten = false;
    try {
      isWritten = await this.#options.freeze({ eventNumber, kickoffMs, keepsFrozen });
      if (!isWritten) awaited.isVoid = false;
    } finally {
      if (!isWritten) awaited.isFrozen = false;
    }
    return isWritten;
  }

  /** Adds a match to wait for. If there are too many, the match that was added first is forgotten. */
  #await(eventNumber: number): Awaited {
    if (this.#awaited.size >= HISTORY_KICKOFFS_MAX) {
      const [oldest] = this.#awaited.keys();
      if (oldest !== undefined) this.#awaited.delete(oldest);
    }
    const awaited = {
      ...{ kickoffMs: Number.NaN, liveAtMs: Number.NaN, isFrozen: false, isVoid: false },
      ...{ hadBegun: false, retryAtMs: Number.NEGATIVE_INFINITY },
    };
    this.#awaited.set(eventNumber, awaited);
    return awaited;
  }
}

/**
 * Whether the closing prices of a match must be frozen now. Not async, because a promise for each of a
 * thousand matches every half second would be garbage.
 */
function isDue(awaited: Awaited, nowMs: number): boolean {
  if (awaited.isFrozen) return false;
  return !Number.isNaN(awaited.liveAtMs) || nowMs >= awaited.kickoffMs + CLOSE_SETTLING_MS;
}

function kickoffOf({ kickoffMs, liveAtMs }: Awaited): number {
  return Number.isNaN(liveAtMs) ? kickoffMs : liveAtMs;
}
