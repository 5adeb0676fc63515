// Clubs that are not on the slate, each with a club on it that it could be confused with.

import { describe, expect, test } from 'bun:test';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';
import { createLeagueIndex } from '../../src/names/team-index.ts';
import { listOf } from '../support/list-of.ts';
import { meantBy, slateOf } from './slate-of.ts';

type Row = readonly [home: string, away: string, league: string, sport: number];

const SLATE: readonly Row[] = [
  ['Lorient', 'Paris FC', 'France Ligue 1', 0],
  ['PSG', 'Nice', 'France Ligue 1', 0],
  ['Sassuolo', 'Lazio', 'Italy Serie A', 0],
  ['Nacional', 'Penarol', 'Uruguay Primera Division', 0],
  ['Juventus', 'Inter', 'Italy Serie A', 0],
  ['Valencia Basket', 'Joventut Badalona', 'Spain ACB', 1],
  ['Toronto Raptors', 'Philadelphia 76ers', 'NBA', 1],
  ['Liverpool Montevideo', 'Cerro', 'Uruguay Primera Division', 0],
  ['Botafogo RJ', 'Flamengo', 'Brazil Serie A', 0],
  ['America MG', 'Santos', 'Brazil Serie A', 0],
  ['Al Ahli Jeddah', 'Al Nassr', 'Saudi Pro League', 0],
  ['Golden State Valkyries', 'Chicago Sky', 'WNBA', 1],
  ['Manchester United', 'Everton', 'England Premier League', 0],
  ['Racing Club', 'Boca Juniors', 'Argentina Primera Division', 0],
  ['Racing Santander', 'Levante', 'Spain Segunda Division', 0],
  ['Racing Montevideo', 'Danubio', 'Uruguay Primera Division', 0],
  ['Sporting CP', 'Vitoria Guimaraes', 'Portugal Primeira Liga', 0],
  ['West Ham United', 'Chelsea', 'England Premier League', 0],
  ['Le Mans', 'Brest', 'France Ligue 1', 0],
  ['Boston Celtics', 'Miami Heat', 'NBA', 1],
  ['Wolfsberger AC', 'LASK', 'Austria Bundesliga', 0],
];
const INDEX = slateOf(SLATE);

describe('a club that is not on the slate is not matched to another', () => {
  test.each(
    listOf(`
    PSG vs Lorient, Paris Saint-Germain vs Lorient, Paris FC vs Nice, Lazio Roma, Nacional Madeira
    Inter AC Milan, Juventus vs AC Milan, Valencia CF, Atletico Madrid, Toronto FC vs Philadelphia Union
    Liverpool FC, Botafogo SP vs Flamengo, America RN, Al Ahly, Golden State Warriors, united, city
    Racing, Leeds, Hamburg, Man City, Celtic, VfL Wolfsburg, Everton v Liverpool, Chelsea Women
    Everton U21, Santos basketball
  `),
  )('%p', (query) => {
    expect(resolveFixture(INDEX, query).status).not.toBe('matched');
  });

  test('a fixture of which only one team fits is offered, not matched', () => {
    const { status, best, alternatives } = resolveFixture(INDEX, 'Everton v Liverpool');
    expect([status, best]).toEqual(['not_found', null]);
    expect(alternatives.map(({ eventNumber }) => SLATE[eventNumber - 1]![1])).toContain('Everton');
  });

  test('a name that three clubs of the slate share is ambiguous', () => {
    expect(resolveFixture(INDEX, 'Racing').status).toBe('ambiguous');
  });
});

test('the name of a country or a question word is read as a team only where the query needs a team', () => {
  const index = slateOf([
    ['FC Santa Coloma', 'UE Engordany', 'Andorra Primera Divisio', 0],
    ['Hønefoss BK', 'IL Hødd', 'Norway First Division', 0],
    ['PSV', 'Ajax', 'Netherlands Eredivisie', 0],
  ]);
  for (const query of ['Andorra vs FC Santa Coloma', 'Start vs Hønefoss BK'])
    expect([query, meantBy(query, index)]).toEqual([query, 'not_found']);
  for (const query of ['who won against Ajax', 'PSV odds', 'Andorra Santa Coloma'])
    expect([query, resolveFixture(index, query).status]).toEqual([query, 'matched']);
});

test('a club form, such as Club Atletico, means the same as its initials', () => {
  const index = slateOf([
    ['CA Osasuna', 'UD Las Palmas', 'Spain La Liga', 0],
    ['Burgos', 'Eibar', 'Spain Segunda Division', 0],
    ['Manchester United', 'Newcastle United', 'England Premier League', 0],
  ]);
  for (const [query, eventNumber] of [
    ['Club Atlético Osasuna', 1],
    ['Unión Deportiva Las Palmas', 1],
    ['Manchester United FC', 3],
    ['Newcastle Utd', 3],
  ] as const)
    expect([query, meantBy(query, index)]).toEqual([query, eventNumber]);
});

test('every name of the slate finds its own fixture, alone and with its opponent', () => {
  const rows: readonly Row[] = [
    ...SLATE,
    ['Paris Saint-Germain', 'Lyon', 'France Ligue 1', 0],
    ['Fenerbahçe Beko', 'FC Barcelona Basket', 'EuroLeague', 1],
    ['Olympiacos BC', 'Anadolu Efes', 'EuroLeague', 1],
    ['Fenerbahce', 'Galatasaray', 'Turkey Super Lig', 0],
    ['Barcelona', 'Getafe', 'Spain La Liga', 0],
    ['Olympiacos', 'AEK Athens', 'Greece Super League', 0],
  ];
  const index = slateOf(rows);
  for (let number = 0; number < rows.length; number++) {
    const [home, away] = rows[number]!;
    for (const query of [home, away, `${home} vs ${away}`, `${away} @ ${home}`])
      expect([query, meantBy(query, index)]).toEqual([query, number + 1]);
  }
});

test.each([
  ['LIV', ['Liverpool', 'Chelsea']],
  ['TOT AVL', ['Tottenham', 'Aston Villa']],
  ['MCI v BRE', ['Manchester City', 'Brentford']],
  ['Merseyside derby', ['Everton', 'Liverpool']],
  ['the Fla-Flu', ['Fluminense', 'Flamengo']],
  ['Derby della Madonnina', ['AC Milan', 'Internazionale']],
])('the code or derby %p finds its fixture', (query, [home, away]) => {
  const index = slateOf([
    [home!, away!, 'League', 0],
    ['Burnley', 'Hull City', 'League', 0],
  ]);
  expect(meantBy(query, index)).toBe(1);
});

test('a league name that several countries have means the one on the slate, and Serie B is not Serie A', () => {
  const leagues = createLeagueIndex(
    ['Austria Bundesliga', 'Brazil Serie A', 'Brazil Serie B'].map((name) => ({ name, sport: 0 })),
  );
  expect(leagues.resolve('Bundesliga').best!.entry.name).toBe('Austria Bundesliga');
  const found = leagues.resolve('Serie A');
  expect([found.status, found.best!.entry.name]).toEqual(['matched', 'Brazil Serie A']);
});
