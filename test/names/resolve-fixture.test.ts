import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../src/clock.ts';
import { ServiceError } from '../../src/errors.ts';
import { isKnownWord } from '../../src/names/club-table.ts';
import type { ResolvableFixture } from '../../src/names/fixture-index.ts';
import { MATCH_CONFIDENCE_MIN, STRENGTH_MARGIN } from '../../src/names/resolution.ts';
import { type ResolveFixtureOptions, resolveFixture } from '../../src/names/resolve-fixture.ts';
import { codePoint } from '../support/code-point.ts';
import { listOf } from '../support/list-of.ts';
import { indexOfFixtures } from './index-of-fixtures.ts';
import { meantBy, slateOf } from './slate-of.ts';

const FIRST_DAY_MS = Date.parse('2026-11-20T15:00:00.000Z');

const PAIRS: readonly (readonly [string, string, number, number])[] = [
  // home, away, sport, day
  ['Arsenal', 'Chelsea', 0, 0],
  ['Chelsea', 'Arsenal', 0, 40],
  ['Arsenal', 'Wolves', 0, 7],
  ['Arsenal W', 'Chelsea W', 0, 1],
  ['Man United', 'Man City', 0, 0],
  ['Brighton', "Nott'm Forest", 0, 0],
  ['Al-Ahly', 'Zamalek', 0, 2],
  ['Atletico Mineiro', 'Internacional RS', 0, 0],
  ['Odds BK', 'Rosenborg', 0, 3],
  ['Boston Celtics', 'Los Angeles Lakers', 1, 0],
  ['Minnesota Timberwolves', 'San Antonio Spurs', 1, 0],
  ['Tottenham', 'Everton', 0, 0],
  ['Real Madrid', 'Barcelona', 0, 5],
  ['Real Madrid', 'Barcelona', 1, 6],
  ['Real Sociedad', 'Athletic Bilbao', 0, 5],
  ['Young Boys', 'FC Basel', 0, 4],
];
const FIXTURES: readonly ResolvableFixture[] = PAIRS.map(([homeName, awayName, sport, day], index) => ({
  eventNumber: 1_000 + index,
  homeName,
  awayName,
  leagueName: sport === 1 ? 'USA NBA' : 'England Premier League',
  sport,
  scheduledAtMs: FIRST_DAY_MS + day * DAY_MS,
}));
const index = indexOfFixtures(FIXTURES);

/** The home and away names of the fixture if one is matched, otherwise the status. */
function answer(query: string, options: ResolveFixtureOptions = {}): string {
  const { status, best } = resolveFixture(index, query, options);
  if (status !== 'matched') return status;
  const fixture = FIXTURES.find(({ eventNumber }) => eventNumber === best!.eventNumber)!;
  return `${fixture.homeName} - ${fixture.awayName}`;
}

describe('resolveFixture', () => {
  test.each([
    ['Arsenal vs Wolves', 'Arsenal - Wolves'],
    ['wolves v. arsenal', 'Arsenal - Wolves'],
    ['Arsenal–Wolves', 'Arsenal - Wolves'],
    ['Arsenal-Wolves', 'Arsenal - Wolves'],
    ['Arsenal / Wolves', 'Arsenal - Wolves'],
    ['Arsenal Wolverhampton', 'Arsenal - Wolves'],
    ['Arsenal and Wolves', 'Arsenal - Wolves'],
    ['Arsenal x Wolves', 'Arsenal - Wolves'],
    ['between Arsenal and Wolverhampton Wanderers', 'Arsenal - Wolves'],
    ['Does Arsenal beat Wolves?', 'Arsenal - Wolves'],
    ['who won Arsenal against Wolverhampton 2026-11-27?', 'Arsenal - Wolves'],
    ['Man Utd v Man City', 'Man United - Man City'],
    ['Manchester City at Manchester United', 'Man United - Man City'],
    ['Brighton & Hove Albion', "Brighton - Nott'm Forest"],
    ['Brighton & Hove Albion and Nottingham Forest', "Brighton - Nott'm Forest"],
    ['Al-Ahly', 'Al-Ahly - Zamalek'],
    ['al ahly v zamalek', 'Al-Ahly - Zamalek'],
    ['Al-Ahly-Zamalek', 'Al-Ahly - Zamalek'],
    ['Atlético-MG - Internacional', 'Atletico Mineiro - Internacional RS'],
    ['odds for Lakers @ Celtics 2026-11-20', 'Boston Celtics - Los Angeles Lakers'],
    ['Odds BK', 'Odds BK - Rosenborg'],
    ['best odds on Rosenborg', 'Odds BK - Rosenborg'],
    ['Lakers NBA', 'Boston Celtics - Los Angeles Lakers'],
    ['Premier League: Tottenham', 'Tottenham - Everton'],
    ['Real Madrid v Barcelona basketball', 'Real Madrid - Barcelona'],
    ['Spurs vs Everton', 'Tottenham - Everton'],
    ['Spurs @ Wolves', 'Minnesota Timberwolves - San Antonio Spurs'],
    ['Young Boys', 'Young Boys - FC Basel'],
    ['Arsenal Women', 'Arsenal W - Chelsea W'],
    ['Arsenal Ladies v Chelsea Ladies', 'Arsenal W - Chelsea W'],
  ])('%p means %p', (query, expected) => {
    expect(answer(query)).toBe(expected);
  });

  test.each([
    ['Arsenal', 'ambiguous'],
    ['Spurs', 'ambiguous'],
    ['Real Madrid', 'ambiguous'],
    ['Real Madrid vs Barcelona', 'ambiguous'],
    ['Arsenal vs Foobar', 'ambiguous'],
    ['Foobar v Chelsea', 'ambiguous'],
    ['Everton vs Barcelona', 'not_found'],
    ['Arsenal vs Arsenal', 'not_found'],
    ['Arsenal W vs Wolves', 'not_found'],
    ['Arsenal U21', 'ambiguous'],
    ['Tottenham NBA', 'ambiguous'],
    ['Tottenham Premier NBA', 'ambiguous'],
    ['qwe rty', 'not_found'],
    ['vs', 'not_found'],
    ['who won yesterday?', 'not_found'],
    ['', 'not_found'],
  ])('%p means %p', (query, status) => {
    expect(answer(query)).toBe(status);
  });

  test('one team with two fixtures is ambiguous; its opponent, a date or a window of days resolves it', () => {
    const { status, best, alternatives } = resolveFixture(index, 'Arsenal');
    expect(status).toBe('ambiguous');
    const named = [best!, ...alternatives].map((candidate) => candidate.eventNumber);
    expect(named.slice(0, 3)).toEqual([1_000, 1_002, 1_001]);
    expect(answer('Arsenal Wolves')).toBe('Arsenal - Wolves');
    expect(answer('Arsenal 2026-11-27')).toBe('Arsenal - Wolves');
    expect(answer('2026-11-27 Arsenal')).toBe('Arsenal - Wolves');
    const dayFromMs = FIRST_DAY_MS + 7 * DAY_MS - 15 * 3_600_000;
    expect(answer('Arsenal', { dateFromMs: dayFromMs, dateToMs: dayFromMs + DAY_MS })).toBe(
      'Arsenal - Wolves',
    );
    expect(answer('Arsenal 2026-11-20')).toBe('Arsenal - Chelsea');
    expect(answer('Arsenal 2026-11-28')).toBe('not_found');
    expect(answer('Arsenal 2026-11-27', { dateFromMs: dayFromMs + DAY_MS })).toBe('not_found');
  });

  test('the window of days includes its start and excludes its end', () => {
    const atMs = FIRST_DAY_MS + 7 * DAY_MS;
    expect(answer('Wolves Arsenal', { dateFromMs: atMs, dateToMs: atMs + 1 })).toBe('Arsenal - Wolves');
    expect(answer('Wolves Arsenal', { dateFromMs: atMs - DAY_MS, dateToMs: atMs })).toBe('not_found');
  });

  test('a fixture without a kickoff is found by name, but not by a date', () => {
    const unknown = indexOfFixtures([{ ...FIXTURES[0]!, scheduledAtMs: Number.NaN }]);
    expect(resolveFixture(unknown, 'Arsenal').status).toBe('matched');
    expect(resolveFixture(unknown, 'Arsenal 2026-11-20').status).toBe('not_found');
  });

  test('the sport decides between teams that have the same names', () => {
    expect(answer('Real Madrid Barcelona', { sport: 1 })).toBe('Real Madrid - Barcelona');
    expect(resolveFixture(index, 'Real Madrid Barcelona', { sport: 1 }).best!.eventNumber).toBe(1_013);
    expect(answer('Spurs', { sport: 0 })).toBe('Tottenham - Everton');
    expect(answer('Spurs', { sport: 1 })).toBe('Minnesota Timberwolves - San Antonio Spurs');
  });

  test('the order of the teams decides between two legs; a fixture that is played once is found in either order', () => {
    expect(answer('Arsenal vs Chelsea')).toBe('Arsenal - Chelsea');
    expect(answer('Chelsea vs Arsenal')).toBe('Chelsea - Arsenal');
    expect(answer('Arsenal @ Chelsea')).toBe('Chelsea - Arsenal');
    const legs = resolveFixture(index, 'Chelsea vs Arsenal');
    expect(legs.alternatives[0]!.eventNumber).toBe(1_000);
  });

  test('order, case, accents and separator of a pair change neither fixture nor confidence', () => {
    const unique = FIXTURES.filter(
      (fixture) => !['Arsenal', 'Real Madrid'].includes(fixture.homeName),
    ).filter((fixture) => fixture.awayName !== 'Arsenal');
    fc.assert(
      fc.property(
        fc.constantFrom(...unique),
        fc.constantFrom(' vs ', ' v ', ' VS. ', ' - ', ' – ', ' against ', ' x ', ' and ', ' @ ', ' plays '),
        fc.boolean(),
        fc.boolean(),
        (fixture, separator, turned, upper) => {
          const names = [fixture.homeName, fixture.awayName];
          const text = (turned ? names.reverse() : names).join(separator);
          const { best, status } = resolveFixture(index, upper ? text.toUpperCase() : text);
          expect(status).toBe('matched');
          expect(best!.eventNumber).toBe(fixture.eventNumber);
          expect(best!.confidence).toBeGreaterThan(0.99);
        },
      ),
    );
  });

  test.each([
    'how has the @ price moved',
    'has the line on @ drifted',
    'can you tell me the @ line please',
    'I want to bet on @',
    'should I back @?',
    'why did @ shorten',
    'where did @ open',
    '@ odds right now',
  ])('%s: ordinary words around a name change nothing', (question) => {
    const name = 'Real Sociedad';
    const plain = resolveFixture(index, name);
    const asked = resolveFixture(index, question.replace('@', name));
    expect(asked.best!.eventNumber).toBe(plain.best!.eventNumber);
    expect(asked.status).toBe('matched');
  });

  test('an event id is returned without a search', () => {
    expect(resolveFixture(index, ' evt_AbC123 ')).toEqual({
      status: 'not_found',
      best: null,
      alternatives: [],
      names: '',
      dateText: null,
      lastDateText: null,
      idText: 'evt_AbC123',
      dateChoices: null,
    });
  });

  test('for any text the answer follows the rules, or a date is refused with invalid_request', () => {
    const anything = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 400 }),
      fc
        .array(
          fc.constantFrom(
            ...['Arsenal', 'Chelsea', 'vs', '-', '@', 'and', 'Real', 'U21', 'W', '2026-11-20'],
            ...['2026-13-45', 'x', '/', 'evt_1', '?'],
          ),
          { maxLength: 30 },
        )
        .map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(anything, (text) => {
        let resolution: ReturnType<typeof resolveFixture>;
        try {
          resolution = resolveFixture(index, text);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
          expect((error as ServiceError).code).toBe('invalid_request');
          return;
        }
        const { status, best, alternatives } = resolution;
        expect(best === null).toBe(status === 'not_found');
        for (const candidate of alternatives) {
          expect(candidate.confidence).toBeWithin(0, 1.000_001);
          if (best !== null) expect(candidate.confidence).toBeLessThanOrEqual(best.confidence);
        }
        if (status === 'matched' && alternatives.length > 0) {
          expect(best!.strength - alternatives[0]!.strength).toBeGreaterThan(STRENGTH_MARGIN);
          expect(best!.confidence).toBeGreaterThanOrEqual(MATCH_CONFIDENCE_MIN);
        }
        if (status === 'ambiguous') {
          expect(best!.confidence).toBeLessThan(MATCH_CONFIDENCE_MIN);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('the two letters "LA" or "SA" are ambiguous between candidates, and never lead to an empty answer', () => {
    for (const query of ['LA', 'la', 'SA']) {
      const { status, best } = resolveFixture(index, query);
      expect([query, status]).toEqual([query, 'ambiguous']);
      expect(FIXTURES.find(({ eventNumber }) => eventNumber === best!.eventNumber)!.sport).toBe(1);
    }
  });

  test('junk finds nothing', () => {
    const junk = fc.string({ unit: fc.constantFrom(...'qxzjkvw'), minLength: 5, maxLength: 60 });
    fc.assert(
      fc.property(junk, (text) => {
        expect(resolveFixture(index, text).status).toBe('not_found');
      }),
      { examples: [['qjqqj'], ['zqqvw'], ['kvvkqz']] },
    );
  });

  // Texts of three letters are left out, because they may be a misspelt code: "sss" of SSC.
  test('a text of one repeated consonant finds nothing, whatever it sounds like', () => {
    for (const letter of 'bcdfghjklmnpqrstvwxz') {
      for (const length of [4, 5, 6]) {
        const text = letter.repeat(length);
        expect([text, resolveFixture(index, text).status]).toEqual([text, 'not_found']);
      }
    }
  });
});

test('the fixture in play comes first, then future fixtures, then finished ones', () => {
  const nowMs = Date.parse('2026-11-23T12:00:00.000Z');
  const hours = [-50, -26, -1, 5, 30];
  const index = slateOf(
    hours.map((hour) => [
      'Brighton',
      undefined,
      'England Premier League',
      0,
      new Date(nowMs + hour * 3_600_000).toISOString(),
    ]),
  );
  const { status, best, alternatives } = resolveFixture(index, 'brighton', { today: { nowMs } });
  const order = [best!, ...alternatives].map(({ eventNumber }) => hours[eventNumber - 1]);
  expect([status, order]).toEqual(['ambiguous', [-1, 5, 30, -26, -50]]);
});

describe('slips in short words', () => {
  const teams = listOf('Manchester City, Stoke City, San Jose Earthquakes, 1. FC Köln, Genk, Kobe, PAOK');
  const index = slateOf(teams.map((team) => [team]));

  test('an inner letter of a short word may be missing beside a correct name', () => {
    for (const [name, word, at] of [
      ['manchester', 'city', 1],
      ['man', 'city', 1],
      ['stoke', 'city', 2],
      ['san', 'jose', 3],
    ] as const) {
      for (const letter of [1, 2]) {
        const query = `${name} ${word.slice(0, letter)}${word.slice(letter + 1)}`;
        expect([query, meantBy(query, index)]).toEqual([query, at]);
      }
    }
  });

  test('two neighbouring letters may be exchanged in a word beside the name, even if it is a club form or an article', () => {
    const names = listOf(`
      Club Brugge, Las Palmas, AEK Athens, VfB Stuttgart, Real Madrid, West Ham United
    `);
    const slate = slateOf(names.map((name) => [name]));
    names.forEach((name, index) => {
      const [short, ...rest] = name.toLowerCase().split(' ') as [string, ...string[]];
      for (let at = 0; at + 1 < short.length; at++) {
        const slip = short.slice(0, at) + short[at + 1]! + short[at]! + short.slice(at + 2);
        const query = [slip, ...rest].join(' ');
        expect([query, meantBy(query, slate)]).toEqual([query, index + 1]);
      }
    });
  });

  test('a short name with one letter from a neighbouring key finds the club, unless the result is a word of another name', () => {
    for (const [word, at, keys] of [
      ['koln', 4, { 1: 'iu', 2: 'k', 3: 'mb' }],
      ['genk', 5, { 1: 'wr', 2: 'm', 3: 'jl' }],
      ['kobe', 6, { 1: 'i', 2: 'v', 3: 'wr' }],
      ['paok', 7, { 2: 'i', 3: 'jl' }],
    ] as const) {
      for (const [place, letters] of Object.entries(keys)) {
        for (const letter of letters) {
          const query = word.slice(0, Number(place)) + letter + word.slice(Number(place) + 1);
          if (isKnownWord(query)) continue;
          expect([query, meantBy(query, index)]).toEqual([query, at]);
        }
      }
    }
  });
});
