// The slate's only writer, on the ingest worker. It edits draft pages and publishes each with one atomic store; see
// layout.ts. A batch is any number of calls between two `publish` calls; readers see a fixture's batch whole or not.

import { assert } from '../errors.ts';
import { CLOCK_BYTES_MAX } from '../limits.ts';
import { type CounterName, counterIndex } from './counters.ts';
import {
  attachStore,
  CONTROL_FEED_CONNECTED,
  CONTROL_MEMBERSHIP,
  CONTROL_QUEUE_DEPTH,
  CONTROL_SLOT_COUNT,
  CONTROL_SNAPSHOT_COMPLETE,
  type StoreViews,
  WIDE_FEED_HEARD_AT_MS,
  WIDE_HEARTBEAT_AT_MS,
  WIDE_SLATE_VERSION,
} from './layout.ts';
import { EntityTable } from './names.ts';
import { copyPage } from './page-copy.ts';
import { PagePool } from './page-pool.ts';

/** What a fixture is: numbers are the 52-bit ids of domain/ids.ts. */
export interface FixtureIdentity {
  readonly eventNumber: number;
  /** Index into SPORTS. */
  readonly sport: number;
  readonly league: EntityName;
  readonly home: EntityName;
  readonly away: EntityName;
  /** Unix ms, NaN when unknown. */
  readonly scheduledAtMs: number;
  readonly atMs: number;
}
export interface EntityName {
  readonly number: number;
  readonly name: string;
}

export interface FixtureState {
  /** Index into EVENT_STATUSES. */
  readonly status: number;
  readonly clock: string | null;
  /** Null keeps the last known. */
  readonly score: readonly [number, number] | null;
  readonly cards: readonly [number, number] | null;
  readonly atMs: number;
}

/** What became of a quote, an opening or a fixture. */
export const PUT_APPLIED = 0;
export const PUT_OLDER = 1;
export const PUT_FULL = 2;
export const PUT_KNOWN = 3;

/** Answers of `putFixture` that are not a slot. */
export const FIXTURE_TABLE_FULL = -1;
export const NAME_TABLE_FULL = -2;

const NONE = -1;

export class SlateWriter {
  readonly #views: StoreViews;
  readonly #pool: PagePool;
  readonly #entities: EntityTable;
  readonly #slotByEvent = new Map<number, number>();
  readonly #freeSlots: number[] = [];
  readonly #draftPage: Int32Array;
  readonly #draftSlots: Int32Array;
  #draftCount = 0;
  readonly #encoder = new TextEncoder();

  /** Attaches as the writer. A store that already holds a slate (the last writer died) is taken over as published. */
  constructor(buffer: SharedArrayBuffer) {
    const views = attachStore(buffer);
    this.#views = views;
    this.#pool = new PagePool(views);
    this.#entities = new EntityTable(views);
    this.#draftPage = new Int32Array(views.capacity.fixtures).fill(NONE);
    this.#draftSlots = new Int32Array(views.capacity.fixtures);
    const slotCount = Atomics.load(views.control, CONTROL_SLOT_COUNT);
    for (let slot = 0; slot < slotCount; slot++) {
      const page = Atomics.load(views.slotPage, slot);
      if (page === NONE) this.#freeSlots.push(slot);
      else this.#slotByEvent.set(views.eventNumber[page]!, slot);
    }
  }

  get fixtureCount(): number {
    return this.#slotByEvent.size;
  }

  /** The slot of an event, or -1. */
  slotOf(eventNumber: number): number {
    return this.#slotByEvent.get(eventNumber) ?? NONE;
  }

  /** Every event on the slate. */
  eventNumbers(): IterableIterator<number> {
    return this.#slotByEvent.keys();
  }

  sportOf(slot: number): number {
    return this.#views.sport[this.#currentPage(slot)]!;
  }

  /**
   * A fixture, new or changed.
   * @returns its slot, FIXTURE_TABLE_FULL or NAME_TABLE_FULL; refused fixtures change nothing
   */
  putFixture(fixture: FixtureIdentity): number {
    const views = this.#views;
    const leagueEntity = this.#entities.put(fixture.league.number, fixture.league.name);
    const homeEntity = this.#entities.put(fixture.home.number, fixture.home.name);
    const awayEntity = this.#entities.put(fixture.away.number, fixture.away.name);
    if (leagueEntity < 0 || homeEntity < 0 || awayEntity < 0) return NAME_TABLE_FULL;
    let slot = this.slotOf(fixture.eventNumber);
    let page: number;
    if (slot === NONE) {
      slot = this.#takeSlot();
      if (slot === NONE) return FIXTURE_TABLE_FULL;
      this.#slotByEvent.set(fixture.eventNumber, slot);
      page = this.#newDraft(slot, fixture.eventNumber);
    } else {
      page = this.#draft(slot);
    }
    views.sport[page] = fixture.sport;
    views.leagueEntity[page] = leagueEntity;
    views.homeEntity[page] = homeEntity;
    views.awayEntity[page] = awayEntity;
    views.scheduledAtMs[page] = fixture.scheduledAtMs;
    this.#touch(page, fixture.atMs);
    return slot;
  }

  /** Match state. A state older than the fixture's last one is dropped. */
  putState(slot: number, state: FixtureState): number {
    const views = this.#views;
    const current = this.#currentPage(slot);
    if (state.atMs < views.stateAtMs[current]!) return PUT_OLDER;
    const page = this.#draft(slot);
    if (Number.isNaN(views.feedStatusAtMs[page]!) || views.feedStatus[page] !== state.status) {
      views.feedStatusAtMs[page] = state.atMs;
    }
    views.feedStatus[page] = state.status;
    views.stateAtMs[page] = state.atMs;
    if (state.score !== null) {
      views.scoreHome[page] = state.score[0];
      views.scoreAway[page] = state.score[1];
    }
    if (state.cards !== null) {
      views.cardsHome[page] = state.cards[0];
      views.cardsAway[page] = state.cards[1];
    }
    this.#putClock(page, state.clock, state.atMs);
    this.#touch(page, state.atMs);
    return PUT_APPLIED;
  }

  /**
   * One book's line, whole. Prices in ten-thousandths by outcome order, 0 where the market has no third outcome.
   * @returns PUT_APPLIED, PUT_OLDER (dropped) or PUT_FULL (refused)
   */
  putQuote(slot: number, key: number, a: number, b: number, c: number, status: number, atMs: number): number {
    const views = this.#views;
    const current = this.#currentPage(slot);
    const found = this.#find(current, key);
    if (found >= 0 && atMs < views.quoteAtMs[found]!) return PUT_OLDER;
    if (found < 0 && views.quoteCount[current]! === views.capacity.quotesPerFixture) return PUT_FULL;
    const page = this.#draft(slot);
    const base = page * views.capacity.quotesPerFixture;
    const currentBase = current * views.capacity.quotesPerFixture;
    let row: number;
    if (found >= 0) {
      row = base + (found - currentBase);
      if (views.quoteStatus[row] === 0) views.openQuoteCount[page]!--;
    } else {
      row = base + (~found - currentBase);
      this.#insertRow(page, row);
      views.quoteKey[row] = key;
    }
    views.priceE4A[row] = a;
    views.priceE4B[row] = b;
    views.priceE4C[row] = c;
    views.quoteStatus[row] = status;
    views.quoteAtMs[row] = atMs;
    if (status === 0) views.openQuoteCount[page]!++;
    this.#touch(page, atMs);
    return PUT_APPLIED;
  }

  /** Keys of every quote the fixture holds, this batch's changes included: a copy, ascending. */
  quoteKeysOf(slot: number): Int32Array {
    const views = this.#views;
    const page = this.#currentPage(slot);
    const base = page * views.capacity.quotesPerFixture;
    return views.quoteKey.slice(base, base + views.quoteCount[page]!);
  }

  /** A result came: the fixture is finished, with this state where the feed had not said so itself. */
  finishFixture(slot: number, state: FixtureState): void {
    if (this.#views.feedStatus[this.#currentPage(slot)] === state.status)
      this.#touch(this.#draft(slot), state.atMs);
    else this.putState(slot, state);
  }

  /** Withdraws a line. @returns PUT_APPLIED, PUT_OLDER (a newer quote is held) or PUT_KNOWN (no such line) */
  closeQuote(slot: number, key: number, atMs: number): number {
    const views = this.#views;
    const found = this.#find(this.#currentPage(slot), key);
    if (found < 0) return PUT_KNOWN;
    if (atMs < views.quoteAtMs[found]!) return PUT_OLDER;
    this.dropQuote(slot, key);
    this.#touch(this.#draft(slot), atMs);
    return PUT_APPLIED;
  }

  /** A line is gone without a word from its book: a snapshot did not name it. */
  dropQuote(slot: number, key: number): void {
    const views = this.#views;
    const page = this.#draft(slot);
    const row = this.#find(page, key);
    if (row < 0) return;
    if (views.quoteStatus[row] === 0) views.openQuoteCount[page]!--;
    this.#removeRow(page, row);
  }

  /** The fixture leaves the slate at once, whatever this batch had drafted for it. */
  removeFixture(slot: number): void {
    const views = this.#views;
    this.#slotByEvent.delete(views.eventNumber[this.#currentPage(slot)]!);
    const draft = this.#draftPage[slot]!;
    if (draft !== NONE) {
      this.#pool.release(draft);
      this.#draftPage[slot] = NONE;
    }
    const published = Atomics.load(views.slotPage, slot);
    if (published !== NONE) {
      Atomics.store(views.slotPage, slot, NONE);
      this.#pool.release(published);
      Atomics.add(views.wide, WIDE_SLATE_VERSION, 1n);
    }
    this.#freeSlots.push(slot);
    Atomics.add(views.control, CONTROL_MEMBERSHIP, 1);
  }

  /**
   * Records the first price ever seen for a quote key; a key that has one keeps it.
   * @returns PUT_APPLIED, PUT_KNOWN or PUT_FULL
   */
  putOpening(slot: number, opening: OpeningRow): number {
    const views = this.#views;
    const base = slot * views.capacity.openingsPerFixture;
    const count = Atomics.load(views.openingCount, slot);
    for (let row = base; row < base + count; row++) {
      if (views.openingKey[row] === opening.key) return PUT_KNOWN;
    }
    if (count === views.capacity.openingsPerFixture) return PUT_FULL;
    const row = base + count;
    views.openingKey[row] = opening.key;
    views.openingE4A[row] = opening.a;
    views.openingE4B[row] = opening.b;
    views.openingE4C[row] = opening.c;
    views.openingUpstream[row] = opening.upstream ? 1 : 0;
    views.openedAtMs[row] = opening.openedAtMs;
    Atomics.store(views.openingCount, slot, count + 1);
    return PUT_APPLIED;
  }

  /** Publishes every draft. @returns how many fixtures changed */
  publish(): number {
    const views = this.#views;
    let published = 0;
    let arrived = false;
    for (let index = 0; index < this.#draftCount; index++) {
      const slot = this.#draftSlots[index]!;
      const page = this.#draftPage[slot]!;
      if (page === NONE) continue; // removed in this batch, or listed twice
      this.#draftPage[slot] = NONE;
      const old = Atomics.load(views.slotPage, slot);
      assert(
        views.quoteCount[page]! <= views.capacity.quotesPerFixture,
        'a page holds no more quotes than fit',
      );
      Atomics.store(views.slotPage, slot, page);
      if (old === NONE) arrived = true;
      else this.#pool.release(old);
      published++;
    }
    this.#draftCount = 0;
    if (arrived) Atomics.add(views.control, CONTROL_MEMBERSHIP, 1);
    if (published > 0) Atomics.add(views.wide, WIDE_SLATE_VERSION, BigInt(published));
    return published;
  }

  /** The feed is connected or not. */
  setConnected(connected: boolean): void {
    Atomics.store(this.#views.control, CONTROL_FEED_CONNECTED, connected ? 1 : 0);
  }
  /** The first snapshot is complete: readers may serve. */
  setSnapshotComplete(): void {
    Atomics.store(this.#views.control, CONTROL_SNAPSHOT_COMPLETE, 1);
  }
  /** A message of any kind was heard at this wall-clock time. */
  setHeardAt(wallMs: number): void {
    Atomics.store(this.#views.wide, WIDE_FEED_HEARD_AT_MS, BigInt(Math.trunc(wallMs)));
  }
  /** A heartbeat carried this source time. */
  setHeartbeatAt(atMs: number): void {
    Atomics.store(this.#views.wide, WIDE_HEARTBEAT_AT_MS, BigInt(Math.trunc(atMs)));
  }
  setQueueDepth(count: number): void {
    Atomics.store(this.#views.control, CONTROL_QUEUE_DEPTH, count);
  }
  count(name: CounterName, count = 1): void {
    Atomics.add(this.#views.counters, counterIndex(name), BigInt(count));
  }

  /** The page this batch sees: the draft if there is one, else the published page. */
  #currentPage(slot: number): number {
    const draft = this.#draftPage[slot]!;
    return draft === NONE ? Atomics.load(this.#views.slotPage, slot) : draft;
  }

  #draft(slot: number): number {
    const draft = this.#draftPage[slot]!;
    if (draft !== NONE) return draft;
    const source = Atomics.load(this.#views.slotPage, slot);
    assert(source !== NONE, 'a fixture is put before anything of it changes');
    const page = this.#pool.take();
    copyPage(this.#views, source, page);
    this.#views.version[page] = this.#views.version[source]! + 1;
    this.#addDraft(slot, page);
    return page;
  }

  #newDraft(slot: number, eventNumber: number): number {
    const views = this.#views;
    const page = this.#pool.take();
    views.eventNumber[page] = eventNumber;
    // Not 1: an event that left and came back must never show a version it has had before.
    views.version[page] = Number(Atomics.load(views.wide, WIDE_SLATE_VERSION)) + 1;
    views.feedStatus[page] = 0;
    views.feedStatusAtMs[page] = Number.NaN;
    views.stateAtMs[page] = Number.NEGATIVE_INFINITY;
    views.scoreHome[page] = NONE;
    views.scoreAway[page] = NONE;
    views.cardsHome[page] = NONE;
    views.cardsAway[page] = NONE;
    views.clockByteCount[page] = 0;
    views.clockChangedAtMs[page] = Number.NaN;
    views.lastMessageAtMs[page] = Number.NEGATIVE_INFINITY;
    views.quoteCount[page] = 0;
    views.openQuoteCount[page] = 0;
    this.#addDraft(slot, page);
    return page;
  }

  #addDraft(slot: number, page: number): void {
    // A slot removed and taken again in one batch may be listed twice; only the last draft is published.
    if (this.#draftCount === this.#draftSlots.length) this.publish();
    this.#draftPage[slot] = page;
    this.#draftSlots[this.#draftCount++] = slot;
  }

  #takeSlot(): number {
    const views = this.#views;
    const slotCount = Atomics.load(views.control, CONTROL_SLOT_COUNT);
    // Fresh slots first, then the one that has been free longest, so that slow readers of its openings are done.
    if (slotCount < views.capacity.fixtures) {
      Atomics.store(views.control, CONTROL_SLOT_COUNT, slotCount + 1);
      return slotCount;
    }
    const slot = this.#freeSlots.shift();
    if (slot === undefined) return NONE;
    Atomics.store(views.openingCount, slot, 0);
    return slot;
  }

  #touch(page: number, atMs: number): void {
    if (atMs > this.#views.lastMessageAtMs[page]!) this.#views.lastMessageAtMs[page] = atMs;
  }

  #putClock(page: number, clock: string | null, atMs: number): void {
    const views = this.#views;
    const bytes = clock === null ? EMPTY_CLOCK : this.#encoder.encode(clock);
    assert(bytes.length <= CLOCK_BYTES_MAX, 'the parser bounds clock text');
    const start = page * CLOCK_BYTES_MAX;
    let same = views.clockByteCount[page] === bytes.length && !Number.isNaN(views.clockChangedAtMs[page]!);
    for (let index = 0; same && index < bytes.length; index++) {
      same = views.clockBytes[start + index] === bytes[index];
    }
    if (same) return;
    views.clockBytes.set(bytes, start);
    views.clockByteCount[page] = bytes.length;
    views.clockChangedAtMs[page] = atMs;
  }

  /** Row of `key` in `page`, or the bitwise complement of the row where it belongs. */
  #find(page: number, key: number): number {
    const keys = this.#views.quoteKey;
    let low = page * this.#views.capacity.quotesPerFixture;
    let high = low + this.#views.quoteCount[page]! - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const held = keys[middle]!;
      if (held === key) return middle;
      if (held < key) low = middle + 1;
      else high = middle - 1;
    }
    return ~low;
  }

  #insertRow(page: number, row: number): void {
    const views = this.#views;
    const end = page * views.capacity.quotesPerFixture + views.quoteCount[page]!;
    this.#moveRows(row + 1, row, end);
    views.quoteCount[page]!++;
  }

  #removeRow(page: number, row: number): void {
    const views = this.#views;
    const end = page * views.capacity.quotesPerFixture + views.quoteCount[page]!;
    this.#moveRows(row, row + 1, end);
    views.quoteCount[page]!--;
  }

  #moveRows(to: number, from: number, end: number): void {
    const views = this.#views;
    views.quoteKey.copyWithin(to, from, end);
    views.priceE4A.copyWithin(to, from, end);
    views.priceE4B.copyWithin(to, from, end);
    views.priceE4C.copyWithin(to, from, end);
    views.quoteStatus.copyWithin(to, from, end);
    views.quoteAtMs.copyWithin(to, from, end);
  }
}

/** One first-seen price. Prices in ten-thousandths by outcome order. */
export interface OpeningRow {
  readonly key: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly openedAtMs: number;
  readonly upstream: boolean;
}

const EMPTY_CLOCK = new Uint8Array(0);
