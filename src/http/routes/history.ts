// The price history, called the tape: the ticks of a fixture, its closing prices, the fixtures of the tape,
// and what is kept.

import {
  EventClosing,
  EventHistory,
  HistoryCoverage,
  HistoryEventPage,
  HistoryEventsQuery,
  HistoryQuery,
} from '../../contract/history.ts';
import { OddsQuery } from '../../contract/odds.ts';
import { EventIdParams } from '../../contract/parameters.ts';
import { EventSettlement } from '../../contract/record/settlement.ts';
import type { HistoryCalls } from '../../query/lists/history-calls.ts';
import { defineRoute, type Route } from '../kit/route.ts';
import { pastReply } from '../past-reply.ts';

const PAST_ROUTE = { method: 'GET', tags: ['History'], access: 'metered' } as const;
/** Errors of the routes about one fixture. The caller's plan, or a bookmaker in the query, may be refused. */
const FILTERED_ERRORS = ['plan_limit', 'forbidden', 'not_found'] as const;

export function historyRoutes(history: HistoryCalls): Route[] {
  return [...fixtureRoutes(history), ...tapeRoutes(history)];
}

/** The routes about one fixture on the tape. */
function fixtureRoutes(history: HistoryCalls) {
  return [
    defineRoute({
      ...PAST_ROUTE,
      path: '/v1/events/:event_id/history',
      operationId: 'getEventHistory',
      summary: 'Get every price change of one fixture',
      description:
        'The ticks of each line that passes the filters: one for each published change of its prices or status. Nothing is sampled unless `resolution` asks for it. Gaps say for which times nothing is known. Fixtures that have left the slate are included.',
      params: EventIdParams,
      query: HistoryQuery,
      response: EventHistory,
      errors: FILTERED_ERRORS,
      handle: async ({ params, query }, { principal, nowMs }) =>
        pastReply(await history.ticks({ eventId: params.event_id, words: query, principal, nowMs })),
    }),
    defineRoute({
      ...PAST_ROUTE,
      path: '/v1/events/:event_id/closing',
      operationId: 'getEventClosing',
      summary: 'Get the closing prices of one fixture',
      description:
        'The last open price of each line published before the kickoff, unless its bookmaker had withdrawn or suspended it for more than ten minutes by then. Final once the match is seen live, otherwise ten minutes after the last scheduled kickoff. Until then, the list is empty.',
      params: EventIdParams,
      query: OddsQuery,
      response: EventClosing,
      errors: FILTERED_ERRORS,
      handle: async ({ params, query }, { principal, nowMs }) =>
        pastReply(await history.closing({ eventId: params.event_id, words: query, principal, nowMs })),
    }),
    defineRoute({
      ...PAST_ROUTE,
      path: '/v1/events/:event_id/settlement',
      operationId: 'getEventSettlement',
      summary: 'Get how the closing lines of one fixture settled',
      description:
        'What became of a stake on each outcome of every line that had a closing price, as `/v1/convert/settle` says for one line. 404 until the match has a result.',
      params: EventIdParams,
      response: EventSettlement,
      errors: ['plan_limit', 'not_found'],
      handle: async ({ params }, { principal, nowMs }) =>
        pastReply(await history.settlement({ eventId: params.event_id, principal, nowMs })),
    }),
  ];
}

/** The routes about the whole tape. */
function tapeRoutes(history: HistoryCalls) {
  return [
    defineRoute({
      ...PAST_ROUTE,
      path: '/v1/history/events',
      operationId: 'listHistoryEvents',
      summary: 'List the fixtures of the price history',
      description:
        'Fixtures with a price change on record, by kickoff then id, filtered and paged. Their ids are those of the slate.',
      query: HistoryEventsQuery,
      response: HistoryEventPage,
      errors: ['plan_limit', 'not_found'],
      handle: async ({ query }, { principal, nowMs }) =>
        pastReply(await history.events({ words: query, principal, nowMs })),
    }),
    defineRoute({
      ...PAST_ROUTE,
      path: '/v1/history',
      operationId: 'getHistoryCoverage',
      summary: 'Get what the price history holds',
      description:
        'The first and last instant, each day with its fixtures and ticks, and the gaps. Callers without a key see the last 24 hours, the free tier seven days, others everything that is kept.',
      response: HistoryCoverage,
      errors: ['not_found'],
      handle: async (_input, { principal, nowMs }) => pastReply(await history.coverage({ principal, nowMs })),
    }),
  ];
}
