// Whether the words of a question name a market, for callers that have no slate.

import { NO_MARKET_WORDS } from '../../names/market/market-meaning.ts';
import { readMarketWords } from '../../names/market/market-words.ts';

/** @throws ServiceError `invalid_request` for words that every tool refuses */
export function namesMarket(query: string): boolean {
  return readMarketWords(query).words !== NO_MARKET_WORDS;
}
