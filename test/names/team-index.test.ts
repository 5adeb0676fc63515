import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createLeagueIndex, createTeamIndex } from '../../src/names/team-index.ts';
import { listOf } from '../support/list-of.ts';

const TEAMS = [
  ...['Arsenal', 'Arsenal W', 'Chelsea', 'Chelsea U21', 'Man United', 'Man City', 'Tottenham'],
  ...["Nott'm Forest", 'Brighton', 'Wolves', 'Newcastle', 'Sheffield Utd', 'Sheffield Wednesday'],
  ...['Paris SG', 'Barcelona', 'Barcelona B', 'Barcelona SC', 'Atletico Madrid', 'Real Madrid'],
  ...['Real Sociedad', 'Internazionale', 'Inter Miami CF', 'Borussia Monchengladbach'],
  ...['Borussia Dortmund', 'FC Koln', 'Atletico Mineiro', 'Atletico Paranaense', 'America MG'],
  ...['Boca Juniors', 'River Plate', 'Philadelphia 76ers', 'Dallas Mavericks', 'Los Angeles Lakers'],
  ...['Los Angeles Clippers', 'San Antonio Spurs', 'Spartak Moscow', 'Bodø/Glimt', 'HamKam'],
  ...['Hamburger SV', 'Deportivo La Coruna'],
] as const;
const NBA = /76ers|Mavericks|Lakers|Clippers|San Antonio/;
const teams = createTeamIndex(TEAMS.map((name) => ({ name, sport: NBA.test(name) ? 1 : 0 })));

function teamOf(query: string): string {
  const verdict = teams.resolve(query);
  return verdict.status === 'matched' ? verdict.best!.entry.name : verdict.status;
}

describe('team index', () => {
  test.each([
    ['Man Utd', 'Man United'],
    ['Manchester United', 'Man United'],
    ['Man. United FC', 'Man United'],
    ['MANCHESTER CITY F.C.', 'Man City'],
    ['Nottingham Forest', "Nott'm Forest"],
    ['Nottm Forest', "Nott'm Forest"],
    ['Brighton & Hove Albion', 'Brighton'],
    ['Brighton and Hove Albion FC', 'Brighton'],
    ['Wolverhampton Wanderers', 'Wolves'],
    ['Newcastle Utd', 'Newcastle'],
    ['Sheff Wed', 'Sheffield Wednesday'],
    ['Sheffield United', 'Sheffield Utd'],
    ['PSG', 'Paris SG'],
    ['Paris Saint-Germain', 'Paris SG'],
    ['Paris St. Germain', 'Paris SG'],
    ['Atleti', 'Atletico Madrid'],
    ['Atlético de Madrid', 'Atletico Madrid'],
    ['Inter', 'Internazionale'],
    ['Inter Milan', 'Internazionale'],
    ['Gladbach', 'Borussia Monchengladbach'],
    ["M'gladbach", 'Borussia Monchengladbach'],
    ['Borussia Mönchengladbach', 'Borussia Monchengladbach'],
    ['1. FC Köln', 'FC Koln'],
    ['Cologne', 'FC Koln'],
    ['Koeln', 'FC Koln'],
    ['Atlético-MG', 'Atletico Mineiro'],
    ['Atlético Mineiro', 'Atletico Mineiro'],
    ['Athletico-PR', 'Atletico Paranaense'],
    ['América Mineiro', 'America MG'],
    ['Boca', 'Boca Juniors'],
    ['Sixers', 'Philadelphia 76ers'],
    ['Mavs', 'Dallas Mavericks'],
    ['LA Lakers', 'Los Angeles Lakers'],
    ['L.A. Clippers', 'Los Angeles Clippers'],
    ['Спартак Москва', 'Spartak Moscow'],
    ['Spartak Moskva', 'Spartak Moscow'],
    ['Bodo Glimt', 'Bodø/Glimt'],
    ['Ham-Kam', 'HamKam'],
    ['HSV', 'Hamburger SV'],
    ['Dep. La Coruña', 'Deportivo La Coruna'],
    ['Totenham', 'Tottenham'],
    ['Borusia Dortmnd', 'Borussia Dortmund'],
  ])('resolve finds %p as %p', (query, name) => {
    expect(teamOf(query)).toBe(name);
  });

  test.each([
    ['Manchester', 'ambiguous'],
    ['Spurs', 'ambiguous'],
    ['Sheffield', 'ambiguous'],
    ['Borussia', 'ambiguous'],
    ['Los Angeles', 'ambiguous'],
    ['Galatasaray', 'not_found'],
    ['qwxz', 'not_found'],
    ['FC', 'not_found'],
    ['the', 'not_found'],
    ['', 'not_found'],
    ['東京', 'not_found'],
  ])('resolve does not guess what %p means: %p', (query, status) => {
    expect(teamOf(query)).toBe(status);
  });

  test.each([
    ['Arsenal Women', 'Arsenal W'],
    ['Arsenal Ladies', 'Arsenal W'],
    ['Arsenal (W)', 'Arsenal W'],
    ['Arsenal', 'Arsenal'],
    ['Chelsea U-21', 'Chelsea U21'],
    ['Chelsea Under 21', 'Chelsea U21'],
    ['Chelsea', 'Chelsea'],
    ['Chelsea U19', 'ambiguous'],
    ['Chelsea W', 'not_found'],
    ['Barcelona II', 'Barcelona B'],
    ['Real Madrid Femenino', 'not_found'],
    ['Arsenal W U21', 'not_found'],
  ])('a side team of a club is a team of its own: %p is %p', (query, name) => {
    expect(teamOf(query)).toBe(name);
  });

  test('search ignores case, accents, punctuation and plain club suffixes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TEAMS),
        fc.array(fc.nat(3), { minLength: 40, maxLength: 40 }),
        (name, dice) => {
          const strange = [...name].map((letter, index) => disguise(letter, dice[index]!)).join('');
          const [top] = teams.search(strange);
          expect(top!.entry.name).toBe(name);
          const [plain] = teams.search(name);
          expect(top!.coverage).toBeCloseTo(plain!.coverage, 6);
        },
      ),
    );
  });

  test('search returns the best answer first, with a confidence from 0 to 1, and only teams that the sport allows', () => {
    const mixed = createTeamIndex([
      { name: 'Real Madrid', sport: 0 },
      { name: 'Real Madrid', sport: 1 },
    ]);
    expect(mixed.resolve('real madrid').status).toBe('ambiguous');
    expect(mixed.resolve('real madrid', { sport: 1 }).best!.entry.sport).toBe(1);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const found = teams.search(text, { coverageMin: 0 });
        for (let index = 0; index < found.length; index++) {
          expect(found[index]!.coverage).toBeWithin(0, 1.000_001);
          if (index > 0) expect(found[index]!.coverage).toBeLessThanOrEqual(found[index - 1]!.coverage);
        }
      }),
    );
  });

  test('an index without names finds nothing', () => {
    expect(createTeamIndex([]).resolve('Arsenal')).toEqual({
      status: 'not_found',
      best: null,
      alternatives: [],
    });
  });
});

describe('league index', () => {
  const leagues = createLeagueIndex(
    listOf(`
      England Premier League, Russia Premier League, Brazil Serie A, Serie A - Italy, Brazil Serie B
      La Liga - Spain, Bundesliga - Germany, Austrian Football Bundesliga, Germany 2. Bundesliga, NBA
      UEFA Champions League, England Women's Super League
    `).map((name) => ({ name, sport: 0 })),
  );

  test.each([
    ['EPL', 'England Premier League'],
    ['English Premier League', 'England Premier League'],
    ['Premier League Russia', 'Russia Premier League'],
    ['La Liga', 'La Liga - Spain'],
    ['LaLiga', 'La Liga - Spain'],
    ['Serie A Italy', 'Serie A - Italy'],
    ['Italian Serie A', 'Serie A - Italy'],
    ['Brasileirão', 'Brazil Serie A'],
    ['Brazil Série A', 'Brazil Serie A'],
    ['Serie B', 'Brazil Serie B'],
    ['Bundesliga 2', 'Germany 2. Bundesliga'],
    ['German Bundesliga', 'Bundesliga - Germany'],
    ['nba', 'NBA'],
    ['UCL', 'UEFA Champions League'],
    ['champions league', 'UEFA Champions League'],
  ])('resolve finds %p as %p', (query, name) => {
    const verdict = leagues.resolve(query);
    expect([verdict.status, verdict.best?.entry.name]).toEqual(['matched', name]);
  });

  test.each([
    ['Premier League', 'England Premier League', 'Russia Premier League'],
    ['Serie A', 'Serie A - Italy', 'Brazil Serie A'],
    ['Bundesliga', 'Bundesliga - Germany', 'Austrian Football Bundesliga'],
  ])(
    'resolve matches %p to the league that people mean, and offers the others of that name',
    (query, name, other) => {
      const verdict = leagues.resolve(query);
      expect([verdict.status, verdict.best?.entry.name]).toEqual(['matched', name]);
      expect(verdict.alternatives.map((candidate) => candidate.entry.name)).toContain(other);
    },
  );

  test('two leagues that fit equally are ambiguous, and a league with exactly the name is preferred to one that resembles it', () => {
    const equals = createLeagueIndex(
      ['Ghana Premier League', 'Egypt Premier League'].map((name) => ({ name, sport: 0 })),
    );
    expect(equals.resolve('Premier League').status).toBe('ambiguous');
    const own = createLeagueIndex(
      ['Premier League', 'England Premier League'].map((name) => ({ name, sport: 0 })),
    );
    expect(own.resolve('Premier League').best!.entry.name).toBe('Premier League');
  });

  test('resolve answers not_found for the name of a league that is not in the index', () => {
    expect(leagues.resolve('Eredivisie').status).toBe('not_found');
  });
});

function disguise(letter: string, dice: number): string {
  if (dice === 1) return letter.toUpperCase();
  if (dice === 2) return letter.toLowerCase();
  if (dice === 3 && /[aeiou]/.test(letter)) return `${letter}\u0301`;
  return letter;
}
