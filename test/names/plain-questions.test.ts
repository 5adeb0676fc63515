// Questions as people write them: in several languages, with a time zone, for a day without a match.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isKnownWord } from '../../src/names/club-table.ts';
import { createFixtureIndex } from '../../src/names/fixture-index.ts';
import { resolveQuestion } from '../../src/names/question/resolve-question.ts';
import { takeZone } from '../../src/names/question/zone-words.ts';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';

const NOW_MS = Date.parse('2026-11-27T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const TEAMS = [
  ['Rennes', 'Paris Saint-Germain', 'France Ligue 1'],
  ['West Ham United', 'Arsenal', 'England Premier League'],
  ['Genoa', 'Udinese', 'Italy Serie A'],
  ['Napoli', 'Roma', 'Italy Serie A'],
  ['Mallorca', 'Real Madrid', 'Spain LaLiga'],
  ['Red Bull Salzburg', 'TSV Hartberg', 'Austria Bundesliga'],
] as const;
const index = createFixtureIndex(
  TEAMS.map(([homeName, awayName, leagueName], at) => ({
    eventNumber: at + 1,
    homeName,
    awayName,
    leagueName,
    sport: 0,
    scheduledAtMs: NOW_MS + 8 * HOUR_MS,
  })),
);
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
])('%p is fixture %p in the zone %p', (query, eventNumber, timezone) => {
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

describe('takeZone', () => {
  test.each([
    'arsenal half time score',
    'roma full time',
    'what time is the game in london',
    'Real time odds',
  ])('leaves %p as it is', (text) => {
    expect(takeZone(text)).toEqual({ rest: text, timezone: null });
  });

  test('a place that is only where they play, or a club, stays in the question', () => {
    for (const text of ['what time do barcelona play in madrid', 'when does arsenal play in london'])
      expect(takeZone(text).timezone).toBeNull();
  });

  test('a club’s city is the place of the time if the call gives its zone', () => {
    const text = 'what time do barcelona play in madrid';
    expect(takeZone(text, 'Europe/Madrid').timezone).toBe('Europe/Madrid');
    expect(takeZone(text, 'Europe/Madrid').rest.trim()).toBe('what time do barcelona play in');
    expect(takeZone(text, 'Europe/London').timezone).toBeNull();
  });

  test('for any text it takes out one piece at most, and only for a zone that exists', () => {
    const words = fc.constantFrom(
      'arsenal',
      'time',
      'in',
      'new',
      'york',
      'rome',
      'kick',
      'off',
      'at',
      '?',
      'ß',
      '🙂',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (parts) => {
        const text = parts.join(' ');
        const { rest, timezone } = takeZone(text);
        if (timezone === null) expect(rest).toBe(text);
        else {
          expect(Intl.supportedValuesOf('timeZone')).toContain(timezone);
          expect(rest.trim()).not.toBe('');
        }
      }),
    );
  });
});

test('without a match on the day that is named, the days on which there is one are offered', () => {
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

test('no word for a day in another language is a word of a club’s name', () => {
  const days = 'heute hoy oggi hoje morgen demain domani mañana gestern ayer ieri ontem stasera wochenende';
  for (const word of days.split(' ')) expect([word, isKnownWord(word)]).toEqual([word, false]);
});

test('emoji, marks of direction and spaces of any kind change nothing', () => {
  const noise = fc.constantFrom('🔥', '⚽', '🇮🇹', '👍🏽', '\u200f', '\u202e', '\u200b', '\u00a0', '❤️', '  ');
  fc.assert(
    fc.property(
      fc.constantFrom(...TEAMS.keys()),
      fc.array(noise, { minLength: 3, maxLength: 3 }),
      (at, marks) => {
        const [home, away] = TEAMS[at]!;
        const text = `${marks[0]} ${home} ${marks[1]} vs ${away} ${marks[2]}`;
        expect(resolveFixture(index, text, { today })).toMatchObject({
          status: 'matched',
          best: { eventNumber: at + 1 },
        });
      },
    ),
  );
});

test('two clubs of one city are asked about, and each is found by its own name', () => {
  const city = (one: string, other: string, leagueName: string) =>
    createFixtureIndex(
      [one, other].map((homeName, at) => ({
        eventNumber: at + 1,
        homeName,
        awayName: `Somebody ${at}`,
        leagueName,
        sport: 0,
        scheduledAtMs: NOW_MS,
      })),
    );
  const paris = city('Paris Saint-Germain', 'Paris FC', 'France Ligue 1');
  expect(resolveFixture(paris, 'Paris').status).toBe('ambiguous');
  expect(resolveFixture(paris, 'Paris FC')).toMatchObject({ status: 'matched', best: { eventNumber: 2 } });
  expect(resolveFixture(paris, 'PSG')).toMatchObject({ status: 'matched', best: { eventNumber: 1 } });
  const manchester = city('Manchester City', 'Manchester United', 'England Premier League');
  for (const text of ['Manchester', 'manchester game tonight'])
    expect(resolveFixture(manchester, text).status).not.toBe('matched');
});

test('articles before a name, words for a sport and a nickname of two clubs', () => {
  const slate: readonly (readonly [string, string, number])[] = [
    ['Marseille', 'France Ligue 1', 0],
    ["L'Aquila", 'Italy Serie C', 0],
    ['Millonarios', 'Colombia Primera A', 0],
    ['River Plate', 'Argentina Liga Profesional', 0],
    ['Crvena Zvezda', 'EuroLeague', 1],
  ];
  const index = createFixtureIndex(
    slate.map(([homeName, leagueName, sport], at) => ({
      eventNumber: at + 1,
      homeName,
      awayName: `Somebody ${at}`,
      leagueName,
      sport,
      scheduledAtMs: NOW_MS,
    })),
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
  for (const [query, eventNumber] of asked) {
    const { status, best } = resolveFixture(index, query, { today });
    expect([query, status, best?.eventNumber]).toEqual([query, 'matched', eventNumber]);
  }
  expect(resolveFixture(index, 'Roter Stern Belgrad').best?.eventNumber).toBe(5);
});
