// What an index must know about the names it holds, since clubs and leagues are named by different rules, and the rules
// for clubs: kinds of words, and other names from the tables of data/.

import { BRAZILIAN_STATES, formOf, KIND_AFFIX, KIND_NUMBER, kindOfTeamWord } from './club-words.ts';
import clubsText from './data/clubs.txt' with { type: 'text' };
import formerNamesText from './data/former-names.txt' with { type: 'text' };
import { readNameGroups } from './data-tables.ts';
import { foldText } from './fold-text.ts';
import { type ParsedName, parseName, splitWords } from './parse-name.ts';

export interface NameLanguage {
  parse(name: string): ParsedName;
  /** One of the KIND numbers. */
  kindOf(text: string): number;
  /** One spelling for all forms of a word. */
  formOf(text: string): string;
  /** Worth of a word by its kind, 0 to 1, before rarity. */
  readonly kindWeights: readonly number[];
  /** How much of the confidence rests on the query naming the whole name, 0 to 1. */
  readonly nameCoverShare: number;
  /** Every other name known for this one. */
  otherNames(name: ParsedName): readonly OtherName[];
}

export interface OtherName {
  readonly text: string;
  /** It means the women's, youth or second team without a word for that: "Castilla". */
  readonly wholeSide: boolean;
}

const GROUPS: readonly (readonly string[])[] = [
  ...readNameGroups('clubs.txt', clubsText),
  ...readNameGroups('former-names.txt', formerNamesText),
];
const GROUPS_BY_KEY: ReadonlyMap<string, readonly number[]> = keyGroups();

export const TEAM_LANGUAGE: NameLanguage = {
  parse: parseName,
  kindOf: kindOfTeamWord,
  formOf,
  kindWeights: [1, 0.5, 0.5, 0.2, 0.16, 0.05, 0.04],
  nameCoverShare: 0.19,
  otherNames: nicknamesOf,
};

/** Every other name known for this one; empty for most. A second team goes by its own line, else by its club's. */
function nicknamesOf(name: ParsedName): readonly OtherName[] {
  const key = keyOf(name.words.map((word) => word.text));
  const side = name.variant === 0 ? undefined : GROUPS_BY_KEY.get(sideKey(name.variant, key));
  const groups = side ?? groupsOfClub(name.text, key);
  return groups.flatMap((group) => GROUPS[group]!.map((text) => ({ text, wholeSide: side !== undefined })));
}

/** Lines that hold the name as written or by its telling words; only without those, by them less a Brazilian state. */
function groupsOfClub(text: string, key: string): readonly number[] {
  const groups = new Set([...(GROUPS_BY_KEY.get(text) ?? []), ...(GROUPS_BY_KEY.get(key) ?? [])]);
  return groups.size > 0 ? [...groups] : (GROUPS_BY_KEY.get(withoutState(key)) ?? []);
}

function keyGroups(): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (let group = 0; group < GROUPS.length; group++) {
    for (const key of new Set(GROUPS[group]!.flatMap(keysOf))) {
      const list = groups.get(key);
      if (list === undefined) groups.set(key, [group]);
      else list.push(group);
    }
  }
  return groups;
}

function keysOf(name: string): string[] {
  const texts = splitWords(foldText(name, 200)).map((word) => word.text);
  const parsed = parseName(name);
  const keys = [texts.join(' '), keyOf(texts)];
  if (parsed.variant !== 0) keys.push(sideKey(parsed.variant, keyOf(parsed.words.map((word) => word.text))));
  return keys;
}

function sideKey(variant: number, key: string): string {
  return `${variant}|${key}`;
}

/**
 * The words that tell: plain and two-letter club forms and years are left out. Longer forms stay, for they often tell
 * two clubs of one town apart ("VfB Leipzig").
 */
function keyOf(texts: readonly string[]): string {
  const telling = texts.filter((text, index) => {
    const kind = kindOfTeamWord(text);
    if (kind === KIND_NUMBER) return index > 0 && text.length < 4;
    return kind < KIND_AFFIX || (kind === KIND_AFFIX && text.length > 2);
  });
  return (telling.length === 0 ? texts : telling).map(formOf).join(' ');
}

function withoutState(key: string): string {
  const at = key.lastIndexOf(' ');
  return at > 0 && BRAZILIAN_STATES.has(key.slice(at + 1)) ? key.slice(0, at) : key;
}
