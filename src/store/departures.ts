// Which fixtures left the slate, and when: a bounded ring, so that whoever knows an older slate can be told what to drop.
// A row keeps what filters ask about, as it was when the fixture left.

import { type StoreViews, WIDE } from './layout.ts';

/** A fixture that left. */
export interface Departure {
  readonly eventNumber: number;
  /** Version of the batch that took it off the slate. */
  readonly version: number;
  /** Version of the batch that had put it on the slate. */
  readonly arrivedVersion: number;
  /** From this version until it left, the four values below were its own. */
  readonly settledVersion: number;
  readonly sport: number;
  /** Index into EVENT_STATUSES. */
  readonly status: number;
  /** Row of the entity table. */
  readonly leagueEntity: number;
  /** Unix ms, NaN when unknown. */
  readonly scheduledAtMs: number;
}

/** Notes that the fixture of `page` leaves with the batch of `version`. Writer only, before readers miss the page. */
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

/** Puts a departure on file, after all that are there. Writer only. */
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

/** Departures before this one were never on file. */
function firstDeparture(views: StoreViews): number {
  return Number(Atomics.load(views.wide, WIDE.firstDeparture));
}

/** From now on it is not known what left so far: a reader that asks for it has to take the whole slate. Writer only. */
export function forgetDepartures(views: StoreViews): void {
  // At least 1: a first departure of 0 says that none is missing.
  const count = Math.max(1, departureCount(views));
  Atomics.store(views.wide, WIDE.departureCount, BigInt(count));
  Atomics.store(views.wide, WIDE.firstDeparture, BigInt(count));
}

/** The version with which the last fixture left, 0 before any. */
export function lastDepartureVersion(views: StoreViews): number {
  const count = departureCount(views);
  return count <= firstDeparture(views) ? 0 : views.departedVersion[(count - 1) % views.capacity.departures]!;
}

/** How many fixtures ever left. */
export function departureCount(views: StoreViews): number {
  return Number(Atomics.load(views.wide, WIDE.departureCount));
}

/**
 * What left after version `since`, of the first `count` departures, oldest first; null when that reaches further back than
 * the ring.
 */
export function departuresSince(views: StoreViews, since: number, count: number): Departure[] | null {
  const rowCount = views.capacity.departures;
  const oldest = Math.max(firstDeparture(views), count - rowCount);
  let first = count;
  while (first > oldest && views.departedVersion[(first - 1) % rowCount]! > since) first--;
  if (first === oldest && oldest > 0) return null; // the departure before it is forgotten and may be after `since` too
  const departures = Array.from({ length: count - first }, (_, index) =>
    departureOf(views, (first + index) % rowCount),
  );
  // The writer may have gone round meanwhile. It writes the row before it raises the count, hence one more.
  return departureCount(views) + 1 - rowCount > first ? null : departures;
}

/**
 * A writer died after it had noted that a fixture leaves and before it left: that note must tell nobody anything.
 * @param announced slate version of the last batch that was published to its end
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
    if (neverLeft) views.departedArrived[row] = Number.POSITIVE_INFINITY; // nobody has seen it arrive
  }
}

/** A row of the ring. */
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
