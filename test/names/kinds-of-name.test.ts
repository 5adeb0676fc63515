import { expect, test } from 'bun:test';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';
import { runs } from '../support/runs.ts';
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
import { meantBy, slateOf, slateWith } from './slate-of.ts';

/**
 * How many slates are made of each list: a twelfth as many as for the report, which changes the figures by at
 * most half a percent.
 */
const SLATES = 2;

test.each([
  ['held-out-names.txt', 0.97],
  ['held-out-names-2.txt', 0.975],
  ['held-out-names-3.txt', 0.98],
] as const)(
  '%s: names that people really use are matched or offered, and absent clubs are rarely matched',
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

test('a text that means an absent club is never matched to a team that it resembles', () => {
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
])('%p means %p, whatever the league is called', (query, name, leagueName) => {
  expect(meantBy(query, slateWith(name, { leagueName, otherName: 'Sporting CP' }))).toBe(1);
});

test.each([
  ['vele', 'Vélez Sarsfield', 'Argentina Liga Profesional'],
  ['beti', 'Real Betis', 'Spain LaLiga'],
  ['cfr cljj', 'CFR Cluj', 'Romania Liga I'],
  ['dynamo kyv', 'Dynamo Kyiv', 'Ukraine Premier League'],
  ['krc gek', 'KRC Genk', 'Belgium Pro League'],
  ['anvvers', 'Royal Antwerp', 'Belgium Pro League'],
  ['chelsea ladeis', 'Chelsea Women', 'England Women’s Super League'],
])('the slip %p means %p', (query, name, leagueName) => {
  expect(meantBy(query, slateWith(name, { leagueName }))).toBe(1);
});

test('a misspelling that also fits a better known club, or that is itself a known name, is not matched', () => {
  for (const [query, name, leagueName] of [
    ['vele', 'Vejle', 'Denmark Superliga'],
    ['beti', 'Ipatinga', 'Brazil Serie C'],
    ['brag', 'Brage', 'Sweden Superettan'],
    ['boston', 'Bolton', 'England League One'],
    ['cannes', 'Vannes', 'France National'],
  ] as const)
    expect([query, meantBy(query, slateOf([[name, 'Opponent', leagueName]]))]).not.toEqual([query, 1]);
});

test('if only the women of a club are on the slate, they are offered; a nickname of two teams is ambiguous', () => {
  const women = slateOf([['Chelsea Women', 'Reading Women', 'WSL']]);
  expect(resolveFixture(women, 'Chelsea')).toMatchObject({ status: 'ambiguous', best: { eventNumber: 1 } });
  const both = slateOf([
    ['Tottenham', 'Fulham', 'EPL'],
    ['San Antonio Spurs', 'Utah Jazz', 'NBA', 1],
  ]);
  expect(meantBy('Spurs', both)).toBe('ambiguous');
});
