// Questions as people write them: in several languages, with a time zone, for a day without a match.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../../src/clock.ts';
import { isKnownWord } from '../../../src/names/club-table.ts';
import { resolveQuestion } from '../../../src/names/question/resolve-question.ts';
import { resolveFixture } from '../../../src/names/resolve-fixture.ts';
import { listOf } from '../../support/list-of.ts';
import { meantBy, slateOf } from '../slate-of.ts';

const NOW_MS = Date.parse('2026-11-27T12:00:00.000Z');
const TEAMS = [
  ['Rennes', 'Paris Saint-Germain', 'France Ligue 1'],
  ['West Ham United', 'Arsenal', 'England Premier League'],
  ['Genoa', 'Udinese', 'Italy Serie A'],
  ['Napoli', 'Roma', 'Italy Serie A'],
  ['Mallorca', 'Real Madrid', 'Spain LaLiga'],
  ['Red Bull Salzburg', 'TSV Hartberg', 'Austria Bundesliga'],
] as const;
const TONIGHT_MS = NOW_MS + 8 * HOUR_MS;
const index = slateOf(TEAMS, TONIGHT_MS);
const today = { nowMs: NOW_MS };

test.each([
  ['when does arsenal play, kick off time in Rome', 2, 'Europe/Rome'],
  ['kickoff time for napoli roma in New York time', 4, 'America/New_York'],
  ['roma kick-off in Rome?', 4, 'Europe/Rome'],
  ['arsenal game, uk time', 2, 'Europe/London'],
  ['wann spielt Salzburg heute?', 6, null],
  ['wer ist Favorit bei Genua gegen Udine', 3, null],
  ['a que hora juega el real madrid esta noche', 5, null],
  ['mejor cuota para el real madrid', 5, null],
  ['beste Quote Udinese gewinnt', 3, null],
  ['quand joue le psg ce soir', 1, null],
  ['quando gioca il napoli stasera', 4, null],
  ['how many goals will there be in genoa vs udinese', 3, null],
  ['psg -1 asian', 1, null],
])('%p means fixture %p in the zone %p', (query, eventNumber, timezone) => {
  const { resolution, timezone: zone } = resolveQuestion(index, query, { today });
  expect([resolution.status, resolution.best?.eventNumber]).toEqual(['matched', eventNumber]);
  expect(zone).toBe(timezone);
});

test('a day is counted in the zone that the question names', () => {
  // 20:00 UTC is the next day in Tokyo.
  const found = resolveQuestion(index, 'psg tomorrow, kick off time in Tokyo', { today });
  expect(found.resolution).toMatchObject({ status: 'matched', dateText: '2026-11-28' });
  expect(resolveQuestion(index, 'psg tomorrow', { today }).resolution.status).toBe('not_found');
});

test('if there is no match on the named day, the days with a match are offered', () => {
  const day = fc.constantFrom('tomorrow', 'yesterday', 'on 2026-12-24', 'mañana', 'gestern', 'next weekend');
  fc.assert(
    fc.property(fc.constantFrom(...TEAMS.keys()), day, (at, words) => {
      const [home, away] = TEAMS[at]!;
      for (const team of [home, away, `${home} v ${away}`]) {
        const { status, best, alternatives } = resolveFixture(index, `${team} ${words}`, { today });
        expect([team, status, best]).toEqual([team, 'not_found', null]);
        expect(alternatives[0]?.eventNumber).toBe(at + 1);
        expect(alternatives.every(({ confidence }) => confidence <= 0.5)).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});

test('no word for a day in another language is also a word in the name of a club', () => {
  const days =
    'heute hoy oggi hoje morgen demain domani mañana gestern ayer ieri ontem stasera wochenende ' +
    'vandaag vanavond gisteren zaterdag zondag bugun yarin cumartesi jutro dzis dzisiaj wczoraj';
  for (const word of days.split(' ')) expect([word, isKnownWord(word)]).toEqual([word, false]);
});

test('emoji, direction marks and spaces of any kind change nothing', () => {
  const noise = fc.constantFrom('🔥', '⚽', '🇮🇹', '👍🏽', '\u200f', '\u202e', '\u200b', '\u00a0', '❤️', '  ');
  fc.assert(
    fc.property(
      fc.constantFrom(...TEAMS.keys()),
      fc.array(noise, { minLength: 3, maxLength: 3 }),
      (at, marks) => {
        const [home, away] = TEAMS[at]!;
        const text = `${marks[0]} ${home} ${marks[1]} vs ${away} ${marks[2]}`;
        expect(meantBy(text, index, { today })).toBe(at + 1);
      },
    ),
  );
});

test('a question that fits two clubs of one city is ambiguous, and each club is found by its own name', () => {
  const paris = slateOf([
    ['Paris Saint-Germain', undefined, 'France Ligue 1'],
    ['Paris FC', undefined, 'France Ligue 1'],
  ]);
  expect(['Paris', 'PSG', 'Paris FC'].map((text) => meantBy(text, paris))).toEqual(['ambiguous', 1, 2]);
  const league = 'England Premier League';
  const manchester = slateOf([
    ['Manchester City', undefined, league],
    ['Manchester United', undefined, league],
  ]);
  for (const text of ['Manchester', 'manchester game tonight'])
    expect(resolveFixture(manchester, text).status).not.toBe('matched');
});

test('articles before a name, words for a sport, and a nickname of two clubs are understood', () => {
  const index = slateOf(
    [
      ['Marseille', undefined, 'France Ligue 1'],
      ["L'Aquila", undefined, 'Italy Serie C'],
      ['Millonarios', undefined, 'Colombia Primera A'],
      ['River Plate', undefined, 'Argentina Liga Profesional'],
      ['Crvena Zvezda', undefined, 'EuroLeague', 1],
    ],
    NOW_MS,
  );
  const asked: readonly (readonly [string, number])[] = [
    ["l'OM", 1],
    ['L’OM', 1],
    ["l'Aquila", 2],
    ['Millos', 3],
    ['el Millonario', 4],
    ['Crvena zvezda kosarka', 5],
    ['Црвена звезда', 5],
  ];
  for (const [query, eventNumber] of asked)
    expect([query, meantBy(query, index, { today })]).toEqual([query, eventNumber]);
  expect(resolveFixture(index, 'Roter Stern Belgrad').best?.eventNumber).toBe(5);
});

/** Forms of a question. `{0}` and `{1}` stand for the two teams. */
const TEMPLATES: readonly string[] = [
  'πότε παίζει η {0} σήμερα;',
  'ποιος κερδίζει, {0} ή {1};',
  '{0} εναντίον {1} αποδόσεις',
  'ποια είναι η καλύτερη απόδοση για την {0} απόψε',
  '¿a qué hora es el {0}?',
  '¿cuánto paga el {0} hoy?',
  'cuál es el favorito entre {0} y {1}',
  'chi vince stasera {0} o {1}',
  'a che ora gioca {0}?',
  'chi è favorito tra {0} e {1}',
  'dove vedere {0} {1}',
  'wie hoch ist die Quote auf {0} heute',
  'wer gewinnt, {0} oder {1}?',
  'qui va gagner {0} {1} ce soir',
  'quelle est la cote du {0} contre {1}',
  'pronostic {0} - {1}',
  'que horas é o jogo do {0}',
  'palpite {0} x {1}',
  '{0} maçı ne zaman',
  'bugün {0} {1} maçı saat kaçta',
  '{0} karşı {1} iddaa oranları',
  'kiedy gra {0}',
  'kto wygra {0} czy {1}',
  'kurs {0} przeciwko {1} dziś',
  'wanneer speelt {0}',
  'wie wint {0} tegen {1} vandaag',
  'beste odds voor {0} vanavond',
  'когда играет {0} сегодня',
  'кто победит {0} или {1}',
  'коэффициенты на {0} против {1}',
  'متى يلعب {0} اليوم',
  'من سيفوز {0} ضد {1}',
  'احتمالات {0} الليلة',
];

test.each(TEMPLATES)('%p means the match of the two teams, whichever they are', (template) => {
  TEAMS.forEach(([home, away], at) => {
    for (const [one, other] of [
      [home, away],
      [away, home],
    ] as const) {
      const query = template.replace('{0}', one).replace('{1}', other);
      const { status, best } = resolveQuestion(index, query, { today }).resolution;
      expect([query, status, best?.eventNumber]).toEqual([query, 'matched', at + 1]);
    }
  });
});

test('Arabic words of one letter, which are written together with a name, are separated from it', () => {
  const arabic = slateOf([['Al Ahly', 'Zamalek', 'Egypt Premier League']], TONIGHT_MS);
  for (const query of ['مباراة الأهلي والزمالك', 'أفضل سعر للزمالك الليلة'])
    expect(meantBy(query, arabic, { today })).toBe(1);
});

test('a question word that is also a team’s code is read as that team if it is beside another team', () => {
  const codes = slateOf(
    [
      ['Chelsea', 'Everton', 'England Premier League'],
      ['Fulham', 'Liverpool', 'England Premier League'],
    ],
    NOW_MS,
  );
  for (const query of ['CHE', 'che odds', 'che v eve', 'a che ora gioca Chelsea', 'chi gioca Chelsea'])
    expect(meantBy(query, codes)).toBe(1);
  expect(resolveFixture(codes, 'che v liv').status).not.toBe('matched');
});

describe('a derby that several clubs play', () => {
  const playing = (...pairs: readonly (readonly [string, string])[]) =>
    slateOf(
      pairs.map(([home, away]) => [home, away, 'England Premier League']),
      TONIGHT_MS,
    );
  const clubs = listOf(`
    Arsenal, Chelsea, Tottenham Hotspur, West Ham United, Crystal Palace, Fulham, Brentford
  `);

  test('a derby means every fixture between two of its clubs, and no other fixture', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(clubs, { minLength: 0 }), (chosen) => {
        const pairs = chosen.flatMap((club, at) =>
          at % 2 === 0 ? [[club, chosen[at + 1] ?? 'Liverpool'] as const] : [],
        );
        const index = playing(...pairs, ['Manchester United', 'Leeds United']);
        const derbies = Math.floor(chosen.length / 2);
        const { status, best, alternatives } = resolveFixture(index, 'the London derby odds', { today });
        const found = [...(best === null ? [] : [best]), ...alternatives].map(
          ({ eventNumber }) => eventNumber,
        );
        expect(found.sort()).toEqual(Array.from({ length: derbies }, (_, at) => at + 1));
        expect(status).toBe(derbies === 0 ? 'not_found' : derbies === 1 ? 'matched' : 'ambiguous');
      }),
      { numRuns: 30 },
    );
  });

  test('a derby of two clubs means their fixture; if they do not play each other, their fixtures are offered', () => {
    const together = playing(['Tottenham Hotspur', 'Arsenal'], ['Chelsea', 'Fulham']);
    for (const query of ['north london derby', 'The North London Derby tonight', 'NLD'])
      expect(meantBy(query, together, { today })).toBe(1);
    const apart = playing(['Arsenal', 'Everton'], ['Chelsea', 'Fulham']);
    const { status, alternatives } = resolveFixture(apart, 'north london derby');
    expect([status, alternatives.map(({ eventNumber }) => eventNumber)]).toEqual(['not_found', [1]]);
  });

  test('"o classico" means Porto’s match, "el classico" and "the clasico" mean Real Madrid’s', () => {
    const index = playing(['Porto', 'Benfica'], ['Barcelona', 'Real Madrid']);
    for (const [query, eventNumber] of [
      ['o clássico', 1],
      ['el classico', 2],
      ['the clasico', 2],
      ['El Clásico odds', 2],
      ['el clasico derby', 2],
      ['who is gonna win the clasico', 2],
    ] as const)
      expect(meantBy(query, index)).toBe(eventNumber);
  });
});
