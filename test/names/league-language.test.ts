import { expect, test } from 'bun:test';
import { isKnownWord } from '../../src/names/club-table.ts';
import { countryOfLeague } from '../../src/names/league-language.ts';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';
import { createLeagueIndex } from '../../src/names/team-index.ts';
import { meantBy, slateOf, slateWith } from './slate-of.ts';

test.each([
  ['hibernoan', 'Hibernian'],
  ['evertn', 'Everton'],
  ['fc zurih', 'Zurich'],
])('the misspelling %p means %p, although other clubs have a similar name', (query, name) => {
  expect(meantBy(query, slateWith(name))).toBe(1);
});

test.each([
  ['west hma', 'West Ham United', 'EPL'],
  ['rapid wen', 'Rapid Wien', 'Austria Bundesliga'],
  ['stoke cty', 'Stoke City', 'EPL'],
  ['fc proto', 'FC Porto', 'Portugal Liga'],
  ['lazio roma', 'Lazio Rome', 'Italy Serie A'],
  ['everton (eng)', 'Everton', 'EPL'],
  ['at madrid', 'Atletico Madrid', 'Spain LaLiga'],
])('%p means %p in the %p', (query, name, leagueName) => {
  expect(meantBy(query, slateWith(name, { leagueName }))).toBe(1);
});

test.each([
  ['at madrid', 'Real Madrid', 'Spain LaLiga'],
  ['a madrid', 'Real Madrid', 'Spain LaLiga'],
  ['everton (chi)', 'Everton', 'EPL'],
  ['real madrid b', 'Real Madrid', 'Spain LaLiga'],
])('%p does not mean %p in the %p', (query, name, leagueName) => {
  expect(resolveFixture(slateWith(name, { leagueName }), query).status).not.toBe('matched');
});

test.each([
  ['psg marseille', 'Marseille'],
  ['marseille psg odds', 'Marseille'],
  ['qpr watford', 'Watford'],
])('%p names two clubs, so it does not match %p, although that is one of them', (query, name) => {
  expect(resolveFixture(slateWith(name), query).status).not.toBe('matched');
});

test('a question about the weekend names no team', () => {
  expect(resolveFixture(slateWith('Genoa'), 'which games are there this weekend').names).toBe('');
});

test.each([
  ['Sociedad', 'real soiedad', 'Real Sociedad'],
  ['Deportivo', 'deqortivo alaves', 'Deportivo Alaves'],
  ['Cultural', 'ciltural leonesa', 'Cultural Leonesa'],
  ['Wednesday', 'sheeffield wednesday', 'Sheffield Wednesday'],
])(
  'a misspelling is found beside a day, or beside a club form that is a word (%s): %p means %p',
  (_, query, name) => {
    expect(meantBy(query, slateWith(name))).toBe(1);
  },
);

test('in a league without a country, a team also has the other names of the club that its first word names, unless that club itself is on the slate', () => {
  const alone = slateWith('Wolfsburg Volkswagen');
  expect(meantBy('Die Wolfe', alone)).toBe(1);
  const other = slateWith('Wolfsburg Volkswagen', { otherName: 'VfL Wolfsburg' });
  expect(meantBy('Die Wolfe', other)).toBe(2);
  expect(resolveFixture(slateWith('Brann Haugesund'), 'Brann Bergen').status).not.toBe('matched');
});

test("when the other team of that name leaves the slate, the first team has the club's other names again", () => {
  const slate = slateWith('Wolfsburg Volkswagen', { otherName: 'VfL Wolfsburg' });
  slate.delete(2);
  expect(meantBy('Die Wolfe', slate)).toBe(1);
});

test('a sponsor in the name of a league is not read as its country, and the W-NBA is not the NBA', () => {
  expect(countryOfLeague('Turkish Airlines EuroLeague')).toBeNull();
  expect(countryOfLeague('W-NBA')).toBe('wnba');
  const slate = slateWith('Connecticut', { leagueName: 'W-NBA', sport: 1 });
  expect(meantBy('conecticut sun', slate)).toBe(1);
});

test('the city of an NBA team matches a football club with the city in its name; a football club of that city without it is only offered', () => {
  const league = { leagueName: 'USA MLS' };
  expect(meantBy('dallas', slateWith('FC Dallas', league))).toBe(1);
  const washington = resolveFixture(slateWith('DC United', league), 'washington');
  expect(washington).toMatchObject({ status: 'ambiguous', best: { eventNumber: 1 } });
});

test('if two sports share a name, the league beside the name decides', () => {
  const slate = slateOf([
    ['Tottenham', 'Wolves', 'EPL'],
    ['San Antonio Spurs', 'Utah Jazz', 'NBA', 1],
  ]);
  expect(resolveFixture(slate, 'spurs').status).toBe('ambiguous');
  expect(meantBy('spurs nba', slate)).toBe(2);
  expect(meantBy('spurs epl', slate)).toBe(1);
});

test.each(["who's at home, chelsea or opponent?", 'at chelsea', 'how long until chelsea kick off'])(
  'a word such as "or" or "at" separates no teams if there is only one name: %p',
  (query) => {
    expect(meantBy(query, slateWith('Chelsea', { leagueName: 'EPL' }))).toBe(1);
  },
);

test('a text whose two halves name the same club, "Tottenham Hotspur FC", does not match the women of that club', () => {
  const league = { leagueName: 'England' };
  const asked = 'Tottenham Hotspur FC';
  expect(resolveFixture(slateWith('Tottenham Women', league), asked).status).not.toBe('matched');
  expect(meantBy(asked, slateWith('Tottenham', league))).toBe(1);
});

/** Every text that results from one misspelt letter in a word, except in its first letter. */
function slipsOf(word: string): string[] {
  const slips: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const [before, letter, after] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
    slips.push(before + after, before + letter + letter + after);
    for (const other of 'aeioudlnrst') slips.push(before + other + after);
    if (after !== '') slips.push(before + after[0]! + letter + after.slice(1));
  }
  return slips.filter((slip) => slip !== word && slip.length > 3);
}

test.each(['lazio', 'bari', 'kobe', 'koge', 'jena', 'paok', 'lyon', 'genoa', 'parma'])(
  'any misspelling of the short name %p finds it or asks about it, unless another club has that name',
  (name) => {
    const index = slateWith(name);
    const lost = slipsOf(name).filter(
      (slip) => !isKnownWord(slip) && resolveFixture(index, slip).status === 'not_found',
    );
    expect(lost).toEqual([]);
  },
);

test.each([
  ['arsenak', 'Arsenal'],
  ['sevills', 'Sevilla'],
  ['portsmoutg', 'Portsmouth'],
  ['liverpooa', 'Liverpool'],
  ['ferencvarou', 'Ferencvaros'],
])(
  'a wrong last letter in %p counts as a misspelling, because the word is long, or the key is beside the right one',
  (query, name) => {
    const index = slateWith(name, { leagueName: 'Premier League' });
    expect(meantBy(query, index)).toBe(1);
  },
);

test.each([
  ['red devils', 'Manchester United', 'Crawley Town'],
  ['saints', 'Southampton', 'St Johnstone'],
])('%p means %p, its usual meaning; for %p the answer is ambiguous', (query, usual, other) => {
  expect(meantBy(query, slateWith(usual, { leagueName: 'L1' }))).toBe(1);
  expect(resolveFixture(slateWith(other, { leagueName: 'L1' }), query).status).toBe('ambiguous');
});

test.each<[string, string, string, 'matched' | 'ambiguous']>([
  ['Sporting', 'Sporting CP', 'Vitoria Guimaraes', 'matched'],
  ['Sporting', 'Sporting CP', 'Sporting Kansas City', 'ambiguous'],
  ['Internacional', 'Internacional', 'Inter Miami', 'matched'],
])('the common word %p means %p beside %p: %s', (query, homeName, otherName, status) => {
  expect(resolveFixture(slateWith(homeName, { otherName, leagueName: 'L1' }), query).status).toBe(status);
});

test('"first division" of a country means its top league, unless another league has that name', () => {
  const names = [
    'France Ligue 1',
    'France Ligue 2',
    'Spain LaLiga',
    'Spain LaLiga 2',
    'England Premier League',
  ];
  const leagues = createLeagueIndex(names.map((name) => ({ name, sport: 0 })));
  for (const [text, name] of [
    ['french first division', 'France Ligue 1'],
    ['spanish top flight', 'Spain LaLiga'],
    ['english top division', 'England Premier League'],
    ['spanish second division', 'Spain LaLiga 2'],
  ] as const)
    expect([text, leagues.resolve(text).best?.entry.name]).toEqual([text, name]);
});
