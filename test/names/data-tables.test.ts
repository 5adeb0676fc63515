import { describe, expect, test } from 'bun:test';
import { allClubs, tables } from '../../src/names/club-table.ts';
import { readNameGroups, SectionedTable } from '../../src/names/data-tables.ts';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';
import { foldText } from '../../src/names/text/fold-text.ts';
import { splitWords } from '../../src/names/text/parse-name.ts';
import { indexOfFixtures } from './index-of-fixtures.ts';

describe('readNameGroups', () => {
  test('reads one entry per line and leaves out comments and empty lines', () => {
    expect(readNameGroups('x.txt', '# comment\n\nArsenal | Gunners\nLille | LOSC | LOSC Lille\n')).toEqual([
      ['Arsenal', 'Gunners'],
      ['Lille', 'LOSC', 'LOSC Lille'],
    ]);
  });

  test.each([
    ['Arsenal', 'x.txt line 2: expected two or more names'],
    ['Arsenal | ', 'x.txt line 2: expected two or more names'],
    ['Arsenal |  Gunners', 'x.txt line 2: expected two or more names'],
    ['Arsenal | Gunners | Arsenal', 'x.txt line 2: the name is in the list twice'],
  ])('refuses %p, and names the file and the line', (line, message) => {
    expect(() => readNameGroups('x.txt', `# comment\n${line}`)).toThrow(message);
  });
});

describe('SectionedTable', () => {
  test('reads words over several lines and spellings by the word they stand for', () => {
    const table = new SectionedTable('x.txt', '[words]\nfc sc\nbc\n[spellings]\nvienna = wien bec\n');
    expect([...table.words('words')]).toEqual(['fc', 'sc', 'bc']);
    expect([...table.spellings('spellings')]).toEqual([
      ['wien', 'vienna'],
      ['bec', 'vienna'],
    ]);
  });

  test.each([
    ['fc', 'x.txt line 1: text before the first [section]'],
    ['[words]\nfc\n[words]\nsc', 'x.txt line 3: a second section words'],
    ['[words]\nfc FC', "x.txt line 2: 'FC' is not lower-case letters and digits"],
    ['[words]\nfc\nfc', "x.txt line 3: 'fc' is in the section twice"],
    ['[other]\nfc', 'x.txt: section [words] is missing or empty'],
    ['[words]\n[other]\nfc', 'x.txt: section [words] is missing or empty'],
  ])('refuses %p, and names the file and the line', (text, message) => {
    expect(() => new SectionedTable('x.txt', text).words('words')).toThrow(message);
  });

  test.each([
    ['vienna', "x.txt line 2: expected 'word = word word ...'"],
    ['vienna = ', "x.txt line 2: expected 'word = word word ...'"],
    ['vienna = wien\nvienna = bec', "x.txt line 3: 'vienna' has a line already"],
    ['vienna = wien\nwinn = wien', "x.txt: 'wien' is a spelling of two words"],
  ])('refuses the spelling %p', (lines, message) => {
    expect(() => new SectionedTable('x.txt', `[spellings]\n${lines}`).spellings('spellings')).toThrow(
      message,
    );
  });
});

/**
 * Some names are left out because they are read as days: "Wednesday", and "TUE" in the name of III. Keruleti
 * TUE.
 */
const DAYS = /^wednesday$|\btue$/i;

test('every name that only one club in the table has finds that club', () => {
  const missed: string[] = [];
  allClubs().forEach(({ names, country, sport }) => {
    const leagueName = `${country ?? (sport === 1 ? 'Europe' : 'World')} League`;
    const homeName = names[0]!;
    const fixture = { eventNumber: 1, homeName, awayName: 'Opponent', leagueName, sport, scheduledAtMs: 0 };
    const index = indexOfFixtures([fixture]);
    for (const name of names) {
      if (clubsWith(name) > 1 || DAYS.test(name)) continue;
      const { status } = resolveFixture(index, name);
      if (status !== 'matched') missed.push(`${name} (${homeName}): ${status}`);
    }
  });
  expect(missed).toEqual([]);
}, 60_000);

function clubsWith(name: string): number {
  const texts = splitWords(foldText(name, 200)).map(({ text }) => text);
  return tables().byText.get(texts.join(' '))!.length;
}
