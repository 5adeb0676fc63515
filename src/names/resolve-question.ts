// A whole question, "spurs over 220.5 tomorrow": its words for a market, and the fixture that the rest means.

import type { FixtureIndex } from './fixture-index.ts';
import { type MarketWords, sportMeant } from './market/market-meaning.ts';
import { readMarketWords } from './market/market-words.ts';
import { type FixtureResolution, type ResolveFixtureOptions, resolveFixture } from './resolve-fixture.ts';

export interface ResolvedQuestion {
  readonly words: MarketWords;
  readonly resolution: FixtureResolution;
}

/**
 * Reads the words for a market out of a question and finds the fixture. A market that only one sport has
 * decides between two teams of one name: "spurs over 220.5" is San Antonio's.
 * @throws ServiceError what readMarketWords and resolveFixture throw
 */
export function resolveQuestion(
  index: FixtureIndex,
  query: string,
  options: ResolveFixtureOptions,
): ResolvedQuestion {
  const { words, rest } = readMarketWords(query, (run) => index.isTeamName(run));
  const sport = options.sport === undefined ? sportMeant(words) : null;
  if (sport !== null) {
    const resolution = resolveFixture(index, rest, { ...options, sport });
    if (resolution.status === 'matched') return { words, resolution };
  }
  return { words, resolution: resolveFixture(index, rest, options) };
}
