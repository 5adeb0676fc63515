// What an index must know about its names. Clubs and leagues are named by different rules; these are the
// rules for clubs.

import { allClubs, isKnownWord, isRareWord, type KnownClub, type TeamContext } from './club-table.ts';
import { formOf, kindOfTeamWord, slipFormOf } from './club-words.ts';
import { clubsOfTeam } from './clubs-of-team.ts';
import { type ParsedName, parseName } from './text/parse-name.ts';

export interface NameLanguage {
  parse(name: string): ParsedName;
  /** One of the KIND numbers. */
  kindOf(text: string): number;
  /** One spelling for all forms of a word. */
  formOf(text: string): string;
  /** The usual form of the spelling that the text is one typing slip from, or null. */
  slipFormOf(text: string): string | null;
  /**
   * Whether words of KIND_AFFIX are club forms ("FC"), which people leave out and add freely. If false, such
   * a word counts as any other.
   */
  readonly affixesAreForms: boolean;
  /** Worth of a word by its kind, 0 to 1, before its rarity counts. */
  readonly kindWeights: readonly number[];
  /** How much of the coverage depends on the query containing the whole name, 0 to 1. */
  readonly nameCoverShare: number;
  /**
   * Whether at most one club of the tables has this word. Such a word decides which club is meant, whatever
   * the other words.
   */
  isRare(text: string): boolean;
  /**
   * Whether a club of the tables has this word in a name. Such a word is not a typing slip of another word.
   */
  isKnown(text: string): boolean;
  /** Every other name known for this one. */
  otherNames(name: ParsedName, context: TeamContext): OtherNames;
}

export interface OtherNames {
  readonly names: readonly string[];
  /** Whether the names mean the women's, youth or second team without a word for that: "Castilla". */
  readonly wholeSide: boolean;
  /** Whether several clubs have this name; `names` are then those of all these clubs. */
  readonly uncertain: boolean;
  readonly known: KnownClub;
}

export const TEAM_LANGUAGE: NameLanguage = {
  parse: parseName,
  kindOf: kindOfTeamWord,
  formOf,
  slipFormOf,
  affixesAreForms: true,
  kindWeights: [1, 0.5, 0.5, 0.2, 0.16, 0.05, 0.04],
  nameCoverShare: 0.19,
  isRare: isRareWord,
  isKnown: isKnownWord,
  otherNames(name, context) {
    const known = clubsOfTeam(name, context);
    const { clubs, sides } = known;
    const named = known.isNear ? [] : sides > 0 ? clubs.slice(0, sides) : clubs;
    return {
      names: named.flatMap((club) => allClubs()[club]!.names),
      wholeSide: sides > 0,
      uncertain: named.length > 1,
      known,
    };
  },
};
