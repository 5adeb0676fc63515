// A name that a football club and a basketball team share. These tests show which of them is meant, and what
// decides if it may be either.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { SPORT_BASKETBALL, SPORT_FOOTBALL } from '../../../src/domain/catalogue.ts';
import { allClubs } from '../../../src/names/club-table.ts';
import type { FixtureIndex } from '../../../src/names/fixture-index.ts';
import { resolveQuestion } from '../../../src/names/question/resolve-question.ts';
import { parseName } from '../../../src/names/text/parse-name.ts';
import { meantBy, slateOf } from '../slate-of.ts';

const FOOTBALL_FIXTURE = 1;
const BASKETBALL_FIXTURE = 2;

function slateWith(footballTeam: string, basketballTeam: string, footballLeague = 'L1'): FixtureIndex {
  return slateOf([
    [footballTeam, 'Somebody', footballLeague],
    ['Nobody', basketballTeam, 'USA NBA', SPORT_BASKETBALL],
  ]);
}

function wordsOf(name: string): string[] {
  return parseName(name).words.map(({ text }) => text);
}

/** Names that a football club and a team of the NBA share, except names as short as a code. */
const shared = allClubs().flatMap((football) => {
  if (football.sport !== SPORT_FOOTBALL) return [];
  return allClubs().flatMap((basketball) => {
    if (basketball.country !== 'nba') return [];
    return football.names
      .filter((name) => name.length > 3 && basketball.names.includes(name))
      .map((name) => ({ name, football: football.names[0]!, basketball: basketball.names[0]! }));
  });
});

test('a shared name with a word of the basketball team’s own name is ambiguous if both teams are on the slate', () => {
  const own = shared.filter(({ name, basketball }) =>
    wordsOf(name).some((word) => wordsOf(basketball).includes(word)),
  );
  expect(own.length).toBeGreaterThan(15);
  for (const { name, football, basketball } of own) {
    const index = slateWith(football, basketball);
    const isOwnName = parseName(name).text === parseName(football).text;
    if (!isOwnName) expect([name, meantBy(name, index)]).toEqual([name, 'ambiguous']);
  }
});

test('a basketball team’s nickname does not prevent a match with a football club', () => {
  const index = slateWith('Wolverhampton', 'Minnesota Timberwolves', 'England Premier League');
  for (const text of ['wolves', 'Wolves', 'wolvse', 'the wolves game'])
    expect(meantBy(text, index)).toBe(FOOTBALL_FIXTURE);
});

test.each([
  ['spurs nba', BASKETBALL_FIXTURE],
  ['spurs basketball', BASKETBALL_FIXTURE],
  ['spurs over 220.5', BASKETBALL_FIXTURE],
  ['spurs total points', BASKETBALL_FIXTURE],
  ['spurs -7.5', BASKETBALL_FIXTURE],
  ['spurs football', FOOTBALL_FIXTURE],
  ['spurs premier league', FOOTBALL_FIXTURE],
  ['spurs draw', FOOTBALL_FIXTURE],
  ['spurs over 2.5', FOOTBALL_FIXTURE],
  ['spurs total goals', FOOTBALL_FIXTURE],
  ['spurs -0.75', FOOTBALL_FIXTURE],
])(
  '%p names a sport or a market that only one of the two teams has, so that team is matched',
  (query, eventNumber) => {
    const index = slateWith('Tottenham Hotspur', 'San Antonio Spurs', 'England Premier League');
    expect(resolveQuestion(index, query, {}).resolution).toMatchObject({
      status: 'matched',
      best: { eventNumber },
    });
  },
);

test.each(['spurs', 'spurs moneyline', 'spurs -1.5', 'spurs handicap'])('%p is asked about', (query) => {
  const index = slateWith('Tottenham Hotspur', 'San Antonio Spurs', 'England Premier League');
  const { status, best, alternatives } = resolveQuestion(index, query, {}).resolution;
  expect([status, 1 + alternatives.length]).toEqual(['ambiguous', 2]);
  expect(best).not.toBeNull();
});

test('a market in the text never causes a match with a team that would not be matched without it', () => {
  const market = fc.constantFrom('over 2.5', 'over 220.5', 'draw', '-0.75', '-9.5', 'total points');
  const asked = fc.constantFrom(...shared);
  fc.assert(
    fc.property(asked, market, ({ name, football, basketball }, words) => {
      const index = slateWith(football, basketball);
      const { best, status } = resolveQuestion(index, `${name} ${words}`, {}).resolution;
      if (status !== 'matched') return;
      const sport = index.fixture(best!.eventNumber)!.sport;
      expect(meantBy(name, index, { sport })).toBe(best!.eventNumber);
    }),
  );
});
