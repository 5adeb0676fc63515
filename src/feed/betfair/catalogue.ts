// Requests the markets to follow, and their names, from Betfair's betting API (listMarketCatalogue). The
// markets that start earliest come first.

import { askJson } from '../poll/http-client.ts';
import { SportChoice } from '../poll/sport-choice.ts';
import { failureOfAnswer } from './failure.ts';
import { type CatalogueMarket, catalogueOf } from './messages.ts';
import { BETFAIR_EVENT_TYPES, BETFAIR_MARKET_TYPES } from './parse.ts';

/** How many markets a subscription may hold unless Betfair has granted more. */
const MARKETS_MAX = 200;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

export interface CatalogueOptions {
  /** Base address without a path. */
  readonly apiUrl: string;
  readonly appKey: string;
  readonly session: string;
  /** In the form of BETFAIR_SPORTS. */
  readonly sports: readonly string[];
}

/** @throws PollFailure */
export async function askCatalogue(
  options: CatalogueOptions,
  signal: AbortSignal,
): Promise<CatalogueMarket[]> {
  const choice = new SportChoice(options.sports);
  const markets: CatalogueMarket[] = [];
  const eventTypes = Object.entries(BETFAIR_EVENT_TYPES).filter(([, sport]) => choice.has(sport));
  for (const [eventTypeId, sport] of eventTypes) {
    const answer = await ask(options, { eventTypeId, signal });
    const wanted = answer.filter(({ competition }) =>
      choice.wants(sport, competition ?? { id: '', name: '' }),
    );
    markets.push(...wanted.slice(0, Math.floor(MARKETS_MAX / eventTypes.length)));
  }
  return markets;
}

async function ask(
  { apiUrl, appKey, session }: CatalogueOptions,
  { eventTypeId, signal }: { readonly eventTypeId: string; readonly signal: AbortSignal },
): Promise<CatalogueMarket[]> {
  const request = {
    url: `${apiUrl}/exchange/betting/rest/v1.0/listMarketCatalogue/`,
    headers: {
      'content-type': 'application/json',
      'x-application': appKey,
      'x-authentication': session,
    },
    signal,
    bytesMax: ANSWER_BYTES_MAX,
    body: JSON.stringify({
      filter: { eventTypeIds: [eventTypeId], marketTypeCodes: BETFAIR_MARKET_TYPES },
      maxResults: 1_000,
      sort: 'FIRST_TO_START',
      marketProjection: ['COMPETITION', 'EVENT', 'RUNNER_DESCRIPTION', 'MARKET_START_TIME'],
    }),
  };
  const { body, headers } = await askJson(request, failureOfAnswer);
  const markets = catalogueOf(body);
  if (markets === null) throw failureOfAnswer(200, body, headers);
  return markets;
}
