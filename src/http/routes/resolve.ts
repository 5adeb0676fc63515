// Names to ids: finds the event, team or league that a text means.

import {
  ResolvedEvent,
  ResolvedLeague,
  ResolvedTeam,
  ResolveEventBody,
  ResolveLeagueBody,
  ResolveTeamBody,
} from '../../contract/resolve.ts';
import type { Queries } from '../../query/queries.ts';
import { defineRoute, type Route } from '../kit/route.ts';

const RESOLVE_ROUTE = { method: 'POST', tags: ['Resolve'], access: 'metered' } as const;

export function resolveRoutes({ resolve }: Queries): Route[] {
  return [
    defineRoute({
      ...RESOLVE_ROUTE,
      path: '/v1/resolve/event',
      operationId: 'resolveEvent',
      summary: 'Find the fixture a text means',
      description:
        'Never guesses: several plausible fixtures are `ambiguous`, with all of them as alternatives.',
      waitsFor: 'names',
      body: ResolveEventBody,
      response: ResolvedEvent,
      handle: ({ body }, { nowMs }) => resolve.event(body, nowMs),
    }),
    defineRoute({
      ...RESOLVE_ROUTE,
      path: '/v1/resolve/team',
      operationId: 'resolveTeam',
      summary: 'Find the team a text means',
      description: 'Searches the teams of the current slate.',
      waitsFor: 'names',
      body: ResolveTeamBody,
      response: ResolvedTeam,
      handle: ({ body }, { nowMs }) => resolve.team(body.query, body.sport, nowMs),
    }),
    defineRoute({
      ...RESOLVE_ROUTE,
      path: '/v1/resolve/league',
      operationId: 'resolveLeague',
      summary: 'Find the league a text means',
      description: 'Searches the leagues of the current slate.',
      waitsFor: 'names',
      body: ResolveLeagueBody,
      response: ResolvedLeague,
      handle: ({ body }, { nowMs }) => resolve.league(body.query, nowMs),
    }),
  ];
}
