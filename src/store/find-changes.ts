// Finds what changed of a published slate since it was last asked, for a store that follows it. No log of changes is kept
// for it: rows and pages know the version of their last change, so it is found whenever somebody asks, however many batches
// lie between. A caller that could not hand a change on loses nothing: the next call finds it again.

import { assert } from '../errors.ts';
import { departureCount, departureOf } from './departures.ts';
import { EntityNames } from './entity-table.ts';
import { attachStore, CONTROL, type StoreViews, WIDE } from './layout.ts';
import { clockText } from './page-columns.ts';
import { isPublishing } from './publishing.ts';
import { LINE_GROUPS } from './quote-key.ts';
import {
  type DepartureChange,
  type FeedFacts,
  type FixtureChange,
  type NamedEntity,
  PAGE_SCALARS,
  type SlateChange,
} from './slate-change.ts';
import { readReports, type SourceReport } from './source-reports.ts';

const NONE = -1;
const SCALARS = PAGE_SCALARS.length;
const ARRIVED = PAGE_SCALARS.findIndex(([name]) => name === 'arrivedVersion');

/** What a follower has of each slot. */
interface Told {
  readonly event: Float64Array;
  readonly slotEpoch: Int32Array;
  readonly version: Float64Array;
  readonly openingCount: Int32Array;
  readonly scalars: Float64Array;
  readonly clock: (string | null)[];
  departureCount: number;
  feed: string;
  reports: number;
}

/** On the writer's thread: between two of its calls nothing moves. */
export class SlateChanges {
  readonly #views: StoreViews;
  readonly #names: EntityNames;
  #told: Told;
  #version = 0;
  /** Versions below are told as this one: nobody can know an older one. */
  #least = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#views = attachStore(buffer);
    this.#names = new EntityNames(this.#views);
    this.#told = nothingTold(this.#views);
  }

  /** Forgets what was told: the next change is the whole slate. @param least the first version of the epoch */
  begin(least: number): void {
    this.#told = nothingTold(this.#views);
    this.#told.departureCount = departureCount(this.#views);
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
      const told = this.#told.event[slot]!;
      if (told !== NONE && (page === NONE || views.eventNumber[page] !== told)) removed.push(told);
      if (page === NONE) this.#told.event[slot] = NONE;
      else fixtures.push(this.#fixture(slot, page, base));
    }
    const departures = this.#departures(base);
    this.#version = version;
    return { ...base, fixtures, removed, departures, feed: this.#feed(), reports: this.#reports() };
  }

  /** All of the fixture of a slot, told from this version and time. */
  whole(slot: number, base: { readonly version: number; readonly atMs: number }): FixtureChange {
    const page = Atomics.load(this.#views.slotPage, slot);
    assert(page !== NONE, 'a fixture that is told is on the slate');
    return this.#encode(slot, page, { ...base, since: -1, isWhole: true });
  }

  /** The slots of all fixtures that were told, by event number. */
  slots(): Map<number, number> {
    const slots = new Map<number, number>();
    this.#told.event.forEach((event, slot) => {
      if (event !== NONE) slots.set(event, slot);
    });
    return slots;
  }

  /** What a newcomer has to know of the feed. */
  feedFacts(): FeedFacts {
    const { control, wide } = this.#views;
    return [
      Atomics.load(control, CONTROL.feedConnected),
      Atomics.load(control, CONTROL.snapshotComplete),
      Number(Atomics.load(wide, WIDE.feedAppliedAtMs)),
      Number(Atomics.load(wide, WIDE.commonAppliedAtMs)),
      Number(Atomics.load(wide, WIDE.heartbeatAtMs)),
    ];
  }

  #isNews(slot: number): boolean {
    const { slotPage, version, eventNumber, openingCount, slotEpoch } = this.#views;
    const page = Atomics.load(slotPage, slot);
    const told = this.#told;
    if (page === NONE) return told.event[slot] !== NONE;
    return (
      told.version[slot] !== version[page] ||
      told.event[slot] !== eventNumber[page] ||
      told.slotEpoch[slot] !== Atomics.load(slotEpoch, slot) ||
      told.openingCount[slot] !== Atomics.load(openingCount, slot)
    );
  }

  #fixture(slot: number, page: number, base: { version: number; atMs: number }): FixtureChange {
    const views = this.#views;
    const told = this.#told;
    const slotEpoch = Atomics.load(views.slotEpoch, slot);
    // A fixture may have left and come back in one batch, and keeps its slot then.
    const isWhole =
      told.event[slot] !== views.eventNumber[page] ||
      told.slotEpoch[slot] !== slotEpoch ||
      told.scalars[slot * SCALARS + ARRIVED] !== views.arrivedVersion[page];
    const change = this.#encode(slot, page, { ...base, since: isWhole ? -1 : this.#version, isWhole });
    told.event[slot] = views.eventNumber[page]!;
    told.slotEpoch[slot] = slotEpoch;
    told.version[slot] = views.version[page]!;
    told.openingCount[slot] = Atomics.load(views.openingCount, slot);
    told.clock[slot] = clockText(views, page);
    PAGE_SCALARS.forEach(([name], index) => {
      told.scalars[slot * SCALARS + index] = views[name][page]!;
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
    const told = this.#told;
    const scalars: number[] = [];
    for (let index = 0; index < SCALARS; index++) {
      const [name, kind] = PAGE_SCALARS[index]!;
      const value = views[name][page]!;
      if (!isWhole && Object.is(value, told.scalars[slot * SCALARS + index])) continue;
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
      isWhole || clock !== told.clock[slot] ? clock : undefined,
      quotes,
      end - first,
      hasWithdrawn && !isWhole ? this.#keysOf(first, end) : null,
      hasWithdrawn ? this.#groupsOf(page, since, version) : [],
      this.#openingsOf(slot, isWhole ? 0 : told.openingCount[slot]!, atMs),
    ];
  }

  /** How far a version lies below that of the change. */
  #below(version: number, value: number): number {
    // 0 stands for a line that was never withdrawn.
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
    for (let index = Math.max(this.#told.departureCount, count - rowCount); index < count; index++) {
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
    this.#told.departureCount = count;
    return changes;
  }

  #feed(): FeedFacts | null {
    const facts = this.feedFacts();
    const text = facts.join();
    if (text === this.#told.feed) return null;
    this.#told.feed = text;
    return facts;
  }

  #reports(): readonly SourceReport[] | null {
    const written = Atomics.load(this.#views.reportWords, 0);
    if (written === this.#told.reports) return null;
    this.#told.reports = written;
    return readReports(this.#views);
  }
}

function nothingTold({ capacity }: StoreViews): Told {
  return {
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
