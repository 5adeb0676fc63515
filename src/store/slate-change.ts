// The changes of a published slate, as plain numbers and texts. find-changes.ts finds them, replica-writer.ts
// applies them.
//
// Versions are written as their distance below the version of the change, and times as their distance from
// its time, so that most numbers are small.

import type { SourceReport } from './source-reports.ts';

/** The columns of a page that are copied unchanged: name and kind of number. */
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

/** The changes of one fixture. */
export type FixtureChange = readonly [
  eventNumber: number,
  /** Whether this is the complete fixture. Then the follower first drops what it has of the fixture. */
  isWhole: boolean,
  /** Indexes into PAGE_SCALARS and values, alternating. */
  scalars: readonly number[],
  /** League, home and away; null when they have not changed. */
  names: readonly [NamedEntity, NamedEntity, NamedEntity] | null,
  /** The match clock; undefined when it has not changed. */
  clock: string | null | undefined,
  /** Quotes that changed: key, three prices, status, time and version for each. */
  quotes: readonly number[],
  /** How many quotes there are after the change. A follower that counts a different number has diverged. */
  quoteCount: number,
  /** The keys of all quotes, each as its distance from the one before; null when no quote was withdrawn. */
  keys: readonly number[] | null,
  /** Line groups from which a line was withdrawn, each followed by the version. */
  groups: readonly number[],
  /** Openings that a follower does not have yet: key, three prices, time and whether the feed sent it. */
  openings: readonly number[],
  /**
   * Confirmations of the fixture: its `confirmerMask`, then bookmaker and time for each of its
   * `fixtureConfirmedAtMs`. Empty when all bookmakers may confirm it and none has.
   */
  confirmations: readonly number[],
];

/** A fixture that left: the fields of store/departures.ts, with versions and times as distances. */
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

/**
 * All that can be staked on a fixture at one exchange. `atMs` is Unix ms; `rows` are as liquidity.ts stores
 * them, or null when nothing is known any more.
 */
export type LiquidityChange = readonly [
  eventNumber: number,
  bookmaker: number,
  currency: string,
  atMs: number,
  rows: readonly number[] | null,
];

export interface SlateChange {
  /** The slate's version after the change. */
  readonly version: number;
  /** Unix ms: the time that all other times are relative to. */
  readonly atMs: number;
  readonly fixtures: readonly FixtureChange[];
  /** Numbers of events that left or were replaced. They are removed before `fixtures` are applied. */
  readonly removed: readonly number[];
  readonly departures: readonly DepartureChange[];
  /**
   * Changes of what can be staked. They do not raise the version. In a whole slate, entries that are not
   * listed are unknown.
   */
  readonly liquidity: readonly LiquidityChange[];
  /** The state of the feed; null when it has not changed. */
  readonly feed: FeedFacts | null;
  /** How the sources of the feed are doing; null when that has not changed. */
  readonly reports: readonly SourceReport[] | null;
}

export type FeedFacts = readonly [
  isConnected: number,
  snapshotComplete: number,
  appliedAtMs: number,
  commonAppliedAtMs: number,
  /** One time for each bookmaker, see SlateReader.confirmations. */
  ...confirmedAtMs: number[],
];
