// Requests the markets to follow, and their names, from Betfair's betting API: listMarketCatalogue, the
// earliest to start first.

import { boundedText, jsonOrUndefined } from '../../parse-json.ts';
import { failureOfException, retryAfterMs } from '../poll/http-client.ts';
import { SportChoice } from '../poll/sport-choice.ts';
import { BetfairFailure, failureOfAnswer, failureOfAsking } from './failure.ts';
import { type CatalogueMarket, catalogueOf } from './messages.ts';
import { BETFAIR_EVENT_TYPES, BETFAIR_MARKET_TYPES } from './parse.ts';

/** How many markets a subscription may hold unless Betfair has granted more. */
const MARKETS_MAX = 200;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const DEADLINE_MS = 10_000;

export interface CatalogueOptions {
  /** Base address without a path. */
  readonly apiUrl: string;
  readonly appKey: string;
  readonly session: string;
  /** In the form of BETFAIR_SPORTS. */
  readonly sports: readonly string[];
}

/** @throws BetfairFailure */
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
  let text: string;
  let response: Response;
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    response = await fetch(`${apiUrl}/exchange/betting/rest/v1.0/listMarketCatalogue/`, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, deadline]),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-application': appKey,
        'x-authentication': session,
      },
      body: JSON.stringify({
        filter: { eventTypeIds: [eventTypeId], marketTypeCodes: BETFAIR_MARKET_TYPES },
        maxResults: 1_000,
        sort: 'FIRST_TO_START',
        marketProjection: ['COMPETITION', 'EVENT', 'RUNNER_DESCRIPTION', 'MARKET_START_TIME'],
      }),
    });
    text = await boundedText(response, ANSWER_BYTES_MAX, tooLarge);
  } catch (error) {
    throw failureOfAsking(
      error instanceof BetfairFailure ? error : failureOfException(error, deadline.aborted),
    );
  }
  if (response.status !== 200) throw failureOfAnswer(response.status, text, retryAfterMs(response.headers));
  if (text.trim() === '')
    throw new BetfairFailure('the answer of the catalogue is empty', { reason: 'empty' });
  const value = jsonOrUndefined(text);
  if (value === undefined)
    throw new BetfairFailure('the answer of the catalogue is not JSON', { reason: 'not_json' });
  const markets = catalogueOf(value);
  if (markets === null) throw failureOfAnswer(response.status, text, null);
  return markets;
}

function tooLarge(): BetfairFailure {
  return new BetfairFailure('the answer of the catalogue is too long', { reason: 'too_large' });
}
