// The odds of the whole slate, and what changed of them since a cursor.

import { type Static, Type } from '@sinclair/typebox';
import { ClockText, Event, EventsQuery } from './event.ts';
import { OddsQuery, OddsQuote, Stale } from './odds.ts';
import { exact, instant, nullable, optional } from './schema.ts';
import { EventId, EventStatusSchema, Score } from './values.ts';

/** Characters of a cursor of odds; a real one has fewer than 50. Longer: 422. */
const ODDS_CURSOR_CHARS_MAX = 128;

/** The filters of events and of odds. */
export const OddsViewProperties = {
  sport: EventsQuery.properties.sport,
  league: EventsQuery.properties.league,
  date: EventsQuery.properties.date,
  status: EventsQuery.properties.status,
  timezone: EventsQuery.properties.timezone,
  ...OddsQuery.properties,
} as const;

export const SinceParameter = optional(
  Type.String({
    maxLength: ODDS_CURSOR_CHARS_MAX,
    description:
      '`cursor` of an answer with the same filters: only what changed after it is sent. Without it, or when it is of a former start of the service or too old, the whole view is sent and `full` is true.',
  }),
);

export const OddsChangesQuery = Type.Object({ ...OddsViewProperties, since: SinceParameter });

export const OddsDeltaState = exact(
  {
    status: EventStatusSchema,
    score: nullable(Score, { description: 'Current or final score; null before the feed sends one.' }),
    cards: nullable(Score, { description: 'Red cards; null when the feed sends none.' }),
    clock: ClockText,
  },
  { title: 'MatchState' },
);
export type OddsDeltaState = Static<typeof OddsDeltaState>;

export const FixtureChange = exact(
  {
    event_id: EventId,
    event: nullable(Event, { description: 'Null when it has not changed.' }),
    state: nullable(OddsDeltaState, { description: 'Null when it has not changed.' }),
    replace: Type.Boolean({
      description:
        'True when `odds` is the whole list of the fixture: it is new in this view, or a line was withdrawn. Drop what you hold of its odds. False: put each quote over the one of the same bookmaker, market, period and line.',
    }),
    odds: Type.Array(OddsQuote, {
      description: 'Quotes that changed, or all: by market, period, line, then catalogue order of books.',
    }),
  },
  { title: 'FixtureChange' },
);

export const OddsChanges = exact(
  {
    cursor: Type.String({
      description: 'Send it as `since` to be told what changed after this answer.',
      examples: ['mga1c2d0-1048576-0123456789ab'],
    }),
    full: Type.Boolean({ description: 'True when this is the whole view: drop all that you hold.' }),
    as_of: nullable(instant(), {
      description: 'When the feed last confirmed the slate; null before it did.',
    }),
    stale: Stale,
    fixtures: Type.Array(FixtureChange, { description: 'In no order.' }),
    removed: Type.Array(EventId, {
      description:
        'Fixtures that left the slate or this view. May name one that the view never held; names none of `fixtures`.',
    }),
  },
  { title: 'OddsChanges', description: 'What changed in the odds of a view, at one instant.' },
);
