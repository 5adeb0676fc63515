// How well a query fits a name. The query is made ready for one pool once: what each of its words may mean there, what
// they weigh, and where initials stand for several words on either side. Then each name is paired with it word by word,
// best pairs first, and what stays unpaired on either side costs its weight: a soft form of TF-IDF over aligned words
// (after Cohen, Ravikumar and Fienberg 2003).

import {
  BRAZILIAN_STATES,
  type FormPhrase,
  formPhrasesIn,
  KIND_AFFIX,
  KIND_GENERIC,
  KIND_INITIALS,
  KIND_NUMBER,
  KIND_PLAIN,
  KIND_PROPER,
} from './club-words.ts';
import { favourFirst, keyOfWords, type NamePool, type NameRecord, runsOf } from './name-pool.ts';
import type { NameWord, ParsedName } from './parse-name.ts';
import type { NameLanguage } from './team-language.ts';
import type { WordMatch } from './vocabulary.ts';
import { isOneSlip } from './word-similarity.ts';

/** Query words (a bit mask) that stand for words of a name (a bit mask, 0 where the name decides the place). */
interface Pair {
  readonly queryMask: number;
  readonly nameMask: number;
  readonly similarity: number;
  /** Similarity times the weight of the query words. */
  readonly gain: number;
}

export interface PreparedQuery {
  readonly words: readonly NameWord[];
  readonly kinds: readonly number[];
  readonly formOf: (text: string) => string;
  readonly affixesAreForms: boolean;
  /** Words that name at most one club of the tables, a bit mask. */
  readonly rareMask: number;
  /** Words of phrases that say what kind of club it is ("Club Atletico"), a bit mask. */
  readonly phraseMask: number;
  /** The last word when it is a Brazilian state ("Botafogo SP"), which tells clubs of one name apart, else -1. */
  readonly placeWord: number;
  readonly variant: number;
  readonly text: string;
  readonly key: string;
  /** For each word of the pool that some query word may mean: how much each query word may, in their order. */
  readonly similarities: ReadonlyMap<number, Float64Array>;
  /** Runs of query words that one word of the pool stands for, by that word: "Paris Saint Germain" and PSG. */
  readonly spansByWord: ReadonlyMap<number, readonly Pair[]>;
  /** Query words that stand for a run of words in a name, by record: "PSG" and Paris Saint-Germain. */
  readonly runsByRecord: ReadonlyMap<number, readonly Pair[]>;
  readonly weights: readonly number[];
  readonly totalWeight: number;
  /** Some word is a lone letter. */
  readonly hasLetters: boolean;
  /** Nothing but words that many clubs share. */
  readonly isVague: boolean;
  /** At least one word is a name of its own. */
  readonly telling: boolean;
  /** See NameLanguage. */
  readonly nameCoverShare: number;
}

/** "V. Koln": a lone letter weighs little. */
const LONE_LETTER_WEIGHT = 0.6;
/** The query spells out words that the name holds as initials ("Paris Saint Germain" and PSG). */
const SPELLED_OUT_FACTOR = 0.85;
const INITIALS_CHARS_MAX = 5;
/** "Club Deportivo" and CD. */
const PHRASE_SIMILARITY = 0.97;
/** Runs this sure are not mere initials: see runsOf. */
const SURE_RUN_SIMILARITY = 0.96;
/** "Mitre (Santiago del Estero)": what stands in brackets tells less than the name. */
const ASIDE_FACTOR = 0.7;
/** A query word less like every word of the pool is a stranger, and weighs as a rare word. */
const KNOWN_SIMILARITY_MIN = 0.7;

const NICKNAME_FACTOR = 0.98;
/** The query is not word for word the name. */
const INEXACT_FACTOR = 0.97;
/** Women's, youth and reserve sides are other teams: a mismatch never reaches the 0.6 that counts as found. */
const VARIANT_FACTOR = 0.55;
/** The same as NameLanguage's share, for nicknames: half a nickname means little. */
const NICKNAME_COVER_SHARE = 0.55;
/** Confidence that a query of generic words alone ("United") loses, less the more of the name it covers. */
const VAGUE_SHARE = 0.3;
const LONE_LETTER_SIMILARITY = 0.7;

export function prepareQuery(pool: NamePool, query: ParsedName, plainly: boolean): PreparedQuery {
  const { words, variant } = query;
  const matches = words.map((word) => pool.vocabulary.matches(word, plainly));
  const kinds = words.map((word) => pool.language.kindOf(word.text));
  const weights = words.map((word, index) => {
    return (word.aside ? ASIDE_FACTOR : 1) * weightOf(pool, word, matches[index]!);
  });
  favourFirst(weights, kinds);
  const phrases = pool.language.affixesAreForms ? formPhrasesIn(words) : [];
  const phraseMask = phrases.reduce((mask, { start, length }) => mask | maskOf(start, length), 0);
  const last = words.at(-1)!.text;
  const isPlace = words.length > 1 && BRAZILIAN_STATES.has(last) && kinds.at(-1)! < KIND_PLAIN;
  return {
    words,
    kinds,
    formOf: pool.language.formOf,
    affixesAreForms: pool.language.affixesAreForms,
    rareMask: rareMaskOf(words, kinds, pool.language) & ~phraseMask,
    phraseMask,
    placeWord: isPlace ? words.length - 1 : -1,
    variant,
    text: query.text,
    key: keyOfWords(words, pool.language),
    similarities: similarityRows(matches),
    spansByWord: spansByWord(pool, words, weights, phrases),
    runsByRecord: runsByRecord(pool, words, weights),
    weights,
    totalWeight: weights.reduce((sum, weight) => sum + weight, 0),
    hasLetters: words.some((word) => word.text.length === 1),
    isVague: kinds.every((kind) => kind === KIND_GENERIC || kind >= KIND_PLAIN),
    telling: kinds.includes(KIND_PROPER) || kinds.includes(KIND_INITIALS),
    nameCoverShare: pool.language.nameCoverShare,
  };
}

function rareMaskOf(words: readonly NameWord[], kinds: readonly number[], language: NameLanguage): number {
  let mask = 0;
  for (let index = 0; index < words.length; index++) {
    const { text } = words[index]!;
    if (kinds[index] === KIND_PROPER && text.length > 4 && language.isRare(text)) mask |= 1 << index;
  }
  return mask;
}

function weightOf(pool: NamePool, word: NameWord, matches: readonly WordMatch[]): number {
  if (word.text.length === 1 && word.shortened) return LONE_LETTER_WEIGHT;
  const best = matches[0];
  if (best === undefined || best.similarity < KNOWN_SIMILARITY_MIN)
    return pool.vocabulary.strangerWeight(word);
  // "Schw." is worth what it stands for; a whole "Sport" may mean "Sportfreunde" and is worth no more than any "Sport".
  const weight = pool.vocabulary.weight(best.word);
  return word.shortened ? weight : Math.min(weight, pool.vocabulary.strangerWeight(word));
}

function similarityRows(matches: readonly (readonly WordMatch[])[]): Map<number, Float64Array> {
  const rows = new Map<number, Float64Array>();
  for (let index = 0; index < matches.length; index++) {
    for (const { word, similarity } of matches[index]!) {
      let row = rows.get(word);
      if (row === undefined) {
        row = new Float64Array(matches.length);
        rows.set(word, row);
      }
      row[index] = similarity;
    }
  }
  return rows;
}

function spansByWord(
  pool: NamePool,
  words: readonly NameWord[],
  weights: readonly number[],
  phrases: readonly FormPhrase[],
): Map<number, Pair[]> {
  const spans = new Map<number, Pair[]>();
  for (const { start, length, short } of phrases) {
    const word = pool.vocabulary.idOf(short);
    if (word === undefined) continue;
    let gain = 0;
    for (let index = start; index < start + length; index++) gain += PHRASE_SIMILARITY * weights[index]!;
    append(spans, word, {
      queryMask: maskOf(start, length),
      nameMask: 0,
      similarity: PHRASE_SIMILARITY,
      gain,
    });
  }
  for (const run of runsOf(words, pool.language.kindOf)) {
    const word = pool.vocabulary.idOf(run.text);
    if (word === undefined) continue;
    // "FC" in a name stands for "Football Club" in a query, but not for "Fenerbahce Club".
    const isForm = pool.vocabulary.kind(word) >= KIND_PLAIN;
    if (isForm && !words.slice(run.start, run.start + run.length).every((it) => isFormWord(pool, it)))
      continue;
    const isInitials = run.text.length <= INITIALS_CHARS_MAX && run.similarity < SURE_RUN_SIMILARITY;
    const similarity = run.similarity * (isInitials ? SPELLED_OUT_FACTOR : 1);
    let gain = 0;
    for (let index = run.start; index < run.start + run.length; index++) gain += similarity * weights[index]!;
    append(spans, word, { queryMask: maskOf(run.start, run.length), nameMask: 0, similarity, gain });
  }
  return spans;
}

function runsByRecord(
  pool: NamePool,
  words: readonly NameWord[],
  weights: readonly number[],
): Map<number, Pair[]> {
  const found = new Map<number, Pair[]>();
  for (let index = 0; index < words.length; index++) {
    for (const { record, start, length, similarity } of pool.runs.get(words[index]!.text) ?? []) {
      const gain = similarity * weights[index]!;
      append(found, record, { queryMask: 1 << index, nameMask: maskOf(start, length), similarity, gain });
    }
  }
  return found;
}

/** Says what kind of club it is, and nothing of which. */
function isFormWord(pool: NamePool, word: NameWord): boolean {
  return pool.language.kindOf(word.text) >= KIND_AFFIX;
}

/** Bits of `length` words from `start`. */
function maskOf(start: number, length: number): number {
  return ((1 << length) - 1) << start;
}

function append(lists: Map<number, Pair[]>, key: number, pair: Pair): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [pair]);
  else list.push(pair);
}

/** How well a name fits, as `assess` found. */
export interface Assessment {
  /** 0 to 1, to rank by: how much of either side the other covers. */
  coverage: number;
  /**
   * 0: some telling word of the query is not in the name, or they are different sides of a club. Else how exactly the
   * query is the name, less what its words had to be bent: GRADE_SAME and so on.
   */
  grade: number;
}

/** Word for word the name. */
export const GRADE_SAME = 5;
/** The name but for words like FC. */
export const GRADE_TELLING = 4;
/** Some words are not in the name, but one that tells is: a town or a sponsor more, or another club. */
export const GRADE_STRANGER = 1.2;
/** The same words in another order. */
const GRADE_REORDERED = 3.7;
/** Differs in club forms and years: "Wolfsburg" and "VfL Wolfsburg". */
export const GRADE_FORM = 3.5;
/** Leaves out words that many clubs share: "Leeds" and "Leeds United". */
export const GRADE_SHORT = 3;
/** Has a club form or year that the name does not have: "FSV Frankfurt" and Frankfurt. */
export const GRADE_OTHER_FORM = 3.3;
/** Both have a club form that the other lacks: "AS Lamia" and PAS Lamia. */
export const GRADE_FORMS_DIFFER = 2.7;
/** Leaves out words that tell: "Brighton" and "Brighton and Hove Albion". */
export const GRADE_PART = 2;
/** Different club forms, or nothing but words that many clubs share: it could be anyone. */
export const GRADE_VAGUE = 1;

/** Adds up what pairing finds, so that no name scored makes garbage. */
const bendByWord = new Float64Array(32);
const result: Assessment = { coverage: 0, grade: 0 };

/** How well `query` fits the record. The answer is overwritten by the next call. */
export function assess(query: PreparedQuery, record: NameRecord, recordIndex: number): Readonly<Assessment> {
  const pairs = pairWords(query, record, recordIndex);
  if (pairs.length > 1) pairs.sort((left, right) => right.gain - left.gain);
  let queryTaken = 0;
  let nameTaken = 0;
  let queryCovered = 0;
  let nameCovered = 0;
  bendByWord.fill(BEND_MAX, 0, query.words.length);
  for (const pair of pairs) {
    if ((queryTaken & pair.queryMask) !== 0 || (nameTaken & pair.nameMask) !== 0) continue;
    queryTaken |= pair.queryMask;
    nameTaken |= pair.nameMask;
    queryCovered += pair.gain;
    const position = pair.nameMask === 0 ? 0 : 31 - Math.clz32(pair.nameMask);
    for (let index = 0; index < query.words.length; index++) {
      if ((pair.queryMask & (1 << index)) === 0) continue;
      const isWord = pair.queryMask === 1 << index && pair.nameMask === 1 << position;
      bendByWord[index] = isWord
        ? bendOf(query.words[index]!, record.texts[position]!, pair.similarity, query.formOf)
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
  if (!query.telling) coverage *= 1 - VAGUE_SHARE + VAGUE_SHARE * nameCover;
  if (query.key !== record.key) coverage *= INEXACT_FACTOR;
  if (!record.own) coverage *= NICKNAME_FACTOR;
  const isSide = query.variant === record.variant;
  result.coverage = isSide ? coverage : coverage * VARIANT_FACTOR;
  result.grade = isSide ? gradeOf(query, record, nameTaken) : 0;
  return result;
}

function gradeOf(query: PreparedQuery, record: NameRecord, nameTaken: number): number {
  if (query.text === record.text) {
    return record.uncertain ? GRADE_PART : GRADE_SAME;
  }
  let bent = 0;
  let isTold = false;
  let isNamed = false;
  let strangers = 0;
  let queryForms = 0;
  let queryPlain = 0;
  for (let index = 0; index < query.words.length; index++) {
    const kind = query.kinds[index]!;
    const bend = bendByWord[index]!;
    if (kind >= KIND_PLAIN) {
      if (kind === KIND_PLAIN && bend === BEND_MAX && query.words[index]!.text.length <= 4) queryPlain++;
      continue;
    }
    if (bend === BEND_MAX) {
      const isInitials = kind === KIND_INITIALS && query.words[index]!.text.length > 1;
      const isFormWord = kind === KIND_AFFIX || kind === KIND_NUMBER || isInitials;
      const isForm = query.affixesAreForms && (isFormWord || (query.phraseMask & (1 << index)) !== 0);
      if (query.placeWord === index) return 0;
      if (!isForm) strangers++;
      else if (!saysNothing(query.words[index]!.text)) queryForms++;
    } else {
      bent = Math.max(bent, bend);
      if (kind !== KIND_GENERIC) isTold = true;
      if (bend <= BEND_SPELLING && (query.rareMask & (1 << index)) !== 0) isNamed = true;
    }
  }
  if (strangers > 0) return isNamed && !record.uncertain ? GRADE_STRANGER : 0;
  let nameForms = 0;
  let namePlain = 0;
  let leftOut = GRADE_SAME;
  for (let position = 0; position < record.words.length; position++) {
    if ((nameTaken & (1 << position)) !== 0 || record.asides[position]) continue;
    const kind = record.kinds[position]!;
    if (kind === KIND_PROPER) leftOut = Math.min(leftOut, GRADE_PART);
    else if (kind === KIND_GENERIC || kind === KIND_INITIALS) leftOut = Math.min(leftOut, GRADE_SHORT);
    else if (kind === KIND_AFFIX || kind === KIND_NUMBER) nameForms++;
    else if (kind === KIND_PLAIN && record.texts[position]!.length <= 4) namePlain++;
  }
  // "Manchester United FC" is not FC United of Manchester.
  const isOtherOrder =
    leftOut === GRADE_SAME && nameForms === 0 && queryForms === 0 && query.key !== record.key;
  let grade = Math.min(isOtherOrder && bent === 0 ? GRADE_REORDERED : GRADE_TELLING, leftOut);
  if (nameForms > 0) grade = Math.min(grade, GRADE_FORM);
  if (queryForms > 0) {
    const isBare = record.own && leftOut === GRADE_SAME && namePlain === 0;
    grade = Math.min(grade, isBare ? GRADE_FORM - 0.1 : GRADE_OTHER_FORM);
  }
  if (queryForms > 0 && nameForms > 0) grade = Math.min(grade, GRADE_FORMS_DIFFER);
  if (queryPlain > 0 && namePlain > 0) grade = Math.min(grade, GRADE_OTHER_FORM);
  if (!isTold) grade = query.kinds.some((kind) => kind < KIND_PLAIN) ? Math.min(grade, GRADE_VAGUE) : 0;
  if (record.uncertain) grade = Math.min(grade, GRADE_PART);
  return grade === 0 ? 0 : Math.max(0.1, grade - bent);
}

/** A founding year in full, or a club form spelled out ("Associazione"): not to find them in the name means nothing. */
function saysNothing(text: string): boolean {
  return text.length > 4 || /^(?:18|19|20)\d\d$/.test(text);
}

/** A word bent this far is another word. */
const BEND_MAX = 9;
/** One word in two spellings: "Dynamo" and "Dinamo". */
const BEND_SPELLING = 0.3;
/** "W. Bremen": the letter is a word's first. */
const BEND_LETTER = 0.7;
/** Slips of the key count in words of so many letters; in shorter ones they make other names too often. */
const SLIP_LENGTH_MIN = 6;

/** What it costs to take one word for another: other spellings little, slips and shortenings more. */
function bendOf(word: NameWord, text: string, similarity: number, formOf: (text: string) => string): number {
  const asked = word.text;
  if (asked === text) return 0;
  if (formOf(asked) === formOf(text)) return 0.05;
  const length = Math.min(asked.length, text.length);
  if (asked.length === 1) return similarity > 0 ? BEND_LETTER : BEND_MAX;
  if (similarity >= 0.94 && length >= 5) return BEND_SPELLING;
  if (/^\d+$/.test(asked)) return similarity >= 0.94 ? 0.1 : BEND_MAX;
  if (length >= SLIP_LENGTH_MIN && asked[0] === text[0] && isOneSlip(asked, text)) {
    return isUsualSlip(asked, text) ? 0.5 : 0.9;
  }
  if (word.shortened) return similarity >= 0.84 ? 0.6 : BEND_MAX;
  if (length >= 4 && similarity >= 0.84 && (text.startsWith(asked) || asked.startsWith(text))) return 1.2;
  return similarity >= 0.7 ? 1.6 : BEND_MAX;
}

/**
 * Two letters changed over, or an inner one left out or doubled. A letter for another, or one more or less at the end,
 * makes another club's name as often: Boston and Bolton, Sliven and Slaven, Caracal and Caracas.
 */
function isUsualSlip(asked: string, text: string): boolean {
  // They are one slip apart: of one length and with one sum of letters, two have changed places.
  if (asked.length === text.length) return letterSum(asked) === letterSum(text);
  return asked.at(-1) === text.at(-1) && Math.min(asked.length, text.length) > SLIP_LENGTH_MIN;
}

function letterSum(word: string): number {
  let sum = 0;
  for (let at = 0; at < word.length; at++) sum += word.charCodeAt(at);
  return sum;
}

/** The same for initials and words written together. */
function bendOfRun(similarity: number): number {
  if (similarity >= 0.96) return 0.1;
  return similarity >= 0.8 ? 1 : 1.6;
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
    if (spans !== undefined) for (const span of spans) pairs.push({ ...span, nameMask });
  }
  return pairs;
}

/** "V. Koln" and Viktoria Koln. */
function letterSimilarity(word: NameWord, record: NameRecord, position: number): number {
  const text = record.texts[position]!;
  if (word.text.length > 1 || text.length === 1 || record.kinds[position]! > KIND_GENERIC) return 0;
  return text[0] === word.text ? LONE_LETTER_SIMILARITY : 0;
}
