// How well a query fits a name. The query has been made ready for the pool (prepare-query.ts). The words of
// the query and of a name are paired, best pairs first. Each word of either that stays unpaired costs its
// weight. This is a soft form of TF-IDF over aligned words (after Cohen, Ravikumar and Fienberg 2003).

import { KIND_AFFIX, KIND_GENERIC, KIND_PROPER } from '../club-words.ts';
import type { NameRecord } from '../name-pool.ts';
import { type Pair, type PreparedQuery, SURE_RUN_SIMILARITY } from '../prepare-query.ts';
import { type NameWord, VARIANT_WOMEN } from '../text/parse-name.ts';
import { BEND_MAX, bendOf, bendOfRun } from '../text/word-bend.ts';
import { GRADE_OTHER_SIDE, GRADE_PART, GRADE_SHORT, graded, gradeOf } from './name-grade.ts';

const NICKNAME_FACTOR = 0.98;
/** Factor on the score if the query is not word for word the name. */
const INEXACT_FACTOR = 0.97;
/**
 * Factor on the score if the query and the name are of different sides of a club. Women's, youth and reserve
 * sides are other teams.
 */
const VARIANT_FACTOR = 0.55;
/** How much of the score depends on covering a whole nickname, because half a nickname means little. */
const NICKNAME_COVER_SHARE = 0.55;
/**
 * The largest share of its coverage that a query of only generic words ("United") loses. It loses less if it
 * covers more of the name.
 */
const VAGUE_SHARE = 0.3;
const LONE_LETTER_SIMILARITY = 0.7;

/** How well a name fits, as `assess` found. */
export interface Assessment {
  /** How much of the query and of the name the other one covers, 0 to 1. Names are ranked by it. */
  coverage: number;
  /**
   * 0: some distinctive word of the query is not in the name, or they are different sides of a club.
   * Otherwise how exactly the query is the name (name-grade.ts), less the cost of words that differ
   * from it.
   */
  grade: number;
  /** Whether the name and the query each have a club form that the other lacks. */
  hasOtherForm: boolean;
}

/** Scratch space of one comparison. It is kept here so that scoring a name allocates nothing. */
const bendByWord = new Float64Array(32);
const placeByWord = new Int8Array(32);
/** The distinctive words of the query that the name has as written, a bit mask: see exactWords. */
let exactMask = 0;
/** The initials and shared words of the query that the name has as written ("CFR", "Dynamo"), a bit mask. */
let exactSharedMask = 0;
const result: Assessment = { coverage: 0, grade: 0, hasOtherForm: false };

/** How well `query` fits the record. The answer is overwritten by the next call. */
export function assess(query: PreparedQuery, record: NameRecord, recordIndex: number): Readonly<Assessment> {
  const pairs = pairWords(query, record, recordIndex);
  if (pairs.length > 1) pairs.sort((left, right) => right.gain - left.gain);
  let queryTaken = 0;
  let nameTaken = 0;
  let queryCovered = 0;
  let nameCovered = 0;
  exactMask = query.words.length > 1 ? exactWords(query, pairs, KIND_PROPER, KIND_PROPER) : 0;
  exactSharedMask = query.words.length > 1 ? exactWords(query, pairs, KIND_GENERIC, KIND_AFFIX) : 0;
  bendByWord.fill(BEND_MAX, 0, query.words.length);
  placeByWord.fill(-1, 0, query.words.length);
  for (const pair of pairs) {
    if ((queryTaken & pair.queryMask) !== 0 || (nameTaken & pair.nameMask) !== 0) continue;
    queryTaken |= pair.queryMask;
    nameTaken |= pair.nameMask;
    queryCovered += pair.gain;
    const position = pair.nameMask === 0 ? 0 : 31 - Math.clz32(pair.nameMask);
    for (let index = 0; index < query.words.length; index++) {
      if ((pair.queryMask & (1 << index)) === 0) continue;
      placeByWord[index] = position;
      const isWord = pair.queryMask === 1 << index && pair.nameMask === 1 << position;
      bendByWord[index] = isWord
        ? bendOfWord(query, record, index, position, pair.similarity)
        : bendOfRun(pair.similarity);
    }
    for (let position = 0; position < record.words.length; position++) {
      if ((pair.nameMask & (1 << position)) !== 0) {
        nameCovered += pair.similarity * record.weights[position]!;
      }
    }
  }
  const queryCover = queryCovered / query.totalWeight;
  const nameCover = nameCovered / record.totalWeight;
  const share = record.own ? query.nameCoverShare : NICKNAME_COVER_SHARE;
  let coverage = queryCover * (1 - share + share * nameCover);
  if (!query.isDistinctive) coverage *= 1 - VAGUE_SHARE + VAGUE_SHARE * nameCover;
  if (query.key !== record.key) coverage *= INEXACT_FACTOR;
  if (!record.own) coverage *= NICKNAME_FACTOR;
  const isSide = query.variant === record.variant;
  const isInOrder = areRising(placeByWord, query.words.length);
  graded.hasOtherForm = false;
  result.coverage = isSide ? coverage : coverage * VARIANT_FACTOR;
  result.grade = isSide ? gradeOf(query, record, { nameTaken, isInOrder, bendByWord }) : 0;
  if (!isSide && query.affixesAreForms && isNearSide(query.variant, record.variant)) {
    const grade = gradeOf(query, record, { nameTaken, isInOrder, bendByWord });
    // If the name is not the team's own, half of it is not enough: "Liverpool" in "Everton Liverpool".
    if (grade >= (record.own ? GRADE_PART : GRADE_SHORT)) result.grade = GRADE_OTHER_SIDE;
  }
  result.hasOtherForm = graded.hasOtherForm;
  return result;
}

/** Whether the name is the women's side and the query the first team, or both are youth or reserve sides. */
function isNearSide(asked: number, variant: number): boolean {
  if (asked === 0) return variant === VARIANT_WOMEN;
  const areYoung = asked > VARIANT_WOMEN && variant > VARIANT_WOMEN;
  return areYoung && (asked & VARIANT_WOMEN) === (variant & VARIANT_WOMEN);
}

/** Whether the words that the query and the name share have the same order in both. */
function areRising(places: Int8Array, count: number): boolean {
  let last = -1;
  for (let index = 0; index < count; index++) {
    const place = places[index]!;
    if (place === -1) continue;
    if (place < last) return false;
    last = place;
  }
  return true;
}

/** The cost of accepting a query word for a word of the name, computed once for each word of the pool. */
function bendOfWord(
  query: PreparedQuery,
  record: NameRecord,
  index: number,
  position: number,
  similarity: number,
): number {
  const isBesideExact = (exactMask & ~(1 << index)) !== 0;
  const isBesideShared = (exactSharedMask & ~(1 << index)) !== 0;
  const word = record.words[position]!;
  const bends = query.bends.getOrInsertComputed(word, () =>
    new Float64Array(4 * query.words.length).fill(-1),
  );
  const at = 4 * index + 2 * Number(isBesideShared) + Number(isBesideExact);
  if (bends[at]! < 0) {
    bends[at] = bendOf(query.words[index]!, record.texts[position]!, similarity, {
      formOf: query.formOf,
      slipFormOf: query.slipFormOf,
      isKnown: query.isKnown,
      isOfSeveral: query.words.length > 1,
      isBesideExact,
      isBesideShared,
      isTranslation: !query.affixesAreForms && query.kinds[index] === KIND_GENERIC,
    });
  }
  return bends[at]!;
}

/** A bit mask of the query's words of these kinds that are in the name as written. */
function exactWords(query: PreparedQuery, pairs: readonly Pair[], kindMin: number, kindMax: number): number {
  let mask = 0;
  for (const { queryMask, similarity } of pairs) {
    if (similarity < 1) continue;
    const index = 31 - Math.clz32(queryMask);
    const kind = query.kinds[index]!;
    if (queryMask === 1 << index && kind >= kindMin && kind <= kindMax) mask |= queryMask;
  }
  return mask;
}

function pairWords(query: PreparedQuery, record: NameRecord, recordIndex: number): Pair[] {
  const runs = query.runsByRecord.get(recordIndex);
  const pairs: Pair[] = runs === undefined ? [] : [...runs];
  for (let position = 0; position < record.words.length; position++) {
    const word = record.words[position]!;
    const nameMask = 1 << position;
    const similarities = query.similarities.get(word);
    if (similarities !== undefined || query.hasLetters) {
      for (let index = 0; index < query.words.length; index++) {
        const similarity = similarities?.[index] || letterSimilarity(query.words[index]!, record, position);
        if (similarity === 0) continue;
        pairs.push({ queryMask: 1 << index, nameMask, similarity, gain: similarity * query.weights[index]! });
      }
    }
    const spans = query.spansByWord.get(word);
    if (spans === undefined) continue;
    for (const span of spans) {
      // Initials are compared with a team's own name. Its other names, such as codes, need a sure match.
      // Otherwise "Wimpassing SV" would be Werder.
      if (record.own || span.similarity >= SURE_RUN_SIMILARITY) pairs.push({ ...span, nameMask });
    }
  }
  return pairs;
}

/** A lone letter stands for a word: "V. Koln" is Viktoria Koln. */
function letterSimilarity(word: NameWord, record: NameRecord, position: number): number {
  const text = record.texts[position]!;
  if (word.text.length > 1 || text.length === 1 || record.kinds[position]! > KIND_GENERIC) return 0;
  return text[0] === word.text ? LONE_LETTER_SIMILARITY : 0;
}
