// Copies the fixtures that changed after a version, as of one instant, out of the store. A thread that
// encodes a large answer from the copy, or sends it to a slow reader, neither delays the writer nor has its
// pages overwritten.

import type { Confirmations } from '../../domain/signal-gate.ts';
import type { CallerClass } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { freeBytes } from '../../memory/free-bytes.ts';
import { eventLoopTurn } from '../../pause.ts';
import type { Departure } from '../../store/departures.ts';
import { LINE_GROUPS } from '../../store/quote-key.ts';
import type { QuoteRows, SlateReader } from '../../store/reader.ts';
import type { SlateInstant } from '../../store/slate-instant.ts';
import { ConfirmationSteps, EntityRefs, type FixtureView, viewOf } from './fixture-view.ts';

/**
 * Fixtures copied between two pauses, so that a copy of the whole slate blocks its thread for less than a
 * millisecond at a time.
 */
const FIXTURES_BETWEEN_PAUSES = 128;
/**
 * Number of attempts in quick succession, because a publish takes less than a millisecond. Later attempts are
 * preceded by a wait.
 */
const QUICK_ATTEMPTS = 50;
/**
 * Maximum number of slow attempts. A publish takes longer when the operating system preempts its thread, or
 * when the thread dies in the middle of it and another has to take over. All waits together take about two
 * seconds. Then the caller is asked to retry.
 */
const SLOW_ATTEMPTS_MAX = 400;
const SLOW_WAIT_MS = 5;
const RETRY_S = 1;

/** The rows of a copy, each column in memory of its own. */
type CopiedRows = { readonly [Column in keyof QuoteRows]: QuoteRows[Column] & ArrayBufferView<ArrayBuffer> };

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
   * For each line group, the version that last withdrew a line (groupWithdrawnVersion). Null when none did
   * after the copy's `since`.
   */
  readonly withdrawnVersions: Float64Array | null;
  /** The fixture's quotes are the copy's rows from here to `endRow` - 1, sorted by key. */
  readonly firstRow: number;
  readonly endRow: number;
}

export interface SlateCopy {
  /** The copy has every fixture, row and departure that changed after this version. */
  readonly since: number;
  /** Version of the slate at the instant of the copy; the epoch is of that instant too. */
  readonly version: number;
  readonly epochMs: number;
  readonly confirmedAtMs: Confirmations;
  readonly lastMessageAtMs: number;
  readonly commonMessageAtMs: number;
  /** Sorted by event number, because answers show the order, and slots differ from node to node. */
  readonly fixtures: readonly CopiedFixture[];
  readonly rows: CopiedRows;
  /** Oldest first; null when the ring no longer reaches back to `since`. */
  readonly departures: readonly Departure[] | null;
  readonly byteCount: number;
}

/** The part of the memory budget that a copy counts against. */
export interface CopyRoom extends CallerClass {
  /** Unique to the account that is charged alone; absent if all callers of the class are charged together. */
  readonly owner?: string;
  /**
   * The part that a copy counts against if several paying customers read it and none of them has room for it.
   */
  readonly common?: CopyRoom;
  /** False, with nothing reserved, when there is no room. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
}

/**
 * Frees the rows of a copy, which take megabytes, without waiting for the garbage collector. Nothing may be
 * encoded from the copy afterwards.
 */
export function freeCopy({ rows }: SlateCopy): void {
  for (const column of Object.values(rows)) freeBytes(column);
}

export class SlateCopier {
  readonly #reader: SlateReader;
  readonly #refs: EntityRefs;
  readonly #steps: ConfirmationSteps;
  /** The last view of each slot, reused while the fixture has not changed. */
  readonly #views: (FixtureView | undefined)[] = [];

  readonly #sleep: (ms: number) => Promise<void>;

  /** @param sleep how to wait while a publish does not end */
  constructor(reader: SlateReader, sleep: (ms: number) => Promise<void> = Bun.sleep) {
    this.#reader = reader;
    this.#refs = new EntityRefs(reader);
    this.#steps = new ConfirmationSteps(reader);
    this.#sleep = sleep;
  }

  /** The id of a league by its row of the entity table. */
  leagueIdOf(entityRow: number): string {
    return this.#refs.of('league', entityRow).id;
  }

  /**
   * Copies every fixture that changed after version `since`; -1 for the whole slate.
   * @param room where its bytes are reserved before anything is copied; the caller releases `byteCount` at
   * the end
   * @throws ServiceError `upstream_unavailable` when a batch is being published for too long, or when there
   * is no room
   */
  async copySince(since: number, room?: CopyRoom): Promise<SlateCopy> {
    for (let attempt = 0; attempt < QUICK_ATTEMPTS + SLOW_ATTEMPTS_MAX; attempt++) {
      const instant = this.#reader.instant(since);
      const copy = instant === null ? null : await this.#copyInto(instant, since, room);
      if (copy !== null) return copy;
      if (attempt < QUICK_ATTEMPTS) await eventLoopTurn();
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

  /** Reserves the bytes of a copy and keeps them reserved if the copy succeeds. */
  async #copyInto(instant: SlateInstant, since: number, room?: CopyRoom): Promise<SlateCopy | null> {
    const rowCount = this.#rowCountOf(instant.pages);
    const byteCount = rowCount * ROW_BYTES + instant.pages.length * FIXTURE_BYTES;
    if (room === undefined || byteCount === 0) return this.#copy(instant, since, { rowCount, byteCount });
    if (!room.reserve(byteCount)) throw new NoRoomError();
    let isKept = false;
    try {
      const copy = await this.#copy(instant, since, { rowCount, byteCount });
      isKept = copy !== null;
      return copy;
    } finally {
      if (!isKept) room.release(byteCount);
    }
  }

  /** @returns null when a page was overwritten before it was copied */
  async #copy(
    instant: SlateInstant,
    since: number,
    { rowCount, byteCount }: { readonly rowCount: number; readonly byteCount: number },
  ): Promise<SlateCopy | null> {
    const { pages, generations, slots } = instant;
    const confirmedAtMs = this.#steps.now();
    const rows = rowsOf(rowCount);
    const fixtures: CopiedFixture[] = [];
    let firstRow = 0;
    for (let index = 0; index < pages.length; index++) {
      if (index > 0 && index % FIXTURES_BETWEEN_PAUSES === 0) await eventLoopTurn();
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
    return {
      since,
      version,
      epochMs,
      confirmedAtMs,
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

  /**
   * The result of `copy` for a page, or null when the page was overwritten meanwhile; what `copy` threw then
   * is dropped.
   */
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

/** Bytes of a row in all columns, and roughly those of a fixture's objects. */
const ROW_BYTES = Object.values(rowsOf(1)).reduce((sum, column) => sum + column.byteLength, 0);
const FIXTURE_BYTES = 1_024;

/**
 * Refuses an answer, because there is no room for the copy of the slate that it would hold until it is read.
 */
export class NoRoomError extends ServiceError {
  constructor() {
    super('upstream_unavailable', 'Cannot answer now: clients have left too much of their answers unread', {
      fix: 'Read answers to their end, ask for fewer at a time, and retry',
      retryAfterSeconds: RETRY_S,
      headers: { connection: 'close' },
    });
  }
}

function rowsOf(count: number): CopiedRows {
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
