// Results: finished matches of the last 30 days, scores only.

import { type Static, Type } from '@sinclair/typebox';
import { RESULTS_KEPT_DAYS } from '../limits.ts';
import { ScheduledAt } from './event.ts';
import { DateParameter, LimitParameter, queryText, TimezoneField } from './parameters.ts';
import { exact, instant, nullable, optional } from './schema.ts';
import { DateHint, DateToHint } from './tool-parts.ts';
import { EventId, Name, Score, SportKeySchema } from './values.ts';

export const Result = exact(
  {
    event_id: EventId,
    sport: nullable(SportKeySchema),
    league: nullable(Type.String(), { description: 'League name.', examples: ['England Premier League'] }),
    home_team: nullable(Name),
    away_team: nullable(Name),
    scheduled_at: ScheduledAt,
    score: nullable(Score, { description: 'Final score.' }),
    red_cards: nullable(Score, { description: 'Red cards.' }),
    finished_at: instant({ description: 'When the service learned that the match was over.' }),
  },
  { title: 'Result', description: `A finished match, kept for ${RESULTS_KEPT_DAYS} days. No odds.` },
);
export type Result = Static<typeof Result>;

export const ResultList = exact(
  {
    count: Type.Integer({ minimum: 0, description: 'Number of results in this answer.' }),
    results: Type.Array(Result, { description: 'Most recent first.' }),
    note: nullable(Type.String(), {
      description: 'Explains an empty list when the fixture exists but has not finished.',
    }),
  },
  { title: 'ResultList' },
);
export type ResultList = Static<typeof ResultList>;

const NAME_PARTS = {
  team: optional(substring('Part of either team name', 'arsenal')),
  league: optional(substring('Part of the league name', 'premier')),
} as const;

export const ResultsQuery = Type.Object({ date: DateParameter, ...NAME_PARTS, limit: LimitParameter });

/** The filters of ResultsQuery in the form of a tool. */
export const ListResultsInput = Type.Object({
  date: DateHint,
  date_to: DateToHint,
  timezone: TimezoneField,
  ...NAME_PARTS,
  limit: LimitParameter,
});

function substring(what: string, example: string): ReturnType<typeof Type.String> {
  return queryText(`${what}; case and accents are ignored.`, example);
}
