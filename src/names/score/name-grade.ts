// How exactly a query is a name, as a grade: it depends on the words of both that remain after score-name.ts
// has paired them.

import {
  KIND_AFFIX,
  KIND_GENERIC,
  KIND_INITIALS,
  KIND_NUMBER,
  KIND_PLAIN,
  KIND_PROPER,
} from '../club-words.ts';
import type { NameRecord } from '../name-pool.ts';
import type { PreparedQuery } from '../prepare-query.ts';
import { BEND_MAX, BEND_SPELLING } from '../text/word-bend.ts';

/** The query is word for word the name. */
export const GRADE_SAME = 5;
/** The query would be word for word the name, were it not for a typing slip. */
const GRADE_WHOLE = 4.4;
/** The query is the name except for words like FC. */
export const GRADE_DISTINCTIVE = 4;
/**
 * The query is the team's own name except for words like FC: as good as a full match with another of its
 * names.
 */
export const GRADE_OWN_DISTINCTIVE = 4.6;
/**
 * Some words of the query are not in the name, but a distinctive one is. The other words may be a town or a
 * sponsor, or mean another club.
 */
const GRADE_STRANGER = 1.2;
/**
 * Some words of the query are not in the name, but all two or more distinctive words of the name are in the
 * query: the rest is most likely a sponsor's.
 */
const GRADE_SPONSOR = 2.35;
const SPONSOR_WORDS_MAX = 1;
/** The query has the words of the name in another order. */
const GRADE_REORDERED = 3.7;
/** The query differs in club forms and years: "Wolfsburg" and "VfL Wolfsburg". */
export const GRADE_FORM = 3.5;
/** The query leaves out words that many clubs share: "Leeds" and "Leeds United". */
export const GRADE_SHORT = 3;
/** The query has a club form or year that the name does not have: "FSV Frankfurt" and Frankfurt. */
const GRADE_OTHER_FORM = 3.3;
/** The query and the name each have a club form that the other lacks: "AS Lamia" and PAS Lamia. */
const GRADE_FORMS_DIFFER = 2.7;
/** The query leaves out distinctive words: "Brighton" and "Brighton and Hove Albion". */
export const GRADE_PART = 2;
/**
 * The query is another side of the club, such as its women's team. It may be offered, but is never a match
 * (see isNearSide).
 */
export const GRADE_OTHER_SIDE = 0.95;
/**
 * The club forms differ, or the query has only words that many clubs share, so it could mean any of several
 * clubs.
 */
export const GRADE_VAGUE = 1;

/** How the words of a query and a name were paired. */
interface Pairing {
  /** The words of the name that the query has, a bit mask. */
  readonly nameTaken: number;
  /** Whether they are in the name's order. */
  readonly isInOrder: boolean;
  /** For each word of the query, the cost of accepting it for its word of the name (word-bend.ts). */
  readonly bendByWord: Readonly<Float64Array>;
}

/** Set by `gradeOf`: whether the query and the name each have a form that the other lacks. */
export const graded = { hasOtherForm: false };

/** What the words of a query say about a name; overwritten by each call. */
interface QueryWords {
  /** The highest cost of a word that the name has (word-bend.ts). */
  bent: number;
  /** Whether the two share a word that identifies the club or league. */
  isIdentified: boolean;
  /** Whether they share a word that is rare in the tables. */
  hasRareWord: boolean;
  /** How many words the name lacks: all; those that are no club forms; club forms; short plain words. */
  left: number;
  strangers: number;
  forms: number;
  plain: number;
  /** Whether the query asks for a Brazilian state that the name lacks. */
  isElsewhere: boolean;
}

const asked: QueryWords = {
  ...{ bent: 0, isIdentified: false, hasRareWord: false, isElsewhere: false },
  ...{ left: 0, strangers: 0, forms: 0, plain: 0 },
};

/** Sets each field, because a copy of an object takes longer than reading a name's words. */
function clearAsked(): void {
  asked.bent = 0;
  asked.isIdentified = false;
  asked.hasRareWord = false;
  asked.isElsewhere = false;
  asked.left = 0;
  asked.strangers = 0;
  asked.forms = 0;
  asked.plain = 0;
}

/** Fills `asked`. */
function readQuery(query: PreparedQuery, bendByWord: Readonly<Float64Array>): void {
  clearAsked();
  for (let index = 0; index < query.words.length; index++) {
    const kind = query.kinds[index]!;
    const bend = bendByWord[index]!;
    const isLeft = bend === BEND_MAX;
    if (isLeft) asked.left++;
    if (kind >= KIND_PLAIN) {
      if (kind === KIND_PLAIN && isLeft && query.words[index]!.text.length <= 4) asked.plain++;
    } else if (isLeft) {
      readLeftWord(query, index);
    } else {
      asked.bent = Math.max(asked.bent, bend);
      // A club's form does not identify the club; a league's country does identify the league.
      if (kind === KIND_PROPER || kind === KIND_INITIALS) asked.isIdentified = true;
      if (!query.affixesAreForms && kind === KIND_AFFIX) asked.isIdentified = true;
      if (bend <= BEND_SPELLING && (query.rareMask & (1 << index)) !== 0) asked.hasRareWord = true;
    }
  }
}

function readLeftWord(query: PreparedQuery, index: number): void {
  const kind = query.kinds[index]!;
  const { text, shortened } = query.words[index]!;
  const isInitials = kind === KIND_INITIALS && text.length > 1 && !shortened;
  const isFormWord = kind === KIND_AFFIX || kind === KIND_NUMBER || isInitials;
  const isForm = query.affixesAreForms && (isFormWord || (query.phraseMask & (1 << index)) !== 0);
  if (query.placeWord === index) asked.isElsewhere = true;
  if (!isForm) asked.strangers++;
  else if (!saysNothing(text)) asked.forms++;
}

/** The words of a name that the query lacks; overwritten by each call. */
const leftOut = { grade: 0, forms: 0, plain: 0 };

/** Fills `leftOut`. */
function readName(record: NameRecord, nameTaken: number): void {
  leftOut.grade = GRADE_SAME;
  leftOut.forms = 0;
  leftOut.plain = 0;
  for (let position = 0; position < record.words.length; position++) {
    if ((nameTaken & (1 << position)) !== 0 || record.asides[position]) continue;
    const kind = record.kinds[position]!;
    if (kind === KIND_PROPER) leftOut.grade = Math.min(leftOut.grade, GRADE_PART);
    else if (kind === KIND_GENERIC || kind === KIND_INITIALS)
      leftOut.grade = Math.min(leftOut.grade, GRADE_SHORT);
    else if (kind === KIND_AFFIX || kind === KIND_NUMBER) leftOut.forms++;
    else if (kind === KIND_PLAIN && record.texts[position]!.length <= 4) leftOut.plain++;
  }
}

/**
 * How exactly a query is a name: one of the grades, less the cost of words that differ from it. 0: some
 * distinctive word of the query is not in the name. Whether both have a form of their own is in `graded`.
 */
export function gradeOf(query: PreparedQuery, record: NameRecord, pairing: Pairing): number {
  const { nameTaken, isInOrder } = pairing;
  graded.hasOtherForm = false;
  if (query.text === record.text) {
    return record.uncertain ? GRADE_PART : GRADE_SAME;
  }
  readQuery(query, pairing.bendByWord);
  if (asked.isElsewhere) return 0;
  if (asked.strangers > 0) {
    if (!asked.hasRareWord || record.uncertain) return 0;
    const isSponsor = asked.strangers <= SPONSOR_WORDS_MAX && asked.bent === 0 && isInOrder;
    return isSponsor && hasAllDistinctive(record, nameTaken) ? GRADE_SPONSOR : GRADE_STRANGER;
  }
  readName(record, nameTaken);
  let grade = Math.min(orderGrade(query, record, pairing), leftOut.grade);
  if (leftOut.forms > 0) grade = Math.min(grade, GRADE_FORM);
  if (asked.forms > 0) {
    const isBare = record.own && leftOut.grade === GRADE_SAME && leftOut.plain === 0;
    grade = Math.min(grade, isBare ? GRADE_FORM - 0.1 : GRADE_OTHER_FORM);
  }
  const isOtherForm = asked.forms > 0 && leftOut.forms > 0;
  const isOtherPlain = asked.plain > 0 && leftOut.plain > 0;
  graded.hasOtherForm = isOtherForm || isOtherPlain;
  if (isOtherForm) grade = Math.min(grade, GRADE_FORMS_DIFFER);
  if (isOtherPlain) grade = Math.min(grade, GRADE_OTHER_FORM);
  if (!asked.isIdentified)
    grade = query.kinds.some((kind) => kind < KIND_PLAIN) ? Math.min(grade, GRADE_VAGUE) : 0;
  if (record.uncertain) grade = Math.min(grade, GRADE_PART);
  return grade === 0 ? 0 : Math.max(0.1, grade - asked.bent);
}

/** The grade if the query leaves out nothing. It depends on the order of the common words. */
function orderGrade(
  query: PreparedQuery,
  record: NameRecord,
  { nameTaken, isInOrder }: Pick<Pairing, 'nameTaken' | 'isInOrder'>,
): number {
  // "Manchester United FC" is not FC United of Manchester.
  const hasNoForms = leftOut.forms === 0 && asked.forms === 0;
  if (leftOut.grade === GRADE_SAME && hasNoForms && !isInOrder) return GRADE_REORDERED;
  if (query.affixesAreForms && record.own && asked.bent === 0 && asked.left === asked.plain)
    return GRADE_OWN_DISTINCTIVE;
  const isWordByWord = query.words.length === record.words.length && asked.left === 0;
  return isWordByWord && nameTaken === (1 << record.words.length) - 1 ? GRADE_WHOLE : GRADE_DISTINCTIVE;
}

/**
 * Whether the query has all proper and generic words of the name that have three letters or more, and there
 * are at least two of them.
 */
function hasAllDistinctive(record: NameRecord, nameTaken: number): boolean {
  let distinctiveCount = 0;
  for (let position = 0; position < record.words.length; position++) {
    if (record.kinds[position]! > KIND_GENERIC || record.texts[position]!.length < 3) continue;
    if ((nameTaken & (1 << position)) === 0) return false;
    distinctiveCount++;
  }
  return distinctiveCount > 1;
}

/**
 * Whether a word is a founding year in full or a club form spelled out ("Associazione"). A name that lacks
 * such a word may still be meant.
 */
function saysNothing(text: string): boolean {
  return text.length > 4 || /^(?:18|19|20)\d\d$/.test(text);
}
