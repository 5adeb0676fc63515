// Prices: one fixture's odds, its openings, and a batch of fixtures.

import { Liquidity } from '../../contract/liquidity.ts';
import {
  BatchOdds,
  BatchOddsBody,
  BatchOpenings,
  BatchOpeningsBody,
  EventOpening,
  MarketOddsParams,
  MarketOddsQuery,
  OddsBlock,
  OddsQuery,
  PastOddsQuery,
} from '../../contract/odds.ts';
import { EventIdParams } from '../../contract/parameters.ts';
import { OddsChanges, OddsChangesQuery } from '../../contract/stream/odds-changes.ts';
import { decodeId } from '../../domain/ids.ts';
import { assert, ServiceError } from '../../errors.ts';
import { requireTimezone } from '../../query/lists/day.ts';
import type { HistoryCalls } from '../../query/lists/history-calls.ts';
import type { LeagueLookup } from '../../query/lookup/league-filter.ts';
import type { LiquidityQueries } from '../../query/odds/liquidity.ts';
import { oddsFilter } from '../../query/odds/odds-filter.ts';
import { oddsView } from '../../query/odds/odds-view.ts';
import type { OpeningQueries } from '../../query/odds/openings.ts';
import type { Slate } from '../../query/slate/slate.ts';
import type { Reply } from '../kit/reply.ts';
import type { HandlerContext } from '../kit/request/handler-context.ts';
import { defineRoute, type Route } from '../kit/route.ts';
import type { OddsAnswers } from '../odds-answers.ts';
import { pastReply } from '../past-reply.ts';
import type { SlateOddsAnswers } from '../slate-odds-answers.ts';

const ODDS_ROUTE = { method: 'GET', tags: ['Events and odds'], access: 'metered' } as const;
/** What a slate of the past costs, in requests. */
const PAST_SLATE_UNITS = 5;

export interface OddsParts {
  readonly slate: Slate;
  readonly leagues: LeagueLookup;
  readonly answers: OddsAnswers;
  /** Answers requests with `at`. */
  readonly history: HistoryCalls;
  /** Null on the query thread, which only describes the routes of HTTP threads. */
  readonly slateAnswers: SlateOddsAnswers | null;
  /** Null on an HTTP thread, which does not answer requests for openings. */
  readonly openings: OpeningQueries | null;
  /** Null on an HTTP thread, which does not answer requests for liquidity. */
  readonly liquidity: LiquidityQueries | null;
}

export function oddsRoutes(parts: OddsParts): Route[] {
  return [...fixtureRoutes(parts), ...openingRoutes(parts), liquidityRoute(parts), ...slateRoutes(parts)];
}

/** The prices of one fixture. */
function fixtureRoutes({ answers, history }: OddsParts): Route[] {
  return [
    defineRoute({
      ...ODDS_ROUTE,
      path: '/v1/events/:event_id/odds',
      operationId: 'getEventOdds',
      summary: 'Get the odds of one fixture',
      description:
        'Every quote of the fixture that passes the filters, as a flat list. Suspended quotes keep their last prices; filter on `status` before using one. The sharp book is left out on the free tier.',
      thread: 'http',
      params: EventIdParams,
      query: PastOddsQuery,
      response: OddsBlock,
      errors: ['plan_limit', 'forbidden', 'not_found'],
      handle: ({ params, query: { at, ...words } }, context) =>
        at === undefined
          ? answers.answer(params.event_id, oddsFilter(words, context.principal), context)
          : pastOdds(history, { eventId: params.event_id, words, at }, context),
      keep: ({ params, query: { at, ...words } }) =>
        at === undefined ? answers.keep(params.event_id, words) : null,
    }),
    defineRoute({
      ...ODDS_ROUTE,
      path: '/v1/events/:event_id/odds/:market_type',
      operationId: 'getEventMarketOdds',
      summary: 'Get the odds of one market of one fixture',
      description: 'The same as the odds of a fixture, but for one market type.',
      thread: 'http',
      params: MarketOddsParams,
      query: MarketOddsQuery,
      response: OddsBlock,
      errors: ['plan_limit', 'forbidden', 'not_found'],
      handle: ({ params, query: { at, ...query } }, context) => {
        const words = { ...query, markets: [params.market_type] };
        return at === undefined
          ? answers.answer(params.event_id, oddsFilter(words, context.principal), context)
          : pastOdds(history, { eventId: params.event_id, words, at }, context);
      },
      keep: ({ params, query: { at, ...query } }) =>
        at === undefined ? answers.keep(params.event_id, { ...query, markets: [params.market_type] }) : null,
    }),
  ];
}

/** The first prices of one fixture, and of several. */
function openingRoutes({ slate, openings }: OddsParts): Route[] {
  const queries = (): OpeningQueries => {
    assert(openings !== null, 'the query thread answers about openings');
    return openings;
  };
  return [
    defineRoute({
      ...ODDS_ROUTE,
      path: '/v1/events/:event_id/opening',
      operationId: 'getEventOpening',
      summary: 'Get the opening prices of one fixture',
      description:
        'For each current quote, the first price seen at the same bookmaker, market, period and line. Frozen once recorded; a line with none on file is left out.',
      params: EventIdParams,
      query: OddsQuery,
      response: EventOpening,
      errors: ['forbidden', 'not_found'],
      handle: ({ params, query }, { nowMs, principal }) => {
        const filter = oddsFilter(query, principal);
        return queries().ofQuotes(slate.fixtureById(params.event_id, nowMs), filter);
      },
    }),
    defineRoute({
      ...ODDS_ROUTE,
      method: 'POST',
      path: '/v1/openings/batch',
      operationId: 'batchOpenings',
      summary: 'Get the opening prices of up to 20 fixtures',
      description:
        'The same as the opening prices of a fixture, but for several. Ids that are not on the slate are left out. Costs one request.',
      body: BatchOpeningsBody,
      response: BatchOpenings,
      errors: ['forbidden'],
      handle: ({ body }, { nowMs, principal }) => {
        const filter = oddsFilter(body, principal);
        slate.requireReady(nowMs);
        const fixtures = body.event_ids.map((id) => slate.fixture(decodeId('event', id), nowMs));
        return {
          data: fixtures.flatMap((fixture) => (fixture === null ? [] : queries().ofQuotes(fixture, filter))),
        };
      },
    }),
  ];
}

/** How much can be staked on one fixture. */
function liquidityRoute({ slate, liquidity }: OddsParts): Route {
  return defineRoute({
    ...ODDS_ROUTE,
    path: '/v1/events/:event_id/liquidity',
    operationId: 'getEventLiquidity',
    summary: 'Get how much can be staked on one fixture at exchanges',
    description:
      'For each exchange, what can be staked at the best price of every outcome, line by line, and what was traded so far, in the currency of the exchange. Other books are not in it; a fixture without an exchange has an empty list. A sharp exchange is left out on the free tier.',
    params: EventIdParams,
    response: Liquidity,
    errors: ['forbidden', 'not_found'],
    handle: ({ params }, { nowMs, principal }) => {
      assert(liquidity !== null, 'the query thread answers about liquidity');
      return liquidity.of(slate.fixtureById(params.event_id, nowMs), principal);
    },
  });
}

/** The prices of the slate, and of several fixtures. */
function slateRoutes({ slate, leagues, answers, history, slateAnswers }: OddsParts): Route[] {
  return [
    defineRoute({
      ...ODDS_ROUTE,
      path: '/v1/odds',
      operationId: 'getOdds',
      summary: 'Get the odds of the slate, or what changed',
      description:
        'All odds under the filters of events and of odds, at one instant. With `since`, the `cursor` of an earlier answer with the same filters: only what changed after it, quote by quote, however long ago that was. See docs/guide/streaming.md for a mirror in fifteen lines. With `at` it costs five requests.',
      thread: 'http',
      query: OddsChangesQuery,
      response: OddsChanges,
      errors: ['plan_limit', 'forbidden', 'not_found'],
      handle: async ({ query: { at, ...query } }, context) => {
        const { nowMs, principal, charge } = context;
        if (at !== undefined) {
          requireNoCursor(query.since);
          oddsFilter(query, principal);
          requireTimezone(query.timezone);
          // A request that is refused here costs one unit. The rest is charged before the answer is made. A
          // league that the slate lacks is found only when the slate is read, so such a request is charged in
          // full.
          await history.requireInstant({ at, principal, nowMs });
          await charge(PAST_SLATE_UNITS - 1);
          return pastReply(await history.slate({ words: query, at, principal, nowMs }));
        }
        assert(slateAnswers !== null, 'an HTTP thread answers with the slate');
        const found = await leagues(query, nowMs);
        const view = oddsView({ slate, leagues: found }, query, { principal, nowMs });
        return slateAnswers.reply(view, query.since ?? null, context);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/odds/batch',
      operationId: 'batchOdds',
      summary: 'Get the odds of up to 20 fixtures',
      description:
        'One entry per id, in request order. An id that fails has an error in its own entry. Costs one request, with `at` one for each fixture; a key is required, a free one is enough.',
      tags: ODDS_ROUTE.tags,
      access: 'key',
      thread: 'http',
      body: BatchOddsBody,
      response: BatchOdds,
      errors: ['plan_limit', 'forbidden', 'not_found'],
      handle: async (
        { body: { event_ids: eventIds, at, ...words } },
        { nowMs, principal, charge, request },
      ) => {
        requireNoAt(request.url);
        if (at === undefined) return answers.batch(eventIds, oddsFilter(words, principal), nowMs);
        oddsFilter(words, principal);
        await history.requireInstant({ at, principal, nowMs });
        await charge(new Set(eventIds).size - 1);
        return pastReply(await history.batch({ eventIds, words, at, principal, nowMs }));
      },
    }),
  ];
}

/**
 * Refuses `at` in the address. If the server ignored it, the client would take the current odds for those of
 * the past.
 */
function requireNoAt(url: string): void {
  if (!url.includes('?') || !new URL(url).searchParams.has('at')) return;
  throw new ServiceError(
    'invalid_request',
    'Cannot use the parameter at of the address: this request has a body',
    {
      fix: 'Send it as a field of the body, beside event_ids',
    },
  );
}

/** One fixture at an instant of the past. */
async function pastOdds(
  history: HistoryCalls,
  question: Omit<Parameters<HistoryCalls['odds']>[0], 'principal' | 'nowMs'>,
  { principal, nowMs }: Pick<HandlerContext, 'principal' | 'nowMs'>,
): Promise<Reply> {
  return pastReply(await history.odds({ ...question, principal, nowMs }));
}

/** @throws ServiceError `invalid_request` for a cursor: an instant of the past has no changes */
function requireNoCursor(since: string | undefined): void {
  if (since === undefined) return;
  throw new ServiceError('invalid_request', 'Cannot use since: the request also has the parameter at', {
    fix: 'Send since alone to get what has changed, or at alone to get the slate of an instant',
  });
}
