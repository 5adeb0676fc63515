// Scores of finished matches, kept for 30 days. Available even when the feed is down.

import { EventIdParams } from '../../contract/parameters.ts';
import { Result, ResultList, ResultsQuery } from '../../contract/results.ts';
import type { Queries } from '../../query/queries.ts';
import { defineRoute, needOfList, type Route } from '../kit/route.ts';

const RESULT_ROUTE = { method: 'GET', tags: ['Events and odds'], access: 'metered' } as const;

export function resultRoutes({ results }: Queries): Route[] {
  return [
    defineRoute({
      ...RESULT_ROUTE,
      path: '/v1/results',
      operationId: 'listResults',
      summary: 'List results',
      description: 'Finished matches of the last 30 days, most recent first: scores and red cards, no odds.',
      query: ResultsQuery,
      waitsFor: ({ query }) => needOfList(query),
      response: ResultList,
      handle: ({ query }, { nowMs }) => results.list(query, nowMs),
    }),
    defineRoute({
      ...RESULT_ROUTE,
      path: '/v1/results/:event_id',
      operationId: 'getResult',
      summary: 'Get one result',
      description: 'The result of one finished match.',
      params: EventIdParams,
      response: Result,
      errors: ['not_found'],
      handle: ({ params }, { nowMs }) => results.one(params.event_id, nowMs),
    }),
  ];
}
