// The strength of the evidence for a team, or for a pair of teams, once the words have been compared: a
// number that is then calibrated. A text that fits no other known club as well is strong evidence; one that
// fits another club better is hardly any.

import type { TableGrades } from '../known-clubs.ts';
import type { NameMatch } from '../name-index.ts';
import {
  GRADE_DISTINCTIVE,
  GRADE_FORM,
  GRADE_OTHER_SIDE,
  GRADE_PART,
  GRADE_SAME,
  GRADE_VAGUE,
} from './name-grade.ts';

/**
 * Strength if the text is word for word the team's own name on the slate. That team is meant, even if other
 * clubs have the same name.
 */
const STRENGTH_OWN = 6;
/** Highest strength if another club fits the text as well. */
export const STRENGTH_SHARED = 1.5;
/**
 * Like STRENGTH_SHARED, for one side of a pair. A pair is better evidence, because the other club would have
 * to play the same opponent too.
 */
const STRENGTH_SHARED_IN_PAIR = 2.5;
/** Strength of one side of a pair whose text is the name of two clubs. */
const STRENGTH_NAMESAKE_IN_PAIR = 3;
/** Strength if the text is another club's name. */
const STRENGTH_OTHERS = 0.6;
/**
 * Strength if the text is another club's name, and resembles the team's name only with typing slips or in
 * part.
 */
const STRENGTH_NOISE = 0.1;
/** Strength if only one side of "A v B" fits. Such a fixture is shown, but is never a match. */
export const STRENGTH_ONE_SIDE = 0.5;
const TIE_MARGIN = 0.25;
/** A rival at least this far behind is ignored, because it fits only if its words are altered. */
const SURE_LEAD = 0.7;
/** Like SURE_LEAD, for a text that fits the team well, where a smaller lead is enough. */
const SURE_LEAD_WELL = 0.3;
/**
 * Highest strength if the team fits best but not in full, and the words are part of another club's name too.
 */
const STRENGTH_UNSURE = 2.9;

/** A club of the table with at most this grade is no rival. */
const RIVAL_GRADE_MIN = 0.5;
/** Tolerance in comparing grades, which are sums of decimal fractions. */
const ROUNDING = 1e-6;
/** `isSoleFit` ignores a rival at least this far behind, whatever its grade. */
const SOLE_LEAD_MIN = 1.9;

/** The strength of a team that the text names alone. */
export function strengthAlone(match: NameMatch, { rival, isOfOwnAlone, hasNamesake }: TableGrades): number {
  const { grade } = match;
  const lead = grade - rival;
  if (match.isOwn && lead >= -TIE_MARGIN) return STRENGTH_OWN;
  const isKnownByIt = isOfOwnAlone || (grade === GRADE_SAME && match.isOfSeveralWords);
  if (match.isVague && !isKnownByIt) return Math.min(grade, GRADE_VAGUE);
  if (lead < -TIE_MARGIN && rival > GRADE_DISTINCTIVE)
    return grade < GRADE_PART ? STRENGTH_NOISE : STRENGTH_OTHERS;
  if (lead < TIE_MARGIN) return Math.min(grade, STRENGTH_SHARED);
  const leadMin = grade >= GRADE_FORM - ROUNDING ? SURE_LEAD_WELL : SURE_LEAD;
  const isUnsure = grade <= GRADE_FORM + ROUNDING && rival >= GRADE_PART && lead < leadMin;
  if (isUnsure || hasNamesake) return Math.min(grade, STRENGTH_UNSURE);
  return grade;
}

/** Whether the table knows the team, and no other club of the table comes near. */
export function isSoleFit(
  { grade, hasOtherForm }: NameMatch,
  { rival, isKnown, hasNamesake }: TableGrades,
): boolean {
  return (
    isKnown && !hasNamesake && !hasOtherForm && (rival <= RIVAL_GRADE_MIN || grade - rival >= SOLE_LEAD_MIN)
  );
}

/**
 * The strength of a team as one side of a pair. A rival that fits as well counts less than for a team alone,
 * because it would have to play the same opponent too.
 */
export function strengthInPair(match: NameMatch, { rival }: TableGrades): number {
  const lead = match.grade - rival;
  if (match.isOwn && lead >= -TIE_MARGIN) return STRENGTH_OWN;
  if (match.isVague)
    return match.grade >= GRADE_DISTINCTIVE ? STRENGTH_NAMESAKE_IN_PAIR : Math.min(match.grade, GRADE_VAGUE);
  if (lead < -TIE_MARGIN && rival >= GRADE_DISTINCTIVE) return STRENGTH_OTHERS;
  if (lead < TIE_MARGIN)
    return match.grade >= GRADE_DISTINCTIVE
      ? STRENGTH_NAMESAKE_IN_PAIR
      : Math.min(match.grade, STRENGTH_SHARED_IN_PAIR);
  return match.grade;
}

/** The highest possible result of `strengthInPair`, whatever the rival. */
export function strengthInPairMax(match: NameMatch): number {
  return match.isOwn ? STRENGTH_OWN : Math.max(match.grade, match.isVague ? STRENGTH_NAMESAKE_IN_PAIR : 0);
}

/**
 * The strength of a fixture, from the strengths of its two teams: the weaker one decides, a strong other one
 * helps.
 */
export function strengthOfPair(left: number, right: number): number {
  const weaker = Math.min(left, right);
  const stronger = Math.max(left, right);
  if (weaker < GRADE_OTHER_SIDE) return STRENGTH_ONE_SIDE;
  if (weaker < GRADE_VAGUE) return weaker;
  if (weaker >= 5) return weaker;
  return Math.min(5, weaker + (stronger >= 3 ? 1 : 0.5));
}
