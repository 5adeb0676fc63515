// list_events: fixtures of a strict window of days.

import { Type } from '@sinclair/typebox';
import { LeagueParameter, LimitParameter } from '../contract/parameters.ts';
import { dateText, exact, nullable, optional } from '../contract/schema.ts';
import { MatchSummary, SportHint, StatusHint, TimezoneField } from '../contract/tool-parts.ts';
import { ServiceError } from '../errors.ts';
import { LIST_EVENTS_DAYS_MAX } from '../limits.ts';
import { dayRange, daysBetween, requireTimezone } from '../query/day.ts';
import { byKickoff, isWithin } from '../query/events.ts';
import { defineTool, type Tool, type ToolServices } from './kit/tool.ts';
import { toMatchSummary } from './words/match-summary.ts';

const Input = Type.Object({
  date: dateText({ description: 'First kickoff day, YYYY-MM-DD.', examples: ['2026-03-01'] }),
  date_to: optional(
    dateText({
      description: `Last kickoff day, inclusive; at most ${LIST_EVENTS_DAYS_MAX} days after date.`,
      examples: ['2026-03-07'],
    }),
  ),
  timezone: TimezoneField,
  sport: SportHint,
  status: StatusHint,
  league: LeagueParameter,
  limit: LimitParameter,
});

const Output = exact(
  {
    date: Type.String({ format: 'date', description: 'First day, as asked.' }),
    date_to: nullable(Type.String({ format: 'date' }), {
      description: 'Last day, as asked; null for one day.',
    }),
    timezone: nullable(Type.String(), { description: 'The zone as asked; null is UTC.' }),
    count: Type.Integer({ minimum: 0, description: 'Matches in this answer.' }),
    truncated: Type.Boolean({ description: 'True when more matches exist than `limit`.' }),
    matches: Type.Array(MatchSummary),
  },
  { title: 'EventsResult' },
);

export function listEventsTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'list_events',
    title: 'List events',
    description:
      'Fixtures that kick off on a day, or in a range that ends up to 31 days later, strictly, by kickoff. `timezone` moves the day boundary and adds local kickoff times; `status`, `sport` and `league` (a name or an lg_ id) narrow the list; `truncated` says when `limit` (1-200, default 50) cut it. Use list_today_matches for today and what is live now, list_results for finished scores. Example: {"date": "2026-03-01", "date_to": "2026-03-02", "timezone": "Europe/Madrid"}.',
    input: Input,
    output: Output,
    run: (input, { nowMs }) => {
      const timezone = requireTimezone(input.timezone);
      requireRange(input.date, input.date_to);
      const range = dayRange(input.date, timezone, input.date_to ?? input.date);
      const { sport, status, league } = input;
      const found = queries.events
        .select({ sport, status, league }, nowMs)
        .filter((fixture) => isWithin(fixture, range))
        .sort(byKickoff);
      const matches = found
        .slice(0, input.limit)
        .map((fixture) => toMatchSummary(fixture, { timezone: input.timezone }));
      return {
        date: input.date,
        date_to: input.date_to ?? null,
        timezone: input.timezone ?? null,
        count: matches.length,
        truncated: found.length > matches.length,
        matches,
      };
    },
  });
}

function requireRange(date: string, dateTo: string | undefined): void {
  const days = dateTo === undefined ? 0 : daysBetween(date, dateTo);
  if (days >= 0 && days <= LIST_EVENTS_DAYS_MAX) return;
  const problem = days < 0 ? 'it is before date' : `it is ${days} days after date`;
  throw new ServiceError('invalid_request', `Cannot use date_to: ${problem}`, {
    fix: `Send a date_to from date on, at most ${LIST_EVENTS_DAYS_MAX} days after it`,
  });
}
