// The market that a person's words ask for: "chelsea -1,5", "over 2.5 goals in inter napoli, first half",
// "lakers moneyline". Words of markets are taken out, and the rest names the fixture. A club's own name is
// never taken apart ("Over Wilhelmsburg"). Nothing is rounded or skipped: an unclear text is an error that
// says what to write.

import { QUERY_CHARS_MAX } from '../../limits.ts';
import { type Item, isNeutral, itemsOf } from './market-items.ts';
import { NO_MARKET_WORDS, type ReadWords } from './market-meaning.ts';
import { protectedTokens } from './market-names.ts';
import { Reading } from './market-reading.ts';
import { tokensOf } from './market-tokens.ts';

/**
 * Finds the words for a market in a text.
 * @param isName whether a run of words, folded, is the name of a team of the slate
 * @throws ServiceError `invalid_request` for a market that does not exist, for a line off the grid, and if
 * words contradict each other
 */
export function readMarketWords(text: string, isName: (words: string) => boolean = () => false): ReadWords {
  const tokens = tokensOf(text.slice(0, QUERY_CHARS_MAX));
  if (itemsOf(tokens, new Set()).every(isNeutral)) return { words: NO_MARKET_WORDS, rest: text };
  const items = itemsOf(tokens, protectedTokens(tokens, isName));
  const isOnly = tokens.every((_, index) => isTaken(items, index) || !/[a-z]/.test(tokens[index]!.key));
  if (items.every(({ kind }) => kind === 'phrase') && items.every(isNeutral))
    return { words: NO_MARKET_WORDS, rest: text };
  if (isOnly) return { words: NO_MARKET_WORDS, rest: text };
  const read = new Reading(tokens, items).read();
  return read.words.written === '' && read.words.prices.length === 0
    ? { words: NO_MARKET_WORDS, rest: text }
    : read;
}

function isTaken(items: readonly Item[], index: number): boolean {
  return items.some(({ first, end }) => index >= first && index < end);
}
