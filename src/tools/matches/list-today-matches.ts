// list_today_matches: fixtures of today plus any still live.

import { Type } from '@sinclair/typebox';
import { LeagueParameter, LimitParameter, TimezoneField } from '../../contract/parameters.ts';
import { exact } from '../../contract/schema.ts';
import { ListVerbosityParameter, MATCH_LIST, SportHint, StatusHint } from '../../contract/tool-parts.ts';
import { dayOf, dayRange, requireTimezone } from '../../query/lists/day.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { matchList } from '../words/match-list.ts';

const Input = Type.Object({
  sport: SportHint,
  status: StatusHint,
  league: LeagueParameter,
  limit: LimitParameter,
  timezone: TimezoneField,
  verbosity: ListVerbosityParameter,
});

const Output = exact(
  {
    date: Type.String({ format: 'date', description: 'Today in the requested time zone.' }),
    count: Type.Integer({ minimum: 0, description: 'Number of matches in this answer.' }),
    ...MATCH_LIST,
  },
  { title: 'TodayMatches' },
);

export function listTodayMatchesTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'list_today_matches',
    title: "List today's matches",
    description:
      'Fixtures that kick off today, plus any still live, by kickoff: teams, league, status, score and clock. Today is the UTC day unless `timezone` is given, which also makes kickoff times in summaries local. `status`, `sport` and `league` (a name or an lg_ id) narrow the list, `limit` (1-200, default 50) cuts it; `verbosity: "terse"` gives one short row a match. Use list_events for another day or a range, find_match when you know the teams. Example: {"sport": "football", "status": "live"}.',
    input: Input,
    output: Output,
    run: (input, { nowMs }) => {
      const timezone = requireTimezone(input.timezone);
      const date = dayOf(nowMs, timezone);
      const today = dayRange(date, timezone);
      const { sport, status, league } = input;
      const matches = queries.events.selectAround({ sport, status, league }, today, nowMs, input.limit);
      return { date, count: matches.length, ...matchList(matches, { ...input, day: date }) };
    },
  });
}
