import { describe, expect, test } from 'bun:test';
import { readNameGroups, SectionedTable } from '../../src/names/data-tables.ts';

describe('readNameGroups', () => {
  test('reads a line a thing and leaves out comments and empty lines', () => {
    expect(readNameGroups('x.txt', '# comment\n\nArsenal | Gunners\nLille | LOSC | LOSC Lille\n')).toEqual([
      ['Arsenal', 'Gunners'],
      ['Lille', 'LOSC', 'LOSC Lille'],
    ]);
  });

  test.each([
    ['Arsenal', 'x.txt line 2: expected two or more names'],
    ['Arsenal | ', 'x.txt line 2: expected two or more names'],
    ['Arsenal |  Gunners', 'x.txt line 2: expected two or more names'],
    ['Arsenal | Gunners | Arsenal', 'x.txt line 2: a name stands there twice'],
  ])('refuses %p with the file and the line', (line, message) => {
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
  ])('refuses %p with the file and the line', (text, message) => {
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
