// Metadata: sports, bookmakers, and the leagues and teams of the current slate.

import {
  BookmakerList,
  LeaguePage,
  LeaguesQuery,
  SportList,
  TeamPage,
  TeamsQuery,
} from '../../contract/catalogue.ts';
import { BOOKMAKER_COUNT_TEXT, BOOKMAKERS, SPORTS } from '../../domain/catalogue.ts';
import { bookmakerNumber, encodeId } from '../../domain/ids.ts';
import type { Queries } from '../../query/queries.ts';
import { defineRoute, type Route } from '../kit/route.ts';

const METADATA_ROUTE = { method: 'GET', tags: ['Metadata'], access: 'metered' } as const;
const SPORT_LIST = SPORTS.map(({ number, key, name }) => ({ id: encodeId('sport', number), key, name }));
const BOOKMAKER_LIST = BOOKMAKERS.map(({ key, name, class: bookmakerClass }) => ({
  id: encodeId('bookmaker', bookmakerNumber(key)),
  key,
  name,
  class: bookmakerClass,
}));

export function catalogueRoutes({ entities }: Queries): Route[] {
  return [
    defineRoute({
      ...METADATA_ROUTE,
      path: '/v1/sports',
      operationId: 'listSports',
      summary: 'List sports',
      description: 'The sports covered: a fixed list.',
      response: SportList,
      handle: () => ({ data: [...SPORT_LIST] }),
    }),
    defineRoute({
      ...METADATA_ROUTE,
      path: '/v1/bookmakers',
      operationId: 'listBookmakers',
      summary: 'List bookmakers',
      description: `The ${BOOKMAKER_COUNT_TEXT}: a fixed list. \`key\` is what every \`bookmakers\` filter takes.`,
      response: BookmakerList,
      handle: () => ({ data: [...BOOKMAKER_LIST] }),
    }),
    defineRoute({
      ...METADATA_ROUTE,
      path: '/v1/leagues',
      operationId: 'listLeagues',
      summary: 'List leagues',
      description: 'Leagues with a fixture on the slate, by name then id; by relevance when `q` is given.',
      query: LeaguesQuery,
      waitsFor: 'names',
      response: LeaguePage,
      handle: ({ query }, { nowMs }) => entities.leagues(query, nowMs),
    }),
    defineRoute({
      ...METADATA_ROUTE,
      path: '/v1/teams',
      operationId: 'listTeams',
      summary: 'List teams',
      description: 'Teams with a fixture on the slate, by name then id; by relevance when `q` is given.',
      query: TeamsQuery,
      waitsFor: 'names',
      response: TeamPage,
      handle: ({ query }, { nowMs }) => entities.teams(query, nowMs),
    }),
  ];
}
