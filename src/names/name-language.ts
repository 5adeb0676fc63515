// What an index must know about the names it holds: clubs and leagues are named by different rules.

import { nicknamesOf } from './nicknames.ts';
import { type ParsedName, parseName } from './normalise.ts';
import { kindOfTeamWord } from './word-kinds.ts';
import { formOf } from './word-similarity.ts';

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

export const TEAM_LANGUAGE: NameLanguage = {
  parse: parseName,
  kindOf: kindOfTeamWord,
  formOf,
  kindWeights: [1, 0.5, 0.5, 0.2, 0.16, 0.05, 0.04],
  nameCoverShare: 0.19,
  otherNames: nicknamesOf,
};
