// The byte layout of the slate: one SharedArrayBuffer. The ingest worker owns it; all other threads attach to
// it read-only.
//
//   header              magic, layout version, capacities
//   control, wide       Int32 and BigInt64 words, Atomics: slate version, membership, feed status
//   counters            BigInt64, Atomics: what was applied and refused, by reason
//   source reports      how the feed's sources are doing, as text in two halves that take turns
//   liquidity           what can be staked at the prices of exchanges: see liquidity.ts
//   slotPage[slot]      Int32, Atomics: the published page of this fixture slot, -1 when the slot is empty
//   slotEpoch[slot]     Int32, Atomics: rises when the slot is vacated, which voids openings read meanwhile
//   changedSlot[row]    Int32, Atomics: which slots changed last, a ring: see changed-slots.ts
//   page columns        identity, state, versions and times of a fixture, one value per page
//   quote columns       QUOTES_PER_FIXTURE_MAX values per page, sorted by quote key
//   opening columns     OPENINGS_PER_FIXTURE_MAX values per slot, append only
//   departure columns   the fixtures that left last, a ring: see departures.ts
//   window columns      the prices of the last hour: see price-windows.ts
//   entity columns      leagues and teams, append only, names in a UTF-8 arena
//
// A published page is never edited. The writer copies it into a free one, changes the copy and publishes that
// with one Atomics.store into slotPage; the old page is reused only after PAGE_GRACE_PUBLISHES others. The
// published page number leads to everything a reader sees of a fixture, so a reader never sees half of a
// change to it. From pageGeneration a reader notices that its page was reused while it read: see
// draft-pages.ts. docs/internals/architecture.md#the-store draws it.

import { MARKET_TYPES, outcomesOf, SPORTS } from '../domain/catalogue.ts';
import { assert } from '../errors.ts';
import {
  BOOKMAKERS_MAX,
  CLOCK_BYTES_MAX,
  DEPARTURES_MAX,
  ENTITIES_MAX,
  FIXTURES_MAX,
  LIQUIDITY_ENTRIES_MAX,
  NAME_ARENA_BYTES_MAX,
  OPENINGS_PER_FIXTURE_MAX,
  PAGE_GRACE_PUBLISHES,
  QUOTES_PER_FIXTURE_MAX,
} from '../limits.ts';
import {
  attachSharedBuffer,
  type ColumnCursor,
  createSharedBuffer,
  type SharedLayout,
} from '../memory/shared-buffer.ts';
import { COUNTER_NAMES } from './counters.ts';
import { liquidityColumns } from './liquidity.ts';
import { windowColumns } from './price-windows.ts';
import { LINE_GROUPS } from './quote-key.ts';
import { reportColumns } from './source-reports.ts';

for (const sport of SPORTS.keys()) {
  for (const market of MARKET_TYPES.keys()) {
    assert(outcomesOf(sport, market).length <= 3, 'a quote has three price columns, one for each outcome');
  }
}

/** Int32 control words, by index. */
export const CONTROL = {
  /** Rises whenever a fixture arrives, leaves or changes slot. */
  membership: 0,
  /** Number of slots ever used: a scan covers slots 0 to count - 1. */
  slotCount: 1,
  entityCount: 2,
  feedConnected: 3,
  /** 1 from the first complete snapshot on. */
  snapshotComplete: 4,
  queueDepth: 5,
  /** Rises by one when a batch starts to be published and by one when it is done: odd in between. */
  publishing: 6,
  /** 1 while the slate is the one restored at the start; the feed's own slate replaces it. */
  restored: 7,
  /** Index into REPLICATION_STATES. */
  replication: 8,
  /** Rises with every change of bookmakerConfirmedAtMs. */
  confirmations: 9,
} as const;

/** BigInt64 control words, by index. */
export const WIDE = {
  /** The number of the last published batch that changed anything: see versions.ts. */
  slateVersion: 0,
  /** Wall-clock time when the last message was applied. */
  feedAppliedAtMs: 1,
  /** Source time of the latest heartbeat of any source. */
  heartbeatAtMs: 2,
  /** The epoch of the versions: when the store was made, or when the leader that it follows began to lead. */
  epochMs: 3,
  /** How many fixtures have left. The row of the next departure is this modulo the length of the ring. */
  departureCount: 4,
  /**
   * How often the page of a slot has changed. The row of the next change is this modulo the length of the
   * ring.
   */
  changeCount: 5,
  /** Like feedAppliedAtMs, but only for messages that every tier may know about. */
  commonAppliedAtMs: 6,
  /**
   * Departures with a lower number than this are unknown, because those fixtures left before this store began
   * to follow another store.
   */
  firstDeparture: 7,
} as const;

/** Sizes of one store. Tests make small stores; the service uses DEFAULT_CAPACITY. */
export interface StoreCapacity {
  readonly fixtures: number;
  readonly quotesPerFixture: number;
  readonly openingsPerFixture: number;
  readonly entities: number;
  readonly arenaBytes: number;
  readonly gracePublishes: number;
  readonly departures: number;
  /**
   * Default: four per fixture, at most LIQUIDITY_ENTRIES_MAX. That many take six megabytes; a slate of the
   * past has none.
   */
  readonly liquidityEntries?: number;
}

export const DEFAULT_CAPACITY: StoreCapacity = {
  fixtures: FIXTURES_MAX,
  quotesPerFixture: QUOTES_PER_FIXTURE_MAX,
  openingsPerFixture: OPENINGS_PER_FIXTURE_MAX,
  entities: ENTITIES_MAX,
  arenaBytes: NAME_ARENA_BYTES_MAX,
  gracePublishes: PAGE_GRACE_PUBLISHES,
  departures: DEPARTURES_MAX,
};

/** Entries of the table of liquidity for each fixture, in a small store. */
const LIQUIDITY_PER_FIXTURE = 4;
/** Rows of the ring of changed slots for each slot. */
const CHANGES_PER_SLOT = 4;

/** Every typed-array view of a store; `attachStore` makes them once per thread. */
export interface StoreViews extends ReturnType<typeof columnsOf> {}

const STORE_LAYOUT: SharedLayout<keyof StoreCapacity, StoreViews> = {
  name: 'store',
  magic: 0x4f_56_52_44, // "OVRD"
  version: 12,
  sizeNames: [
    'fixtures',
    'quotesPerFixture',
    'openingsPerFixture',
    'entities',
    'arenaBytes',
    'gracePublishes',
    'departures',
    'liquidityEntries',
  ],
  columns: columnsOf,
};

/**
 * Makes an empty store. `epochMs` becomes the epoch of its versions. With the default capacity it takes 313
 * MiB of address space, of which only what a slate touches becomes resident (docs/internals/performance.md).
 * @param former the memory of a store that nothing uses any more, to be used again
 * @param allocate as for createSharedBuffer
 */
export function createStore(
  epochMs: number,
  capacity: StoreCapacity = DEFAULT_CAPACITY,
  former: SharedArrayBuffer | null = null,
  allocate?: (byteCount: number) => SharedArrayBuffer,
): SharedArrayBuffer {
  const liquidityEntries = Math.min(LIQUIDITY_ENTRIES_MAX, LIQUIDITY_PER_FIXTURE * capacity.fixtures);
  const sizes = { liquidityEntries, ...capacity };
  const buffer = createSharedBuffer(STORE_LAYOUT, sizes, former, allocate);
  const views = attachStore(buffer);
  views.slotPage.fill(-1);
  views.wide[WIDE.epochMs] = BigInt(Math.trunc(epochMs));
  return buffer;
}

/**
 * Records that the writer has died, and with it the connection to the feed. Readers see the feed as
 * disconnected until the next writer connects.
 */
export function noteFeedLost(buffer: SharedArrayBuffer): void {
  Atomics.store(attachStore(buffer).control, CONTROL.feedConnected, 0);
}

/**
 * Attaches to a store made elsewhere. Refuses a buffer that is not a store, another layout version and a
 * wrong size.
 */
export function attachStore(buffer: SharedArrayBuffer): StoreViews {
  return attachSharedBuffer(STORE_LAYOUT, buffer);
}

/**
 * Number of pages: one per fixture, one more per fixture for a batch that changes all of them, and the grace
 * queue.
 */
export function pageCount(capacity: StoreCapacity): number {
  return 2 * capacity.fixtures + capacity.gracePublishes;
}

function columnsOf(cursor: ColumnCursor, capacity: Required<StoreCapacity>) {
  const pages = pageCount(capacity);
  return {
    capacity,
    pageCount: pages,
    control: cursor.int32(Object.keys(CONTROL).length),
    wide: cursor.bigInt64(Object.keys(WIDE).length),
    counters: cursor.bigInt64(COUNTER_NAMES.length),
    // Atomics. By bookmaker: source time of the last heartbeat of its source.
    bookmakerConfirmedAtMs: cursor.bigInt64(BOOKMAKERS_MAX),
    ...reportColumns(cursor),
    ...liquidityColumns(cursor, capacity.liquidityEntries),
    slotPage: cursor.int32(capacity.fixtures),
    slotEpoch: cursor.int32(capacity.fixtures),
    changedSlot: cursor.int32(CHANGES_PER_SLOT * capacity.fixtures), // Atomics: a ring, see changed-slots.ts
    ...pageColumns(cursor, pages),
    ...quoteColumns(cursor, pages * capacity.quotesPerFixture),
    ...openingColumns(cursor, capacity),
    ...departureColumns(cursor, capacity.departures),
    ...windowColumns(cursor, capacity),

    // Append only; CONTROL.entityCount is stored through Atomics after the row.
    entityNumber: cursor.float64(capacity.entities),
    entityNameOffset: cursor.int32(capacity.entities),
    entityNameByteCount: cursor.int32(capacity.entities),
    arena: cursor.uint8(capacity.arenaBytes),
  };
}

/** Columns with one value per page, or as many as the comment says. */
function pageColumns(cursor: ColumnCursor, pages: number) {
  return {
    pageGeneration: cursor.int32(pages), // Atomics: even while readable, odd while condemned or in draft
    eventNumber: cursor.float64(pages),
    sport: cursor.uint8(pages),
    leagueEntity: cursor.int32(pages),
    homeEntity: cursor.int32(pages),
    awayEntity: cursor.int32(pages),
    scheduledAtMs: cursor.float64(pages), // NaN when unknown
    version: cursor.float64(pages), // of the batch that published the page
    commonVersion: cursor.float64(pages), // of the last batch that changed something every tier sees
    arrivedVersion: cursor.float64(pages), // of the batch that put the fixture on the slate
    identityVersion: cursor.float64(pages), // of the last change of league, teams or kickoff
    statusVersion: cursor.float64(pages), // of the last change of `status`
    stateVersion: cursor.float64(pages), // of the last change of status, score, cards or clock
    withdrawnVersion: cursor.float64(pages), // of the last batch that withdrew a line of any bookmaker
    status: cursor.uint8(pages), // index into EVENT_STATUSES, derived when the page was published
    feedStatus: cursor.uint8(pages), // index into EVENT_STATUSES, as the feed sent it
    feedStatusAtMs: cursor.float64(pages), // when the feed's status last changed, NaN until the first state
    scoreHome: cursor.int16(pages), // -1 when unknown, cards likewise
    scoreAway: cursor.int16(pages),
    cardsHome: cursor.int16(pages),
    cardsAway: cursor.int16(pages),
    clockBytes: cursor.uint8(pages * CLOCK_BYTES_MAX),
    clockByteCount: cursor.uint8(pages), // 0 when the feed sent none
    clockChangedAtMs: cursor.float64(pages),
    stateAtMs: cursor.float64(pages), // source time of the last state, -Infinity until the first
    lastMessageAtMs: cursor.float64(pages), // source time of the fixture's last message
    commonMessageAtMs: cursor.float64(pages), // like lastMessageAtMs, without quotes of the sharp bookmaker
    confirmerMask: cursor.int32(pages), // bit b: bookmaker b belongs to a source that has the fixture
    quoteCount: cursor.int32(pages),
    commonQuoteCount: cursor.int32(pages), // the quotes of every bookmaker but the sharp one
    openQuoteCount: cursor.int32(pages), // quotes that their bookmakers have not suspended: open or withheld

    // BOOKMAKERS_MAX values per page: when the bookmaker's source last confirmed its open quotes of this one
    // fixture; 0 if it never did.
    fixtureConfirmedAtMs: cursor.float64(pages * BOOKMAKERS_MAX),

    // LINE_GROUPS values per page, see lineGroupOf (quote-key.ts).
    groupWithdrawnVersion: cursor.float64(pages * LINE_GROUPS), // of the last batch that withdrew a line of the group
  };
}

type QuoteColumn = Uint8Array | Int32Array | Float64Array;

/** quotesPerFixture values per page; rows page * quotesPerFixture .. + quoteCount - 1, sorted by key. */
function quoteColumns(cursor: ColumnCursor, quotes: number) {
  const columns = {
    quoteKey: cursor.int32(quotes),
    priceE4A: cursor.int32(quotes), // home or over
    priceE4B: cursor.int32(quotes), // draw, or away in a two-way market, or under
    priceE4C: cursor.int32(quotes), // away of a three-way market, otherwise 0
    quoteStatus: cursor.uint8(quotes),
    quoteAtMs: cursor.float64(quotes),
    quoteVersion: cursor.float64(quotes), // of the batch that last changed the row
  };
  return { ...columns, quoteColumns: Object.entries(columns) as [keyof typeof columns, QuoteColumn][] };
}

/** openingsPerFixture values per slot, append only; openingCount is stored through Atomics after the row. */
function openingColumns(cursor: ColumnCursor, { fixtures, openingsPerFixture }: Required<StoreCapacity>) {
  const openings = fixtures * openingsPerFixture;
  return {
    openingCount: cursor.int32(fixtures),
    openingKey: cursor.int32(openings),
    openingE4A: cursor.int32(openings),
    openingE4B: cursor.int32(openings),
    openingE4C: cursor.int32(openings),
    openingUpstream: cursor.uint8(openings), // 1 when the feed sent it, 0 when first seen here
    openedAtMs: cursor.float64(openings),
  };
}

/**
 * One row for each of the last fixtures that left. A new row overwrites the oldest. WIDE.departureCount is
 * raised after the row is written.
 */
function departureColumns(cursor: ColumnCursor, departures: number) {
  return {
    departedEvent: cursor.float64(departures),
    departedVersion: cursor.float64(departures), // of the batch that removed it
    departedArrived: cursor.float64(departures), // arrivedVersion of its last page
    departedSettled: cursor.float64(departures), // Departure.settledVersion
    departedSport: cursor.uint8(departures),
    departedStatus: cursor.uint8(departures),
    departedLeague: cursor.int32(departures), // row of the entity table
    departedScheduledAtMs: cursor.float64(departures),
  };
}
