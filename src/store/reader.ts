// The slate as all threads but the writer's see it: read-only. The column types have no index signature to
// write through.

import { BOOKMAKERS, QUOTE_OPEN } from '../domain/catalogue.ts';
import type { MatchFacts } from '../domain/match-status.ts';
import { ANY_BOOKMAKER } from '../domain/signal-gate.ts';
import { BOOKMAKERS_MAX } from '../limits.ts';
import { changeCount, changesSince, type SlotChanges } from './changed-slots.ts';
import { COUNTER_NAMES, type CounterName } from './counters.ts';
import { EntityNames } from './entity-table.ts';
import { type FeedStatus, readFeedStatus } from './feed-status.ts';
import { attachStore, CONTROL, type StoreViews, WIDE } from './layout.ts';
import { readLiquidity, type StoredLiquidity } from './liquidity.ts';
import { bookmakerOfKey } from './quote-key.ts';
import { captureInstant, lastMessageTimes, type MessageTimes, type SlateInstant } from './slate-instant.ts';
import { SlotIndex } from './slot-index.ts';
import { readReports, type SourceReport } from './source-reports.ts';
import { clockText } from './writer/page-columns.ts';

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

/** Columns that quotes are copied into, outside the store. */
export interface QuoteRows {
  readonly quoteKey: Int32Array;
  readonly priceE4A: Int32Array;
  readonly priceE4B: Int32Array;
  readonly priceE4C: Int32Array;
  readonly quoteStatus: Uint8Array;
  readonly quoteAtMs: Float64Array;
  readonly quoteVersion: Float64Array;
}

/**
 * How often a read starts again because its page was replaced. After that the read throws, because the writer
 * replaces pages faster than this thread can read them.
 */
const READ_ATTEMPTS_MAX = 1_000;
/** How often a read of past prices starts again. After that it returns none this time. */
const WINDOW_ATTEMPTS_MAX = 16;
const NONE = -1;

export class SlateReader {
  readonly columns: SlateColumns;
  readonly quotesPerFixture: number;
  readonly openingsPerFixture: number;
  readonly #views: StoreViews;
  readonly #names: EntityNames;
  readonly #slots: SlotIndex;
  #confirmationChanges = 0;
  #confirmations = new Float64Array(BOOKMAKERS_MAX);

  constructor(buffer: SharedArrayBuffer) {
    const views = attachStore(buffer);
    this.#views = views;
    this.columns = views;
    this.quotesPerFixture = views.capacity.quotesPerFixture;
    this.openingsPerFixture = views.capacity.openingsPerFixture;
    this.#names = new EntityNames(views);
    this.#slots = new SlotIndex(this);
  }

  /**
   * The epoch of the store's versions: epoch and version together identify a fixture's state across restarts.
   * The epoch changes only when this node begins to follow another leader, or to lead (replication/).
   */
  get epochMs(): number {
    return Number(Atomics.load(this.#views.wide, WIDE.epochMs));
  }

  /** Rises with every published change of a fixture. */
  slateVersion(): number {
    return Number(Atomics.load(this.#views.wide, WIDE.slateVersion));
  }

  /** Changes whenever a fixture arrives or leaves. */
  membership(): number {
    return Atomics.load(this.#views.control, CONTROL.membership);
  }

  /** Number of slots ever used: scan 0 to slotCount() - 1 and skip the empty ones. */
  slotCount(): number {
    return Atomics.load(this.#views.control, CONTROL.slotCount);
  }

  /**
   * The slots that changed after the first `since` changes. Pass 0 first, then `count` of the previous
   * answer.
   */
  changes(since: number): SlotChanges {
    return changesSince(this.#views, since);
  }

  changeCount(): number {
    return changeCount(this.#views);
  }

  feed(): FeedStatus {
    return readFeedStatus(this.#views);
  }

  /**
   * For each bookmaker, the source time of the last heartbeat that confirmed its quotes, 0 before the first.
   * The same array is returned until one of them changes.
   */
  confirmations(): Float64Array {
    const { control, bookmakerConfirmedAtMs } = this.#views;
    const changes = Atomics.load(control, CONTROL.confirmations);
    if (changes === this.#confirmationChanges) return this.#confirmations;
    // The count of changes is read before the times. If a time changes while they are copied, the next call
    // sees a higher count and copies again.
    this.#confirmationChanges = changes;
    this.#confirmations = Float64Array.from({ length: BOOKMAKERS_MAX }, (_, bookmaker) =>
      Number(Atomics.load(bookmakerConfirmedAtMs, bookmaker)),
    );
    return this.#confirmations;
  }

  /**
   * For each bookmaker, the source time of the latest message about its quotes on a page; -Infinity if it has
   * none there. `openMask` has the bookmakers with an open quote on the page.
   */
  quotedOn(page: number): { readonly atMs: Float64Array; readonly openMask: number } {
    const { quoteKey, quoteCount, quoteAtMs, quoteStatus } = this.columns;
    const first = page * this.quotesPerFixture;
    const end = first + Math.min(quoteCount[page]!, this.quotesPerFixture);
    const atMs = new Float64Array(BOOKMAKERS.length).fill(Number.NEGATIVE_INFINITY);
    let openMask = 0;
    for (let row = first; row < end; row++) {
      const bookmaker = bookmakerOfKey(quoteKey[row]!);
      if (quoteAtMs[row]! > atMs[bookmaker]!) atMs[bookmaker] = quoteAtMs[row]!;
      if (quoteStatus[row] === QUOTE_OPEN) openMask |= 1 << bookmaker;
    }
    return { atMs, openMask };
  }

  /**
   * Whether several sources are joined on the slate, each confirming only its own bookmakers. False for an
   * empty slate.
   */
  isJoined(): boolean {
    const { slotPage } = this.#views;
    const { confirmerMask } = this.columns;
    const slotCount = this.slotCount();
    for (let slot = 0; slot < slotCount; slot++) {
      const page = Atomics.load(slotPage, slot);
      // All fixtures of a store come from one feed, so checking the first one is enough.
      if (page !== NONE) return confirmerMask[page] !== ANY_BOOKMAKER;
    }
    return false;
  }

  /**
   * The `fixtureConfirmedAtMs` times of a page; null when no source has confirmed this fixture separately.
   */
  ownConfirmationsOf(page: number): Float64Array | null {
    const { fixtureConfirmedAtMs } = this.#views;
    const first = page * BOOKMAKERS_MAX;
    for (let at = first; at < first + BOOKMAKERS_MAX; at++) {
      if (fixtureConfirmedAtMs[at]! > 0) return fixtureConfirmedAtMs.slice(first, first + BOOKMAKERS_MAX);
    }
    return null;
  }

  /** How the feed's sources are doing; empty before the feed was opened. */
  sourceReports(): readonly SourceReport[] {
    return readReports(this.#views);
  }

  /** The liquidity of a fixture, one entry for each exchange. */
  liquidityOf(eventNumber: number): readonly StoredLiquidity[] {
    return readLiquidity(this.#views, eventNumber);
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
    return this.#slots.slotOf(eventNumber);
  }

  /**
   * Reads one fixture: calls `visit` with its published page. If the writer replaces and reuses that page, or
   * gives the slot to another fixture, while `visit` runs, then what it returned or threw is dropped and it
   * is called again. So `visit` must change nothing outside its own answer.
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
   * Reads a page as it was at a generation, even if it is no longer published: a replaced page stays intact
   * until about 500 others were replaced too. `visit` as in `read`.
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

  /** Reads one event by its number, whichever slot it is in; undefined when it is not on the slate. */
  readEvent<T>(eventNumber: number, visit: (page: number, slot: number) => T): T | undefined {
    const slot = this.slotOf(eventNumber);
    if (slot === NONE) return undefined;
    // The slot may have passed to another event since the index was built, so the event number is checked.
    return this.read(slot, (page) =>
      this.#views.eventNumber[page] === eventNumber ? visit(page, slot) : undefined,
    );
  }

  /**
   * Reads the past prices of a slot (price-windows.ts): calls `visit`, again when the writer changed them
   * meanwhile.
   * @returns false if they belong to another event, or changed during every attempt
   */
  readWindows(slot: number, eventNumber: number, visit: () => void): boolean {
    const { windowVersion, windowEvent } = this.#views;
    for (let attempt = 0; attempt < WINDOW_ATTEMPTS_MAX; attempt++) {
      const version = Atomics.load(windowVersion, slot);
      if ((version & 1) === 1) continue;
      if (windowEvent[slot] !== eventNumber) return false;
      visit();
      if (Atomics.load(windowVersion, slot) === version) return true;
    }
    return false;
  }

  /**
   * The published page of a slot, or -1, for loops over many fixtures that avoid closures. Such a loop takes
   * the page, takes its generation, then takes the page again. If that is a different page, the loop starts
   * again, because the first page may belong to another fixture by now. Then it reads, and calls `isIntact`.
   * If that is false, it starts again, too.
   */
  pageOf(slot: number): number {
    return Atomics.load(this.#views.slotPage, slot);
  }
  /** The page's generation: take it before a scan and pass it to `isIntact` afterwards. */
  generationOf(page: number): number {
    return Atomics.load(this.#views.pageGeneration, page);
  }
  /**
   * Whether `page` was published and unchanged since its generation was taken. False for odd generations,
   * which are drafts.
   */
  isIntact(page: number, generation: number): boolean {
    return (generation & 1) === 0 && Atomics.load(this.#views.pageGeneration, page) === generation;
  }

  /**
   * Captures the slate at one instant, between two batches. The writer continues, and a captured page stays
   * intact only until about 500 others were replaced. So read the pages without delay and check each with
   * `isIntact`.
   * @param since fixtures whose page is not newer than this version are left out; -1 for all
   * @returns null while a batch is being published, or when too many were published meanwhile. Then try again
   * a little later
   */
  instant(since: number): SlateInstant | null {
    return captureInstant(this.#views, since);
  }

  /**
   * Source times of the last message about any fixture on the slate, as in `SlateInstant`. It may run at any
   * moment, between two batches or during one.
   */
  lastMessageTimes(): MessageTimes {
    return lastMessageTimes(this.#views);
  }

  /**
   * Copies the quotes of a page to row `firstRow` and the rows after it; check with `isIntact` afterwards.
   * @throws RangeError when they do not fit
   */
  copyQuotes(page: number, rows: QuoteRows, firstRow: number): void {
    const views = this.#views;
    const start = page * this.quotesPerFixture;
    const end = start + views.quoteCount[page]!;
    for (const [name, column] of views.quoteColumns) rows[name].set(column.subarray(start, end), firstRow);
  }

  /** The version of a fixture, or -1 when the slot is empty. */
  versionOf(slot: number): number {
    return this.read(slot, (page) => this.#views.version[page]!) ?? NONE;
  }

  name(entityRow: number): string {
    return this.#names.name(entityRow);
  }

  /** Clock text of a page, null when the feed sent none. Inside `read` only. */
  clock(page: number): string | null {
    return clockText(this.#views, page);
  }

  /** What the feed reported about the match of a page, for domain/match-status.ts. Inside `read` only. */
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
   * How many openings a slot has: rows slot * openingsPerFixture .. + count - 1, in the order they were first
   * seen. Inside `read` only.
   */
  openingCount(slot: number): number {
    return Atomics.load(this.#views.openingCount, slot);
  }
}
