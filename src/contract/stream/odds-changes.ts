// The odds of the whole slate, and what changed in them since a cursor.

import { type Static, Type } from '@sinclair/typebox';
import { Event, EventsQuery, MATCH_STATE } from '../event.ts';
import { OddsQuery, OddsQuote, Stale } from '../odds.ts';
import { AtParameter } from '../parameters.ts';
import { exact, instant, nullable, optional, tokenText } from '../schema.ts';
import { EventId } from '../values.ts';

/**
 * Maximum length of a cursor of odds in characters; real ones have fewer than 50. A longer one is refused
 * with 400.
 */
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
  tokenText(
    {
      maxLength: ODDS_CURSOR_CHARS_MAX,
      description:
        '`cursor` of an answer with the same filters: only changes after it are sent. Without it, or if it is too old or from before a restart of the service, the whole view is sent and `full` is true.',
    },
    'Send the cursor of an answer unchanged, or drop since to start over',
  ),
);

export const OddsChangesQuery = Type.Object({
  ...OddsViewProperties,
  since: SinceParameter,
  at: AtParameter,
});

export const OddsDeltaState = exact(MATCH_STATE, { title: 'MatchState' });
export type OddsDeltaState = Static<typeof OddsDeltaState>;

export const FixtureChange = exact(
  {
    event_id: EventId,
    event: nullable(Event, { description: 'Null when the fixture has not changed.' }),
    state: nullable(OddsDeltaState, { description: 'Null when the state of the match has not changed.' }),
    replace: Type.Boolean({
      description:
        'True: `odds` is the whole list of the fixture, because it is new in this view or a line was withdrawn; drop the odds you hold for it. False: each quote in `odds` replaces the one you hold for the same bookmaker, market, period and line.',
    }),
    odds: Type.Array(OddsQuote, {
      description:
        'The changed quotes, or all quotes if `replace` is true; sorted by market, period, line, then catalogue order of books.',
    }),
  },
  { title: 'FixtureChange' },
);

export const OddsChanges = exact(
  {
    cursor: nullable(Type.String({ examples: ['mga1c2d0-1048576-0123456789ab'] }), {
      description:
        'Send it as `since` to get what changed after this answer; null in an answer about the past.',
    }),
    full: Type.Boolean({ description: 'True when this is the whole view: drop all that you hold.' }),
    as_of: nullable(instant(), {
      description: 'When the feed last confirmed the slate; null before the first time.',
    }),
    stale: Stale,
    fixtures: Type.Array(FixtureChange, { description: 'In no particular order.' }),
    removed: Type.Array(EventId, {
      description:
        'Fixtures that left the slate or this view. May include one that the view never held; never includes one of `fixtures`.',
    }),
  },
  { title: 'OddsChanges', description: 'The changes of the odds in a view, at one instant.' },
);
export type OddsChanges = Static<typeof OddsChanges>;
