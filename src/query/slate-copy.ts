// The fixtures of one instant that changed after a version, copied out of the store: whoever encodes a large answer, or
// sends it to a slow reader, then neither holds up the writer nor is overtaken by it.

import { ServiceError } from '../errors.ts';
import type { Departure } from '../store/departures.ts';
import { LINE_GROUPS } from '../store/quote-key.ts';
import type { QuoteRows, SlateReader } from '../store/reader.ts';
import type { SlateInstant } from '../store/slate-instant.ts';
import { EntityRefs, type FixtureView, viewOf } from './fixture-view.ts';

/** Fixtures copied between two pauses, so that a copy of the whole slate holds its thread for less than a millisecond. */
const FIXTURES_BETWEEN_PAUSES = 128;
/** Attempts at once, one after the other: a publish takes less than a millisecond. After them there is a wait between two. */
const QUICK_ATTEMPTS = 50;
/**
 * A publish takes longer when the system takes its thread off the processor, or when the thread dies in the middle of it
 * and another has to take over. Waits in all: about two seconds. Reached: the caller is asked to retry.
 */
const SLOW_ATTEMPTS_MAX = 400;
const SLOW_WAIT_MS = 5;
const RETRY_S = 1;

/** One fixture of a copy. Versions are those of the page columns of the same names (store/layout.ts). */
export interface CopiedFixture {
  readonly view: FixtureView;
  /** Index into EVENT_STATUSES, as published. */
  readonly status: number;
  readonly arrivedVersion: number;
  readonly identityVersion: number;
  readonly statusVersion: number;
  readonly stateVersion: number;
  /**
   * By group of lines, the version that last withdrew one (groupWithdrawnVersion); null when none did after the copy's
   * `since`.
   */
  readonly withdrawnVersions: Float64Array | null;
  /** Its quotes are the copy's rows from here to `endRow` - 1, sorted by key. */
  readonly firstRow: number;
  readonly endRow: number;
}

export interface SlateCopy {
  /** The fixtures, rows and departures are complete for every version from this one on. */
  readonly since: number;
  /** Of the slate, at the instant of the copy, as its epoch. */
  readonly version: number;
  readonly epochMs: number;
  readonly heartbeatAtMs: number;
  readonly lastMessageAtMs: number;
  readonly commonMessageAtMs: number;
  /** Sorted by event number, since the order shows in answers and slots differ from node to node. */
  readonly fixtures: readonly CopiedFixture[];
  readonly rows: QuoteRows;
  /** Oldest first; null when `since` is too old to say. */
  readonly departures: readonly Departure[] | null;
  readonly byteCount: number;
}

export class SlateCopier {
  readonly #reader: SlateReader;
  readonly #refs: EntityRefs;
  /** The last view of each slot, for what has not changed since. */
  readonly #views: (FixtureView | undefined)[] = [];

  readonly #sleep: (ms: number) => Promise<void>;

  /** @param sleep how to wait while a publish stands still */
  constructor(reader: SlateReader, sleep: (ms: number) => Promise<void> = Bun.sleep) {
    this.#reader = reader;
    this.#refs = new EntityRefs(reader);
    this.#sleep = sleep;
  }

  /** The id of a league by its row of the entity table. */
  leagueIdOf(entityRow: number): string {
    return this.#refs.of('league', entityRow).id;
  }

  /**
   * Copies every fixture that changed after version `since`; -1 for the whole slate.
   * @throws ServiceError `upstream_unavailable` when no instant could be had: a batch is being published for too long
   */
  async copySince(since: number): Promise<SlateCopy> {
    for (let attempt = 0; attempt < QUICK_ATTEMPTS + SLOW_ATTEMPTS_MAX; attempt++) {
      const instant = this.#reader.instant(since);
      const copy = instant === null ? null : await this.#copy(instant, since);
      if (copy !== null) return copy;
      if (attempt < QUICK_ATTEMPTS) await pause();
      else await this.#sleep(SLOW_WAIT_MS);
    }
    throw new ServiceError(
      'upstream_unavailable',
      'Cannot read the slate at one instant: it is being replaced',
      {
        fix: 'Retry after retry_after_seconds',
        retryAfterSeconds: RETRY_S,
      },
    );
  }

  /** @returns null when a page was written again before it was copied */
  async #copy(instant: SlateInstant, since: number): Promise<SlateCopy | null> {
    const { pages, generations, slots } = instant;
    const { heartbeatAtMs } = this.#reader.feed();
    const rows = rowsOf(this.#rowCountOf(pages));
    const fixtures: CopiedFixture[] = [];
    let firstRow = 0;
    for (let index = 0; index < pages.length; index++) {
      if (index > 0 && index % FIXTURES_BETWEEN_PAUSES === 0) await pause();
      const fixture = this.#intactFixture(pages[index]!, generations[index]!, () =>
        this.#fixture(pages[index]!, slots[index]!, { rows, firstRow, since }),
      );
      if (fixture === null) return null;
      this.#views[slots[index]!] = fixture.view;
      fixtures.push(fixture);
      firstRow = fixture.endRow;
    }
    fixtures.sort((left, right) => left.view.eventNumber - right.view.eventNumber);
    const { version, epochMs, lastMessageAtMs, commonMessageAtMs, departures } = instant;
    const byteCount = rows.quoteKey.length * ROW_BYTES + fixtures.length * FIXTURE_BYTES;
    return {
      since,
      version,
      epochMs,
      heartbeatAtMs,
      lastMessageAtMs,
      commonMessageAtMs,
      fixtures,
      rows,
      departures,
      byteCount,
    };
  }

  #rowCountOf(pages: readonly number[]): number {
    const { quoteCount } = this.#reader.columns;
    return pages.reduce((sum, page) => sum + quoteCount[page]!, 0);
  }

  /** What `copy` made of a page, or null when the page was written again meanwhile; what it threw then is dropped. */
  #intactFixture(page: number, generation: number, copy: () => CopiedFixture): CopiedFixture | null {
    try {
      const fixture = copy();
      return this.#reader.isIntact(page, generation) ? fixture : null;
    } catch (error) {
      if (this.#reader.isIntact(page, generation)) throw error;
      return null;
    }
  }

  #fixture(
    page: number,
    slot: number,
    {
      rows,
      firstRow,
      since,
    }: { readonly rows: QuoteRows; readonly firstRow: number; readonly since: number },
  ): CopiedFixture {
    const { columns } = this.#reader;
    const endRow = firstRow + columns.quoteCount[page]!;
    this.#reader.copyQuotes(page, rows, firstRow);
    const former = this.#views[slot];
    const isSame =
      former?.version === columns.version[page] && former?.eventNumber === columns.eventNumber[page];
    return {
      view: isSame && former !== undefined ? former : viewOf(this.#reader, this.#refs, page, former),
      status: columns.status[page]!,
      arrivedVersion: columns.arrivedVersion[page]!,
      identityVersion: columns.identityVersion[page]!,
      statusVersion: columns.statusVersion[page]!,
      stateVersion: columns.stateVersion[page]!,
      withdrawnVersions: columns.withdrawnVersion[page]! > since ? withdrawnVersionsOf(columns, page) : null,
      firstRow,
      endRow,
    };
  }
}

function withdrawnVersionsOf(columns: SlateReader['columns'], page: number): Float64Array {
  const first = page * LINE_GROUPS;
  return Float64Array.from(
    { length: LINE_GROUPS },
    (_, group) => columns.groupWithdrawnVersion[first + group]!,
  );
}

/** Bytes of a row in all columns, and about those of a fixture's objects. */
const ROW_BYTES = 4 * 4 + 1 + 2 * 8;
const FIXTURE_BYTES = 1_024;

function rowsOf(count: number): QuoteRows {
  return {
    quoteKey: new Int32Array(count),
    priceE4A: new Int32Array(count),
    priceE4B: new Int32Array(count),
    priceE4C: new Int32Array(count),
    quoteStatus: new Uint8Array(count),
    quoteAtMs: new Float64Array(count),
    quoteVersion: new Float64Array(count),
  };
}

/** Lets other requests of the thread run. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
