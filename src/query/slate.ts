// The slate as use cases see it: fixtures as plain values, gated by whether there is a slate to speak of. One per
// thread; every method takes the instant it answers for.

import { decodeId } from '../domain/ids.ts';
import { ServiceError } from '../errors.ts';
import type { FeedStatus, SlateReader } from '../store/reader.ts';
import { EntityRefs, type FixtureNow, type FixtureView, fixtureAt, viewOf } from './fixture-view.ts';
import { FEED_LIVE_MS, type FreshnessWindows } from './freshness.ts';

const RETRY_WARMING_S = 1;
const RETRY_GONE_S = 5;

export class Slate {
  readonly reader: SlateReader;
  readonly windows: FreshnessWindows;
  readonly #refs: EntityRefs;
  readonly #views: (FixtureView | undefined)[] = [];
  /** Ids of the views, so that the ids pollers send again and again are not decoded each time. */
  readonly #numberById = new Map<string, number>();

  constructor(reader: SlateReader, windows: FreshnessWindows) {
    this.reader = reader;
    this.windows = windows;
    this.#refs = new EntityRefs(reader);
  }

  /**
   * Refuses while there is no slate: before the first snapshot is complete, and when the feed has been gone for longer
   * than the pre-match window. @throws ServiceError `upstream_unavailable`
   */
  requireReady(nowMs: number): void {
    const feed = this.reader.feed();
    if (!feed.snapshotComplete) throw unavailable('the first snapshot is still loading', RETRY_WARMING_S);
    if (nowMs - feed.heardAtMs > this.windows.prematchMs) {
      throw unavailable('the feed has been silent for too long', RETRY_GONE_S);
    }
  }

  feed(): FeedStatus {
    return this.reader.feed();
  }

  /** Connected and heard within 30 s. */
  isFeedLive(nowMs: number): boolean {
    const feed = this.reader.feed();
    return feed.connected && nowMs - feed.heardAtMs <= FEED_LIVE_MS;
  }

  /** One fixture by number, or null when it is not on the slate. */
  fixture(eventNumber: number, nowMs: number): FixtureNow | null {
    const slot = this.reader.slotOf(eventNumber);
    const view = slot < 0 ? undefined : this.#view(slot);
    if (view === undefined || view.eventNumber !== eventNumber) return null;
    return this.#at(view, nowMs);
  }

  /**
   * One fixture by its public id.
   * @throws ServiceError `invalid_request` for an id that does not decode, `not_found` when it is not on the slate
   */
  fixtureById(eventId: string, nowMs: number): FixtureNow {
    const eventNumber = this.#numberById.get(eventId) ?? decodeId('event', eventId);
    this.requireReady(nowMs);
    const fixture = this.fixture(eventNumber, nowMs);
    if (fixture === null) throw eventNotFound();
    return fixture;
  }

  /** Every fixture on the slate, in no order. @throws ServiceError `upstream_unavailable` */
  fixtures(nowMs: number): FixtureNow[] {
    this.requireReady(nowMs);
    return this.peek(nowMs);
  }

  /** As `fixtures`, whatever the state of the feed: for answers that do without the slate. */
  peek(nowMs: number): FixtureNow[] {
    const heartbeatAtMs = this.reader.feed().heartbeatAtMs;
    const fixtures: FixtureNow[] = [];
    const slotCount = this.reader.slotCount();
    for (let slot = 0; slot < slotCount; slot++) {
      const view = this.#view(slot);
      if (view !== undefined) fixtures.push(fixtureAt(view, { nowMs, heartbeatAtMs, windows: this.windows }));
    }
    return fixtures;
  }

  #at(view: FixtureView, nowMs: number): FixtureNow {
    const heartbeatAtMs = this.reader.feed().heartbeatAtMs;
    return fixtureAt(view, { nowMs, heartbeatAtMs, windows: this.windows });
  }

  #view(slot: number): FixtureView | undefined {
    const former = this.#views[slot];
    const view = this.reader.read(slot, (page) => {
      const { version, eventNumber } = this.reader.columns;
      const isSame =
        former !== undefined && former.version === version[page] && former.eventNumber === eventNumber[page];
      return isSame ? former : viewOf(this.reader, this.#refs, page, former);
    });
    this.#views[slot] = view;
    if (former?.id !== view?.id) {
      if (former !== undefined) this.#numberById.delete(former.id);
      if (view !== undefined) this.#numberById.set(view.id, view.eventNumber);
    }
    return view;
  }
}

/** Nothing on the slate has this id now. */
function eventNotFound(): ServiceError {
  return new ServiceError('not_found', 'Cannot find event: it is not on the slate', {
    fix: 'List current fixtures with GET /v1/events; finished matches are in GET /v1/results',
  });
}

function unavailable(state: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('upstream_unavailable', `Cannot read slate: ${state}`, {
    fix: 'Retry after retry_after_seconds; this does not mean that there are no matches',
    retryAfterSeconds,
  });
}
