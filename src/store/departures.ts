// A bounded ring of the fixtures that left the slate, and when. A client that holds an older slate learns
// from it what to drop. Each row keeps the values that filters use, as they were when the fixture left.

import { type StoreViews, WIDE } from './layout.ts';

export interface Departure {
  readonly eventNumber: number;
  /** Version of the batch that removed the fixture. */
  readonly version: number;
  /** Version of the batch that added the fixture. */
  readonly arrivedVersion: number;
  /**
   * `sport`, `status`, `leagueEntity` and `scheduledAtMs` did not change from this version until the fixture
   * left.
   */
  readonly settledVersion: number;
  readonly sport: number;
  /** Index into EVENT_STATUSES. */
  readonly status: number;
  /** Row of the entity table. */
  readonly leagueEntity: number;
  /** Unix ms, NaN when unknown. */
  readonly scheduledAtMs: number;
}

/**
 * Records that the fixture of `page` leaves with the batch of `version`. Writer only, called before readers
 * stop seeing the page.
 */
export function noteDeparture(views: StoreViews, page: number, version: number): void {
  putDeparture(views, {
    eventNumber: views.eventNumber[page]!,
    version,
    arrivedVersion: views.arrivedVersion[page]!,
    settledVersion: Math.max(views.statusVersion[page]!, views.identityVersion[page]!),
    sport: views.sport[page]!,
    status: views.status[page]!,
    leagueEntity: views.leagueEntity[page]!,
    scheduledAtMs: views.scheduledAtMs[page]!,
  });
}

/** Appends a departure; a full table overwrites the oldest. Writer only. */
export function putDeparture(views: StoreViews, departure: Departure): void {
  const count = departureCount(views);
  const row = count % views.capacity.departures;
  views.departedEvent[row] = departure.eventNumber;
  views.departedVersion[row] = departure.version;
  views.departedArrived[row] = departure.arrivedVersion;
  views.departedSettled[row] = departure.settledVersion;
  views.departedSport[row] = departure.sport;
  views.departedStatus[row] = departure.status;
  views.departedLeague[row] = departure.leagueEntity;
  views.departedScheduledAtMs[row] = departure.scheduledAtMs;
  Atomics.store(views.wide, WIDE.departureCount, BigInt(count) + 1n);
}

/** Number of the first departure that this store recorded; earlier ones are unknown. */
function firstDeparture(views: StoreViews): number {
  return Number(Atomics.load(views.wide, WIDE.firstDeparture));
}

/**
 * Marks all departures so far as unknown, so that a reader that asks for them has to fetch the whole slate.
 * Writer only.
 */
export function forgetDepartures(views: StoreViews): void {
  // At least 1, because a first departure of 0 stands for a complete record.
  const count = Math.max(1, departureCount(views));
  Atomics.store(views.wide, WIDE.departureCount, BigInt(count));
  Atomics.store(views.wide, WIDE.firstDeparture, BigInt(count));
}

/** The version of the latest departure; 0 if this store has recorded none. */
export function lastDepartureVersion(views: StoreViews): number {
  const count = departureCount(views);
  return count <= firstDeparture(views) ? 0 : views.departedVersion[(count - 1) % views.capacity.departures]!;
}

/** How many fixtures have left since the store was made. */
export function departureCount(views: StoreViews): number {
  return Number(Atomics.load(views.wide, WIDE.departureCount));
}

/**
 * The fixtures that left after version `since`, out of the first `count` departures, oldest first. Null when
 * the ring no longer reaches back that far.
 */
export function departuresSince(views: StoreViews, since: number, count: number): Departure[] | null {
  const rowCount = views.capacity.departures;
  const oldest = Math.max(firstDeparture(views), count - rowCount);
  let first = count;
  while (first > oldest && views.departedVersion[(first - 1) % rowCount]! > since) first--;
  // The departure before this one was overwritten and may also be after `since`, so the record is not
  // complete.
  if (first === oldest && oldest > 0) return null;
  const departures = Array.from({ length: count - first }, (_, index) =>
    departureOf(views, (first + index) % rowCount),
  );
  // The writer may have overwritten rows while they were read. It writes a row before it raises the count, so
  // one more row than the count shows may be overwritten.
  return departureCount(views) + 1 - rowCount > first ? null : departures;
}

/**
 * Voids departures that never took effect, because a writer recorded that a fixture leaves and died before
 * the fixture left.
 * @param announced slate version of the last batch that was published completely
 * @param pageOf the page of a fixture that is on the slate, or -1
 */
export function dropFalseDepartures(
  views: StoreViews,
  announced: number,
  pageOf: (eventNumber: number) => number,
): void {
  const count = departureCount(views);
  const oldest = Math.max(0, count - views.capacity.departures);
  for (let index = count - 1; index >= oldest; index--) {
    const row = index % views.capacity.departures;
    if (views.departedVersion[row]! <= announced) return;
    const page = pageOf(views.departedEvent[row]!);
    const neverLeft = page >= 0 && views.arrivedVersion[page] === views.departedArrived[row];
    // Infinity means that no client has seen the fixture arrive, so its departure is sent to no client.
    if (neverLeft) views.departedArrived[row] = Number.POSITIVE_INFINITY;
  }
}

export function departureOf(views: StoreViews, row: number): Departure {
  return {
    eventNumber: views.departedEvent[row]!,
    version: views.departedVersion[row]!,
    arrivedVersion: views.departedArrived[row]!,
    settledVersion: views.departedSettled[row]!,
    sport: views.departedSport[row]!,
    status: views.departedStatus[row]!,
    leagueEntity: views.departedLeague[row]!,
    scheduledAtMs: views.departedScheduledAtMs[row]!,
  };
}
