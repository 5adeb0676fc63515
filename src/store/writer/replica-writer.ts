// The writer of a store that follows another store. It applies changes (slate-change.ts) and publishes them
// under the versions and at the batch borders of the original. So a version, a cursor or an ETag of one store
// is valid on both.

import { assert } from '../../errors.ts';
import { noteAllChanged, noteChange } from '../changed-slots.ts';
import { forgetDepartures, lastDepartureVersion, noteDeparture, putDeparture } from '../departures.ts';
import { EntityTable } from '../entity-table.ts';
import { attachStore, CONTROL, type StoreViews, WIDE } from '../layout.ts';
import type { DepartureChange, FeedFacts, FixtureChange, NamedEntity, SlateChange } from '../slate-change.ts';
import { PagePool } from './draft-pages.ts';
import { FactsWriter } from './facts-writer.ts';
import { above, type ChangeBase, DivergedError, writeChange } from './follower-page.ts';
import { OpeningTable } from './opening-table.ts';
import { clearPage, copyPage } from './page-columns.ts';
import { endPublishing, isPublishing, startPublishing } from './publishing.ts';
import { SlotTable } from './slot-table.ts';

const NONE = -1;

/** A whole slate without its fixtures. */
interface WholeSlateChange extends SlateChange {
  readonly epochMs: number;
  /** The first version of the epoch. */
  readonly firstVersion: number;
  /** Whether departures before the first listed one are missing. Then this store does not know about them. */
  readonly departuresMissing: boolean;
}

/** The change or whole slate is older than this store's slate. */
export class StaleLeaderError extends DivergedError {
  /**
   * The version that a leader's slate must exceed. Null when the same leader's next snapshot will be newer,
   * because its snapshots lag a little behind its changes.
   */
  readonly version: number | null;

  constructor(version: number | null) {
    super('its version or epoch is older than the slate held');
    this.version = version;
  }
}

export class ReplicaWriter {
  readonly facts: FactsWriter;
  readonly #views: StoreViews;
  readonly #pool: PagePool;
  readonly #entities: EntityTable;
  readonly #slots: SlotTable;
  readonly #openings: OpeningTable;

  /** Attaches as the writer. What an earlier writer published stays until a whole slate replaces it. */
  constructor(buffer: SharedArrayBuffer) {
    const views = attachStore(buffer);
    this.facts = new FactsWriter(views);
    this.#views = views;
    this.#pool = new PagePool(views);
    this.#entities = new EntityTable(views);
    this.#slots = new SlotTable(views);
    this.#openings = new OpeningTable(views);
    if (Atomics.load(views.control, CONTROL.slotCount) === 0) return;
    // The previous writer may have died in the middle of a change, so readers must check every slot again.
    noteAllChanged(views);
    Atomics.add(views.control, CONTROL.membership, 1);
    if (isPublishing(views)) endPublishing(views);
  }

  get version(): number {
    return Number(Atomics.load(this.#views.wide, WIDE.slateVersion));
  }

  get epochMs(): number {
    return Number(Atomics.load(this.#views.wide, WIDE.epochMs));
  }

  /**
   * Publishes a change that directly follows this store's slate.
   * @returns how many fixtures were refused because the table of names is full
   * @throws DivergedError when the change does not directly follow. Then fetch the whole slate
   */
  apply(change: SlateChange): number {
    if (change.version < this.version) throw new StaleLeaderError(null);
    return this.#publish(change, () => {
      for (const event of change.removed) this.#remove(event);
      for (const departure of change.departures) this.#putDeparture(departure, change);
      this.facts.liquidity.apply(change.liquidity);
      return this.#putAll(change.fixtures.map((fixture) => ({ fixture, base: change })));
    });
  }

  /**
   * Publishes a whole slate in place of this store's slate. Within the same epoch, fixtures that have not
   * changed stay as they are. The versions and times of each fixture are relative to its own `base`.
   * @returns as `apply`
   * @throws StaleLeaderError when it is older than this store's slate, or begins another epoch without a
   * higher version
   */
  replace(
    slate: WholeSlateChange,
    fixtures: readonly { fixture: FixtureChange; base: ChangeBase }[],
  ): number {
    const isSameEpoch = slate.epochMs === this.epochMs;
    const isPast = isSameEpoch
      ? slate.version < this.version
      : this.version > 0 && (slate.version <= this.version || slate.epochMs < this.epochMs);
    if (isPast) {
      throw new StaleLeaderError(isSameEpoch ? null : Math.max(this.version, slate.version));
    }
    return this.#publish(slate, () => {
      const named = new Set(fixtures.map(({ fixture: [event] }) => event));
      for (const event of [...this.#slots.eventNumbers()]) {
        if (named.has(event)) continue;
        // In a new epoch each departure is recorded here. Within an epoch the whole slate has the list of
        // departures.
        if (!isSameEpoch) noteDeparture(this.#views, this.#pageOf(event), slate.firstVersion);
        this.#remove(event);
      }
      this.facts.liquidity.replace(slate.liquidity);
      if (slate.departuresMissing) forgetDepartures(this.#views);
      const known = lastDepartureVersion(this.#views);
      for (const departure of slate.departures) {
        if (slate.version - departure[1] > known) this.#putDeparture(departure, slate);
      }
      Atomics.store(this.#views.wide, WIDE.epochMs, BigInt(slate.epochMs));
      const held = new Set(isSameEpoch ? fixtures.filter((entry) => this.#holds(entry)) : []);
      // An opening may arrive without any other change.
      for (const { fixture, base } of held) this.#addOpenings(this.#slots.of(fixture[0]), fixture, base);
      return this.#putAll(fixtures.filter((entry) => !held.has(entry)));
    });
  }

  #publish({ version, feed, reports }: SlateChange, change: () => number): number {
    const { control, wide } = this.#views;
    startPublishing(this.#views); // already odd after a DivergedError
    const size = this.#slots.size;
    const refused = change();
    if (feed !== null) this.setFeed(feed);
    if (reports !== null) this.facts.setSourceReports(reports);
    if (size !== this.#slots.size || this.#hasMoved) Atomics.add(control, CONTROL.membership, 1);
    this.#hasMoved = false;
    Atomics.store(wide, WIDE.slateVersion, BigInt(version));
    endPublishing(this.#views);
    return refused;
  }

  /** Whether the change in progress adds or removes a fixture. */
  #hasMoved = false;

  /** Applies what the leader reports about its feed. */
  setFeed(facts: FeedFacts): void {
    const [isConnected, snapshotComplete, appliedAtMs, commonAppliedAtMs, ...confirmedAtMs] = facts;
    this.facts.setConnected(isConnected === 1);
    this.facts.setAppliedAt(appliedAtMs);
    this.facts.setCommonAppliedAt(commonAppliedAtMs);
    this.facts.setConfirmations(confirmedAtMs);
    // This comes last, so that a reader that finds the slate complete also finds when it was confirmed.
    if (snapshotComplete === 1) this.facts.setSnapshotComplete();
  }

  #putAll(entries: readonly { readonly fixture: FixtureChange; readonly base: ChangeBase }[]): number {
    let refused = 0;
    for (const { fixture, base } of entries) if (!this.#put(fixture, base)) refused++;
    this.facts.count('pages_published', entries.length - refused);
    this.facts.count('batches');
    return refused;
  }

  #holds({ fixture, base }: { readonly fixture: FixtureChange; readonly base: ChangeBase }): boolean {
    const [event, , scalars] = fixture;
    const slot = this.#slots.of(event);
    if (slot === NONE) return false;
    const page = Atomics.load(this.#views.slotPage, slot);
    return this.#views.version[page] === base.version - scalars[1]!; // the first scalar is the version
  }

  /** @returns false when the table of names is full */
  #put(fixture: FixtureChange, base: ChangeBase): boolean {
    const views = this.#views;
    const [event, isWhole, , names] = fixture;
    const rows = names === null ? null : names.map(([number, name]) => this.#entities.put(number, name));
    if (rows?.some((row) => row < 0) === true) {
      this.#remove(event);
      return false;
    }
    const held = this.#slots.of(event);
    if (held === NONE && !isWhole) throw new DivergedError('a change names a fixture that is not held');
    const slot = held === NONE ? this.#assign(event) : held;
    const published = Atomics.load(views.slotPage, slot);
    const page = this.#pool.take();
    try {
      if (isWhole) clearPage(views, page, 0);
      else copyPage(views, published, page);
      views.version[page] = isWhole ? 0 : views.version[published]!;
      views.eventNumber[page] = event;
      if (rows !== null) {
        views.leagueEntity[page] = rows[0]!;
        views.homeEntity[page] = rows[1]!;
        views.awayEntity[page] = rows[2]!;
      }
      writeChange(views, page, fixture, base);
    } catch (error) {
      this.#pool.release(page);
      throw error;
    }
    if (isWhole && Atomics.load(views.openingCount, slot) > 0) {
      // A reader that is reading the old openings notices this and starts again.
      Atomics.add(views.slotEpoch, slot, 1);
      this.#openings.clear(slot);
    }
    this.#addOpenings(slot, fixture, base);
    this.#pool.seal(page);
    Atomics.store(views.slotPage, slot, page);
    noteChange(views, slot);
    if (published === NONE) this.#hasMoved = true;
    else this.#pool.release(published);
    return true;
  }

  #assign(event: number): number {
    if (!this.#slots.hasRoom())
      throw new DivergedError('there are more fixtures than this store has room for');
    const slot = this.#slots.assign(event);
    assert(slot !== NONE, 'a table with room has a slot, since those that leave are vacated at once');
    this.#openings.clear(slot);
    return slot;
  }

  /** Appends openings; those that exist already stay as they are. */
  #addOpenings(slot: number, [, , , , , , , , , openings]: FixtureChange, { atMs }: ChangeBase): void {
    for (let at = 0; at < openings.length; at += 6) {
      this.#openings.put(slot, {
        key: openings[at]!,
        a: openings[at + 1]!,
        b: openings[at + 2]!,
        c: openings[at + 3]!,
        openedAtMs: openings[at + 4]! + atMs,
        upstream: openings[at + 5] === 1,
      });
    }
  }

  #remove(event: number): void {
    if (this.#slots.of(event) === NONE) return; // the fixture was refused when it arrived
    this.#slots.leave(event);
    for (const slot of this.#slots.takeLeaving()) {
      const published = Atomics.load(this.#views.slotPage, slot);
      Atomics.store(this.#views.slotPage, slot, NONE);
      if (published !== NONE) {
        noteChange(this.#views, slot);
        this.#pool.release(published);
      }
      Atomics.add(this.#views.slotEpoch, slot, 1);
      this.#openings.clear(slot);
      this.#slots.free(slot);
    }
    this.#hasMoved = true;
  }

  #pageOf(event: number): number {
    return Atomics.load(this.#views.slotPage, this.#slots.of(event));
  }

  #putDeparture(departure: DepartureChange, { version, atMs }: ChangeBase): void {
    const [eventNumber, below, arrivedBelow, settledBelow, sport, status, scheduledAtMs, league] = departure;
    const leagueEntity = this.#entities.put(...(league as NamedEntity));
    putDeparture(this.#views, {
      eventNumber,
      version: above(version, below),
      arrivedVersion: above(version, arrivedBelow),
      settledVersion: above(version, settledBelow),
      sport,
      status,
      // If the table of names is full, this is the wrong league, but the fixture has left the slate.
      leagueEntity: Math.max(0, leagueEntity),
      scheduledAtMs: scheduledAtMs + atMs,
    });
  }
}
