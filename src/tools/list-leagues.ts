// list_leagues: the leagues of the slate, with how much is on in each.

import { Type } from '@sinclair/typebox';
import { isoTextOrNull } from '../clock.ts';
import { LimitParameter, TimezoneField } from '../contract/parameters.ts';
import { exact, nullable } from '../contract/schema.ts';
import { DateHint, DateToHint, SportHint, StatusHint } from '../contract/tool-parts.ts';
import { LeagueId, Name, SportKeySchema } from '../contract/values.ts';
import { daysOf } from '../query/day.ts';
import { byKickoff } from '../query/events.ts';
import type { FixtureNow } from '../query/fixture-view.ts';
import { defineTool, type Tool, type ToolServices } from './kit/tool.ts';

const Input = Type.Object({
  sport: SportHint,
  status: StatusHint,
  date: DateHint,
  date_to: DateToHint,
  timezone: TimezoneField,
  limit: LimitParameter,
});

const ListedLeague = exact(
  {
    id: LeagueId,
    name: Name,
    sport: SportKeySchema,
    matches: Type.Integer({ minimum: 1, description: 'Fixtures that pass the filter.' }),
    live: Type.Integer({ minimum: 0, description: 'Of those, live now.' }),
    next_kickoff: nullable(Type.String({ format: 'date-time' }), {
      description: 'The soonest kickoff of those that have not begun.',
    }),
  },
  { title: 'ListedLeague' },
);

const Output = exact(
  {
    count: Type.Integer({ minimum: 0, description: 'Leagues in this answer.' }),
    truncated: Type.Boolean({ description: 'True when there are more leagues than `limit`.' }),
    leagues: Type.Array(ListedLeague, { description: 'Most fixtures first, then by name.' }),
  },
  { title: 'LeaguesResult' },
);

export function listLeaguesTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'list_leagues',
    title: 'List leagues',
    description:
      'The leagues that have fixtures on the slate, with ids that `league` filters take, how many fixtures each has, how many are live, and the next kickoff. `sport`, `status`, `date` and `date_to` narrow the fixtures counted. Use list_today_matches or list_events for the fixtures themselves. Example: {"sport": "football", "date": "tonight"}.',
    input: Input,
    output: Output,
    run: (input, { nowMs }) => {
      const { range } = daysOf(input, nowMs);
      const { sport, status } = input;
      const fixtures = queries.events.select({ sport, status, range }, nowMs);
      const leagues = [...Map.groupBy(fixtures, ({ view }) => view.league.id).values()]
        .map(toListedLeague)
        .sort((left, right) => right.matches - left.matches || (left.name < right.name ? -1 : 1));
      const shown = leagues.slice(0, input.limit);
      return { count: shown.length, truncated: leagues.length > shown.length, leagues: shown };
    },
  });
}

/** @param fixtures of one league, at least one */
function toListedLeague(fixtures: readonly FixtureNow[]) {
  const { league, sport } = fixtures[0]!.view;
  const [next] = fixtures.filter(({ status }) => status === 'scheduled').sort(byKickoff);
  return {
    id: league.id,
    name: league.name,
    sport,
    matches: fixtures.length,
    live: fixtures.filter(({ isLive }) => isLive).length,
    next_kickoff: next === undefined ? null : isoTextOrNull(next.view.scheduledAtMs),
  };
}
