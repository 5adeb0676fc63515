// Slates for the tests of names, written as rows, and what a text means on them.

import type { FixtureIndex } from '../../src/names/fixture-index.ts';
import { type ResolveFixtureOptions, resolveFixture } from '../../src/names/resolve-fixture.ts';
import { indexOfFixtures } from './index-of-fixtures.ts';

/**
 * Defaults of a row: an opponent that no test asks about, a league without a country, football, and the
 * kickoff that `slateOf` is given.
 */
export type FixtureRow = readonly [
  home: string,
  away?: string | undefined,
  league?: string,
  sport?: number,
  kickoff?: string,
];

/**
 * The fixtures of the rows, numbered from 1.
 * @param atMs the kickoff of rows that have no kickoff of their own
 */
export function slateOf(rows: readonly FixtureRow[], atMs = 0): FixtureIndex {
  return indexOfFixtures(
    rows.map(([homeName, away, leagueName = 'League', sport = 0, kickoff], at) => ({
      eventNumber: at + 1,
      homeName,
      awayName: away ?? `Opponent ${'abcdefgh'[at]}`,
      leagueName,
      sport,
      scheduledAtMs: kickoff === undefined ? atMs : Date.parse(kickoff),
    })),
  );
}

/** A slate of two fixtures of one league: number 1 has the given home team, number 2 has another. */
export function slateWith(
  homeName: string,
  { leagueName = 'UEFA Champions League', sport = 0, otherName = 'Somebody' } = {},
): FixtureIndex {
  return slateOf([
    [homeName, 'Opponent', leagueName, sport],
    [otherName, 'Nobody', leagueName, sport],
  ]);
}

/** The number of the fixture that a text matches; otherwise the status. */
export function meantBy(
  text: string,
  index: FixtureIndex,
  options: ResolveFixtureOptions = {},
): number | string {
  const { status, best } = resolveFixture(index, text, options);
  return status === 'matched' ? best!.eventNumber : status;
}
