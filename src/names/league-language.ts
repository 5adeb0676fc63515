// How leagues are named: a country, a level, a sponsor. The competitions and their words are in data/.

import { TextMemory } from '../domain/texts/text-memory.ts';
import { assert } from '../errors.ts';
import { clubCountries } from './club-table.ts';
import { KIND_AFFIX, KIND_GENERIC, KIND_LITTLE, KIND_PROPER } from './club-words.ts';
import leagueWordsText from './data/league-words.txt' with { type: 'text' };
import leaguesText from './data/leagues.txt' with { type: 'text' };
import { readNameGroups, SectionedTable, USUAL_MARK, withoutMark } from './data-tables.ts';
import type { NameLanguage, OtherNames } from './team-language.ts';
import { type ParsedName, parseLeagueName } from './text/parse-name.ts';

/** What people write after a country's name to mean its first league. */
const FIRST_LEAGUE = ['league', 'first division', 'top division', 'top flight'];
const TABLE = new SectionedTable('league-words.txt', leagueWordsText);
const FORMS = TABLE.spellings('spellings');
const COUNTRIES = TABLE.words('countries');
const SHARED_WORDS = TABLE.words('shared');
const LITTLE_WORDS = TABLE.words('little');

/** Null until the first use. */
let loaded: LeagueTables | null = null;

/** The competitions of the table. A competition's group is its position in `groups`. */
interface LeagueTables {
  readonly groups: readonly (readonly string[])[];
  /** Groups by the key of each name that only one competition has. */
  readonly byKey: ReadonlyMap<string, number>;
  /** The group that people mean by a name that several competitions share, by the key of the name. */
  readonly usualByKey: ReadonlyMap<string, number>;
}

function tables(): LeagueTables {
  loaded ??= readTables();
  return loaded;
}

function readTables(): LeagueTables {
  const lines = readNameGroups('leagues.txt', leaguesText);
  return {
    groups: withCountryLeagues(lines),
    byKey: keyGroups(lines, false),
    usualByKey: keyGroups(lines, true),
  };
}

const LEAGUES_KEPT = 4_096;
const countryByLeague = new TextMemory<string | null>(LEAGUES_KEPT);
const wordsByLeague = new TextMemory<ReadonlySet<string>>(LEAGUES_KEPT);

/** The rules for leagues. Names distinguish most, then words such as "A" and "2", then countries. */
export const LEAGUE_LANGUAGE: NameLanguage = {
  parse: parseLeagueName,
  kindOf: kindOfLeagueWord,
  formOf: leagueFormOf,
  slipFormOf: () => null,
  affixesAreForms: false,
  kindWeights: [1, 0.6, 1, 0.6, 0.4, 0.05, 0.05],
  nameCoverShare: 0.35,
  isRare: () => false,
  isKnown: () => false,
  otherNames,
};

/** One spelling for a country, its adjective and its code: "Uru" is Uruguay. */
export function leagueFormOf(text: string): string {
  return FORMS.get(text) ?? text;
}

function kindOfLeagueWord(text: string): number {
  const form = leagueFormOf(text);
  if (SHARED_WORDS.has(form)) return KIND_GENERIC;
  if (LITTLE_WORDS.has(text) || /^\d+$/.test(text)) return KIND_LITTLE;
  return COUNTRIES.has(form) ? KIND_AFFIX : KIND_PROPER;
}

function otherNames(name: ParsedName): OtherNames {
  const { groups, byKey, usualByKey } = tables();
  const key = keyOf(name);
  const group = byKey.get(key) ?? usualByKey.get(key);
  return {
    names: group === undefined ? [] : groups[group]!,
    wholeSide: true,
    uncertain: false,
    known: { clubs: [], sides: 0 },
  };
}

/**
 * The country of a league, as in the club table, by the league's name or by the first of its other names; or
 * null. A name that several countries use ("Premier League") has none.
 */
export function countryOfLeague(leagueName: string): string | null {
  const known = countryByLeague.get(leagueName);
  if (known !== undefined) return known;
  const name = parseLeagueName(leagueName);
  const { groups, byKey } = tables();
  const group = byKey.get(keyOf(name));
  // "Turkish Airlines EuroLeague" is not a league of Turkey, because the table's first name of a competition
  // decides.
  const named = group === undefined ? name : parseLeagueName(groups[group]![0]!);
  return countryByLeague.put(leagueName, countryIn(named));
}

/** Whether the text is, word for word, a name of a competition of the table. */
export function isLeagueName(text: string): boolean {
  const key = keyOf(parseLeagueName(text));
  return tables().byKey.has(key) || tables().usualByKey.has(key);
}

/** The words of a league's name, of its other names and of its country, each as written and as compared. */
export function leagueWordsOf(leagueName: string): ReadonlySet<string> {
  const known = wordsByLeague.get(leagueName);
  if (known !== undefined) return known;
  const name = parseLeagueName(leagueName);
  const words = new Set<string>();
  for (const each of [name, ...otherNames(name).names.map(parseLeagueName)]) {
    for (const { text } of each.words) words.add(text).add(leagueFormOf(text));
  }
  return wordsByLeague.put(leagueName, words);
}

function countryIn(name: ParsedName): string | null {
  const words = name.words.map((word) => leagueFormOf(word.text));
  return clubCountries().find((country) => country.split(' ').every((word) => words.includes(word))) ?? null;
}

function keyGroups(lines: readonly (readonly string[])[], areUsual: boolean): Map<string, number> {
  const groups = new Map<string, number>();
  for (let group = 0; group < lines.length; group++) {
    for (const name of lines[group]!) {
      if (name.startsWith(USUAL_MARK) !== areUsual) continue;
      const key = keyOf(parseLeagueName(name));
      assert(
        !groups.has(key) || groups.get(key) === group,
        `leagues.txt: '${name}' is the name of two leagues`,
      );
      groups.set(key, group);
    }
  }
  return groups;
}

/**
 * "Spanish league" and "Spanish first division" mean the first line of the table whose main name contains
 * Spain, unless another competition is really called that.
 */
function withCountryLeagues(lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const seen = new Set<string>();
  const keys = new Set(
    lines.flatMap((line) => line.map((name) => keyOf(parseLeagueName(withoutMark(name))))),
  );
  return lines.map((line) => {
    const names = line.map(withoutMark);
    const country = countryIn(parseLeagueName(names[0]!));
    if (country === null || seen.has(country)) return names;
    seen.add(country);
    const others = FIRST_LEAGUE.map((words) => `${country} ${words}`);
    return [...names, ...others.filter((name) => !keys.has(keyOf(parseLeagueName(name))))];
  });
}

/**
 * The words in any order: "Serie A - Italy" is "Italy Serie A". A country's adjective counts like the
 * country, but "Ligue 1" is not "Primeira Liga". Women's competitions are separate.
 */
function keyOf({ words, variant }: ParsedName): string {
  const texts = words.map(({ text }) => (COUNTRIES.has(leagueFormOf(text)) ? leagueFormOf(text) : text));
  return `${variant}|${texts.sort().join(' ')}`;
}
