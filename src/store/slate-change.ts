// What changed of a published slate, as plain numbers and texts: found by find-changes.ts, applied by replica-writer.ts.
//
// Versions are written as how far they lie below the change's own, times as how far they lie from the change's, so that
// most numbers are small.

import type { SourceReport } from './source-reports.ts';

/** What is copied of a page as it is, column by column: its name and what kind of number it is. */
export const PAGE_SCALARS = [
  ['version', 'version'],
  ['commonVersion', 'version'],
  ['lastMessageAtMs', 'time'],
  ['commonMessageAtMs', 'time'],
  ['arrivedVersion', 'version'],
  ['identityVersion', 'version'],
  ['statusVersion', 'version'],
  ['stateVersion', 'version'],
  ['withdrawnVersion', 'version'],
  ['commonQuoteCount', 'plain'],
  ['openQuoteCount', 'plain'],
  ['sport', 'plain'],
  ['scheduledAtMs', 'time'],
  ['status', 'plain'],
  ['feedStatus', 'plain'],
  ['feedStatusAtMs', 'time'],
  ['stateAtMs', 'time'],
  ['scoreHome', 'plain'],
  ['scoreAway', 'plain'],
  ['cardsHome', 'plain'],
  ['cardsAway', 'plain'],
  ['clockChangedAtMs', 'time'],
] as const;

/** Number and name of a league or team. */
export type NamedEntity = readonly [number: number, name: string];

/** What changed of one fixture. */
export type FixtureChange = readonly [
  eventNumber: number,
  /** Whether it is all there is of the fixture: what a follower holds of it is dropped first. */
  isWhole: boolean,
  /** Places in PAGE_SCALARS and values, in turn. */
  scalars: readonly number[],
  /** League, home and away; null when they have not changed. */
  names: readonly [NamedEntity, NamedEntity, NamedEntity] | null,
  /** The match clock; undefined when it has not changed. */
  clock: string | null | undefined,
  /** Quotes that changed: key, three prices, status, time and version, in turn. */
  quotes: readonly number[],
  /** How many quotes there are after that: a follower that counts others has gone astray. */
  quoteCount: number,
  /** The keys of all quotes, each as its distance from the one before; null when none was withdrawn. */
  keys: readonly number[] | null,
  /** Groups of lines of which one was withdrawn, and the version, in turn. */
  groups: readonly number[],
  /** Openings after those that a follower has: key, three prices, time and whether the feed sent it, in turn. */
  openings: readonly number[],
];

/** A fixture that left: its numbers as in store/departures.ts, versions and times as above. */
export type DepartureChange = readonly [
  eventNumber: number,
  version: number,
  arrivedVersion: number,
  settledVersion: number,
  sport: number,
  status: number,
  scheduledAtMs: number,
  league: NamedEntity,
];

export interface SlateChange {
  /** The slate's version after it. */
  readonly version: number;
  /** Unix ms: what times are told from. */
  readonly atMs: number;
  readonly fixtures: readonly FixtureChange[];
  /** Numbers of events that are no longer there, or that were replaced: they go before `fixtures` come. */
  readonly removed: readonly number[];
  readonly departures: readonly DepartureChange[];
  /** What the feed's state is now; null when it has not changed. */
  readonly feed: FeedFacts | null;
  /** How the sources of the feed stand; null when that has not changed. */
  readonly reports: readonly SourceReport[] | null;
}

export type FeedFacts = readonly [
  isConnected: number,
  snapshotComplete: number,
  appliedAtMs: number,
  commonAppliedAtMs: number,
  heartbeatAtMs: number,
];
