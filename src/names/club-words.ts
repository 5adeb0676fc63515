// Words of club names: what kind each is, that is how much it tells about which club is meant, and one spelling for
// its several forms. The words themselves are in data/; nothing there names a single club.

import { SPORT_BASKETBALL, SPORT_FOOTBALL } from '../domain/catalogue.ts';
import clubWordsText from './data/club-words.txt' with { type: 'text' };
import spellingsText from './data/spellings.txt' with { type: 'text' };
import { SectionedTable } from './data-tables.ts';

/** A name of its own or a place. */
export const KIND_PROPER = 0;
/** Shared by many: "United". */
export const KIND_GENERIC = 1;
/** Two to four letters without a vowel: initials of what is not known, most often one more club form ("WSC"). */
export const KIND_INITIALS = 2;
export const KIND_NUMBER = 3;
/** A club's form ("VfB"), a league's country. */
export const KIND_AFFIX = 4;
/** Says next to nothing: "FC". */
export const KIND_PLAIN = 5;
export const KIND_LITTLE = 6;

const TABLE = new SectionedTable('club-words.txt', clubWordsText);
const SPELLINGS = new SectionedTable('spellings.txt', spellingsText);
const PLAIN_FORMS = TABLE.words('plain forms');
const FORMS = TABLE.words('forms');
const GENERIC_WORDS = TABLE.words('generic');
const LITTLE_WORDS = TABLE.words('little');
const FOOTBALL_WORDS = TABLE.words('football');
const BASKETBALL_WORDS = TABLE.words('basketball');
const WORD_FORMS = SPELLINGS.spellings('spellings');
const PHRASES_BY_FIRST = Map.groupBy(SPELLINGS.phrases('phrases'), ({ texts }) => texts[0]!);

/** Women's sides. One letter counts only when it is not the first word. */
export const WOMEN_WORDS: ReadonlySet<string> = TABLE.words('women');
/** Reserve sides, when last (or before the year group). */
export const RESERVE_WORDS: ReadonlySet<string> = TABLE.words('reserves');
/** Words that may say second team wherever they stand, or be part of a first team's name. */
export const JUNIOR_WORDS: ReadonlySet<string> = TABLE.words('juniors');
/** Two-letter states behind a Brazilian club's name. */
export const BRAZILIAN_STATES: ReadonlySet<string> = TABLE.words('brazilian states');
/** Words written as one that are taken apart, so that initials ("SV") and words in full meet. */
export const COMPOUNDS: ReadonlyMap<string, readonly string[]> = SPELLINGS.definitions('compounds');

const INITIALS = /^(?:(?!st$)[bcdfghjklmnpqrstvwxz]{2,4}|[b-z])$/;

/** Kind of a word in a club's name. */
export function kindOfTeamWord(text: string): number {
  if (PLAIN_FORMS.has(text)) return KIND_PLAIN;
  if (FORMS.has(text) || FORMS.has(formOf(text))) return KIND_AFFIX;
  if (LITTLE_WORDS.has(text)) return KIND_LITTLE;
  if (GENERIC_WORDS.has(text) || GENERIC_WORDS.has(formOf(text))) return KIND_GENERIC;
  if (INITIALS.test(text)) return KIND_INITIALS;
  return /^\d+$/.test(text) ? KIND_NUMBER : KIND_PROPER;
}

/** Whether a name says that it is of a side in another sport: "FC Barcelona Basket" is no football team. */
export function contradictsSport(
  name: { readonly words: readonly { readonly text: string }[] },
  sport: number | null,
): boolean {
  const words =
    sport === SPORT_BASKETBALL ? FOOTBALL_WORDS : sport === SPORT_FOOTBALL ? BASKETBALL_WORDS : null;
  return words !== null && name.words.some(({ text }) => words.has(text));
}

/** One spelling for a word's several forms and a city's several names. */
export function formOf(word: string): string {
  return WORD_FORMS.get(word) ?? word;
}

/** Words that together say what kind of club it is, and the initials that stand for them. */
export interface FormPhrase {
  readonly start: number;
  readonly length: number;
  readonly short: string;
}

/** The phrases of a name, the longest at each place and every one of its short forms. */
export function formPhrasesIn(words: readonly { readonly text: string }[]): FormPhrase[] {
  const found: FormPhrase[] = [];
  for (let start = 0; start < words.length; start++) {
    for (const { texts, shorts } of PHRASES_BY_FIRST.get(words[start]!.text) ?? []) {
      if (!texts.every((text, at) => words[start + at]?.text === text)) continue;
      for (const short of shorts) found.push({ start, length: texts.length, short });
    }
  }
  return found;
}
