// list_events: fixtures of exactly the requested days.

import { Type } from '@sinclair/typebox';
import { LeagueParameter, LimitParameter, TimezoneField } from '../../contract/parameters.ts';
import { dayText, exact, nullable } from '../../contract/schema.ts';
import {
  DateToHint,
  ListVerbosityParameter,
  MATCH_LIST,
  SportHint,
  StatusHint,
} from '../../contract/tool-parts.ts';
import { DAY_WORDS } from '../../domain/days/day-text.ts';
import { daysOf } from '../../query/lookup/named-days.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { matchList } from '../words/match-list.ts';

const Input = Type.Object({
  date: dayText({ description: `First kickoff day: YYYY-MM-DD, ${DAY_WORDS}.`, examples: ['2026-03-01'] }),
  date_to: DateToHint,
  timezone: TimezoneField,
  sport: SportHint,
  status: StatusHint,
  league: LeagueParameter,
  limit: LimitParameter,
  verbosity: ListVerbosityParameter,
});

const Output = exact(
  {
    date: Type.String({ format: 'date', description: 'First day.' }),
    date_to: nullable(Type.String({ format: 'date' }), {
      description: 'Last day; null for one day.',
    }),
    timezone: nullable(Type.String(), { description: 'The zone that you sent; null means UTC.' }),
    count: Type.Integer({ minimum: 0, description: 'Number of matches in this answer.' }),
    truncated: Type.Boolean({ description: 'True when more matches exist than `limit`.' }),
    ...MATCH_LIST,
  },
  { title: 'EventsResult' },
);

export function listEventsTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'list_events',
    title: 'List events',
    description:
      'Only the fixtures that kick off on a day, or in a range that ends up to 31 days later, by kickoff. `timezone` moves the day boundary and adds local kickoff times; `status`, `sport` and `league` (a name or an lg_ id) narrow the list; `truncated` says when `limit` (1-200, default 50) cut it; `verbosity: "terse"` gives one short row a match. Use list_today_matches for today and what is live now, list_results for finished scores. Example: {"date": "2026-03-01", "date_to": "2026-03-02", "timezone": "Europe/Madrid"}.',
    input: Input,
    output: Output,
    run: (input, { nowMs }) => {
      const { date, dateTo, range } = daysOf(input, nowMs);
      const { sport, status, league } = input;
      const found = queries.events.select({ sport, status, league, range }, nowMs, input.limit + 1);
      const shown = found.slice(0, input.limit);
      return {
        date: date!,
        date_to: dateTo,
        timezone: input.timezone ?? null,
        count: shown.length,
        truncated: found.length > shown.length,
        ...matchList(shown, { ...input, day: date! }),
      };
    },
  });
}
