// The slate for use cases: fixtures as plain values. It refuses while the feed has not sent a whole slate or
// has been gone too long. One per thread; methods that depend on the time take the instant that they answer
// for.

import { toIsoText } from '../../clock.ts';
import type { Health, NodeHealth, Ready } from '../../contract/operations.ts';
import { decodeId } from '../../domain/ids.ts';
import { type FreshnessWindows, NEVER_FRESH, type SignalMoment } from '../../domain/signal-gate.ts';
import { assert, ServiceError } from '../../errors.ts';
import { FEED_LIVE_MS, FIXTURES_MAX } from '../../limits.ts';
import { eventLoopTurn } from '../../pause.ts';
import type { FeedStatus } from '../../store/feed-status.ts';
import type { SlateReader } from '../../store/reader.ts';
import { reportsAt, type SourceReport, silentAfterMs } from '../../store/source-reports.ts';
import {
  ConfirmationSteps,
  EntityRefs,
  type FixtureNow,
  type FixtureView,
  fixtureAt,
  viewOf,
} from './fixture-view.ts';
import { SlateLists } from './slate-lists.ts';

/** The budget of one step of updating the lists. A known fixture costs 1, which is about a microsecond. */
const STEP_BUDGET = 256;
/** A fixture that is new to this thread costs more, because its ids must be encoded. */
const NEW_FIXTURE_COST = 32;
/** With more changes than this, a caller that lists the slate waits while they are processed in steps. */
const CHANGES_AT_ONCE_MAX = 128;
const RETRY_WARMING_S = 1;
const RETRY_GONE_S = 5;

export class Slate {
  readonly #reader: SlateReader;
  readonly #windows: FreshnessWindows;
  readonly #keepsHistory: boolean;
  readonly #refs: EntityRefs;
  readonly #steps: ConfirmationSteps;
  readonly #views: (FixtureView | undefined)[] = [];
  readonly #lists = new SlateLists();
  readonly #counts: SlateCounts;
  /** How many changes of the store are in the lists, or have their slots in `#uncheckedSlots`. */
  #changeCount = 0;
  #uncheckedSlots: number[] = [];
  #listing: Promise<void> | null = null;
  /** Event numbers by id, so that an id that is used repeatedly is decoded once. */
  readonly #numberById = new Map<string, number>();

  /** @param keepsHistory whether the service answers about fixtures that have left the slate */
  constructor(reader: SlateReader, windows: FreshnessWindows, keepsHistory = false) {
    this.#reader = reader;
    this.#windows = windows;
    this.#keepsHistory = keepsHistory;
    this.#refs = new EntityRefs(reader);
    this.#steps = new ConfirmationSteps(reader);
    this.#counts = new SlateCounts(reader);
  }

  /** Whether there is a slate; without one, requireReady refuses. */
  isReady(nowMs: number): boolean {
    const feed = this.#reader.feed();
    return feed.isRestored || (feed.snapshotComplete && nowMs - feed.appliedAtMs <= this.#windows.prematchMs);
  }

  /**
   * Refuses while there is no slate: before the first snapshot is complete, and when the feed has been gone
   * for longer than the pre-match window. A restored slate is never refused.
   * @throws ServiceError `upstream_unavailable`
   */
  requireReady(nowMs: number): void {
    const feed = this.#reader.feed();
    if (feed.isRestored) return;
    if (!feed.snapshotComplete) {
      throw unavailable(`the first snapshot is still loading${this.#troubles(nowMs)}`, RETRY_WARMING_S);
    }
    if (nowMs - feed.appliedAtMs > this.#windows.prematchMs) {
      throw unavailable(`the feed has been silent for too long${this.#troubles(nowMs)}`, RETRY_GONE_S);
    }
  }

  /** Names each source that has a problem, with the problem, for the error that there is no slate. */
  #troubles(nowMs: number): string {
    const ill = this.#standings(nowMs).filter(({ reason }) => reason !== null);
    return ill
      .map(({ name, state, reason, lostSinceMs }) => {
        const since = lostSinceMs === null ? '' : ` since ${toIsoText(lostSinceMs)}`;
        return `; source ${name} is ${state}, ${reason}${since}`;
      })
      .join('');
  }

  /** Whether a source of this name fills the slate, according to the reports so far. */
  isOf(sourceName: string): boolean {
    return this.#reader.sourceReports().some(({ name }) => name === sourceName);
  }

  /** The state of the sources at an instant. */
  #standings(nowMs: number): SourceReport[] {
    return reportsAt(this.#reader.sourceReports(), {
      nowMs,
      silentAfterMs: silentAfterMs(this.#windows.prematchMs),
    });
  }

  /**
   * The answer that the service is ready, with the state of each source.
   * @throws ServiceError `upstream_unavailable` while it is not
   */
  ready(nowMs: number): Pick<Ready, 'status' | 'sources'> {
    this.requireReady(nowMs);
    const sources = this.#standings(nowMs).map((standing) => ({
      name: standing.name,
      state: standing.state as Ready['sources'][number]['state'],
      reason: standing.reason,
      next_try_at: instantOf(standing.nextTryAtMs),
      connected: standing.isConnected,
      lost_since: instantOf(standing.lostSinceMs),
      clock_ahead_s: standing.clockAheadMs / 1_000,
    }));
    return { status: 'ready', sources };
  }

  /**
   * The instant with the confirmations that decide the freshness of quotes. The last heartbeat of a source
   * confirms its quotes. In a slate restored from before the start nothing is fresh.
   */
  momentAt(nowMs: number): SignalMoment {
    const feed = this.#reader.feed();
    return {
      nowMs,
      confirmedAtMs: this.#steps.now(),
      windows: feed.isRestored ? NEVER_FRESH : this.#windows,
    };
  }

  feed(): FeedStatus {
    return this.#reader.feed();
  }

  /** The epoch of versions: see SlateReader. */
  get epochMs(): number {
    return this.#reader.epochMs;
  }

  /** Whether there is a slate and how old it is. It always answers, whatever the state of the feed. */
  health(nowMs: number): Health {
    const { connected, appliedAtMs, commonAppliedAtMs, snapshotComplete, replication } = this.#reader.feed();
    const isReached = replication !== 'leaderless' && replication !== 'cut_off';
    const standings = this.#standings(nowMs);
    // Before the first snapshot, lost sources do not count, because `status` shows that the feed is starting.
    const isWhole = !snapshotComplete || standings.every(({ lostSinceMs }) => lostSinceMs === null);
    // When prices are refused as too old, the feed does not count as live. The operator may set that limit
    // below FEED_LIVE_MS.
    const liveMs = Math.min(FEED_LIVE_MS, this.#windows.prematchMs);
    const isLive = isReached && connected && isWhole && nowMs - appliedAtMs <= liveMs;
    const { fixtures, commonQuotes } = this.#counts.now();
    const wasHeard = commonAppliedAtMs > 0;
    const isHealthy = standings.every(({ state }) => state === 'ok');
    return {
      status: !snapshotComplete ? 'starting' : isLive && isHealthy ? 'ok' : 'degraded',
      feed_live: isLive,
      as_of: wasHeard ? toIsoText(commonAppliedAtMs) : null,
      as_of_stale: !wasHeard || nowMs - commonAppliedAtMs > this.#windows.liveMs,
      matches: fixtures,
      odds: commonQuotes,
    };
  }

  /** The state of this node in a cluster, and the epoch of its slate as it appears in cursors. */
  node(): Omit<NodeHealth['node'], 'role'> {
    const { replication } = this.#reader.feed();
    assert(replication !== 'alone', 'a node of a cluster has a replication state from its start');
    return { state: replication, epoch: this.epochMs.toString(36) };
  }

  /** The version of what a caller may see of a fixture; null when it is not on the slate. */
  versionOf(eventNumber: number, showsSharp: boolean): number | null {
    const slot = this.#reader.slotOf(eventNumber);
    const view = slot < 0 ? undefined : this.#view(slot);
    if (view === undefined || view.eventNumber !== eventNumber) return null;
    return showsSharp ? view.version : view.commonVersion;
  }

  /** One fixture by number, or null when it is not on the slate. */
  fixture(eventNumber: number, nowMs: number): FixtureNow | null {
    const slot = this.#reader.slotOf(eventNumber);
    const view = slot < 0 ? undefined : this.#view(slot);
    if (view === undefined || view.eventNumber !== eventNumber) return null;
    return fixtureAt(view, this.momentAt(nowMs));
  }

  /**
   * One fixture by its public id.
   * @throws ServiceError `invalid_request` for an id that does not decode, `not_found` when it is not on the
   * slate, `upstream_unavailable` while there is no slate
   */
  fixtureById(eventId: string, nowMs: number): FixtureNow {
    const eventNumber = this.#numberById.get(eventId) ?? decodeId('event', eventId);
    this.requireReady(nowMs);
    const fixture = this.fixture(eventNumber, nowMs);
    if (fixture !== null) return fixture;
    // The error is the same for every id and caller, because whether the history has the fixture depends on
    // what the caller may see.
    throw new ServiceError('not_found', 'Cannot find event: it is not on the slate', {
      fix: this.#keepsHistory
        ? 'List current fixtures with GET /v1/events; finished matches are in GET /v1/results, prices of the past in GET /v1/events/{event_id}/history'
        : 'List current fixtures with GET /v1/events; finished matches are in GET /v1/results',
    });
  }

  /** Every fixture, unordered, in any state of the feed: for answers that work without a slate. */
  peek(nowMs: number): FixtureNow[] {
    const moment = this.momentAt(nowMs);
    return this.lists()
      .views()
      .map((view) => fixtureAt(view, moment));
  }

  /**
   * The slate as lists, whatever the state of the feed. The cost depends on what has changed since the last
   * call.
   */
  lists(): SlateLists {
    let isDone = false;
    while (!isDone) isDone = this.stepLists();
    return this.#lists;
  }

  /**
   * Processes the next few fixtures that changed, for well under a millisecond.
   * @returns whether the lists are up to date
   */
  stepLists(): boolean {
    let isRead = false;
    for (let left = STEP_BUDGET; left > 0; ) {
      const slot = this.#uncheckedSlots.pop();
      if (slot === undefined) {
        if (isRead) return true;
        isRead = true;
        this.#readChanges();
        continue;
      }
      left -= this.#views[slot] === undefined ? NEW_FIXTURE_COST : 1;
      this.#lists.put(slot, this.#view(slot));
    }
    return false;
  }

  /** Whether at most CHANGES_AT_ONCE_MAX changes are not in the lists yet. */
  get isListed(): boolean {
    const behind = this.#uncheckedSlots.length + this.#reader.changeCount() - this.#changeCount;
    return behind <= CHANGES_AT_ONCE_MAX;
  }

  /**
   * Null if `isListed`. Otherwise a promise that resolves once the lists have all changes; they are added in
   * steps, with other work between them.
   */
  whenListed(): Promise<void> | null {
    if (this.#listing !== null || this.isListed) return this.#listing;
    this.#listing = this.#listInSteps().finally(() => {
      this.#listing = null;
    });
    return this.#listing;
  }

  async #listInSteps(): Promise<void> {
    let isDone = false;
    while (!isDone) {
      await eventLoopTurn();
      isDone = this.stepLists();
    }
  }

  #readChanges(): void {
    const { count, slots } = this.#reader.changes(this.#changeCount);
    this.#changeCount = count;
    this.#uncheckedSlots =
      slots === null ? Array.from({ length: this.#reader.slotCount() }, (_, slot) => slot) : [...slots];
  }

  #view(slot: number): FixtureView | undefined {
    const former = this.#views[slot];
    const view = this.#reader.read(slot, (page) => {
      const { version, eventNumber } = this.#reader.columns;
      const isSame =
        former !== undefined && former.version === version[page] && former.eventNumber === eventNumber[page];
      return isSame ? former : viewOf(this.#reader, this.#refs, page, former);
    });
    this.#views[slot] = view;
    if (former?.id !== view?.id) {
      if (former !== undefined) this.#numberById.delete(former.id);
      if (view !== undefined) this.#numberById.set(view.id, view.eventNumber);
    }
    return view;
  }
}

function instantOf(ms: number | null): string | null {
  return ms === null ? null : toIsoText(ms);
}

function unavailable(state: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('upstream_unavailable', `Cannot read slate: ${state}`, {
    fix: 'Retry after retry_after_seconds; this does not mean that there are no matches',
    retryAfterSeconds,
  });
}

/** Marks a slot without a fixture. */
const NO_FIXTURE = -1;

/**
 * How many fixtures and quotes the slate has. The counts are updated by changes, so /health costs the same on
 * a slate of any size and reads none of its fixtures.
 */
class SlateCounts {
  readonly #reader: SlateReader;
  /** Quotes by slot, without those of the sharp bookmaker. */
  readonly #quotes = new Int32Array(FIXTURES_MAX).fill(NO_FIXTURE);
  #changeCount = 0;
  #fixtureCount = 0;
  #quoteCount = 0;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /**
   * How many fixtures the slate has, and quotes in all. Those of the sharp bookmaker are not counted, so
   * every tier may know the numbers.
   */
  now(): { readonly fixtures: number; readonly commonQuotes: number } {
    const { count, slots } = this.#reader.changes(this.#changeCount);
    this.#changeCount = count;
    if (slots !== null) for (const slot of slots) this.#check(slot);
    else for (let slot = 0, end = this.#reader.slotCount(); slot < end; slot++) this.#check(slot);
    return { fixtures: this.#fixtureCount, commonQuotes: this.#quoteCount };
  }

  #check(slot: number): void {
    const former = this.#quotes[slot]!;
    const quotes =
      this.#reader.read(slot, (page) => this.#reader.columns.commonQuoteCount[page]!) ?? NO_FIXTURE;
    this.#quotes[slot] = quotes;
    this.#fixtureCount += Number(quotes !== NO_FIXTURE) - Number(former !== NO_FIXTURE);
    this.#quoteCount += Math.max(0, quotes) - Math.max(0, former);
  }
}
