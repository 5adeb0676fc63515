// Finds the club of the table that a team of the slate is: by the team's name as written, by its distinctive
// words, or by some of them.

import { allClubs, type KnownClub, type TeamContext, tables } from './club-table.ts';
import {
  distinctiveWordsOf,
  keyOf,
  placeKeyOf,
  properKeyOf,
  sideKey,
  withoutState,
  wordsKeyOf,
} from './text/club-keys.ts';
import type { ParsedName } from './text/parse-name.ts';

const UNKNOWN: KnownClub = { clubs: [], sides: 0 };

/** Countries whose clubs also play in leagues of another country. */
const PLAYS_IN: ReadonlyMap<string, readonly string[]> = new Map([
  ['wales', ['england']],
  ['canada', ['usa']],
  ['usa', ['canada']],
  ['northern ireland', ['ireland']],
  ['australia', ['new zealand']],
]);

/**
 * The clubs of the table that a team of this name may be: those with the name as written, otherwise those
 * with its distinctive words.
 */
export function clubsOfTeam(name: ParsedName, context: TeamContext): KnownClub {
  const key = keyOf(name.words.map((word) => word.text));
  if (name.variant !== 0) {
    const side = fitting(tables().byKey.get(sideKey(name.variant, key)), context);
    if (side.length > 0) {
      const club = clubsOfTeam({ ...name, variant: 0 }, context).clubs;
      return { clubs: [...side, ...club.filter((each) => !side.includes(each))], sides: side.length };
    }
  }
  for (const each of [
    tables().byText.get(name.text),
    tables().byKey.get(key),
    tables().byKey.get(withoutState(key)),
  ]) {
    const clubs = fitting(each, context);
    if (clubs.length > 0) return { clubs, sides: 0 };
  }
  const reordered = wordsKeyOf(key).flatMap((words) => fitting(tables().byWords.get(words), context));
  if (reordered.length === 1) return { clubs: reordered, sides: 0 };
  // The league may be a friendly or a cup abroad, so its country may not be the club's. A name of several
  // words identifies the club even then.
  if (context.country !== null && name.words.length > 1) {
    const clubs = fitting(tables().byText.get(name.text), { ...context, country: null });
    if (clubs.length === 1) return { clubs, sides: 0 };
  }
  const texts = name.words.map((word) => word.text);
  const proper = properKeyOf(texts);
  const bare =
    proper === '' || context.country === null ? [] : fitting(tables().byProperWords.get(proper), context);
  if (bare.length === 1) return { clubs: bare, sides: 0 };
  const place = placeKeyOf(texts);
  const clubs = place === '' ? [] : fitting(tables().byPlace.get(place), context);
  if (clubs.length === 1) return { clubs, sides: 0 };
  if (context.country === null) {
    const tied = clubTied(texts, context);
    if (tied.length === 1) return { clubs: tied, sides: 0, isTied: true };
  }
  const near = clubNear(texts, context);
  return near.length === 0 ? UNKNOWN : { clubs: near, sides: 0, isNear: true };
}

/**
 * For a team in a league without a country: the one club of the world with the team's distinctive words. If
 * there is none, the one whose names begin with the first of those words and have no word that the team
 * lacks. "Zenit Penza" is not Zenit Saint Petersburg.
 */
function clubTied(texts: readonly string[], context: TeamContext): readonly number[] {
  const proper = properKeyOf(texts);
  const bare = proper === '' ? [] : fitting(tables().byProperWords.get(proper), context);
  if (bare.length > 0) return bare;
  const own = distinctiveWordsOf(texts);
  const [first] = own;
  if (first === undefined) return [];
  const ofFirst = new Set<number>();
  for (const { club, words } of tables().byDistinctiveWord.get(first) ?? []) {
    if (words[0] !== first || !words.every((word) => own.includes(word))) return [];
    ofFirst.add(club);
  }
  return fitting([...ofFirst], context);
}

function fitting(clubs: readonly number[] | undefined, context: TeamContext): readonly number[] {
  if (clubs === undefined) return [];
  const all = allClubs();
  return clubs.filter((club) => {
    const { sport, country } = all[club]!;
    if (context.sport !== null && sport !== context.sport) return false;
    if (context.country === null || country === null || country === context.country) return true;
    return PLAYS_IN.get(country)?.includes(context.country) === true;
  });
}

/**
 * The one club of the country (or of the world, if the country is unknown) whose name is part of the team's,
 * or the other way round: "Real Jaen" is the Jaen of the table. Such a club is no rival of the team, but its
 * other names are not used. If several clubs fit, the one with the team's first distinctive word is taken:
 * "Lazio Rome" is Lazio, not Roma.
 */
function clubNear(texts: readonly string[], context: TeamContext): readonly number[] {
  const own = distinctiveWordsOf(texts);
  const found = new Set<number>();
  let ofFirst: readonly number[] | null = null;
  for (const word of own) {
    for (const { club, words } of tables().byDistinctiveWord.get(word) ?? []) {
      const isPart = words.every((each) => own.includes(each)) || own.every((each) => words.includes(each));
      if (isPart) found.add(club);
    }
    ofFirst ??= [...found];
  }
  for (const clubs of [[...found], ofFirst ?? []]) {
    const near = fitting(clubs, context);
    if (near.length === 1) return near;
  }
  return [];
}
