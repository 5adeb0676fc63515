// What changed in a view since a cursor, read from the versions that every row of the store carries; and the whole view,
// for who has no cursor or one that is too old. Both are made from a copy of one instant (slate-copy.ts).

import { isoTextOrNull } from '../clock.ts';
import type { FreshnessWindows } from '../domain/signal-gate.ts';
import { assert } from '../errors.ts';
import type { SlateReader } from '../store/reader.ts';
import { fixtureAsOfMs, staleFromMs } from './fixture-view.ts';
import { decodeOddsCursor, encodeOddsCursor, isAhead } from './odds-cursor.ts';
import { OddsDelta } from './odds-delta.ts';
import type { OddsEncoder } from './odds-encoder.ts';
import type { OddsView } from './odds-view.ts';
import { reached } from './reach.ts';
import type { Slate } from './slate.ts';
import type { SlateCopier, SlateCopy } from './slate-copy.ts';

interface ChangesParts {
  readonly reader: SlateReader;
  readonly slate: Slate;
  readonly copier: SlateCopier;
  readonly encoder: OddsEncoder;
  readonly windows: FreshnessWindows;
}

export class OddsChanges {
  readonly #parts: ChangesParts;

  constructor(parts: ChangesParts) {
    this.#parts = parts;
  }

  /** The slate's version now. */
  version(): number {
    return this.#parts.reader.slateVersion();
  }

  /** The epoch of its versions. */
  epochMs(): number {
    return this.#parts.reader.epochMs;
  }

  /** How long ago the feed last told of what every tier sees, in milliseconds; 0 before it did. */
  feedAgeMs(nowMs: number): number {
    const { commonAppliedAtMs } = this.#parts.reader.feed();
    return commonAppliedAtMs === 0 ? 0 : Math.max(0, Math.round(nowMs - commonAppliedAtMs));
  }

  /** The cursor of who has a view as it was at a slate version. */
  cursorOf(view: OddsView, version: number): string {
    return encodeOddsCursor(view, version, this.#parts.reader.epochMs);
  }

  /** The cursor of a view at this moment. It moves only when something has changed that callers of the view may see. */
  cursor(view: OddsView): string {
    const { reader } = this.#parts;
    return encodeOddsCursor(view, reader.slateVersion(), reader.epochMs);
  }

  /**
   * The newest slate version that the sender of a cursor knows, -1 when it needs the whole view.
   * @param cursor null for who starts
   * @throws ServiceError `invalid_request` when it is no cursor, or one of another view
   */
  sinceOf(view: OddsView, cursor: string | null): number {
    const { reader } = this.#parts;
    if (cursor === null) return -1;
    const now = { version: reader.slateVersion(), epochMs: reader.epochMs };
    return decodeOddsCursor(view, cursor, now) ?? -1;
  }

  /**
   * On a node that follows a leader a cursor may come from one that is further: it is waited for, and never answered with
   * less than its sender knows. Null when this node is there.
   * @returns rejects with `upstream_unavailable` when it does not come in time
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
   * What changed in a view after version `since` until now, at one instant; all of it when `since` is -1.
   * @throws ServiceError `upstream_unavailable` while there is no slate, or none of one instant
   */
  async delta(view: OddsView, since: number, nowMs: number): Promise<OddsDelta> {
    const copy = await this.copySince(since, nowMs);
    return this.deltaOf(copy, { view, since, nowMs });
  }

  /**
   * What changed after version `since`, for deltas of any views that stand there or later. It is of the whole slate when
   * `since` is -1, and also when a fixture left after `since` of which nothing is on file any more.
   * @throws ServiceError `upstream_unavailable`
   */
  async copySince(since: number, nowMs: number): Promise<SlateCopy> {
    const { slate, copier } = this.#parts;
    slate.requireReady(nowMs);
    const copy = await copier.copySince(since);
    return copy.departures === null ? copier.copySince(-1) : copy;
  }

  /** The delta of one view. A copy of the whole slate answers with the whole view, whatever `since` is. */
  deltaOf(
    copy: SlateCopy,
    { view, since, nowMs }: { readonly view: OddsView; readonly since: number; readonly nowMs: number },
  ): OddsDelta {
    const { copier, encoder } = this.#parts;
    assert(copy.since < 0 || since >= copy.since, 'a copy tells nothing of what changed before it begins');
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

  /** When the feed said what, for `freshness` of several views at one instant. */
  confirmations(): Confirmations {
    const { reader } = this.#parts;
    return { ...reader.lastMessageTimes(), heartbeatAtMs: reader.feed().heartbeatAtMs };
  }

  /** `as_of` and `stale` of an answer in this view. */
  freshness(view: OddsView, feed: Confirmations, nowMs: number): SlateFreshness {
    const { reader, windows } = this.#parts;
    const messageAtMs = view.showsSharp ? feed.lastMessageAtMs : feed.commonMessageAtMs;
    const asOfMs = fixtureAsOfMs(messageAtMs, feed.heartbeatAtMs);
    return {
      asOf: isoTextOrNull(asOfMs > 0 ? asOfMs : Number.NaN),
      // By the window of play, as in /health.
      isStale: reader.feed().isRestored || nowMs >= staleFromMs(asOfMs, true, windows),
    };
  }
}

type Confirmations = Pick<SlateCopy, 'heartbeatAtMs' | 'lastMessageAtMs' | 'commonMessageAtMs'>;

interface SlateFreshness {
  /** When the feed last confirmed the slate, as far as callers of the view may know; null before it did. */
  readonly asOf: string | null;
  readonly isStale: boolean;
}
