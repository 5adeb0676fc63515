// Fixtures and their state, and the parameters that find them.

import { type Static, Type } from '@sinclair/typebox';
import { LeagueRef, TeamRef } from './catalogue.ts';
import {
  CursorParameter,
  DateParameter,
  dataOf,
  LeagueParameter,
  LimitParameter,
  pageOf,
  TimezoneParameter,
} from './parameters.ts';
import { exact, instant, nullable, optional } from './schema.ts';
import { EventId, EventStatusSchema, Score, SportKeySchema } from './values.ts';

export const ScheduledAt = nullable(instant(), {
  description: 'Kickoff; null when the feed has not sent it.',
});

export const ClockText = nullable(Type.String(), {
  description: 'Match clock text, verbatim from the feed; null when there is none.',
  examples: ["2H 67'"],
});

export const Event = exact(
  {
    id: EventId,
    sport: SportKeySchema,
    league: LeagueRef,
    home_team: TeamRef,
    away_team: TeamRef,
    scheduled_at: ScheduledAt,
    status: EventStatusSchema,
  },
  { title: 'Event', description: 'A fixture.' },
);
export type Event = Static<typeof Event>;

export const MATCH_STATE = {
  status: EventStatusSchema,
  score: nullable(Score, { description: 'Current or final score; null before the feed sends one.' }),
  cards: nullable(Score, { description: 'Red cards; null when the feed sends none.' }),
  clock: ClockText,
} as const;

export const EventState = exact(
  {
    event_id: EventId,
    ...MATCH_STATE,
    as_of: instant({ description: 'When the feed last confirmed this fixture.' }),
  },
  { title: 'EventState' },
);
export type EventState = Static<typeof EventState>;

export const EventPage = pageOf(Event, 'EventPage');
export const EventList = dataOf(Event, 'EventList');

export const EventsQuery = Type.Object({
  sport: optional(SportKeySchema),
  league: LeagueParameter,
  date: DateParameter,
  status: optional(EventStatusSchema),
  timezone: TimezoneParameter,
  limit: LimitParameter,
  cursor: CursorParameter,
});
