// Words of club names: the kind of each, which says how well it distinguishes clubs, and one spelling for its
// several forms. The words are in data/club-words.txt and data/spellings.txt.

import { SPORT_BASKETBALL, SPORT_FOOTBALL } from '../domain/catalogue.ts';
import { TextMemory } from '../domain/texts/text-memory.ts';
import clubWordsText from './data/club-words.txt' with { type: 'text' };
import spellingsText from './data/spellings.txt' with { type: 'text' };
import { SectionedTable } from './data-tables.ts';
import { isOneSlip } from './text/word-similarity.ts';

/** A distinctive name, or a place. */
export const KIND_PROPER = 0;
/** A word that many clubs share: "United". */
export const KIND_GENERIC = 1;
/** Two to four letters without a vowel: initials that no table has, most often a club form ("WSC"). */
export const KIND_INITIALS = 2;
export const KIND_NUMBER = 3;
/** A club's form ("VfB") or, in the name of a league, its country. */
export const KIND_AFFIX = 4;
/** A word that distinguishes almost nothing: "FC". */
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
const SPELLINGS_BY_START = Map.groupBy(WORD_FORMS.keys(), (spelling) => spelling[0]!);
const PHRASES_BY_FIRST = Map.groupBy(SPELLINGS.phrases('phrases'), ({ texts }) => texts[0]!);

/** Marks of women's sides. A single letter is such a mark only after the first word. */
export const WOMEN_WORDS: ReadonlySet<string> = TABLE.words('women');
/** Words for reserve sides, at the end of the name or before an age group such as U19. */
export const RESERVE_WORDS: ReadonlySet<string> = TABLE.words('reserves');
/** Words that may mean a second team anywhere in the name, or be part of a first team's name. */
export const JUNIOR_WORDS: ReadonlySet<string> = TABLE.words('juniors');
/** Two-letter states after a Brazilian club's name. */
export const BRAZILIAN_STATES: ReadonlySet<string> = TABLE.words('brazilian states');
/**
 * Words written together, and the words that they are separated into, so that initials ("SV") and full words
 * match.
 */
export const COMPOUNDS: ReadonlyMap<string, readonly string[]> = SPELLINGS.definitions('compounds');

const INITIALS = /^(?:(?!st$)[bcdfghjklmnpqrstvwxz]{2,4}|[b-z])$/;

const kinds = new TextMemory<number>(16_384);

export function kindOfTeamWord(text: string): number {
  return kinds.get(text) ?? kinds.put(text, readKind(text));
}

function readKind(text: string): number {
  if (PLAIN_FORMS.has(text)) return KIND_PLAIN;
  if (FORMS.has(text) || FORMS.has(formOf(text))) return KIND_AFFIX;
  if (LITTLE_WORDS.has(text)) return KIND_LITTLE;
  if (GENERIC_WORDS.has(text) || GENERIC_WORDS.has(formOf(text))) return KIND_GENERIC;
  if (INITIALS.test(text)) return KIND_INITIALS;
  return /^\d+$/.test(text) ? KIND_NUMBER : KIND_PROPER;
}

/**
 * Whether a word of the name contradicts the given sport: a basketball word for football ("FC Barcelona
 * Basket"), or a football word for basketball. False for other sports.
 */
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

/**
 * Words with fewer letters than this are never typing slips, because a slip often makes another word of them.
 */
const SLIP_LENGTH_MIN = 6;

/**
 * Corrects one typing slip: if the word is one slip from a known spelling, returns the usual form of that
 * spelling, otherwise null. "anvvers" is Anvers, so Antwerp.
 */
export function slipFormOf(word: string): string | null {
  if (word.length < SLIP_LENGTH_MIN) return null;
  for (const spelling of SPELLINGS_BY_START.get(word[0]!) ?? []) {
    if (spelling.length >= SLIP_LENGTH_MIN && isOneSlip(word, spelling)) return WORD_FORMS.get(spelling)!;
  }
  return null;
}

/** Words that together name the kind of club, and the initials that stand for them. */
export interface FormPhrase {
  readonly start: number;
  readonly length: number;
  readonly short: string;
}

/** The phrases in a name. A phrase with several short forms is listed once for each. */
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
