// How well one name fits a query: words are paired one to one, best pairs first, and what stays unpaired on either
// side costs its weight. A soft form of TF-IDF over aligned words (after Cohen, Ravikumar and Fienberg 2003).

import type { NameRecord } from './name-pool.ts';
import type { NameWord } from './normalise.ts';
import type { Pair, PreparedQuery } from './prepare-query.ts';
import { KIND_GENERIC } from './word-kinds.ts';

const NICKNAME_FACTOR = 0.98;
/** Not word for word the name. */
const INEXACT_FACTOR = 0.97;
/** Women's, youth and reserve sides are other teams: a mismatch never reaches the 0.6 that counts as found. */
const VARIANT_FACTOR = 0.55;
/** The same as NameLanguage's share, for nicknames: half a nickname means little. */
const NICKNAME_COVER_SHARE = 0.55;
/** How much a text of generic words alone ("United") loses when it is only part of the name. */
const VAGUE_SHARE = 0.3;
const LONE_LETTER_SIMILARITY = 0.7;

/** Confidence, 0 to 1, that `query` means the record. */
export function scoreRecord(query: PreparedQuery, record: NameRecord, recordIndex: number): number {
  const pairs = pairWords(query, record, recordIndex);
  pairs.sort((left, right) => right.gain - left.gain);
  let queryTaken = 0;
  let nameTaken = 0;
  let queryCovered = 0;
  let nameCovered = 0;
  for (const pair of pairs) {
    if ((queryTaken & pair.queryMask) !== 0 || (nameTaken & pair.nameMask) !== 0) continue;
    queryTaken |= pair.queryMask;
    nameTaken |= pair.nameMask;
    queryCovered += pair.gain;
    for (let position = 0; position < record.words.length; position++) {
      if ((pair.nameMask & (1 << position)) !== 0) {
        nameCovered += pair.similarity * record.weights[position]!;
      }
    }
  }
  const queryCover = queryCovered / query.totalWeight;
  const nameCover = nameCovered / record.totalWeight;
  const share = record.own ? query.nameCoverShare : NICKNAME_COVER_SHARE;
  let confidence = queryCover * (1 - share + share * nameCover);
  if (!query.telling) confidence *= 1 - VAGUE_SHARE + VAGUE_SHARE * nameCover;
  if (query.key !== record.key) confidence *= INEXACT_FACTOR;
  if (!record.own) confidence *= NICKNAME_FACTOR;
  return query.variant === record.variant ? confidence : confidence * VARIANT_FACTOR;
}

function pairWords(query: PreparedQuery, record: NameRecord, recordIndex: number): Pair[] {
  const pairs: Pair[] = [...(query.runsByRecord.get(recordIndex) ?? [])];
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
    for (const span of query.spansByWord.get(word) ?? []) pairs.push({ ...span, nameMask });
  }
  return pairs;
}

/** "V. Koln" and Viktoria Koln. */
function letterSimilarity(word: NameWord, record: NameRecord, position: number): number {
  const text = record.texts[position]!;
  if (word.text.length > 1 || text.length === 1 || record.kinds[position]! > KIND_GENERIC) return 0;
  return text[0] === word.text ? LONE_LETTER_SIMILARITY : 0;
}
