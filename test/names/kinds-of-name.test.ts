import { expect, test } from 'bun:test';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';
import { runs } from '../support/runs.ts';
import { indexOfFixtures } from './index-of-fixtures.ts';
import {
  answerLeague,
  askKinds,
  askTraps,
  FOOTBALL_TOO,
  isOfOneClub,
  readClubList,
  readLeagueQuestions,
  readTraps,
  tally,
} from './kinds-of-name.ts';

/** Slates of each list: a third of those of the report, with figures that are the same to half a percent. */
const SLATES = 8;

test.each([
  ['held-out-names.txt', 0.97],
  ['held-out-names-2.txt', 0.975],
  ['held-out-names-3.txt', 0.98],
] as const)(
  '%s: names that people really use are matched or offered, and absent clubs are not matched',
  (file, least) => {
    const answers = askKinds(readClubList(file), runs(SLATES));
    const present = tally(answers.filter(isOfOneClub));
    const absent = tally(answers.filter(({ kind }) => kind === 'absent'));
    const shared = tally(answers.filter(({ kind }) => kind === FOOTBALL_TOO));
    expect(present.matched / present.asked).toBeGreaterThan(least);
    expect(present.wrong / present.asked).toBeLessThanOrEqual(0.003);
    expect(present.offered / (present.asked - present.matched - present.wrong)).toBeGreaterThan(0.9);
    expect(absent.wrong / absent.asked).toBeLessThanOrEqual(0.003);
    expect((shared.matched + shared.offered) / shared.asked).toBeGreaterThan(0.99);
  },
  120_000,
);

test('a text for another club is never matched to the team that it could be taken for', () => {
  const wrong = askTraps(readTraps()).filter(({ kind, outcome }) => kind === 'trap' && outcome === 'wrong');
  expect(wrong).toEqual([]);
});

test('the name of a league finds the league that people mean by it', () => {
  const wrong = readLeagueQuestions().filter((question) => answerLeague(question).answer !== question.meant);
  expect(wrong.map(({ text }) => text)).toEqual([]);
});

test.each([
  ['Wolves', 'Wolverhampton Wanderers', 'E0'],
  ['Spurs', 'Tottenham', 'L1'],
  ['Manchester Utd', 'Manchester United', 'L1'],
  ['Atletico', 'Ath Madrid', 'SP1'],
  ['Lazio', 'Lazio', 'I1'],
  ['Nottingham', "Nott'm Forest", 'E0'],
  ['Holstein', 'Holstein Kiel', 'D2'],
  ['Eint Frankfurt', 'Ein Frankfurt', 'D1'],
  ['crystal palce', 'Crystal Palace', 'E0'],
])('%p is %p, whatever the league is called', (query, name, league) => {
  const row = { sport: 0, leagueName: league, scheduledAtMs: 0 };
  const index = indexOfFixtures([
    { eventNumber: 1, homeName: name, awayName: 'Opponent', ...row },
    { eventNumber: 2, homeName: 'Sporting CP', awayName: 'Somebody', ...row },
  ]);
  expect(resolveFixture(index, query)).toMatchObject({ status: 'matched', best: { eventNumber: 1 } });
});

test.each([
  ['vele', 'Vélez Sarsfield', 'Argentina Liga Profesional'],
  ['beti', 'Real Betis', 'Spain LaLiga'],
  ['cfr cljj', 'CFR Cluj', 'Romania Liga I'],
  ['dynamo kyv', 'Dynamo Kyiv', 'Ukraine Premier League'],
  ['krc gek', 'KRC Genk', 'Belgium Pro League'],
  ['anvvers', 'Royal Antwerp', 'Belgium Pro League'],
  ['chelsea ladeis', 'Chelsea Women', 'England Women’s Super League'],
])('the slip %p is %p', (query, name, leagueName) => {
  const row = { sport: 0, leagueName, scheduledAtMs: 0 };
  const index = indexOfFixtures([
    { eventNumber: 1, homeName: name, awayName: 'Opponent', ...row },
    { eventNumber: 2, homeName: 'Somebody', awayName: 'Nobody', ...row },
  ]);
  expect(resolveFixture(index, query)).toMatchObject({ status: 'matched', best: { eventNumber: 1 } });
});

test('a slip that fits a better known club as well is asked about, and so is the slip that is a known name', () => {
  const alone = (homeName: string, leagueName: string) =>
    indexOfFixtures([
      { eventNumber: 1, homeName, awayName: 'Opponent', leagueName, sport: 0, scheduledAtMs: 0 },
    ]);
  for (const [query, name, leagueName] of [
    ['vele', 'Vejle', 'Denmark Superliga'],
    ['beti', 'Ipatinga', 'Brazil Serie C'],
    ['brag', 'Brage', 'Sweden Superettan'],
    ['boston', 'Bolton', 'England League One'],
    ['cannes', 'Vannes', 'France National'],
  ] as const)
    expect([query, resolveFixture(alone(name, leagueName), query).status]).not.toEqual([query, 'matched']);
});

test('the women of a club are offered when the men are not there, and two teams of one nickname are asked about', () => {
  const row = { scheduledAtMs: 0 };
  const women = indexOfFixtures([
    {
      eventNumber: 1,
      homeName: 'Chelsea Women',
      awayName: 'Reading Women',
      leagueName: 'WSL',
      sport: 0,
      ...row,
    },
  ]);
  expect(resolveFixture(women, 'Chelsea')).toMatchObject({ status: 'ambiguous', best: { eventNumber: 1 } });
  const both = indexOfFixtures([
    { eventNumber: 1, homeName: 'Tottenham', awayName: 'Fulham', leagueName: 'EPL', sport: 0, ...row },
    {
      eventNumber: 2,
      homeName: 'San Antonio Spurs',
      awayName: 'Utah Jazz',
      leagueName: 'NBA',
      sport: 1,
      ...row,
    },
  ]);
  expect(resolveFixture(both, 'Spurs').status).toBe('ambiguous');
});
