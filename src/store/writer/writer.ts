// The only writer of the slate, on the ingest worker. It edits draft pages and publishes each with one atomic
// store; see layout.ts. A batch is any number of calls between two `publish` calls. Readers see either all or
// nothing of what it changes about one fixture. If a batch removes a fixture and puts it again, readers see
// the new one replace the old.
//
// This file has fixtures, their states, and publishing. quote-writer.ts has the quotes, facts-writer.ts what
// needs no batch, batch.ts the versions, draft-pages.ts the pages, slot-turnover.ts the slots.

import type { Clock } from '../../clock.ts';
import { isSharpBookmaker, SHARP_BOOKMAKERS_MASK } from '../../domain/catalogue.ts';
import { ANY_BOOKMAKER } from '../../domain/signal-gate.ts';
import { assert } from '../../errors.ts';
import { BOOKMAKERS_MAX } from '../../limits.ts';
import { noteAllChanged } from '../changed-slots.ts';
import { dropFalseDepartures } from '../departures.ts';
import { EntityTable } from '../entity-table.ts';
import { attachStore, CONTROL, type StoreViews, WIDE } from '../layout.ts';
import { bookmakerOfKey } from '../quote-key.ts';
import {
  FIXTURE_TABLE_FULL,
  type FixtureState,
  type FixtureUpdate,
  NAME_TABLE_FULL,
  type OpeningRow,
  PUT_APPLIED,
  PUT_OLDER,
} from '../records.ts';
import type { SourceReport } from '../source-reports.ts';
import { nextCommonVersion } from '../versions.ts';
import { Batch } from './batch.ts';
import { DraftPages, PagePool } from './draft-pages.ts';
import { FactsWriter } from './facts-writer.ts';
import { OpeningTable } from './opening-table.ts';
import { type ClockSetBack, setBackStamps, statusOfPage, writeIdentity, writeState } from './page-columns.ts';
import { endPublishing, startPublishing } from './publishing.ts';
import { QuoteWriter } from './quote-writer.ts';
import { SlotTable } from './slot-table.ts';
import { SlotTurnover } from './slot-turnover.ts';
import { TapeRecorder } from './tape-recorder.ts';

const NONE = -1;

export class SlateWriter {
  readonly quotes: QuoteWriter;
  /** Facts that the tape does not record. Methods of this class set the facts that it does record. */
  readonly facts: Omit<FactsWriter, 'setSnapshotComplete' | 'setSourceReports'>;
  readonly #facts: FactsWriter;
  readonly #views: StoreViews;
  readonly #entities: EntityTable;
  readonly #slots: SlotTable;
  readonly #openings: OpeningTable;
  readonly #turnover: SlotTurnover;
  readonly #drafts: DraftPages;
  readonly #batch: Batch;
  /**
   * Called at the start of every `publish`, even of a batch that changed nothing. Replication sets it once.
   */
  onPublish: (() => void) | null = null;
  #tape: TapeRecorder | null = null;
  #clock: Clock | null = null;
  /** Pages that the publish in progress replaced, each with its successor: pairs for the tape. */
  #replaced = new Int32Array(0);
  #replacedCount = 0;

  /** Attaches as the writer. If an earlier writer died, its store is taken over as last published. */
  constructor(buffer: SharedArrayBuffer) {
    const views = attachStore(buffer);
    const pool = new PagePool(views);
    const slots = new SlotTable(views);
    const drafts = new DraftPages(views, pool);
    if (Atomics.load(views.control, CONTROL.slotCount) > 0) announceTakeover(views, slots);
    const batch = new Batch(views);
    this.quotes = new QuoteWriter(views, drafts, batch);
    this.#facts = new FactsWriter(views);
    this.facts = this.#facts;
    this.#views = views;
    this.#entities = new EntityTable(views);
    this.#slots = slots;
    this.#openings = new OpeningTable(views);
    this.#turnover = new SlotTurnover(views, batch, { slots, openings: this.#openings, pool });
    this.#drafts = drafts;
    this.#batch = batch;
  }

  /**
   * Records every change from now on for the price history. Call it once, before the feed is opened.
   * @param ring made by createTapeRing
   * @param clock stamps the loss of the feed
   * @param stepRecords as for `TapeRecorder`
   */
  recordTo(ring: SharedArrayBuffer, clock: Clock, stepRecords?: number): TapeRecorder {
    const { capacity } = this.#views;
    const tape = new TapeRecorder(this.#views, ring, stepRecords);
    this.#tape = tape;
    this.#clock = clock;
    this.#replaced = new Int32Array(2 * capacity.fixtures);
    this.#drafts.follow((old, page) => {
      this.#replaced[this.#replacedCount++] = old;
      this.#replaced[this.#replacedCount++] = page;
    });
    // A slot may be vacated before its batch is published, and its page reused in that batch. So the tape
    // notes the page as soon as the slot is vacated.
    this.#turnover.follow((page) => tape.changed(page, NONE));
    return tape;
  }

  get fixtureCount(): number {
    return this.#slots.size;
  }

  /** The slot of an event, or -1. */
  slotOf(eventNumber: number): number {
    return this.#slots.of(eventNumber);
  }

  eventNumbers(): IterableIterator<number> {
    return this.#slots.eventNumbers();
  }

  /**
   * Adds or changes a fixture.
   * @returns its slot; or FIXTURE_TABLE_FULL or NAME_TABLE_FULL, which leave the slate unchanged
   */
  putFixture(fixture: FixtureUpdate): number {
    const views = this.#views;
    const isNew = this.#slots.of(fixture.eventNumber) === NONE;
    // Checked before the names are stored, so that refused fixtures do not fill the name table.
    if (isNew && !this.#slots.hasRoom()) return FIXTURE_TABLE_FULL;
    const { league, home, away } = fixture;
    if (!this.#entities.hasRoom([league, home, away])) return NAME_TABLE_FULL;
    const leagueEntity = this.#entities.put(league.number, league.name);
    const homeEntity = this.#entities.put(home.number, home.name);
    const awayEntity = this.#entities.put(away.number, away.name);
    const slot = isNew ? this.#turnover.assign(fixture.eventNumber) : this.#slots.of(fixture.eventNumber);
    const page = isNew
      ? this.#drafts.start(slot, fixture.eventNumber, this.#batch.commonVersion)
      : this.#drafts.edit(slot);
    const { sport, scheduledAtMs } = fixture;
    const isOther = writeIdentity(views, page, {
      sport,
      leagueEntity,
      homeEntity,
      awayEntity,
      scheduledAtMs,
    });
    if (isOther) views.identityVersion[page] = this.#batch.commonVersion;
    views.confirmerMask[page] = fixture.confirmerMask ?? ANY_BOOKMAKER;
    this.#batch.touch(page, fixture.atMs);
    this.#batch.markStatusDue(page);
    return slot;
  }

  /**
   * Sets the match state. A state older than the fixture's last one is dropped.
   * @returns PUT_APPLIED or PUT_OLDER
   */
  putState(slot: number, state: FixtureState): number {
    const views = this.#views;
    if (state.atMs < views.stateAtMs[this.#drafts.current(slot)]!) return PUT_OLDER;
    const page = this.#drafts.edit(slot);
    if (writeState(views, page, state)) views.stateVersion[page] = this.#batch.commonVersion;
    this.#batch.touch(page, state.atMs);
    this.#batch.markStatusDue(page);
    return PUT_APPLIED;
  }

  /**
   * Records that a source has confirmed its open quotes of this one fixture.
   * @param bookmakerMask the bookmakers of the source
   */
  confirmFixture(slot: number, bookmakerMask: number, atMs: number): void {
    const { fixtureConfirmedAtMs } = this.#views;
    const page = this.#drafts.edit(slot);
    for (let bookmaker = 0; bookmaker < BOOKMAKERS_MAX; bookmaker++) {
      if (((bookmakerMask >> bookmaker) & 1) === 0) continue;
      const at = page * BOOKMAKERS_MAX + bookmaker;
      fixtureConfirmedAtMs[at] = Math.max(fixtureConfirmedAtMs[at]!, atMs);
    }
    if ((bookmakerMask & ~SHARP_BOOKMAKERS_MASK) === 0) this.#batch.touchSharp(page, atMs);
    else this.#batch.touch(page, atMs);
  }

  /**
   * Call it when the result of a fixture arrived. `state` is stored unless the feed has sent the same status.
   */
  finishFixture(slot: number, state: FixtureState): void {
    if (this.#views.feedStatus[this.#drafts.current(slot)] === state.status)
      this.#batch.touch(this.#drafts.edit(slot), state.atMs);
    else this.putState(slot, state);
  }

  /**
   * Updates the status of every fixture to `nowMs`, because the passing of time alone can make a match live
   * or finished.
   */
  updateStatuses(nowMs: number): void {
    const views = this.#views;
    for (const eventNumber of this.#slots.eventNumbers()) {
      const slot = this.#slots.of(eventNumber);
      const current = this.#drafts.current(slot);
      if (statusOfPage(views, current, nowMs) === views.status[current]) continue;
      const page = this.#drafts.edit(slot);
      this.#batch.markCommon(page);
      this.#batch.markStatusDue(page);
    }
  }

  /**
   * Call it when the clock was set back. Stored times that are now in the future are set back too. Otherwise
   * new quotes would count as older than those, and answers would carry times in the future. The statuses of
   * all fixtures are updated, so that they do not show for which ones the sharp bookmaker sent a message.
   */
  setBackClock(clock: ClockSetBack): void {
    const views = this.#views;
    this.#facts.setBackClock(clock);
    for (const slot of [...this.#slots.slots()]) {
      const current = this.#drafts.current(slot);
      if (views.lastMessageAtMs[current]! <= clock.nowMs) continue; // none of its times is later
      const isCommon = views.commonMessageAtMs[current]! > clock.nowMs;
      const page = this.#drafts.edit(slot);
      setBackStamps(views, page, clock, (key) =>
        isSharpBookmaker(bookmakerOfKey(key)) ? this.#batch.sharpVersion : this.#batch.commonVersion,
      );
      if (isCommon) this.#batch.markCommon(page);
    }
    this.updateStatuses(clock.nowMs);
  }

  /** Removes the fixture from the slate with this batch and drops what the batch has drafted for it. */
  removeFixture(slot: number): void {
    const current = this.#drafts.current(slot);
    this.#slots.leave(this.#views.eventNumber[current]!);
    this.#drafts.drop(slot);
  }

  /**
   * Records the first price seen for a quote key; a key that has one keeps it.
   * @returns PUT_APPLIED, PUT_KNOWN or PUT_FULL
   */
  putOpening(slot: number, opening: OpeningRow): number {
    return this.#openings.put(slot, opening);
  }

  /** Whether a first price was put for this key, even if there was no room for it. */
  hasOpening(slot: number, key: number): boolean {
    return this.#openings.has(slot, key);
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
    startPublishing(views);
    const leaving = this.#turnover.takeLeaving();
    this.#batch.deriveStatuses(nowMs);
    const { commonVersion, sharpVersion } = this.#batch;
    const isCommon = this.#drafts.hasCommon(commonVersion) || this.#turnover.isVisible(leaving);
    const version = isCommon ? commonVersion : sharpVersion;
    const { count, arrived } = this.#drafts.publish(version);
    const changedCount = count + this.#turnover.vacate(leaving);
    const hasLeft = leaving.length > 0 || changedCount > count;
    // Published after the pages, because a reader that sees the new version must find the pages of that
    // version.
    if (arrived || hasLeft) Atomics.add(views.control, CONTROL.membership, 1);
    if (changedCount > 0) this.#batch.publishVersion(version);
    endPublishing(views);
    if (this.#tape !== null) this.#recordReplaced(this.#tape, nowMs, isCommon);
    return changedCount;
  }

  /** Records the replaced pages on the tape, after the publish, so that readers of the slate do not wait. */
  #recordReplaced(tape: TapeRecorder, nowMs: number, isCommon: boolean): void {
    for (let at = 0; at < this.#replacedCount; at += 2) {
      tape.changed(this.#replaced[at]!, this.#replaced[at + 1]!);
    }
    this.#replacedCount = 0;
    tape.published(nowMs, isCommon);
  }

  /** Records that the first snapshot is complete, so that readers may serve the slate. */
  setSnapshotComplete(): void {
    this.#facts.setSnapshotComplete();
    this.#tape?.snapshotComplete();
  }

  setSourceReports(reports: readonly SourceReport[]): void {
    this.#facts.setSourceReports(reports);
    if (this.#tape === null || this.#clock === null) return;
    const isLost = reports.every(({ isConnected, lostSinceMs }) => !isConnected || lostSinceMs !== null);
    this.#tape.feedState(isLost, this.#clock.wallMs());
  }

  /** Whether nothing has changed since the last publish. */
  get isBetweenBatches(): boolean {
    return !this.#drafts.hasAny() && !this.#turnover.hasAny;
  }

  /**
   * Begins a new epoch, between two batches. Every fixture then counts as changed.
   * @param above a version that followers of another leader may have seen. Versions of the new epoch are
   * higher, so that one version of a fixture never stands for two states
   * @returns the first version of the epoch
   */
  beginEpoch(epochMs: number, above: number, nowMs: number): number {
    assert(this.isBetweenBatches, 'an epoch begins between two batches');
    const views = this.#views;
    startPublishing(views);
    Atomics.store(views.wide, WIDE.epochMs, BigInt(Math.trunc(epochMs)));
    this.#batch.begin(Math.max(above, Number(Atomics.load(views.wide, WIDE.slateVersion))));
    const version = this.#batch.commonVersion;
    for (const slot of [...this.#slots.slots()]) this.#batch.markCommon(this.#drafts.edit(slot));
    if (this.publish(nowMs) > 0) return version;
    this.#batch.publishVersion(version); // an empty slate
    endPublishing(views);
    return version;
  }
}

/**
 * Starts a writer on a store whose previous writer died, perhaps in the middle of a publish, before it raised
 * the version. The version of that batch was at most the next common one, so the common version after that is
 * above anything that readers can have seen.
 */
function announceTakeover(views: StoreViews, slots: SlotTable): void {
  const { control, slotPage, wide } = views;
  const announced = Number(Atomics.load(wide, WIDE.slateVersion));
  dropFalseDepartures(views, announced, (eventNumber) => {
    const slot = slots.of(eventNumber);
    return slot === NONE ? NONE : Atomics.load(slotPage, slot);
  });
  Atomics.store(wide, WIDE.slateVersion, BigInt(nextCommonVersion(nextCommonVersion(announced))));
  noteAllChanged(views);
  Atomics.add(control, CONTROL.membership, 1);
  startPublishing(views);
  endPublishing(views);
}
