// The Odds API v4 as a pull source: its requests, and the meaning of its refusals and quota headers.

import type { BookmakerMap } from '../poll/bookmaker-map.ts';
import type { Quota } from '../poll/budget.ts';
import { PollFailure } from '../poll/failure.ts';
import { askJson, retryAfterMs } from '../poll/http-client.ts';
import type { PlannedRequest, PolledSource } from '../poll/source.ts';
import { isRefusal } from './messages.ts';
import { readOdds } from './parse-odds.ts';
import { readScores } from './parse-scores.ts';
import { planOf, SPORTS_REQUEST } from './plan.ts';
import { chooseBookmakers } from './regions.ts';

export interface TheOddsApiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The upstream's sport keys. */
  readonly sports: readonly string[];
  /** Our bookmakers by the upstream's keys. */
  readonly bookmakers: BookmakerMap;
  readonly nowMs: () => number;
}

const MARKETS = ['h2h', 'spreads', 'totals'];
/** 30 calls a second are allowed. */
const GAP_MS = 100;
/**
 * The pause that the documentation requires after too many calls, used if the answer does not require a
 * longer one.
 */
const THROTTLED_MS = 2_000;
/**
 * The free plan. Its credits are spent no faster than one in 90 minutes, so that they last through the
 * longest month.
 */
const FREE_CREDITS = 500;
const FREE_MS_PER_CREDIT = 90 * 60_000;

export function theOddsApi(options: TheOddsApiOptions): PolledSource {
  const { baseUrl, apiKey, sports, bookmakers, nowMs } = options;
  const choice = chooseBookmakers([...bookmakers.keys()]);
  const oddsCost = choice.creditsPerMarket * MARKETS.length;
  return {
    name: 'the-odds-api',
    probe: SPORTS_REQUEST,
    plan: (picture, atMs) => planOf(sports, oddsCost, { picture, nowMs: atMs }),
    ask: async (request, signal) => {
      const url = `${baseUrl}${pathOf(request, choice)}${new URLSearchParams({ apiKey })}`;
      const { body, headers, serverAtMs } = await askJson({ url, headers: {}, signal }, refusalOf);
      return { body, quota: quotaOf(headers, nowMs()), gapMs: GAP_MS, serverAtMs };
    },
    read: (request, body, context) => {
      const [kind, sport = ''] = request.key.split(':');
      if (kind === 'odds') return readOdds(sport, body, { bookmakers, context });
      if (kind === 'sports' && Array.isArray(body)) return [];
      return readScores(sport, body, context);
    },
    forget: () => {},
  };
}

/** Path and parameters of a request, without the key, which is added last. */
function pathOf({ key }: PlannedRequest, { parameter, value }: ReturnType<typeof chooseBookmakers>): string {
  const [kind, sport = ''] = key.split(':');
  const folder = `/v4/sports/${encodeURIComponent(sport)}`;
  switch (kind) {
    case 'odds': {
      const wanted = {
        [parameter]: value,
        markets: MARKETS.join(','),
        oddsFormat: 'decimal',
        dateFormat: 'iso',
      };
      return `${folder}/odds?${new URLSearchParams(wanted)}&`;
    }
    case 'scores':
      return `${folder}/scores?dateFormat=iso&`;
    case 'results':
      return `${folder}/scores?daysFrom=1&dateFormat=iso&`;
    default:
      return '/v4/sports?';
  }
}

/**
 * When all credits are spent the status is 401, the same as for a bad key. The code in the body distinguishes
 * them.
 */
function refusalOf(status: number, body: unknown, headers: Headers): PollFailure | null {
  if (!isRefusal(body)) return null;
  switch (body.error_code) {
    case 'OUT_OF_USAGE_CREDITS':
      return new PollFailure('quota_spent', { kind: 'quota', scope: 'source' });
    case 'MISSING_KEY':
    case 'INVALID_KEY':
    case 'DEACTIVATED_KEY':
      return new PollFailure('bad_key', { kind: 'final', scope: 'source' });
    case 'HISTORICAL_UNAVAILABLE_ON_FREE_USAGE_PLAN':
      return new PollFailure('not_paid', { kind: 'final' });
    case 'UNKNOWN_SPORT':
      return new PollFailure('unknown_product', { kind: 'final' });
    case 'EXCEEDED_FREQ_LIMIT':
      return new PollFailure('throttled', {
        scope: 'source',
        retryAfterMs: Math.max(THROTTLED_MS, retryAfterMs(headers) ?? 0),
      });
    default:
      return status === 422 ? new PollFailure('bad_request', { kind: 'final' }) : null;
  }
}

/** The quota of the headers; it is refilled on the first of the month, UTC. */
function quotaOf(headers: Headers, nowMs: number): Quota | null {
  const left = count(headers.get('x-requests-remaining'));
  const used = count(headers.get('x-requests-used'));
  if (left === null) return null;
  const limit = used === null ? null : left + used;
  const now = new Date(nowMs);
  return {
    left,
    limit,
    periodEndMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1),
    leastMsPerCredit: limit !== null && limit <= FREE_CREDITS ? FREE_MS_PER_CREDIT : 0,
  };
}

function count(value: string | null): number | null {
  return value !== null && /^\d{1,12}(?:\.\d+)?$/.test(value) ? Math.floor(Number(value)) : null;
}
