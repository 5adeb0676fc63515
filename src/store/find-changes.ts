// Finds what changed in a published slate since the previous call, for a store that follows it. No log of
// changes is kept, because rows and pages carry the version of their last change, so a call finds the changes
// however many batches lie between. A caller that fails to deliver a change loses nothing if it calls
// `begin`. The next change is then the whole slate.

import { BOOKMAKERS } from '../domain/catalogue.ts';
import { ANY_BOOKMAKER } from '../domain/signal-gate.ts';
import { assert } from '../errors.ts';
import { BOOKMAKERS_MAX } from '../limits.ts';
import { writtenTexts } from '../memory/shared-text.ts';
import { departureCount, departureOf } from './departures.ts';
import { EntityNames } from './entity-table.ts';
import { attachStore, CONTROL, type StoreViews, WIDE } from './layout.ts';
import { LiquidityChanges, wholeLiquidity } from './liquidity.ts';
import { LINE_GROUPS } from './quote-key.ts';
import {
  type DepartureChange,
  type FeedFacts,
  type FixtureChange,
  type LiquidityChange,
  type NamedEntity,
  PAGE_SCALARS,
  type SlateChange,
} from './slate-change.ts';
import { readReports, type SourceReport } from './source-reports.ts';
import { clockText } from './writer/page-columns.ts';
import { isPublishing } from './writer/publishing.ts';

const NONE = -1;
const SCALARS = PAGE_SCALARS.length;
const ARRIVED = PAGE_SCALARS.findIndex(([name]) => name === 'arrivedVersion');

/** What followers were sent. The arrays have one value per slot; `scalars` has one per slot and scalar. */
interface Sent {
  readonly event: Float64Array;
  readonly slotEpoch: Int32Array;
  readonly version: Float64Array;
  readonly openingCount: Int32Array;
  readonly scalars: Float64Array;
  readonly clock: (string | null)[];
  readonly liquidity: LiquidityChanges;
  departureCount: number;
  feed: string;
  reports: number;
}

/** Runs on the writer's thread, so the store does not change while a method runs. */
export class SlateChanges {
  readonly #views: StoreViews;
  readonly #names: EntityNames;
  #sent: Sent;
  #version = 0;
  /**
   * The first version of the epoch. An older version is sent as this one, because no follower of this epoch
   * has an older version.
   */
  #least = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#views = attachStore(buffer);
    this.#names = new EntityNames(this.#views);
    this.#sent = nothingSent(this.#views);
  }

  /**
   * Forgets what was sent, so that the next change is the whole slate.
   * @param least the first version of the epoch
   */
  begin(least: number): void {
    this.#sent = nothingSent(this.#views);
    this.#sent.departureCount = departureCount(this.#views);
    this.#version = 0;
    this.#least = least;
  }

  /** What changed since the last call; null while a batch is half published. */
  take(): SlateChange | null {
    const views = this.#views;
    if (isPublishing(views)) return null;
    const version = Number(Atomics.load(views.wide, WIDE.slateVersion));
    const atMs = Number(Atomics.load(views.wide, WIDE.feedAppliedAtMs));
    const base = { version, atMs };
    const removed: number[] = [];
    const fixtures: FixtureChange[] = [];
    for (let slot = 0, count = Atomics.load(views.control, CONTROL.slotCount); slot < count; slot++) {
      if (!this.#isNews(slot)) continue;
      const page = Atomics.load(views.slotPage, slot);
      const sent = this.#sent.event[slot]!;
      if (sent !== NONE && (page === NONE || views.eventNumber[page] !== sent)) removed.push(sent);
      if (page === NONE) this.#sent.event[slot] = NONE;
      else fixtures.push(this.#fixture(slot, page, base));
    }
    const departures = this.#departures(base);
    this.#version = version;
    const liquidity = this.#sent.liquidity.take();
    return {
      ...base,
      fixtures,
      removed,
      departures,
      liquidity,
      feed: this.#feed(),
      reports: this.#reports(),
    };
  }

  /** All that is known of what can be staked on a fixture. */
  liquidityOf(eventNumber: number): LiquidityChange[] {
    return wholeLiquidity(this.#views, eventNumber);
  }

  /** Everything about the fixture of a slot, relative to the version and time of `base`. */
  whole(slot: number, base: { readonly version: number; readonly atMs: number }): FixtureChange {
    const page = Atomics.load(this.#views.slotPage, slot);
    assert(page !== NONE, 'a fixture that is sent is on the slate');
    return this.#encode(slot, page, { ...base, since: -1, isWhole: true });
  }

  /** The slots of all fixtures that followers hold, by event number. */
  slots(): Map<number, number> {
    const slots = new Map<number, number>();
    this.#sent.event.forEach((event, slot) => {
      if (event !== NONE) slots.set(event, slot);
    });
    return slots;
  }

  /** What a new follower has to know about the feed. */
  feedFacts(): FeedFacts {
    const { control, wide, bookmakerConfirmedAtMs } = this.#views;
    return [
      Atomics.load(control, CONTROL.feedConnected),
      Atomics.load(control, CONTROL.snapshotComplete),
      Number(Atomics.load(wide, WIDE.feedAppliedAtMs)),
      Number(Atomics.load(wide, WIDE.commonAppliedAtMs)),
      ...BOOKMAKERS.map((_, bookmaker) => Number(Atomics.load(bookmakerConfirmedAtMs, bookmaker))),
    ];
  }

  #isNews(slot: number): boolean {
    const { slotPage, version, eventNumber, openingCount, slotEpoch } = this.#views;
    const page = Atomics.load(slotPage, slot);
    const sent = this.#sent;
    if (page === NONE) return sent.event[slot] !== NONE;
    return (
      sent.version[slot] !== version[page] ||
      sent.event[slot] !== eventNumber[page] ||
      sent.slotEpoch[slot] !== Atomics.load(slotEpoch, slot) ||
      sent.openingCount[slot] !== Atomics.load(openingCount, slot)
    );
  }

  #fixture(slot: number, page: number, base: { version: number; atMs: number }): FixtureChange {
    const views = this.#views;
    const sent = this.#sent;
    const slotEpoch = Atomics.load(views.slotEpoch, slot);
    // A fixture may have left and come back in one batch. It then keeps its slot, but must be sent as a
    // whole.
    const isWhole =
      sent.event[slot] !== views.eventNumber[page] ||
      sent.slotEpoch[slot] !== slotEpoch ||
      sent.scalars[slot * SCALARS + ARRIVED] !== views.arrivedVersion[page];
    const change = this.#encode(slot, page, { ...base, since: isWhole ? -1 : this.#version, isWhole });
    sent.event[slot] = views.eventNumber[page]!;
    sent.slotEpoch[slot] = slotEpoch;
    sent.version[slot] = views.version[page]!;
    sent.openingCount[slot] = Atomics.load(views.openingCount, slot);
    sent.clock[slot] = clockText(views, page);
    PAGE_SCALARS.forEach(([name], index) => {
      sent.scalars[slot * SCALARS + index] = views[name][page]!;
    });
    return change;
  }

  #encode(
    slot: number,
    page: number,
    {
      version,
      atMs,
      since,
      isWhole,
    }: { readonly version: number; readonly atMs: number; readonly since: number; readonly isWhole: boolean },
  ): FixtureChange {
    const views = this.#views;
    const sent = this.#sent;
    const scalars: number[] = [];
    for (let index = 0; index < SCALARS; index++) {
      const [name, kind] = PAGE_SCALARS[index]!;
      const value = views[name][page]!;
      if (!isWhole && Object.is(value, sent.scalars[slot * SCALARS + index])) continue;
      scalars.push(
        index,
        kind === 'version' ? this.#below(version, value) : kind === 'time' ? value - atMs : value,
      );
    }
    const clock = clockText(views, page);
    const namesChanged = isWhole || views.identityVersion[page]! > since;
    const first = page * views.capacity.quotesPerFixture;
    const end = first + views.quoteCount[page]!;
    const quotes: number[] = [];
    for (let row = first; row < end; row++) {
      if (views.quoteVersion[row]! <= since) continue;
      quotes.push(
        views.quoteKey[row]!,
        views.priceE4A[row]!,
        views.priceE4B[row]!,
        views.priceE4C[row]!,
        views.quoteStatus[row]!,
        views.quoteAtMs[row]! - atMs,
        this.#below(version, views.quoteVersion[row]!),
      );
    }
    const hasWithdrawn = views.withdrawnVersion[page]! > Math.max(since, this.#least - 1);
    return [
      views.eventNumber[page]!,
      isWhole,
      scalars,
      namesChanged ? this.#namesOf(page) : null,
      isWhole || clock !== sent.clock[slot] ? clock : undefined,
      quotes,
      end - first,
      hasWithdrawn && !isWhole ? this.#keysOf(first, end) : null,
      hasWithdrawn ? this.#groupsOf(page, since, version) : [],
      this.#openingsOf(slot, isWhole ? 0 : sent.openingCount[slot]!, atMs),
      this.#confirmationsOf(page, atMs),
    ];
  }

  #confirmationsOf(page: number, atMs: number): number[] {
    const { confirmerMask, fixtureConfirmedAtMs } = this.#views;
    const first = page * BOOKMAKERS_MAX;
    const own = BOOKMAKERS.flatMap((_, bookmaker) => {
      const confirmedAtMs = fixtureConfirmedAtMs[first + bookmaker]!;
      return confirmedAtMs > 0 ? [bookmaker, confirmedAtMs - atMs] : [];
    });
    const isUsual = own.length === 0 && confirmerMask[page] === ANY_BOOKMAKER;
    return isUsual ? [] : [confirmerMask[page]!, ...own];
  }

  /** How far a version lies below the version of the change. */
  #below(version: number, value: number): number {
    // 0 means that no line was ever withdrawn.
    return value === 0 ? Number.NaN : version - Math.max(value, this.#least);
  }

  #namesOf(page: number): readonly [NamedEntity, NamedEntity, NamedEntity] {
    const { leagueEntity, homeEntity, awayEntity } = this.#views;
    return [
      this.#entity(leagueEntity[page]!),
      this.#entity(homeEntity[page]!),
      this.#entity(awayEntity[page]!),
    ];
  }

  #entity(row: number): NamedEntity {
    return [this.#views.entityNumber[row]!, this.#names.name(row)];
  }

  #keysOf(first: number, end: number): number[] {
    const keys: number[] = [];
    let last = 0;
    for (let row = first; row < end; row++) {
      keys.push(this.#views.quoteKey[row]! - last);
      last = this.#views.quoteKey[row]!;
    }
    return keys;
  }

  #groupsOf(page: number, since: number, version: number): number[] {
    const groups: number[] = [];
    const first = page * LINE_GROUPS;
    for (let group = 0; group < LINE_GROUPS; group++) {
      const withdrawn = this.#views.groupWithdrawnVersion[first + group]!;
      if (withdrawn > Math.max(since, this.#least - 1)) groups.push(group, this.#below(version, withdrawn));
    }
    return groups;
  }

  #openingsOf(slot: number, from: number, atMs: number): number[] {
    const views = this.#views;
    const first = slot * views.capacity.openingsPerFixture;
    const openings: number[] = [];
    for (let row = first + from, end = first + Atomics.load(views.openingCount, slot); row < end; row++) {
      openings.push(
        views.openingKey[row]!,
        views.openingE4A[row]!,
        views.openingE4B[row]!,
        views.openingE4C[row]!,
        views.openedAtMs[row]! - atMs,
        views.openingUpstream[row]!,
      );
    }
    return openings;
  }

  #departures({ version, atMs }: { version: number; atMs: number }): DepartureChange[] {
    const count = departureCount(this.#views);
    const { departures: rowCount } = this.#views.capacity;
    const changes: DepartureChange[] = [];
    for (let index = Math.max(this.#sent.departureCount, count - rowCount); index < count; index++) {
      const departure = departureOf(this.#views, index % rowCount);
      changes.push([
        departure.eventNumber,
        this.#below(version, departure.version),
        this.#below(version, departure.arrivedVersion),
        this.#below(version, departure.settledVersion),
        departure.sport,
        departure.status,
        departure.scheduledAtMs - atMs,
        this.#entity(departure.leagueEntity),
      ]);
    }
    this.#sent.departureCount = count;
    return changes;
  }

  #feed(): FeedFacts | null {
    const facts = this.feedFacts();
    const text = facts.join();
    if (text === this.#sent.feed) return null;
    this.#sent.feed = text;
    return facts;
  }

  #reports(): readonly SourceReport[] | null {
    const written = writtenTexts(this.#views.reports);
    if (written === this.#sent.reports) return null;
    this.#sent.reports = written;
    return readReports(this.#views);
  }
}

function nothingSent(views: StoreViews): Sent {
  const { capacity } = views;
  return {
    liquidity: new LiquidityChanges(views),
    event: new Float64Array(capacity.fixtures).fill(NONE),
    slotEpoch: new Int32Array(capacity.fixtures),
    version: new Float64Array(capacity.fixtures),
    openingCount: new Int32Array(capacity.fixtures),
    scalars: new Float64Array(capacity.fixtures * SCALARS),
    clock: [],
    departureCount: 0,
    feed: '',
    reports: 0,
  };
}
