// A whole question, "spurs over 220.5 tomorrow": its words for a market, and the fixture that the rest means.

import type { FixtureIndex } from '../fixture-index.ts';
import { type MarketWords, sportMeant } from '../market/market-meaning.ts';
import { readMarketWords } from '../market/market-words.ts';
import { type FixtureResolution, type ResolveFixtureOptions, resolveFixture } from '../resolve-fixture.ts';
import { takeZone } from './zone-words.ts';

interface ResolvedQuestion {
  readonly words: MarketWords;
  readonly resolution: FixtureResolution;
  /** The IANA zone that the words name ("kick off time in Rome"), or null. */
  readonly timezone: string | null;
}

/**
 * Reads the words for a market out of a question and finds the fixture. A market that only one sport has
 * decides between two teams of one name: "spurs over 220.5" is San Antonio's.
 * @throws ServiceError what readMarketWords and resolveFixture throw
 */
export function resolveQuestion(
  index: FixtureIndex,
  query: string,
  asked: ResolveFixtureOptions,
): ResolvedQuestion {
  const { rest: text, timezone } = takeZone(query, asked.today?.timezone);
  const { words, rest } = readMarketWords(text, (run) => index.isTeamName(run));
  const { today } = asked;
  const isLocal = timezone !== null && today !== undefined && today.timezone === undefined;
  const options = isLocal ? { ...asked, today: { ...today, timezone } } : asked;
  const sport = options.sport === undefined ? sportMeant(words) : null;
  if (sport !== null) {
    const resolution = resolveFixture(index, rest, { ...options, sport });
    if (resolution.status === 'matched') return { words, resolution, timezone };
  }
  return { words, resolution: resolveFixture(index, rest, options), timezone };
}
