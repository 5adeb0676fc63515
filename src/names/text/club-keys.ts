// Keys under which names of clubs are found: the words of a name that distinguish clubs, in several choices.
// Pure functions over folded words.

import {
  BRAZILIAN_STATES,
  formOf,
  KIND_AFFIX,
  KIND_INITIALS,
  KIND_NUMBER,
  KIND_PROPER,
  kindOfTeamWord,
} from '../club-words.ts';

export function sideKey(variant: number, key: string): string {
  return `${variant}|${key}`;
}

/**
 * The distinctive words, without plain and two-letter club forms and years. Longer forms stay, because they
 * often distinguish two clubs of one town ("VfB Leipzig").
 */
export function keyOf(texts: readonly string[]): string {
  const distinctive = texts.filter((text, index) => {
    const kind = kindOfTeamWord(text);
    if (kind === KIND_NUMBER) return index > 0 && text.length < 4;
    return kind < KIND_AFFIX || (kind === KIND_AFFIX && text.length > 2);
  });
  return (distinctive.length === 0 ? texts : distinctive).map(formOf).join(' ');
}

/** Only the distinctive words; empty without any. */
export function placeKeyOf(texts: readonly string[]): string {
  const isClubAtletico = texts.includes('club') && texts.includes('atletico');
  return texts
    .filter((text) => kindOfTeamWord(text) < KIND_INITIALS && !(isClubAtletico && text === 'atletico'))
    .map(formOf)
    .join(' ');
}

/** The names of places and people in a name, in alphabetical order. */
export function properKeyOf(texts: readonly string[]): string {
  return texts
    .filter((text) => text.length > 2 && kindOfTeamWord(text) === KIND_PROPER)
    .map(formOf)
    .sort()
    .join(' ');
}

export function distinctiveWordsOf(texts: readonly string[]): string[] {
  return texts.filter((text) => text.length > 3 && kindOfTeamWord(text) === KIND_PROPER).map(formOf);
}

/** The words of a key in alphabetical order; none for a key of one word, which has only one order. */
export function wordsKeyOf(key: string): string[] {
  const words = key.split(' ');
  return words.length < 2 ? [] : [words.sort().join(' ')];
}

export function withoutState(key: string): string {
  const at = key.lastIndexOf(' ');
  return at > 0 && BRAZILIAN_STATES.has(key.slice(at + 1)) ? key.slice(0, at) : key;
}
