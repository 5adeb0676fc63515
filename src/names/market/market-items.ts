// The phrases and numbers among the tokens of a text that may be about a market.

import { isQuestionWord } from '../question/question-words.ts';
import { NUMBER, SCORE, type Token, YOUTH_AGE } from './market-tokens.ts';
import { MEANINGS, type Meaning, PHRASE_WORDS_MAX } from './market-vocabulary.ts';

export type Item = { readonly first: number; end: number } & (
  | { readonly kind: 'phrase'; readonly meaning: Meaning }
  | { readonly kind: 'number'; readonly number: number; readonly form: NumberForm }
  | { readonly kind: 'score' }
);
type NumberForm = 'signed' | 'decimal' | 'integer' | 'percent';

export function itemsOf(tokens: readonly Token[], kept: ReadonlySet<number>): Item[] {
  const items: Item[] = [];
  for (let index = 0; index < tokens.length; ) {
    const item = kept.has(index) ? null : (phraseAt(tokens, index, kept) ?? numberAt(tokens, index));
    if (item !== null) items.push(item);
    index = item === null ? index + 1 : item.end;
  }
  return items;
}

function phraseAt(tokens: readonly Token[], first: number, kept: ReadonlySet<number>): Item | null {
  for (let count = Math.min(PHRASE_WORDS_MAX, tokens.length - first); count > 0; count--) {
    const words = tokens.slice(first, first + count);
    if (words.some(({ endsClause }, index) => endsClause && index < count - 1)) continue;
    if (words.some((_, index) => kept.has(first + index))) continue;
    const meaning = MEANINGS.get(words.map(({ key }) => key).join(' '));
    if (meaning === undefined || !isMeant(tokens, first, first + count)) continue;
    return { kind: 'phrase', meaning, first, end: first + count };
  }
  return null;
}

/** Words that mean a market only in front of a number. */
export const NEEDS_NUMBER: ReadonlySet<string> = new Set([
  ...['o', 'u', 'above', 'below', 'more than', 'less than', 'mas de', 'plus de', 'uber', 'ueber', 'mehr als'],
  ...['menos de', 'moins de', 'unter', 'weniger als', 'acima de', 'abaixo de'],
]);
/** "Asian Cup": a competition. */
const COMPETITION = /^(?:cups?|champions?|championships?|leagues?|games|nations|qualif\w*|u\d\d)$/;
/** The beginning of a count: "by two goals", "by more than 1". */
const COUNT = /^(?:\d|one$|two$|three$|four$|five$|six$|more$|less$|at$)/;

/**
 * Whether words mean a market here. Short words, and words with other meanings, count only if they can mean
 * nothing else.
 */
function isMeant(tokens: readonly Token[], first: number, end: number): boolean {
  const key = tokens
    .slice(first, end)
    .map((token) => token.key)
    .join(' ');
  const next = tokens[end]?.key ?? '';
  if (NEEDS_NUMBER.has(key)) return NUMBER.test(next);
  if (key === 'asian') return !COMPETITION.test(next);
  if (key === 'by') return COUNT.test(next);
  if (key === 'under') return !YOUTH_AGE.test(next);
  if (key === 'x') return end === tokens.length && first > 1;
  return true;
}

function numberAt(tokens: readonly Token[], index: number): Item | null {
  const { key, raw } = tokens[index]!;
  if (SCORE.test(raw) && !isBetweenNames(tokens, index))
    return { kind: 'score', first: index, end: index + 1 };
  if (!NUMBER.test(key)) return null;
  const form = key.endsWith('%')
    ? 'percent'
    : /^[+-]/.test(key)
      ? 'signed'
      : key.includes('.')
        ? 'decimal'
        : 'integer';
  return { kind: 'number', number: Number.parseFloat(key), form, first: index, end: index + 1 };
}

/** Whether a score is between two names. Then it is the present score, as in "Racing 1-0 San Lorenzo". */
function isBetweenNames(tokens: readonly Token[], index: number): boolean {
  const mayName = ({ key }: Token): boolean => /[a-z]/.test(key) && !isQuestionWord(key);
  return tokens.slice(0, index).some(mayName) && tokens.slice(index + 1).some(mayName);
}

/** Whether words say nothing about the market, such as "odds". */
export function isNeutral(item: Item): boolean {
  return item.kind === 'phrase' && item.meaning.kind === 'neutral';
}
