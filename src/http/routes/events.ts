// Fixtures: the lists, a single one, and its state.

import { Event, EventList, EventPage, EventState, EventsQuery } from '../../contract/event.ts';
import { EventIdParams } from '../../contract/parameters.ts';
import type { Queries } from '../../query/queries.ts';
import { defineRoute, needOfList, type Route } from '../kit/route.ts';

const TAGS = ['Events and odds'];

export function eventRoutes({ events }: Queries): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/events',
      operationId: 'listEvents',
      summary: 'List fixtures',
      description: 'Fixtures on the slate by kickoff then id, filtered and paged.',
      tags: TAGS,
      access: 'metered',
      query: EventsQuery,
      waitsFor: ({ query }) => needOfList(query),
      response: EventPage,
      handle: ({ query }, { nowMs }) => events.list(query, nowMs),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/events/live',
      operationId: 'listLiveEvents',
      summary: 'List live fixtures',
      description: 'Fixtures being played now. An empty list is a valid answer.',
      tags: TAGS,
      access: 'metered',
      waitsFor: 'lists',
      response: EventList,
      handle: (_input, { nowMs }) => ({ data: events.live(nowMs) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/events/:event_id',
      operationId: 'getEvent',
      summary: 'Get one fixture',
      description: 'One fixture of the slate.',
      tags: TAGS,
      access: 'metered',
      params: EventIdParams,
      response: Event,
      errors: ['not_found'],
      handle: ({ params }, { nowMs }) => events.one(params.event_id, nowMs),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/events/:event_id/state',
      operationId: 'getEventState',
      summary: 'Get the state of one fixture',
      description: 'Status, score, red cards and clock of one fixture.',
      tags: TAGS,
      access: 'metered',
      params: EventIdParams,
      response: EventState,
      errors: ['not_found'],
      handle: ({ params }, { nowMs }) => events.state(params.event_id, nowMs),
    }),
  ];
}
