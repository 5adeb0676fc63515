// Fixtures: the lists, a single one, and its state.

import { Event, EventList, EventPage, EventState, EventsQuery } from '../../contract/event.ts';
import { EventIdParams } from '../../contract/parameters.ts';
import type { Queries } from '../../query/queries.ts';
import { defineRoute, needOfList, type Route } from '../kit/route.ts';

const EVENT_ROUTE = { method: 'GET', tags: ['Events and odds'], access: 'metered' } as const;

export function eventRoutes({ events }: Queries): Route[] {
  return [
    defineRoute({
      ...EVENT_ROUTE,
      path: '/v1/events',
      operationId: 'listEvents',
      summary: 'List fixtures',
      description: 'Fixtures on the slate by kickoff then id, filtered and paged.',
      query: EventsQuery,
      waitsFor: ({ query }) => needOfList(query),
      response: EventPage,
      handle: ({ query }, { nowMs }) => events.list(query, nowMs),
    }),
    defineRoute({
      ...EVENT_ROUTE,
      path: '/v1/events/live',
      operationId: 'listLiveEvents',
      summary: 'List live fixtures',
      description: 'Fixtures being played now. An empty list is a valid answer.',
      waitsFor: 'lists',
      response: EventList,
      handle: (_input, { nowMs }) => ({ data: events.live(nowMs) }),
    }),
    defineRoute({
      ...EVENT_ROUTE,
      path: '/v1/events/:event_id',
      operationId: 'getEvent',
      summary: 'Get one fixture',
      description: 'One fixture of the slate.',
      params: EventIdParams,
      response: Event,
      errors: ['not_found'],
      handle: ({ params }, { nowMs }) => events.one(params.event_id, nowMs),
    }),
    defineRoute({
      ...EVENT_ROUTE,
      path: '/v1/events/:event_id/state',
      operationId: 'getEventState',
      summary: 'Get the state of one fixture',
      description: 'Status, score, red cards and clock of one fixture.',
      params: EventIdParams,
      response: EventState,
      errors: ['not_found'],
      handle: ({ params }, { nowMs }) => events.state(params.event_id, nowMs),
    }),
  ];
}
