// Finding fixtures of the tape by the name of a team: a stored index finds what a new one would find, and an
// index is made in steps.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { indexIn, SPORT_KEYS, type SportKey } from '../../../src/domain/catalogue.ts';
import type { FixtureSummary } from '../../../src/history/past/fixture-summaries.ts';
import { TEAMS_PER_STEP, TeamsOnTape } from '../../../src/history/past/teams-on-tape.ts';
import { createTeamIndex } from '../../../src/names/team-index.ts';
import { NameCache } from '../../../src/names/text/parse-name.ts';
import { runs } from '../../support/runs.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const TEAMS = ['Arsenal', 'Chelsea', 'Real Madrid', 'Real Sociedad', 'Inter', 'Inter Miami'];

function fixture(eventId: string, sport: SportKey, home: string, away: string): FixtureSummary {
  return { eventId, sport, home, away } as FixtureSummary;
}

/** Event ids that a new index finds. */
function plainly(fixtures: readonly FixtureSummary[], q: string, sport: SportKey | null): string[] {
  const named = fixtures.flatMap(({ eventId, sport: own, home, away }) =>
    [home, away].map((name) => ({ name, sport: indexIn(SPORT_KEYS, own), eventId })),
  );
  const entries = [...Map.groupBy(named, ({ name, sport: own }) => `${own} ${name}`).values()].map(
    (events) => ({ ...events[0]!, eventIds: events.map(({ eventId }) => eventId) }),
  );
  const options = sport === null ? {} : { sport: indexIn(SPORT_KEYS, sport) };
  return createTeamIndex(entries)
    .search(q, options)
    .flatMap(({ entry }) => entry.eventIds);
}

test('a stored index finds the same as a new one, whatever fixtures came and went, even while other questions are answered', async () => {
  const sport = fc.constantFrom<SportKey>('football', 'basketball');
  const name = fc.constantFrom(...TEAMS);
  const match = fc.tuple(fc.integer({ min: 0, max: 20 }), sport, name, name);
  const question = fc.record({
    matches: fc.array(match, { maxLength: 12 }),
    q: fc.constantFrom('Arsenal', 'real', 'inter', 'Chelsea FC', 'nobody'),
    sport: fc.option(sport),
    part: fc.constantFrom('all null', 'common 2026-03-01'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(question, { maxLength: 8 }), async (questions) => {
      const teams = new TeamsOnTape(new NameCache(), 1);
      const answers = questions.map(async ({ matches, ...asked }) => {
        const fixtures = matches.map(([id, ...words]) => fixture(`e${id}`, ...words));
        const found = await teams.eventsNamed({ ...asked, ofClass: 'paid', fixtures });
        expect([...found].sort()).toEqual([...new Set(plainly(fixtures, asked.q, asked.sport))].sort());
      });
      await Promise.all(answers);
    }),
    {
      numRuns: runs(100),
      // The second question ends while the last one is still adding its teams.
      examples: [
        [
          [[], [['Inter Miami', 'Arsenal']], [['Chelsea', 'Arsenal']], [['Inter Miami', 'Chelsea']]].map(
            (matches, index) => ({
              ...{ q: index === 3 ? 'Chelsea FC' : 'Arsenal', sport: null, part: 'all null' },
              matches: matches.map(([home, away]) => [0, 'basketball' as const, home!, away!] as const),
            }),
          ) as never,
        ],
      ],
    },
  );
});

test('an index is made only once, in steps between which other work is done', async () => {
  const fixtures = Array.from({ length: 5 * TEAMS_PER_STEP }, (_, index) =>
    fixture(`e${index}`, 'football', `Home ${index}`, `Away ${index}`),
  );
  const teams = new TeamsOnTape(new NameCache());
  const turnsOf = () =>
    turnsDuring(() =>
      teams.eventsNamed({ part: 'all null', ofClass: 'paid', fixtures, q: 'Home 7', sport: null }),
    );
  expect(await turnsOf()).toBeGreaterThanOrEqual(9);
  expect(await turnsOf()).toBe(1);
});
