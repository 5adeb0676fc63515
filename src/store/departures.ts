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
  const count = departureCount(views);
  const row = count % views.capacity.departures;
  views.departedEvent[row] = views.eventNumber[page]!;
  views.departedVersion[row] = version;
  views.departedArrived[row] = views.arrivedVersion[page]!;
  views.departedSettled[row] = Math.max(views.statusVersion[page]!, views.identityVersion[page]!);
  views.departedSport[row] = views.sport[page]!;
  views.departedStatus[row] = views.status[page]!;
  views.departedLeague[row] = views.leagueEntity[page]!;
  views.departedScheduledAtMs[row] = views.scheduledAtMs[page]!;
  Atomics.store(views.wide, WIDE.departureCount, BigInt(count) + 1n);
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
  const oldest = Math.max(0, count - rowCount);
  let first = count;
  while (first > oldest && views.departedVersion[(first - 1) % rowCount]! > since) first--;
  if (first === oldest && oldest > 0) return null; // the departure before it is forgotten and may be after `since` too
  const departures = Array.from({ length: count - first }, (_, index) =>
    departureOf(views, (first + index) % rowCount),
  );
  // The writer may have gone round meanwhile. It writes the row before it raises the count, hence one more.
  return departureCount(views) + 1 - rowCount > first ? null : departures;
}

/** The version of the last departure, 0 when nothing has left. */
export function lastDepartureVersion(views: StoreViews): number {
  const count = departureCount(views);
  return count === 0 ? 0 : views.departedVersion[(count - 1) % views.capacity.departures]!;
}

function departureOf(views: StoreViews, row: number): Departure {
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
