// The slate as every other thread sees it. No setters: the column types have no index signature to write through.

import type { MatchFacts } from '../domain/match-status.ts';
import { assert } from '../errors.ts';
import { CLOCK_BYTES_MAX } from '../limits.ts';
import { COUNTER_NAMES, type CounterName } from './counters.ts';
import { attachStore, CONTROL, type StoreViews, WIDE } from './layout.ts';
import { EntityNames } from './names.ts';
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
    ? Exclude<Name, 'control' | 'slotPage' | 'slotEpoch' | 'pageGeneration' | 'openingCount'>
    : never]: ReadonlyColumn;
};

/** Columns of the published pages and openings, read-only. Rows of page p start at p * quotesPerFixture. */
export interface SlateColumns extends ReadonlyColumns {}

export interface FeedStatus {
  readonly connected: boolean;
  readonly snapshotComplete: boolean;
  /** Wall clock of the last message of any kind, 0 before the first. */
  readonly heardAtMs: number;
  /** Source time of the last heartbeat, 0 before the first. */
  readonly heartbeatAtMs: number;
  readonly queueDepth: number;
}

/** How often a read starts again because its page was replaced. Reached: it throws; the writer outruns this thread. */
const READ_ATTEMPTS_MAX = 1_000;
const NONE = -1;

export class SlateReader {
  readonly columns: SlateColumns;
  readonly quotesPerFixture: number;
  readonly openingsPerFixture: number;
  /** When the store was made: with it a fixture's version is unique across restarts. */
  readonly createdAtMs: number;
  readonly #views: StoreViews;
  readonly #names: EntityNames;
  readonly #decoder = new TextDecoder();
  #slotByEvent = new Map<number, number>();
  #membership = NONE;

  constructor(buffer: SharedArrayBuffer) {
    const views = attachStore(buffer);
    this.#views = views;
    this.columns = views;
    this.quotesPerFixture = views.capacity.quotesPerFixture;
    this.openingsPerFixture = views.capacity.openingsPerFixture;
    this.createdAtMs = Number(Atomics.load(views.wide, WIDE.createdAtMs));
    this.#names = new EntityNames(views);
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

  feed(): FeedStatus {
    const { control, wide } = this.#views;
    return {
      connected: Atomics.load(control, CONTROL.feedConnected) === 1,
      snapshotComplete: Atomics.load(control, CONTROL.snapshotComplete) === 1,
      heardAtMs: Number(Atomics.load(wide, WIDE.feedHeardAtMs)),
      heartbeatAtMs: Number(Atomics.load(wide, WIDE.heartbeatAtMs)),
      queueDepth: Atomics.load(control, CONTROL.queueDepth),
    };
  }

  /** How the feed's sources are doing; none of a feed that is no pull source. */
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
    if (membership !== this.#membership) this.#rebuildIndex(membership);
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
    const count = this.#views.clockByteCount[page]!;
    if (count === 0) return null;
    const start = page * CLOCK_BYTES_MAX;
    // A copy, because TextDecoder refuses shared memory.
    return this.#decoder.decode(new Uint8Array(this.#views.clockBytes.slice(start, start + count)));
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

  /** Openings recorded for a slot, inside `read` only: rows slot * openingsPerFixture .. + count - 1, in the order they were first seen. */
  openingCount(slot: number): number {
    return Atomics.load(this.#views.openingCount, slot);
  }

  #rebuildIndex(membership: number): void {
    const slotByEvent = new Map<number, number>();
    const slotCount = this.slotCount();
    for (let slot = 0; slot < slotCount; slot++) {
      const eventNumber = this.read(slot, (page) => this.#views.eventNumber[page]!);
      if (eventNumber !== undefined) slotByEvent.set(eventNumber, slot);
    }
    assert(slotByEvent.size <= slotCount, 'an event has one slot');
    this.#slotByEvent = slotByEvent;
    this.#membership = membership;
  }
}
