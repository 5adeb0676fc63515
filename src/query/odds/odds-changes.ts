// The changes in a view since a cursor, found from the versions in every row of the store; or the whole view,
// for a caller without a cursor or with one that is too old. Both are made from a copy of one instant
// (slate-copy.ts).

import { isoTextOrNull } from '../../clock.ts';
import { BOOKMAKER_KEYS, visibleBookmakerMask } from '../../domain/catalogue.ts';
import { type Confirmations, type FreshnessWindows, latestConfirmationMs } from '../../domain/signal-gate.ts';
import { assert } from '../../errors.ts';
import type { SlateReader } from '../../store/reader.ts';
import { reached } from '../reach.ts';
import { ConfirmationSteps, HEARTBEAT_STEP_MS, staleFromMs } from '../slate/fixture-view.ts';
import type { Slate } from '../slate/slate.ts';
import { type CopyRoom, freeCopy, type SlateCopier, type SlateCopy } from '../slate/slate-copy.ts';
import { decodeOddsCursor, encodeOddsCursor, isAhead } from './odds-cursor.ts';
import { OddsDelta } from './odds-delta.ts';
import type { OddsEncoder } from './odds-encoder.ts';
import type { OddsView } from './odds-view.ts';

interface ChangesParts {
  readonly reader: SlateReader;
  readonly slate: Slate;
  readonly copier: SlateCopier;
  readonly encoder: OddsEncoder;
  readonly windows: FreshnessWindows;
}

export class OddsChangeReader {
  readonly #parts: ChangesParts;
  readonly #steps: ConfirmationSteps;

  constructor(parts: ChangesParts) {
    this.#parts = parts;
    this.#steps = new ConfirmationSteps(parts.reader);
  }

  /** The slate's version now. */
  version(): number {
    return this.#parts.reader.slateVersion();
  }

  /** The epoch of the slate's versions. */
  epochMs(): number {
    return this.#parts.reader.epochMs;
  }

  /** How long ago the feed last sent something that every tier sees, in milliseconds; 0 if it never did. */
  feedAgeMs(nowMs: number): number {
    const { commonAppliedAtMs } = this.#parts.reader.feed();
    return commonAppliedAtMs === 0 ? 0 : Math.max(0, Math.round(nowMs - commonAppliedAtMs));
  }

  /**
   * The cursor of a caller that holds a view as of a slate version. It changes only when something has
   * changed that callers of the view may see.
   */
  cursorOf(view: OddsView, version: number): string {
    return encodeOddsCursor(view, version, this.#parts.reader.epochMs);
  }

  /**
   * The newest slate version that the sender of a cursor knows, -1 when it needs the whole view.
   * @param cursor null when the caller has none yet
   * @throws ServiceError `invalid_request` when it is not a cursor, or belongs to another view
   */
  sinceOf(view: OddsView, cursor: string | null): number {
    const { reader } = this.#parts;
    if (cursor === null) return -1;
    const now = { version: reader.slateVersion(), epochMs: reader.epochMs };
    return decodeOddsCursor(view, cursor, now) ?? -1;
  }

  /**
   * The share of the slate's fixtures that changed after a version; 1 for version -1. In a view without the
   * sharp bookmaker, its changes do not count.
   */
  changedShare({ showsSharp }: Pick<OddsView, 'showsSharp'>, since: number): number {
    if (since < 0) return 1;
    const { reader } = this.#parts;
    const versions = showsSharp ? reader.columns.version : reader.columns.commonVersion;
    let [count, changed] = [0, 0];
    for (let slot = 0, end = reader.slotCount(); slot < end; slot++) {
      const version = reader.read(slot, (page) => versions[page]!);
      if (version === undefined) continue;
      count += 1;
      if (version > since) changed += 1;
    }
    return count === 0 ? 0 : changed / count;
  }

  /**
   * A client of a node that follows a leader may hold a cursor from a node that is ahead. Then this waits for
   * the data, rather than answer with less than the client knows. Null when this node is not behind.
   * @returns a promise that rejects with `upstream_unavailable` when the data does not come in time
   */
  whenReached(view: OddsView, cursor: string | null): Promise<void> | null {
    const { reader } = this.#parts;
    if (cursor === null || reader.feed().replication === 'alone') return null;
    return this.#isAhead(view, cursor) ? reached('since', () => this.#isAhead(view, cursor)) : null;
  }

  #isAhead(view: OddsView, cursor: string): boolean {
    const { reader } = this.#parts;
    return isAhead(view, cursor, { version: reader.slateVersion(), epochMs: reader.epochMs });
  }

  /**
   * What changed after version `since`, for deltas of any view from that version or a later one. It holds the
   * whole slate when `since` is -1, and also when a fixture left after `since` that is no longer in the ring
   * of departures.
   * @param room as for `SlateCopier.copySince`
   * @throws ServiceError `upstream_unavailable`
   */
  async copySince(since: number, nowMs: number, room?: CopyRoom): Promise<SlateCopy> {
    const { slate, copier } = this.#parts;
    slate.requireReady(nowMs);
    const copy = await copier.copySince(since, room);
    if (copy.departures !== null) return copy;
    room?.release(copy.byteCount);
    freeCopy(copy);
    return copier.copySince(-1, room);
  }

  /** The delta of one view. From a copy of the whole slate it is the whole view, whatever `since` is. */
  deltaOf(
    copy: SlateCopy,
    { view, since, nowMs }: { readonly view: OddsView; readonly since: number; readonly nowMs: number },
  ): OddsDelta {
    const { copier, encoder } = this.#parts;
    assert(copy.since < 0 || since >= copy.since, 'a copy has no changes from before its start');
    return new OddsDelta({
      view,
      copy,
      encoder,
      since: copy.since < 0 ? -1 : since,
      cursor: encodeOddsCursor(view, copy.version, copy.epochMs),
      ...this.freshness(view, copy, nowMs),
      leagueIdOf: (entityRow) => copier.leagueIdOf(entityRow),
    });
  }

  /**
   * When the feed confirmed which prices, for `freshness` and `confirmations` of several views at one
   * instant.
   */
  feedTimes(): FeedTimes {
    const { reader } = this.#parts;
    return { ...reader.lastMessageTimes(), confirmedAtMs: this.#steps.now() };
  }

  /**
   * Where several sources are joined, the bookmakers of a view by when their source last confirmed their open
   * prices, oldest first. Bookmakers whose source never did are in no group. Null for one source, which
   * confirms everything at `as_of`.
   */
  confirmations(view: OddsView, { confirmedAtMs }: Pick<FeedTimes, 'confirmedAtMs'>): Confirmation[] | null {
    return this.#parts.reader.isJoined() ? confirmationsOf(view, confirmedAtMs) : null;
  }

  /**
   * `as_of` and `stale` of an answer in this view. Where several sources are joined, `as_of` is the time of
   * the source that confirmed its prices longest ago, among those whose prices can still be open; `stale` is
   * true when even the latest confirmation is too old for a live match, or when the slate was restored.
   */
  freshness(view: OddsView, feed: FeedTimes, nowMs: number): SlateFreshness {
    const { reader, windows } = this.#parts;
    const { earliestMs, latestMs } = reader.isJoined()
      ? confirmedBetween(confirmationsOf(view, feed.confirmedAtMs), nowMs - windows.prematchMs)
      : ofOneSource(view, feed);
    return {
      asOf: isoTextOrNull(earliestMs > 0 ? earliestMs : Number.NaN),
      // Judged by the freshness window of live matches, as in /health.
      isStale: reader.feed().isRestored || nowMs >= staleFromMs(latestMs, true, windows),
    };
  }
}

/** Some bookmakers of a view, and when their source last confirmed their open prices, Unix ms. */
export interface Confirmation {
  readonly bookmakers: readonly string[];
  readonly atMs: number;
}

/** Sources whose last confirmation falls into the same step form one group. */
function confirmationsOf({ odds, showsSharp }: OddsView, confirmedAtMs: Confirmations): Confirmation[] {
  const shownMask = odds.bookmakerMask & visibleBookmakerMask(showsSharp);
  const groups = new Map<number, string[]>();
  BOOKMAKER_KEYS.forEach((key, bookmaker) => {
    const atMs = confirmedAtMs[bookmaker]!;
    if (((shownMask >> bookmaker) & 1) === 0 || atMs === 0) return;
    groups.getOrInsertComputed(atMs, () => []).push(key);
  });
  return Array.from(groups, ([atMs, bookmakers]) => ({ bookmakers, atMs })).sort((a, b) => a.atMs - b.atMs);
}

interface ConfirmedBetween {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** @param openFromMs prices that were confirmed more than a step before this are suspended by now */
function confirmedBetween(confirmations: readonly Confirmation[], openFromMs: number): ConfirmedBetween {
  const latestMs = confirmations.at(-1)?.atMs ?? 0;
  const open = confirmations.find(({ atMs }) => atMs >= openFromMs - HEARTBEAT_STEP_MS);
  return { earliestMs: open?.atMs ?? latestMs, latestMs };
}

function ofOneSource({ odds, showsSharp }: OddsView, feed: FeedTimes): ConfirmedBetween {
  const messageAtMs = showsSharp ? feed.lastMessageAtMs : feed.commonMessageAtMs;
  const atMs = Math.max(messageAtMs, latestConfirmationMs(feed.confirmedAtMs, odds.bookmakerMask));
  return { earliestMs: atMs, latestMs: atMs };
}

type FeedTimes = Pick<SlateCopy, 'confirmedAtMs' | 'lastMessageAtMs' | 'commonMessageAtMs'>;

interface SlateFreshness {
  /** When the feed last confirmed what the callers of the view may see of the slate; null before it did. */
  readonly asOf: string | null;
  readonly isStale: boolean;
}
