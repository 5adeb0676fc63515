import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { clubsNamed } from '../../../src/names/club-table.ts';
import { readNativeNames } from '../../../src/names/data-tables.ts';
import { isSeparator } from '../../../src/names/parse-fixture-query.ts';
import { isQuestionWord } from '../../../src/names/question/question-words.ts';
import { resolveFixture } from '../../../src/names/resolve-fixture.ts';
import { foldText } from '../../../src/names/text/fold-text.ts';
import { hasUnreadLetters, inLatinLetters } from '../../../src/names/text/native-names.ts';
import { parseName } from '../../../src/names/text/parse-name.ts';
import { slateOf } from '../slate-of.ts';

const FILE = new URL('../../../src/names/data/native-names.txt', import.meta.url);
const ROWS = readNativeNames('native-names.txt', readFileSync(FILE, 'utf8'));
/** Whether a row has only words of questions, and no club's name. */
const isOfQuestion = (latin: string): boolean =>
  latin.split(' ').every((word) => isQuestionWord(word) || isSeparator(word) || ['or', 'and'].includes(word));
const CLUBS = ROWS.filter(({ latin }) => !isOfQuestion(latin));

test('every spelling is read as the Latin name, also in another case, with separate accents, and without middle dots', () => {
  expect(CLUBS.length).toBeGreaterThan(150);
  for (const { latin, spellings } of ROWS) {
    if (!isOfQuestion(latin)) expect([latin, clubsNamed(parseName(latin)).length > 0]).toEqual([latin, true]);
    for (const spelling of spellings) {
      const forms = [
        spelling,
        spelling.toUpperCase(),
        spelling.normalize('NFD'),
        spelling.replace(/[・·]/g, ''),
      ];
      for (const form of forms)
        expect([spelling, foldText(form, 200).trim()]).toEqual([spelling, latin.toLowerCase()]);
      expect([spelling, hasUnreadLetters(spelling)]).toEqual([spelling, false]);
    }
  }
});

test('two clubs with a word between them, or a club and a day, are read in every script', () => {
  const index = slateOf([
    ['Barcelona', 'Real Madrid', 'Spain LaLiga', 0, '2026-11-28T20:00:00Z'],
    ['Liverpool', 'Chelsea', 'England Premier League', 0, '2026-11-27T20:00:00Z'],
  ]);
  const today = { nowMs: Date.parse('2026-11-27T12:00:00Z') };
  const asked: readonly (readonly [string, number])[] = [
    ['برشلونة ضد ريال مدريد', 1],
    ['ברצלונה נגד ריאל מדריד', 1],
    ['皇马对巴萨', 1],
    ['レアル・マドリード 対 バルセロナ', 1],
    ['레알 마드리드 바르셀로나 내일', 1],
    ['Барселона против Реал Мадрид', 1],
    ['Μπαρτσελόνα εναντίον Ρεάλ Μαδρίτης', 1],
    ['مباراة ليفربول اليوم', 2],
    ['利物浦今天', 2],
    ['Ливерпуль сегодня', 2],
    ['リヴァプール 今夜', 2],
  ];
  for (const [query, eventNumber] of asked) {
    const { status, best } = resolveFixture(index, query, { today });
    expect([query, status, best?.eventNumber]).toEqual([query, 'matched', eventNumber]);
  }
  expect(resolveFixture(index, 'ليفربول غدا', { today }).status).toBe('not_found');
});

test('text without such letters is unchanged, and any text is read in bounded time', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => inLatinLetters(text) === text));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => foldText(text, 200).length <= 400),
  );
  // A single letter whose Latin form has eighteen letters.
  expect(inLatinLetters('\ufdfa'.repeat(200)).length).toBeLessThanOrEqual(200);
});

test('letters of a script that is not supported are detected', () => {
  expect(hasUnreadLetters('ช้างศึก')).toBe(true);
  expect(hasUnreadLetters('الجهراء')).toBe(true);
  for (const text of ['Atlético', 'Спартак Варна', 'ΠΑΟΚ', 'برشلونة', '12:00', ''])
    expect([text, hasUnreadLetters(text)]).toEqual([text, false]);
});
