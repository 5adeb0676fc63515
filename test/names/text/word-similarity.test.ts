import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createTeamIndex } from '../../../src/names/team-index.ts';
import { isOneSlip, jaroWinkler } from '../../../src/names/text/word-similarity.ts';

function rank(names: readonly string[], query: string): string[] {
  const index = createTeamIndex(names.map((name) => ({ name, sport: 0 })));
  return index.search(query, { coverageMin: 0 }).map((candidate) => candidate.entry.name);
}

function status(names: readonly string[], query: string): string {
  return createTeamIndex(names.map((name) => ({ name, sport: 0 }))).resolve(query).status;
}

describe('team index, rules that distinguish clubs of one place', () => {
  test.each([
    ['junior sides are second teams', ['Graz', 'Graz Juniors'], 'Graz II', 'Graz Juniors'],
    ['second teams may be called juniors', ['Graz', 'Graz II'], 'Graz Amateure', 'Graz II'],
    ['juniors may be a first team', ['Boca Juniors', 'Boca Unidos'], 'Boca Juniors', 'Boca Juniors'],
    ['words in brackets weigh less', ['Mitre', 'Union Santiago'], 'Mitre (Santiago)', 'Mitre'],
    ['founding years in four digits', ['Hannover 96', 'Hannover 74'], 'Hannover 1896', 'Hannover 96'],
    ['founding years in two digits', ['Essen 1907', 'Essen 1912'], 'Essen 07', 'Essen 1907'],
    ['a full stop parts words', ['Universidad Sur', 'UD Sur'], 'U.Sur', 'Universidad Sur'],
    ['initials with their preposition', ['U. de C.', 'Colima'], 'Universidad de Colima', 'U. de C.'],
    ['C. shortens a word', ['Manchester City', 'Manchester United'], 'Manchester C.', 'Manchester City'],
    ['a second team has its own nickname', ['Real Madrid', 'Real Madrid B'], 'Castilla', 'Real Madrid B'],
    ['unknown initials weigh less', ['VMFD Zalgiris', 'Kauno Zalgiris'], 'FK Zalgiris', 'VMFD Zalgiris'],
    ['marked words may shorten', ['Virtus Bergamo', 'Atalanta Bergamo'], 'At. Bergamo', 'Atalanta Bergamo'],
  ])('search: %s', (_rule, names, query, first) => {
    expect(rank(names, query)[0]).toBe(first);
  });

  test('resolve does not mistake a club form for the initials of another club', () => {
    expect(status(['FK Austria Wien', 'SK Rapid Wien'], 'FC Karabakh Wien')).toBe('not_found');
  });

  test('resolve finds a club by a former name; a name that fits two clubs of one place is ambiguous', () => {
    expect(rank(['Sporting Kansas City', 'San Jose Earthquakes'], 'Kansas City Wizards')[0]).toBe(
      'Sporting Kansas City',
    );
    expect(status(['FK Valmiera', 'Valmiera FC'], 'Valmiera')).toBe('ambiguous');
  });
});

describe('isOneSlip', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 7 });

  test('agrees with the edit distance in which an exchange of neighbouring letters is one edit', () => {
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(isOneSlip(left, right)).toBe(distance(left, right) <= 1);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Optimal string alignment distance (Damerau 1964), computed with the whole table. */
function distance(left: string, right: string): number {
  const table = Array.from({ length: left.length + 1 }, (_, row) =>
    Array.from({ length: right.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  for (let row = 1; row <= left.length; row++) {
    for (let column = 1; column <= right.length; column++) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      let best = Math.min(
        table[row - 1]![column]! + 1,
        table[row]![column - 1]! + 1,
        table[row - 1]![column - 1]! + cost,
      );
      const turned =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (turned) best = Math.min(best, table[row - 2]![column - 2]! + 1);
      table[row]![column] = best;
    }
  }
  return table[left.length]![right.length]!;
}

describe('jaroWinkler', () => {
  test('equals the published values', () => {
    // Winkler (1990), table of examples; three decimals.
    expect(jaroWinkler('martha', 'marhta')).toBeCloseTo(0.961, 3);
    expect(jaroWinkler('dwayne', 'duane')).toBeCloseTo(0.84, 3);
    expect(jaroWinkler('dixon', 'dicksonx')).toBeCloseTo(0.813, 3);
  });

  test('jaroWinkler is symmetric, 1 for equal words, 0 for words without a common letter', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(jaroWinkler(left, right)).toBeWithin(0, 1.000_001);
        expect(jaroWinkler(left, left)).toBe(1);
        if (![...left].some((letter) => right.includes(letter))) expect(jaroWinkler(left, right)).toBe(0);
      }),
    );
  });
});
