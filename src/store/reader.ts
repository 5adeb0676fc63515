// The slate as every other thread sees it. No setters: the column types have no index signature to write through.

import type { MatchFacts } from '../domain/match-status.ts';
import { REPLICATION_STATES, type ReplicationState } from '../domain/replication-state.ts';
import { assert } from '../errors.ts';
import { changeCount, changesSince, type SlotChanges } from './changed-slots.ts';
import { COUNTER_NAMES, type CounterName } from './counters.ts';
import { EntityNames } from './entity-table.ts';
import { attachStore, CONTROL, type StoreViews, WIDE } from './layout.ts';
import { clockText } from './page-columns.ts';
import { captureInstant, lastMessageTimes, type MessageTimes, type SlateInstant } from './slate-instant.ts';
import { readReports, type SourceReport } from './source-reports.ts';

/** A column that can be read. */
export interface ReadonlyColumn {
  readonly length: number;
  readonly [index: number]: number;
}

type ReadonlyColumns = {
  readonly [Name in keyof StoreViews as StoreViews[Name] extends
    | Uint8Array
    | Int16Array
    | Int32Array
    | Float64Array
    ? Exclude<Name, 'control' | 'slotPage' | 'slotEpoch' | 'changedSlot' | 'pageGeneration' | 'openingCount'>
    : never]: ReadonlyColumn;
};

/** Columns of the published pages and openings, read-only. Rows of page p start at p * quotesPerFixture. */
export interface SlateColumns extends ReadonlyColumns {}

/** Columns of quotes outside the store. */
export interface QuoteRows {
  readonly quoteKey: Int32Array;
  readonly priceE4A: Int32Array;
  readonly priceE4B: Int32Array;
  readonly priceE4C: Int32Array;
  readonly quoteStatus: Uint8Array;
  readonly quoteAtMs: Float64Array;
  readonly quoteVersion: Float64Array;
}

export interface FeedStatus {
  readonly connected: boolean;
  readonly snapshotComplete: boolean;
  /** Whether the slate is the one kept over a restart: it is served, as stale, until the feed's own is complete. */
  readonly isRestored: boolean;
  /** Wall clock of the last message that was applied, 0 before the first. What comes after a loss is heard, not applied. */
  readonly appliedAtMs: number;
  /** The same, quotes of the sharp bookmaker aside. */
  readonly commonAppliedAtMs: number;
  /** Source time of the last heartbeat, 0 before the first. */
  readonly heartbeatAtMs: number;
  readonly queueDepth: number;
  /** How this node stands among those that share the slate. */
  readonly replication: ReplicationState;
}

/** How often a read starts again because its page was replaced. Reached: it throws; the writer outruns this thread. */
const READ_ATTEMPTS_MAX = 1_000;
const NONE = -1;

export class SlateReader {
  readonly columns: SlateColumns;
  readonly quotesPerFixture: number;
  readonly openingsPerFixture: number;
  readonly #views: StoreViews;
  readonly #names: EntityNames;
  readonly #slotByEvent = new Map<number, number>();
  readonly #eventBySlot: (number | undefined)[] = [];
  /** Changes of slots that are in the index. */
  #indexedChanges = 0;
  #membership = NONE;

  constructor(buffer: SharedArrayBuffer) {
    const views = attachStore(buffer);
    this.#views = views;
    this.columns = views;
    this.quotesPerFixture = views.capacity.quotesPerFixture;
    this.openingsPerFixture = views.capacity.openingsPerFixture;
    this.#names = new EntityNames(views);
  }

  /**
   * The epoch of the store's versions: with it a fixture's version is unique across restarts. It changes only where the
   * slate of a leader is followed or led (replication/).
   */
  get epochMs(): number {
    return Number(Atomics.load(this.#views.wide, WIDE.epochMs));
  }

  /** Rises with every published change of any fixture. */
  slateVersion(): number {
    return Number(Atomics.load(this.#views.wide, WIDE.slateVersion));
  }

  /** Changes whenever a fixture arrives or leaves. */
  membership(): number {
    return Atomics.load(this.#views.control, CONTROL.membership);
  }

  /** Slots ever used; scan 0 to slotCount() - 1 and skip the empty ones. */
  slotCount(): number {
    return Atomics.load(this.#views.control, CONTROL.slotCount);
  }

  /** The slots that changed after the first `since` changes; ask with 0 first, then with the last answer's count. */
  changes(since: number): SlotChanges {
    return changesSince(this.#views, since);
  }

  /** How many changes of slots there were so far. */
  changeCount(): number {
    return changeCount(this.#views);
  }

  feed(): FeedStatus {
    const { control, wide } = this.#views;
    return {
      connected: Atomics.load(control, CONTROL.feedConnected) === 1,
      snapshotComplete: Atomics.load(control, CONTROL.snapshotComplete) === 1,
      isRestored: Atomics.load(control, CONTROL.restored) === 1,
      appliedAtMs: Number(Atomics.load(wide, WIDE.feedAppliedAtMs)),
      commonAppliedAtMs: Number(Atomics.load(wide, WIDE.commonAppliedAtMs)),
      heartbeatAtMs: Number(Atomics.load(wide, WIDE.heartbeatAtMs)),
      queueDepth: Atomics.load(control, CONTROL.queueDepth),
      replication: REPLICATION_STATES[Atomics.load(control, CONTROL.replication)]!,
    };
  }

  /** How the feed's sources are doing; none before the feed was opened. */
  sourceReports(): readonly SourceReport[] {
    return readReports(this.#views);
  }

  counters(): Record<CounterName, number> {
    const values = {} as Record<CounterName, number>;
    COUNTER_NAMES.forEach((name, index) => {
      values[name] = Number(Atomics.load(this.#views.counters, index));
    });
    return values;
  }

  /** The slot of an event, or -1 when it is not on the slate. */
  slotOf(eventNumber: number): number {
    const membership = this.membership();
    if (membership !== this.#membership) this.#updateIndex(membership);
    return this.#slotByEvent.get(eventNumber) ?? NONE;
  }

  /**
   * Reads one fixture: calls `visit` with its published page. The writer may replace and reuse that page, or give the
   * slot to another fixture, while `visit` runs. Then its answer, or what it threw, is dropped and it is called again. So
   * `visit` must change nothing but its own answer.
   * @returns what `visit` returned, or undefined when the slot is empty
   */
  read<T>(slot: number, visit: (page: number) => T): T | undefined {
    const { slotPage, slotEpoch, pageGeneration } = this.#views;
    for (let attempt = 0; attempt < READ_ATTEMPTS_MAX; attempt++) {
      const epoch = Atomics.load(slotEpoch, slot);
      const page = Atomics.load(slotPage, slot);
      if (page === NONE) return undefined;
      const generation = Atomics.load(pageGeneration, page);
      if (Atomics.load(slotPage, slot) !== page) continue;
      let result: T;
      try {
        result = visit(page);
      } catch (error) {
        if (this.isIntact(page, generation) && Atomics.load(slotEpoch, slot) === epoch) throw error;
        continue;
      }
      if (this.isIntact(page, generation) && Atomics.load(slotEpoch, slot) === epoch) return result;
    }
    throw new Error(`Cannot read slot ${slot}: its page was replaced ${READ_ATTEMPTS_MAX} times`);
  }

  /**
   * Reads a page as it was at a generation, published or not: a page that was replaced stays as it is until about 500 others were
   * too. `visit` as for `read`.
   * @returns undefined when the writer has begun to use the page again
   */
  readPage<T>(page: number, generation: number, visit: (page: number) => T): T | undefined {
    if (!this.isIntact(page, generation)) return undefined;
    let result: T;
    try {
      result = visit(page);
    } catch (error) {
      if (this.isIntact(page, generation)) throw error;
      return undefined;
    }
    return this.isIntact(page, generation) ? result : undefined;
  }

  /** Reads one event by its number, wherever its slot; undefined when it is not on the slate. */
  readEvent<T>(eventNumber: number, visit: (page: number, slot: number) => T): T | undefined {
    const slot = this.slotOf(eventNumber);
    if (slot === NONE) return undefined;
    // The slot may have passed to another event since the index was made.
    return this.read(slot, (page) =>
      this.#views.eventNumber[page] === eventNumber ? visit(page, slot) : undefined,
    );
  }

  /**
   * For loops over many fixtures that want no closure: the published page, or -1. The steps are: take the page, take its
   * generation, take the page again (if it is another one, start again: the first may be another fixture's by now), read,
   * ask `isIntact` (if not, start again).
   */
  pageOf(slot: number): number {
    return Atomics.load(this.#views.slotPage, slot);
  }
  /** The page's generation: take it before a scan and hand it to `isIntact` after. */
  generationOf(page: number): number {
    return Atomics.load(this.#views.pageGeneration, page);
  }
  /** Whether `page` was whole and unchanged since its generation was taken. Odd generations are drafts: never. */
  isIntact(page: number, generation: number): boolean {
    return (generation & 1) === 0 && Atomics.load(this.#views.pageGeneration, page) === generation;
  }

  /**
   * Captures the slate at one instant, between two batches. The writer goes on: a captured page stays as it is until about
   * 500 others were replaced, so read them at once and ask `isIntact` of each.
   * @param since fixtures whose page is not newer than this version are left out; -1 for all
   * @returns null while a batch is being published, or when too many were published meanwhile: try again a little later
   */
  instant(since: number): SlateInstant | null {
    return captureInstant(this.#views, since);
  }

  /** Source times of the last message about any fixture on the slate, as in `SlateInstant`; between two batches or within one. */
  lastMessageTimes(): MessageTimes {
    return lastMessageTimes(this.#views);
  }

  /** Copies the quotes of a page to `firstRow` and on; ask `isIntact` after. @throws RangeError when they do not fit */
  copyQuotes(page: number, rows: QuoteRows, firstRow: number): void {
    const views = this.#views;
    const start = page * this.quotesPerFixture;
    const end = start + views.quoteCount[page]!;
    rows.quoteKey.set(views.quoteKey.subarray(start, end), firstRow);
    rows.priceE4A.set(views.priceE4A.subarray(start, end), firstRow);
    rows.priceE4B.set(views.priceE4B.subarray(start, end), firstRow);
    rows.priceE4C.set(views.priceE4C.subarray(start, end), firstRow);
    rows.quoteStatus.set(views.quoteStatus.subarray(start, end), firstRow);
    rows.quoteAtMs.set(views.quoteAtMs.subarray(start, end), firstRow);
    rows.quoteVersion.set(views.quoteVersion.subarray(start, end), firstRow);
  }

  /** The version of a fixture, or -1 when the slot is empty. */
  versionOf(slot: number): number {
    return this.read(slot, (page) => this.#views.version[page]!) ?? NONE;
  }

  /** Name of a league or team row. */
  name(entityRow: number): string {
    return this.#names.name(entityRow);
  }

  /** Clock text of a page, null when the feed sent none. Inside `read` only. */
  clock(page: number): string | null {
    return clockText(this.#views, page);
  }

  /** What the feed said about the match of a page, for domain/match-status.ts. Inside `read` only. */
  matchFacts(page: number): MatchFacts {
    const views = this.#views;
    return {
      sport: views.sport[page]!,
      feedStatus: views.feedStatus[page]!,
      feedStatusAtMs: views.feedStatusAtMs[page]!,
      scheduledAtMs: views.scheduledAtMs[page]!,
      clock: this.clock(page),
      clockChangedAtMs: views.clockChangedAtMs[page]!,
      openQuoteCount: views.openQuoteCount[page]!,
    };
  }

  /**
   * Openings recorded for a slot, inside `read` only: rows slot * openingsPerFixture .. + count - 1, in the order they were
   * first seen.
   */
  openingCount(slot: number): number {
    return Atomics.load(this.#views.openingCount, slot);
  }

  /** Brings the index up to a membership: it looks at the slots that changed, or at all when too many did. */
  #updateIndex(membership: number): void {
    const { count, slots } = this.changes(this.#indexedChanges);
    if (slots === null) {
      for (let slot = 0, slotCount = this.slotCount(); slot < slotCount; slot++) this.#indexSlot(slot);
    } else {
      for (const slot of slots) this.#indexSlot(slot);
    }
    assert(this.#slotByEvent.size <= this.slotCount(), 'an event has one slot');
    this.#indexedChanges = count;
    this.#membership = membership;
  }

  #indexSlot(slot: number): void {
    const former = this.#eventBySlot[slot];
    const eventNumber = this.read(slot, (page) => this.#views.eventNumber[page]!);
    if (former === eventNumber) return;
    this.#eventBySlot[slot] = eventNumber;
    // An event that has moved to another slot is there already.
    if (former !== undefined && this.#slotByEvent.get(former) === slot) this.#slotByEvent.delete(former);
    if (eventNumber !== undefined) this.#slotByEvent.set(eventNumber, slot);
  }
}
