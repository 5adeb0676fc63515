// How alike two words are, from 0 to 1: spelling variants, shortenings and typing slips. Pure functions over
// folded words of at most 24 characters.

/**
 * Similarity of words with several slips. A Jaro-Winkler similarity of FUZZY_JARO_MIN gives
 * FUZZY_SIMILARITY_MIN, 1 gives FUZZY_SIMILARITY_MAX, and values between are interpolated. Less gives 0.
 */
const FUZZY_SIMILARITY_MIN = 0.3;
const FUZZY_SIMILARITY_MAX = 0.94;
const FUZZY_JARO_MIN = 0.8;

/**
 * What a word sounds like across spellings: "Dynamo" and "Dinamo", "Muenchen" and "Munchen", "Ittihad" and
 * "Itihad".
 */
export function skeletonOf(word: string): string {
  // A j is read as an i ("Bialorusj") only in words that have a vowel; otherwise junk such as "qjqqj" would
  // become "kiki" and be close to real names.
  const heard = /[aeiouy]/.test(word) ? word.replace(/j/g, 'y') : word;
  const skeleton = heard
    .replace(/[ao]e|ue(?!$)/g, (pair) => pair[0]!)
    .replace(/ai/g, 'e')
    .replace(/tsch/g, 'x')
    .replace(/shch|sch|sh|sz/g, 's')
    .replace(/^tch|ch|kh/g, 'k')
    .replace(/ts|tz|zh/g, 'z')
    .replace(/ph/g, 'f')
    .replace(/ck|qu|q|c/g, 'k')
    .replace(/th/g, 't')
    .replace(/ou/g, 'u')
    .replace(/w/g, 'v')
    .replace(/ye/g, 'e')
    .replace(/y/g, 'i')
    .replace(/z/g, 's')
    .replace(/([a-z])\1+/g, '$1');
  // A single letter is too little: "qqqq" would become one letter, which is an initial of many names. Such a
  // word stays as it is.
  return skeleton.length > 1 ? skeleton : word;
}

/**
 * Similarity of a shortening to the word it stands for, or 0: a beginning ("Man"), or first, some and last
 * letters ("Utd").
 */
export function shorteningSimilarity(short: string, long: string, marked: boolean): number {
  const lengthMin = marked ? 2 : 3;
  if (short.length >= long.length || short.length < lengthMin) return 0;
  const share = short.length / long.length;
  if (long.startsWith(short)) {
    return (marked ? 0.86 : 0.74) + (marked ? 0.1 : 0.2) * share;
  }
  if (short.length < 2 || short.length > (marked ? 10 : 6) || short[0] !== long[0]) return 0;
  const endsAlike = short.at(-1) === long.at(-1);
  if (!marked && !endsAlike) return 0;
  let at = 0;
  for (let index = 0; index < long.length && at < short.length; index++) {
    if (long[index] === short[at]) at++;
  }
  if (at < short.length) return 0;
  const vowels = /[aeiou]/.test(short.slice(1));
  if (marked) return 0.85;
  return vowels && !long.startsWith(short.slice(0, 3)) ? 0 : 0.8;
}

/**
 * True when adding, dropping or replacing one letter, or exchanging two neighbours, turns one word into the
 * other.
 */
export function isOneSlip(left: string, right: string): boolean {
  const long = left.length >= right.length ? left : right;
  const short = left.length >= right.length ? right : left;
  if (long.length - short.length > 1) return false;
  let from = 0;
  while (from < short.length && long[from] === short[from]) from++;
  let rest = 0;
  while (rest < short.length - from && long[long.length - 1 - rest] === short[short.length - 1 - rest])
    rest++;
  const longLeft = long.length - from - rest;
  if (longLeft <= 1) return true;
  return (
    longLeft === 2 &&
    long.length === short.length &&
    long[from] === short[from + 1] &&
    long[from + 1] === short[from]
  );
}

/**
 * True when two letters of a short word are exchanged ("hma" and Ham), or one inside is missing or added
 * ("wen" and Wien). Any other slip makes another word too often.
 */
export function isShortSlip(left: string, right: string): boolean {
  if (Math.min(left.length, right.length) < 3 || !isOneSlip(left, right)) return false;
  if (left.length === right.length) return lettersOf(left) === lettersOf(right);
  return left[0] === right[0] && left.at(-1) === right.at(-1);
}

/** True when one slip before some position and one slip after it turn one word into the other. */
export function isTwoSlips(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 2) return false;
  // Each slip brings in one letter at most.
  const [leftLetters, rightLetters] = [lettersOf(left), lettersOf(right)];
  if (bitCount(leftLetters & ~rightLetters) > 2 || bitCount(rightLetters & ~leftLetters) > 2) return false;
  for (let at = 2; at + 2 <= left.length; at++) {
    for (const shift of [-1, 0, 1]) {
      const isBefore = isOneSlip(left.slice(0, at), right.slice(0, at + shift));
      if (isBefore && isOneSlip(left.slice(at), right.slice(at + shift))) return true;
    }
  }
  return false;
}

/**
 * The other ways to write a founding year: "96" for "1896", three centuries for "96". Empty for other texts.
 */
export function otherYearsOf(text: string): readonly string[] {
  if (/^\d\d$/.test(text)) return [`18${text}`, `19${text}`, `20${text}`];
  return /^(?:18|19|20)\d\d$/.test(text) ? [text.slice(2)] : [];
}

/** Similarity of two skeletons that are several typing slips apart; 0 when they are two different words. */
export function fuzzySimilarity(left: string, right: string): number {
  const jaro = jaroWinkler(left, right);
  if (jaro < FUZZY_JARO_MIN) return 0;
  const share = (jaro - FUZZY_JARO_MIN) / (1 - FUZZY_JARO_MIN);
  return FUZZY_SIMILARITY_MIN + (FUZZY_SIMILARITY_MAX - FUZZY_SIMILARITY_MIN) * share;
}

/** The letters of a word as a bit mask, for `mayBeFuzzy`; digits share bits with letters. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/**
 * False when `fuzzySimilarity` is 0 for sure, because letters that the other word has nowhere cannot be in
 * common. This avoids most comparisons letter by letter. The masks are those of `lettersOf`.
 */
export function mayBeFuzzy(left: string, leftLetters: number, right: string, rightLetters: number): boolean {
  const common = Math.min(
    left.length - bitCount(leftLetters & ~rightLetters),
    right.length - bitCount(rightLetters & ~leftLetters),
  );
  if (common <= 0) return false;
  let prefix = 0;
  while (prefix < 4 && prefix < left.length && left.charCodeAt(prefix) === right.charCodeAt(prefix)) prefix++;
  const jaroMax = (common / left.length + common / right.length + 1) / 3;
  return jaroMax + 0.1 * prefix * (1 - jaroMax) >= FUZZY_JARO_MIN - 1e-9;
}

function bitCount(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count++;
  return count;
}

/**
 * Jaro-Winkler similarity, 0 to 1 (Winkler 1990, prefix scale 0.1, at most 4 letters) of words of at most
 * 31 characters.
 */
export function jaroWinkler(left: string, right: string): number {
  const leftLength = left.length;
  const rightLength = right.length;
  if (left === right) return 1;
  if (leftLength === 0 || rightLength === 0) return 0;
  const window = Math.max(0, (Math.max(leftLength, rightLength) >> 1) - 1);
  let leftMatched = 0;
  let rightMatched = 0;
  let common = 0;
  for (let index = 0; index < leftLength; index++) {
    const code = left.charCodeAt(index);
    const stop = Math.min(rightLength, index + window + 1);
    for (let other = Math.max(0, index - window); other < stop; other++) {
      if ((rightMatched & (1 << other)) === 0 && right.charCodeAt(other) === code) {
        leftMatched |= 1 << index;
        rightMatched |= 1 << other;
        common++;
        break;
      }
    }
  }
  if (common === 0) return 0;
  let transposed = 0;
  let other = 0;
  for (let index = 0; index < leftLength; index++) {
    if ((leftMatched & (1 << index)) === 0) continue;
    while ((rightMatched & (1 << other)) === 0) other++;
    if (left.charCodeAt(index) !== right.charCodeAt(other)) transposed++;
    other++;
  }
  const jaro = (common / leftLength + common / rightLength + (common - transposed / 2) / common) / 3;
  let prefix = 0;
  while (prefix < 4 && prefix < leftLength && left.charCodeAt(prefix) === right.charCodeAt(prefix)) prefix++;
  return jaro + 0.1 * prefix * (1 - jaro);
}
