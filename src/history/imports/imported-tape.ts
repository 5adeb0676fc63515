// What one import says: ticks, facts about fixtures, and which answers list everything of a league or a
// fixture.

import type { FixtureIds, Tick, TickFixture, TickLine } from '../tick.ts';

/** What one import says, before it is merged with what the tape holds already. */
export interface ImportedTape {
  /** Sorted by time of publishing, then by position in a file. */
  readonly ticks: readonly Tick[];
  /** The ids of each fixture, by event id. */
  readonly ids: ReadonlyMap<string, FixtureIds>;
  /** How many fixtures have ticks. */
  readonly fixtures: number;
  /** The facts of each fixture, by event id. */
  readonly facts: ReadonlyMap<string, ImportedFixtureFacts>;
  /**
   * The answers that list every line of a league or fixture, by league id or event id. A line that is missing
   * in one of them was withdrawn.
   */
  readonly scopes: ReadonlyMap<string, ImportScope>;
  /** How much was left out, by reason: prices, fixtures, rows or answers. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** What an import knows about a fixture, for all of its ticks. Times are Unix ms. */
export interface ImportedFixtureFacts {
  readonly kickoffMs: number | null;
  /** When it was first seen in play; null if it was not. Play then counts as begun at the kickoff. */
  readonly liveFromMs: number | null;
  /** When the source last mentioned the fixture. */
  readonly seenMs: number;
  readonly fixture: TickFixture;
  /** The spans of time in which every answer listed the fixture, by day. */
  readonly listed: ReadonlyMap<string, readonly ListedSpan[]>;
}

/** Both ends are times of answers. */
export type ListedSpan = readonly [firstMs: number, lastMs: number];

/** Answers that each list a whole league or fixture. A line that is missing in one has been withdrawn. */
export interface ImportScope {
  /** When the answers were received, Unix ms. */
  readonly answersMs: ReadonlySet<number>;
  /**
   * For each answer that states it, by the time of the answer: when the source gave the preceding answer.
   * Unix ms.
   */
  readonly previousMs: ReadonlyMap<number, number>;
  /** The pairs of bookmaker and market that the answers list, as `bookmakerMarketOf` writes them. */
  readonly pairs: ReadonlySet<string>;
}

/** A pair of bookmaker and market. An import says nothing about pairs that it never lists. */
export function bookmakerMarketOf({
  bookmaker,
  marketType,
}: Pick<TickLine, 'bookmaker' | 'marketType'>): string {
  return `${bookmaker}|${marketType}`;
}
