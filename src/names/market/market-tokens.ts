// A text as tokens, for the words of markets: counts in words become numbers, compounds are split, and each
// token keeps the text around it.

import { QUERY_CHARS_MAX } from '../../limits.ts';
import { foldText } from '../text/fold-text.ts';

export interface Token {
  /** The word itself, without the marks around it. */
  readonly raw: string;
  readonly key: string;
  /** The character before it: a space, or the hyphen or slash of a compound. */
  readonly glue: string;
  /** Whether a comma or the like follows it. */
  readonly endsClause: boolean;
  readonly isBeforeComma: boolean;
}

const HALVES = /\b(one|two|three|four|five|six) (?:and a half|point five)\b/gi;
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six'];
/** Counts and signs in words, and the names of the zero handicap. */
const IN_WORDS: readonly (readonly [RegExp, (count: string) => string])[] = [
  [HALVES, (count) => `${digitOf(count)}.5`],
  [/(?<=\b(?:over|under|than) )(one|two|three|four|five|six)\b(?=$| goals?\b| points?\b)/gi, digitOf],
  [/\bplus (?=\d)/gi, () => '+'],
  [/\bminus (?=\d)/gi, () => '-'],
  [/\b(?:pick[ '’-]?em|level ball)\b|(?<=\S )pk$/gi, () => '+0'],
];
const FRACTIONS: Readonly<Record<string, string>> = { '½': '.5', '¼': '.25', '¾': '.75' };
/** "o2.5", "ah-1.5", "over2.5", "o/u2.5". */
export const GLUED =
  /^(o\/u|over|under|o|u|totals?|ah|hcp|hdp|handicap)([+-]?\d+(?:\.\d+)?(?:\/\d+(?:\.\d+)?)?)$/i;
/** "2.5goals". */
const WITH_UNIT = /^([+-]?\d+(?:\.\d+)?)(goals?|pts|points)$/i;
/** "arsenal-0.75". */
const NAME_AND_LINE = /^(.*[a-z)])([+-]\d+\.\d+)$/i;
export const NUMBER = /^[+-]?\d+(?:\.\d+)?%?$/;
/** "1. FC Köln". */
const ORDINAL = /^\d+\.$/;
/** "23.11.": a day, not a number. "2.10." may be a price at the end of a sentence. */
const DAY = /^(?:0[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.$/;
/** "2-1", "0:0". Two digits on either side are a day or a time. */
export const SCORE = /^\d[-–:]\d$/;
/** "2.5/3" and "-0.5/1": two half steps of one quarter line. */
const STEPS = /^([+-]?)(\d+(?:\.\d+)?)[/,]([+-]?)(\d+(?:\.\d+)?)$/;
/** "u21", "under 19s": a youth side. */
export const YOUTH_AGE = /^(?:1[4-9]|2[0-3])s?$/;

export function tokensOf(text: string): Token[] {
  const counted = IN_WORDS.reduce(
    (written, [pattern, replacement]) => written.replace(pattern, (_, count: string) => replacement(count)),
    text.trim(),
  );
  const plain = counted
    .replace(/\d*[½¼¾]/g, (written) => `${written.slice(0, -1) || '0'}${FRACTIONS[written.at(-1)!]}`)
    .replace(/[−–‒](?=\d)/g, '-')
    .replace(/(?<![\d,.])(\d+),(\d{1,2})(?![\d,])/g, '$1.$2')
    // A share of a prediction market: "61 cents" is 61 %.
    .replace(/(?<![\d.,])(\d{1,2}) ?(?:cents?\b|¢)/gi, '$1%')
    .replace(/@(?=\d)/g, '@ ');
  const tokens: Token[] = [];
  const words = plain.split(/\s+/).filter((word) => word !== '');
  for (const [index, written] of words.entries()) {
    if ((ORDINAL.test(written) && index < words.length - 1) || DAY.test(written)) {
      tokens.push({ raw: written, key: written, glue: ' ', endsClause: false, isBeforeComma: false });
    } else addWord(tokens, written);
  }
  return tokens;
}

function digitOf(count: string): string {
  return String(COUNTS.indexOf(count.toLowerCase()) + 1);
}

function addWord(tokens: Token[], written: string): void {
  const bare = written.replace(/^[("'“”[{]+/, '').replace(/[)"'“”\]},;:?!.]+$/, '');
  if (bare === '') {
    const isComma = written.includes(',');
    tokens.push({ raw: isComma ? ',' : '', key: '', glue: ' ', endsClause: true, isBeforeComma: false });
    return;
  }
  const endsClause = /[,;:?)]$/.test(written);
  const steps = STEPS.exec(bare);
  const stepped = steps === null ? null : quarterOf(steps);
  const pieces = stepped !== null ? [stepped] : piecesOf(bare);
  for (const [index, piece] of pieces.entries()) {
    const glue = index === 0 ? ' ' : (/[-/_]$/.exec(pieces[index - 1]!)?.[0] ?? '');
    const raw = piece.length > 1 ? piece.replace(/[-/_]$/, '') : piece;
    const key = NUMBER.test(raw) ? raw : foldText(raw, QUERY_CHARS_MAX).trim();
    const isLast = index === pieces.length - 1;
    const isBeforeComma = isLast && written.endsWith(',');
    tokens.push({ raw, key, glue, endsClause: endsClause && isLast, isBeforeComma });
  }
}

/** The parts of a word that may be separate words for markets. */
function piecesOf(bare: string): string[] {
  const glued = GLUED.exec(bare);
  if (glued !== null && !(/^u(?:nder)?$/i.test(glued[1]!) && YOUTH_AGE.test(glued[2]!))) {
    return [...piecesOf(glued[1]!), ...piecesOf(glued[2]!)];
  }
  const split = WITH_UNIT.exec(bare) ?? NAME_AND_LINE.exec(bare);
  if (split !== null) return [split[1]!, split[2]!];
  // Compounds of letters: "half-time", "over/under", "both-teams-to-score", but no number and no date.
  if (!/^[\p{L}\d]+(?:[-/_][\p{L}\d]+)+$/u.test(bare) || /^(?:\d+[-/]|evt_)/.test(bare)) return [bare];
  return bare.split(/(?<=[-/_])/);
}

/** The quarter line of two half steps; null for anything else, such as a date. */
function quarterOf([, sign, first, otherSign, second]: RegExpExecArray): string | null {
  if (!`${first}${second}`.includes('.') || Math.abs(Number(second) - Number(first)) !== 0.5) return null;
  if (otherSign !== '' && otherSign !== sign) return null;
  return `${sign}${(Number(first) + Number(second)) / 2}`;
}
