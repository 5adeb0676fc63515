// Answers of the metadata endpoints: sports, bookmakers, leagues and teams.

import { type Static, Type } from '@sinclair/typebox';
import { CursorParameter, dataOf, LimitParameter, pageOf, queryText } from './parameters.ts';
import { exact, optional } from './schema.ts';
import {
  BookmakerClassSchema,
  BookmakerId,
  BookmakerKeySchema,
  LeagueId,
  Name,
  SportId,
  SportKeySchema,
  TeamId,
} from './values.ts';

const BookmakerName = Type.String({ description: 'English display name.', examples: ['Crown'] });
const LeagueName = Type.String({ description: 'Display name.', examples: ['England Premier League'] });

export const Sport = exact(
  {
    id: SportId,
    key: SportKeySchema,
    name: Type.String({ description: 'English display name.', examples: ['Football'] }),
  },
  { title: 'Sport' },
);
export type Sport = Static<typeof Sport>;

export const Bookmaker = exact(
  {
    id: BookmakerId,
    key: BookmakerKeySchema,
    name: BookmakerName,
    class: BookmakerClassSchema,
  },
  { title: 'Bookmaker' },
);
export type Bookmaker = Static<typeof Bookmaker>;

/** A bookmaker as the tool catalogue shows it. */
export const BookmakerInfo = exact(
  {
    key: BookmakerKeySchema,
    name: BookmakerName,
    class: BookmakerClassSchema,
    covered: Type.Boolean({ description: "Whether the caller's tier sees the bookmaker's prices." }),
  },
  { title: 'BookmakerInfo' },
);
export type BookmakerInfo = Static<typeof BookmakerInfo>;

export const League = exact({ id: LeagueId, name: LeagueName, sport: SportKeySchema }, { title: 'League' });
export type League = Static<typeof League>;

export const LeagueRef = exact({ id: LeagueId, name: LeagueName }, { title: 'LeagueRef' });
export type LeagueRef = Static<typeof LeagueRef>;

export const TeamRef = exact({ id: TeamId, name: Name }, { title: 'TeamRef' });
export type TeamRef = Static<typeof TeamRef>;

export const Team = exact({ id: TeamId, name: Name }, { title: 'Team' });
export type Team = Static<typeof Team>;

export const SportList = dataOf(Sport, 'SportList');
export const BookmakerList = dataOf(Bookmaker, 'BookmakerList');
export const LeaguePage = pageOf(League, 'LeaguePage');
export const TeamPage = pageOf(Team, 'TeamPage');

/** Name filter of leagues and teams. */
export const NameQueryParameter = optional(
  queryText(
    'Fuzzy name filter; knows abbreviations, ignores case and accents. Results are sorted by relevance.',
    'man utd',
  ),
);

export const LeaguesQuery = Type.Object({
  sport: optional(SportKeySchema),
  q: NameQueryParameter,
  limit: LimitParameter,
  cursor: CursorParameter,
});

export const TeamsQuery = Type.Object({
  q: NameQueryParameter,
  sport: optional(SportKeySchema),
  limit: LimitParameter,
  cursor: CursorParameter,
});
