// How leagues are named: a country, a level, a sponsor. The competitions and their words are in data/.

import { CLUB_COUNTRIES } from './club-table.ts';
import { KIND_AFFIX, KIND_GENERIC, KIND_LITTLE, KIND_PROPER } from './club-words.ts';
import leagueWordsText from './data/league-words.txt' with { type: 'text' };
import leaguesText from './data/leagues.txt' with { type: 'text' };
import { readNameGroups, SectionedTable } from './data-tables.ts';
import { foldText } from './fold-text.ts';
import { type ParsedName, parseLeagueName, splitWords } from './parse-name.ts';
import type { NameLanguage, OtherNames } from './team-language.ts';

const TABLE = new SectionedTable('league-words.txt', leagueWordsText);
const FORMS = TABLE.spellings('spellings');
const COUNTRIES = TABLE.words('countries');
const SHARED_WORDS = TABLE.words('shared');
const LITTLE_WORDS = TABLE.words('little');

const GROUPS = readNameGroups('leagues.txt', leaguesText);
const GROUP_BY_KEY: ReadonlyMap<string, number> = keyGroups();

/** Leagues whose country is remembered. Full: all are forgotten. */
const LEAGUES_KEPT = 4_096;
const countryByLeague = new Map<string, string | null>();
const wordsByLeague = new Map<string, ReadonlySet<string>>();

/** Leagues: countries tell less than names, "A" and "2" tell much. */
export const LEAGUE_LANGUAGE: NameLanguage = {
  parse: parseLeagueName,
  kindOf: kindOfLeagueWord,
  formOf,
  affixesAreForms: false,
  kindWeights: [1, 0.6, 1, 0.6, 0.4, 0.05, 0.05],
  nameCoverShare: 0.35,
  isRare: () => false,
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

function otherNames(name: ParsedName): OtherNames {
  const group = GROUP_BY_KEY.get(keyOf(name.words.map((word) => word.text)));
  return {
    names: group === undefined ? [] : GROUPS[group]!,
    wholeSide: false,
    uncertain: false,
    known: { clubs: [], sides: 0 },
  };
}

/** The country of a league, as the club table has it, by the league's name or by what else it is called; or null. */
export function countryOfLeague(leagueName: string): string | null {
  const known = countryByLeague.get(leagueName);
  if (known !== undefined) return known;
  const name = parseLeagueName(leagueName);
  let country = countryIn(name);
  for (const other of otherNames(name).names) country ??= countryIn(parseLeagueName(other));
  if (countryByLeague.size >= LEAGUES_KEPT) countryByLeague.clear();
  countryByLeague.set(leagueName, country);
  return country;
}

/** The words of a league's name, of its other names and of its country, each as written and as compared. */
export function leagueWordsOf(leagueName: string): ReadonlySet<string> {
  const known = wordsByLeague.get(leagueName);
  if (known !== undefined) return known;
  const name = parseLeagueName(leagueName);
  const words = new Set<string>();
  for (const each of [name, ...otherNames(name).names.map(parseLeagueName)]) {
    for (const { text } of each.words) words.add(text).add(formOf(text));
  }
  if (wordsByLeague.size >= LEAGUES_KEPT) wordsByLeague.clear();
  wordsByLeague.set(leagueName, words);
  return words;
}

function countryIn(name: ParsedName): string | null {
  const words = name.words.map((word) => formOf(word.text));
  return CLUB_COUNTRIES.find((country) => country.split(' ').every((word) => words.includes(word))) ?? null;
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
