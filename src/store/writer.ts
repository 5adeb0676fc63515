// The slate's only writer, on the ingest worker. It edits draft pages and publishes each with one atomic store; see
// layout.ts. A batch is any number of calls between two `publish` calls: of what it changes about one fixture, readers see
// either nothing or all. If a batch removes a fixture and puts it again, readers see the new one replace the old.

import { isSharpBookmaker, QUOTE_OPEN, QUOTE_SUSPENDED } from '../domain/catalogue.ts';
import { assert } from '../errors.ts';
import { noteChange } from './changed-slots.ts';
import { noteDeparture } from './departures.ts';
import { DraftPages, PagePool } from './draft-pages.ts';
import { FactsWriter } from './facts-writer.ts';
import { attachStore, CONTROL, type StoreViews, WIDE } from './layout.ts';
import { EntityTable } from './names.ts';
import { OpeningTable } from './opening-table.ts';
import {
  type ClockSetBack,
  findQuoteRow,
  insertQuoteRow,
  noteWithdrawal,
  removeQuoteRow,
  setBackStamps,
  statusOfPage,
  writeIdentity,
  writeState,
} from './page-columns.ts';
import { bookmakerOfKey } from './quote-key.ts';
import {
  FIXTURE_TABLE_FULL,
  type FixtureState,
  type FixtureUpdate,
  NAME_TABLE_FULL,
  type OpeningRow,
  PUT_APPLIED,
  PUT_FULL,
  PUT_KNOWN,
  PUT_OLDER,
} from './records.ts';
import { SlotTable } from './slot-table.ts';
import { announceTakeover } from './takeover.ts';
import { nextCommonVersion, nextSharpVersion } from './versions.ts';

const NONE = -1;

export class SlateWriter extends FactsWriter {
  readonly #views: StoreViews;
  readonly #pool: PagePool;
  readonly #entities: EntityTable;
  readonly #slots: SlotTable;
  readonly #openings: OpeningTable;
  readonly #drafts: DraftPages;
  /** Fixtures vacated before their batch was published, because a full table needed the slot. */
  #vacatedCount = 0;

  /** Version of this batch if all that it changes are quotes of the sharp bookmaker, and of those quotes in any case. */
  #sharpVersion = 0;
  /** Version of this batch if it changes anything else, and of all that. */
  #commonVersion = 0;
  /** Pages of this batch of which something changed that their status follows from. */
  readonly #statusDue: number[] = [];
  /** Called whenever a batch is published, also one that changed nothing; set once, by who replicates the store. */
  onPublish: (() => void) | null = null;

  /** Attaches as the writer. If a writer before this one died, its store is taken over as far as it was published. */
  constructor(buffer: SharedArrayBuffer) {
    const views = attachStore(buffer);
    super(views);
    this.#views = views;
    this.#pool = new PagePool(views);
    this.#entities = new EntityTable(views);
    this.#slots = new SlotTable(views);
    this.#openings = new OpeningTable(views);
    this.#drafts = new DraftPages(views, this.#pool);
    if (Atomics.load(views.control, CONTROL.slotCount) > 0) announceTakeover(views, this.#slots);
    this.#beginBatch(Number(Atomics.load(views.wide, WIDE.slateVersion)));
  }

  get fixtureCount(): number {
    return this.#slots.size;
  }

  /** The slot of an event, or -1. */
  slotOf(eventNumber: number): number {
    return this.#slots.of(eventNumber);
  }

  /** Every event on the slate. */
  eventNumbers(): IterableIterator<number> {
    return this.#slots.eventNumbers();
  }

  /**
   * A fixture, new or changed.
   * @returns its slot, FIXTURE_TABLE_FULL or NAME_TABLE_FULL; refused fixtures change nothing
   */
  putFixture(fixture: FixtureUpdate): number {
    const views = this.#views;
    const isNew = this.#slots.of(fixture.eventNumber) === NONE;
    // Before the names, so that refused fixtures do not fill the name table.
    if (isNew && !this.#slots.hasRoom()) return FIXTURE_TABLE_FULL;
    const leagueEntity = this.#entities.put(fixture.league.number, fixture.league.name);
    const homeEntity = this.#entities.put(fixture.home.number, fixture.home.name);
    const awayEntity = this.#entities.put(fixture.away.number, fixture.away.name);
    if (leagueEntity < 0 || homeEntity < 0 || awayEntity < 0) return NAME_TABLE_FULL;
    const slot = isNew ? this.#assignSlot(fixture.eventNumber) : this.#slots.of(fixture.eventNumber);
    const page = isNew
      ? this.#drafts.start(slot, fixture.eventNumber, this.#commonVersion)
      : this.#drafts.edit(slot);
    const { sport, scheduledAtMs } = fixture;
    const isOther = writeIdentity(views, page, {
      sport,
      leagueEntity,
      homeEntity,
      awayEntity,
      scheduledAtMs,
    });
    if (isOther) views.identityVersion[page] = this.#commonVersion;
    this.#touch(page, fixture.atMs);
    this.#statusDue.push(page);
    return slot;
  }

  /** Match state. A state older than the fixture's last one is dropped. @returns PUT_APPLIED or PUT_OLDER */
  putState(slot: number, state: FixtureState): number {
    const views = this.#views;
    if (state.atMs < views.stateAtMs[this.#drafts.current(slot)]!) return PUT_OLDER;
    const page = this.#drafts.edit(slot);
    if (writeState(views, page, state)) views.stateVersion[page] = this.#commonVersion;
    this.#touch(page, state.atMs);
    this.#statusDue.push(page);
    return PUT_APPLIED;
  }

  /**
   * One bookmaker's line: its prices, status and time. Prices in ten-thousandths by outcome order, 0 where the market has no third outcome.
   * @returns PUT_APPLIED, PUT_OLDER (dropped) or PUT_FULL (refused)
   */
  putQuote(slot: number, key: number, a: number, b: number, c: number, status: number, atMs: number): number {
    const views = this.#views;
    const rowsPerPage = views.capacity.quotesPerFixture;
    const current = this.#drafts.current(slot);
    const found = findQuoteRow(views, current, key);
    if (found >= 0) {
      const heldAtMs = views.quoteAtMs[found]!;
      if (atMs < heldAtMs) return PUT_OLDER;
      const isSame =
        atMs === heldAtMs &&
        views.quoteStatus[found] === status &&
        views.priceE4A[found] === a &&
        views.priceE4B[found] === b &&
        views.priceE4C[found] === c;
      if (isSame) return PUT_APPLIED; // a snapshot says again what is known: nothing to publish
    }
    if (found < 0 && views.quoteCount[current]! === rowsPerPage) return PUT_FULL;
    const page = this.#drafts.edit(slot);
    const row = (found >= 0 ? found : ~found) + (page - current) * rowsPerPage;
    if (found < 0) {
      insertQuoteRow(views, page, row);
      views.quoteKey[row] = key;
      if (!isSharpBookmaker(bookmakerOfKey(key))) views.commonQuoteCount[page]!++;
    } else if (views.quoteStatus[row] === QUOTE_OPEN) {
      views.openQuoteCount[page]!--;
    }
    views.priceE4A[row] = a;
    views.priceE4B[row] = b;
    views.priceE4C[row] = c;
    views.quoteStatus[row] = status;
    views.quoteAtMs[row] = atMs;
    if (status === QUOTE_OPEN) views.openQuoteCount[page]!++;
    const isSharp = isSharpBookmaker(bookmakerOfKey(key));
    views.quoteVersion[row] = isSharp ? this.#sharpVersion : this.#commonVersion;
    if (isSharp) this.#touchSharp(page, atMs);
    else this.#touch(page, atMs);
    return PUT_APPLIED;
  }

  /** Keys of every quote the fixture holds, this batch's changes included: a copy, ascending. */
  quoteKeysOf(slot: number): Int32Array {
    const page = this.#drafts.current(slot);
    const base = page * this.#views.capacity.quotesPerFixture;
    return this.#views.quoteKey.slice(base, base + this.#views.quoteCount[page]!);
  }

  /** A result came: the fixture is finished, with this state where the feed had not said so itself. */
  finishFixture(slot: number, state: FixtureState): void {
    if (this.#views.feedStatus[this.#drafts.current(slot)] === state.status)
      this.#touch(this.#drafts.edit(slot), state.atMs);
    else this.putState(slot, state);
  }

  /** Withdraws a line. @returns PUT_APPLIED, PUT_OLDER (a newer quote is held) or PUT_KNOWN (no such line) */
  closeQuote(slot: number, key: number, atMs: number): number {
    const views = this.#views;
    const current = this.#drafts.current(slot);
    const found = findQuoteRow(views, current, key);
    if (found < 0) return PUT_KNOWN;
    if (atMs < views.quoteAtMs[found]!) return PUT_OLDER;
    this.dropQuote(slot, key);
    const page = this.#drafts.edit(slot);
    if (isSharpBookmaker(bookmakerOfKey(key))) this.#touchSharp(page, atMs);
    else this.#touch(page, atMs);
    return PUT_APPLIED;
  }

  /** Suspends a line with its last prices, where it is open: nobody is there who could confirm it. */
  suspendQuote(slot: number, key: number): void {
    const { quoteStatus, quoteAtMs, priceE4A, priceE4B, priceE4C } = this.#views;
    const row = findQuoteRow(this.#views, this.#drafts.current(slot), key);
    if (row < 0 || quoteStatus[row] !== QUOTE_OPEN) return;
    const [a, b, c] = [priceE4A[row]!, priceE4B[row]!, priceE4C[row]!];
    this.putQuote(slot, key, a, b, c, QUOTE_SUSPENDED, quoteAtMs[row]!);
  }

  /** Drops a line that a snapshot did not name: its bookmaker offers it no longer. */
  dropQuote(slot: number, key: number): void {
    const views = this.#views;
    const page = this.#drafts.edit(slot);
    const row = findQuoteRow(views, page, key);
    if (row < 0) return;
    if (views.quoteStatus[row] === QUOTE_OPEN) views.openQuoteCount[page]!--;
    removeQuoteRow(views, page, row);
    if (isSharpBookmaker(bookmakerOfKey(key))) {
      noteWithdrawal(views, page, key, this.#sharpVersion);
    } else {
      views.commonQuoteCount[page]!--;
      noteWithdrawal(views, page, key, this.#commonVersion);
      this.#markCommon(page);
    }
  }

  /** Brings the status of every fixture up to `nowMs`: time alone makes a match live or finished. */
  updateStatuses(nowMs: number): void {
    const views = this.#views;
    for (const eventNumber of this.#slots.eventNumbers()) {
      const slot = this.#slots.of(eventNumber);
      const current = this.#drafts.current(slot);
      if (statusOfPage(views, current, nowMs) === views.status[current]) continue;
      const page = this.#drafts.edit(slot);
      this.#markCommon(page);
      this.#statusDue.push(page);
    }
  }

  /**
   * The clock was set back. Stamps later than now are of the clock as it was and are set back with it: else new quotes would
   * count as older than those, and answers say that they are from a time to come.
   */
  setBackClock(clock: ClockSetBack): void {
    const views = this.#views;
    this.setBackFacts(clock);
    for (const slot of [...this.#slots.slots()]) {
      const current = this.#drafts.current(slot);
      if (views.lastMessageAtMs[current]! <= clock.nowMs) continue; // none of its stamps is later
      const isCommon = views.commonMessageAtMs[current]! > clock.nowMs;
      const page = this.#drafts.edit(slot);
      setBackStamps(views, page, clock, (key) =>
        isSharpBookmaker(bookmakerOfKey(key)) ? this.#sharpVersion : this.#commonVersion,
      );
      if (isCommon) this.#markCommon(page);
      this.#statusDue.push(page);
    }
  }

  /** Takes the fixture off the slate with this batch. What the batch has drafted for it is dropped. */
  removeFixture(slot: number): void {
    const current = this.#drafts.current(slot);
    this.#slots.leave(this.#views.eventNumber[current]!);
    this.#drafts.drop(slot);
  }

  /**
   * Records the first price ever seen for a quote key; a key that has one keeps it.
   * @returns PUT_APPLIED, PUT_KNOWN or PUT_FULL
   */
  putOpening(slot: number, opening: OpeningRow): number {
    return this.#openings.put(slot, opening);
  }

  /** The first prices on record for a fixture, in the order they were first seen. */
  openingsOf(slot: number): OpeningRow[] {
    return this.#openings.rowsOf(slot);
  }

  /**
   * Publishes every draft and vacates the slots of removed fixtures, all under one new version.
   * @param nowMs the instant for which the statuses of changed fixtures are derived
   * @returns how many fixtures changed
   */
  publish(nowMs: number): number {
    this.onPublish?.();
    const views = this.#views;
    if (this.isBetweenBatches) return 0;
    this.#startPublishing();
    const leaving = this.#slots.hasLeaving() ? this.#slots.takeLeaving() : NO_SLOTS;
    this.#deriveStatuses(nowMs);
    const isCommon =
      this.#drafts.hasCommon(this.#commonVersion) ||
      this.#vacatedCount > 0 ||
      leaving.some((slot) => Atomics.load(views.slotPage, slot) !== NONE);
    const version = isCommon ? this.#commonVersion : this.#sharpVersion;
    const { count, arrived } = this.#drafts.publish(version);
    let changedCount = count + this.#vacatedCount;
    let membershipChanged = arrived || this.#vacatedCount > 0;
    this.#vacatedCount = 0;
    for (const slot of leaving) {
      if (this.#vacate(slot)) changedCount++;
      membershipChanged = true;
    }
    // After the pages, so that a reader who sees the new numbers also finds the pages that they stand for.
    if (membershipChanged) Atomics.add(views.control, CONTROL.membership, 1);
    if (changedCount > 0) {
      Atomics.store(views.wide, WIDE.slateVersion, BigInt(version));
      this.#beginBatch(version);
    }
    Atomics.add(views.control, CONTROL.publishing, 1);
    return changedCount;
  }

  /** Whether nothing was changed since the last publish. */
  get isBetweenBatches(): boolean {
    return !this.#drafts.hasAny() && !this.#slots.hasLeaving() && this.#vacatedCount === 0;
  }

  /**
   * Begins another epoch, between two batches: every fixture counts as changed.
   * @param above a version that followers of another leader may have seen: those of the new epoch are higher, so that a
   *   fixture's version never stands for two of its states
   * @returns the first version of the epoch
   */
  beginEpoch(epochMs: number, above: number, nowMs: number): number {
    assert(this.isBetweenBatches, 'an epoch begins between two batches');
    const { wide, control } = this.#views;
    this.#startPublishing();
    Atomics.store(wide, WIDE.epochMs, BigInt(Math.trunc(epochMs)));
    this.#beginBatch(Math.max(above, Number(Atomics.load(wide, WIDE.slateVersion))));
    const version = this.#commonVersion;
    for (const slot of [...this.#slots.slots()]) this.#markCommon(this.#drafts.edit(slot));
    if (this.publish(nowMs) > 0) return version;
    Atomics.store(wide, WIDE.slateVersion, BigInt(version)); // an empty slate
    this.#beginBatch(version);
    Atomics.add(control, CONTROL.publishing, 1);
    return version;
  }

  /** From here on nothing is published yet of what is done. @param version the slate's */
  #beginBatch(version: number): void {
    this.#sharpVersion = nextSharpVersion(version);
    this.#commonVersion = nextCommonVersion(version);
  }

  /** Readers see parts of this batch from now on, so whoever wants all fixtures of one instant has to wait. */
  #startPublishing(): void {
    const { control } = this.#views;
    const isUnderWay = (Atomics.load(control, CONTROL.publishing) & 1) === 1;
    if (!isUnderWay) Atomics.add(control, CONTROL.publishing, 1);
  }

  /** Derives the status of each page of the batch in whose fixture or state something changed. */
  #deriveStatuses(nowMs: number): void {
    const views = this.#views;
    for (const page of this.#statusDue) {
      const status = statusOfPage(views, page, nowMs);
      if (status === views.status[page]) continue;
      views.status[page] = status;
      views.statusVersion[page] = this.#commonVersion;
      views.stateVersion[page] = this.#commonVersion;
    }
    this.#statusDue.length = 0;
  }

  /** A message of this source time said something about the fixture that every tier sees. */
  #touch(page: number, atMs: number): void {
    const { commonMessageAtMs } = this.#views;
    if (atMs > commonMessageAtMs[page]!) commonMessageAtMs[page] = atMs;
    this.#touchSharp(page, atMs);
    this.#markCommon(page);
  }

  /** The same of the sharp bookmaker. */
  #touchSharp(page: number, atMs: number): void {
    const { lastMessageAtMs } = this.#views;
    if (atMs > lastMessageAtMs[page]!) lastMessageAtMs[page] = atMs;
  }

  /** This batch changes something of the fixture that every tier sees. */
  #markCommon(page: number): void {
    this.#views.commonVersion[page] = this.#commonVersion;
  }

  /** A slot for an event that has none. The caller has checked that there is room. */
  #assignSlot(eventNumber: number): number {
    const former = this.#slots.comeBack(eventNumber);
    if (former !== NONE) return former; // the same event, so its openings stay
    let slot = this.#slots.assign(eventNumber);
    if (slot === NONE) {
      // Every slot is taken, one of them by a fixture that leaves with this batch: it is vacated now, before `publish`.
      if (this.#vacate(this.#slots.takeOneLeaving())) this.#vacatedCount++;
      slot = this.#slots.assign(eventNumber);
    }
    this.#openings.clear(slot); // a writer that died may have left some of a fixture that it never published
    return slot;
  }

  /** Empties a slot for the next fixture. @returns whether readers could see what was in it */
  #vacate(slot: number): boolean {
    const published = Atomics.load(this.#views.slotPage, slot);
    if (published !== NONE) {
      this.#startPublishing(); // a full table vacates a slot before `publish`
      noteDeparture(this.#views, published, this.#commonVersion);
      Atomics.store(this.#views.slotPage, slot, NONE);
      noteChange(this.#views, slot);
      this.#pool.release(published);
    }
    Atomics.add(this.#views.slotEpoch, slot, 1); // before the first opening of the next fixture is written
    this.#openings.clear(slot);
    this.#slots.free(slot);
    return published !== NONE;
  }
}

const NO_SLOTS: readonly number[] = [];
