// list_leagues: the leagues of the slate, with how much is on in each.

import { Type } from '@sinclair/typebox';
import { isoTextOrNull } from '../../clock.ts';
import { LimitParameter, TimezoneField } from '../../contract/parameters.ts';
import { exact, nullable } from '../../contract/schema.ts';
import { DateHint, DateToHint, SportHint, StatusHint } from '../../contract/tool-parts.ts';
import { LeagueId, Name, SportKeySchema } from '../../contract/values.ts';
import { compareNames } from '../../query/lists/entity-order.ts';
import type { LeagueCounts } from '../../query/lists/events.ts';
import { daysOf } from '../../query/lookup/named-days.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';

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
    matches: Type.Integer({ minimum: 1, description: 'Number of fixtures that pass the filter.' }),
    live: Type.Integer({ minimum: 0, description: 'Number of these fixtures that are live now.' }),
    next_kickoff: nullable(Type.String({ format: 'date-time' }), {
      description:
        'The first kickoff of these fixtures that is still to come; null if there is no such kickoff.',
    }),
  },
  { title: 'ListedLeague' },
);

const Output = exact(
  {
    count: Type.Integer({ minimum: 0, description: 'Number of leagues in this answer.' }),
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
      const leagues = queries.events
        .leagues({ sport, status, range }, nowMs)
        .sort((left, right) => right.count - left.count || compareNames(left.league, right.league));
      const shown = leagues.slice(0, input.limit).map(toListedLeague);
      return { count: shown.length, truncated: leagues.length > shown.length, leagues: shown };
    },
  });
}

function toListedLeague({ league, sport, count, liveCount, nextKickoffMs }: LeagueCounts) {
  return {
    id: league.id,
    name: league.name,
    sport,
    matches: count,
    live: liveCount,
    next_kickoff: isoTextOrNull(nextKickoffMs),
  };
}
