// How leagues are named: a country, a level, a sponsor. The competitions and their words are in data/.

import { KIND_AFFIX, KIND_GENERIC, KIND_LITTLE, KIND_PROPER } from './club-words.ts';
import leagueWordsText from './data/league-words.txt' with { type: 'text' };
import leaguesText from './data/leagues.txt' with { type: 'text' };
import { readNameGroups, SectionedTable } from './data-tables.ts';
import { foldText } from './fold-text.ts';
import { type ParsedName, parseLeagueName, splitWords } from './parse-name.ts';
import type { NameLanguage, OtherName } from './team-language.ts';

const TABLE = new SectionedTable('league-words.txt', leagueWordsText);
const FORMS = TABLE.spellings('spellings');
const COUNTRIES = TABLE.words('countries');
const SHARED_WORDS = TABLE.words('shared');
const LITTLE_WORDS = TABLE.words('little');

const GROUPS = readNameGroups('leagues.txt', leaguesText);
const GROUP_BY_KEY: ReadonlyMap<string, number> = keyGroups();

/** Leagues: countries tell less than names, "A" and "2" tell much. */
export const LEAGUE_LANGUAGE: NameLanguage = {
  parse: parseLeagueName,
  kindOf: kindOfLeagueWord,
  formOf,
  kindWeights: [1, 0.6, 1, 0.6, 0.4, 0.05, 0.05],
  nameCoverShare: 0.35,
  otherNames,
};

function formOf(text: string): string {
  return FORMS.get(text) ?? text;
}

function kindOfLeagueWord(text: string): number {
  const form = formOf(text);
  if (SHARED_WORDS.has(form)) return KIND_GENERIC;
  if (LITTLE_WORDS.has(text) || /^\d+$/.test(text)) return KIND_LITTLE;
  return COUNTRIES.has(form) ? KIND_AFFIX : KIND_PROPER;
}

function otherNames(name: ParsedName): readonly OtherName[] {
  const group = GROUP_BY_KEY.get(keyOf(name.words.map((word) => word.text)));
  return group === undefined ? [] : GROUPS[group]!.map((text) => ({ text, wholeSide: false }));
}

function keyGroups(): Map<string, number> {
  const groups = new Map<string, number>();
  for (let group = 0; group < GROUPS.length; group++) {
    for (const name of GROUPS[group]!)
      groups.set(keyOf(splitWords(foldText(name, 200)).map((word) => word.text)), group);
  }
  return groups;
}

/** The words in any order: "Serie A - Italy" is "Italy Serie A". */
function keyOf(texts: readonly string[]): string {
  return texts.map(formOf).sort().join(' ');
}
