// get_match_odds: every price of one fixture.

import { Type } from '@sinclair/typebox';
import { toIsoText } from '../../clock.ts';
import { FixtureAsOf, OddsQuote, Stale } from '../../contract/odds.ts';
import { exact } from '../../contract/schema.ts';
import { FIXTURE_FIELDS, QUOTE_FIELDS } from '../../contract/tool-parts.ts';
import { EVENT_ID_EXAMPLE, EventId, EventStatusSchema, Name } from '../../contract/values.ts';
import { askedMarket, type Reads } from '../../query/lookup/asked-market.ts';
import { fixtureMeant } from '../../query/lookup/fixture-lookup.ts';
import { oddsFilter } from '../../query/odds/odds-filter.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';

const Input = Type.Object({ ...FIXTURE_FIELDS, ...QUOTE_FIELDS });

const Output = exact(
  {
    event_id: EventId,
    home_team: Name,
    away_team: Name,
    league: Type.String({ description: 'League name.' }),
    status: EventStatusSchema,
    as_of: FixtureAsOf,
    stale: Stale,
    odds: Type.Array(OddsQuote),
  },
  { title: 'MatchOddsResult' },
);

const READS: Reads = {
  answer: 'get_match_odds shows prices and no scores',
  instead: 'Ask POST /v1/mcp/score_prob for scores',
  line: true,
  // Words that name an outcome are accepted: every quote has all outcomes.
  outcome: true,
};

export function getMatchOddsTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'get_match_odds',
    title: 'Get match odds',
    description: `Every quote of one fixture, by \`event_id\` or \`query\`: book, market, period, line, prices and status, as a flat list. Narrow it with markets, bookmakers and period; a whole fixture has some 75 quotes. Suspended quotes keep their last prices, so use only \`open\` ones. Use compare_lines for best prices and the consensus line of one market. Example: {"event_id": "${EVENT_ID_EXAMPLE}", "markets": ["1x2"], "period": "full_time"}.`,
    input: Input,
    output: Output,
    run: (input, { principal, nowMs }) => {
      const { fixture, words } = fixtureMeant(queries, input, nowMs);
      const { markets, period, line } = askedMarket(words, input, { fixture, reads: READS });
      const filter = oddsFilter({ ...input, markets, period: period ?? undefined }, principal);
      const { odds } = queries.odds.block(fixture, filter);
      const { view, status, asOfMs, stale } = fixture;
      return {
        event_id: view.id,
        home_team: view.homeTeam.name,
        away_team: view.awayTeam.name,
        league: view.league.name,
        status,
        as_of: toIsoText(asOfMs),
        stale,
        odds: line === null ? odds : odds.filter((quote) => quote.line === line),
      };
    },
  });
}
