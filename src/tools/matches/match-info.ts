// match_info: when a match is, its score, its favourite, and the winner.

import { Type } from '@sinclair/typebox';
import { FairMethods } from '../../contract/comparison.ts';
import { WinnerLiquidity } from '../../contract/liquidity.ts';
import { TimezoneField } from '../../contract/parameters.ts';
import { Favorite } from '../../contract/probability.ts';
import { mapOf, nullable } from '../../contract/schema.ts';
import { lookupInput, lookupOutput } from '../../contract/tool-parts.ts';
import { FairMethod } from '../../contract/values.ts';
import { isTimezone, localIsoText } from '../../query/lists/day.ts';
import { type Reads, requireRead } from '../../query/lookup/asked-market.ts';
import { lookUpFixture } from '../../query/lookup/fixture-lookup.ts';
import type { FairMarket } from '../../query/markets/market-comparison.ts';
import { rounded4 } from '../../query/rounding.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { favoriteOf } from '../words/favorite.ts';
import { finishedHeader, lookupHeader, winnerText } from '../words/lookup-answer.ts';
import { toMatchSummary } from '../words/match-summary.ts';
import { leftOutText, sentences } from '../words/phrases.ts';

const Input = lookupInput({ timezone: TimezoneField });

const READS: Reads = {
  answer: 'match_info shows the favourite of the full match, not lines',
  instead: 'Ask POST /v1/mcp/get_sharp_line about a handicap, a total or the first half',
  markets: ['1x2'],
  periods: ['full_time'],
  line: false,
  // Words that name an outcome are accepted: the answer has the probability of each outcome.
  outcome: true,
  score: true,
};

const Output = lookupOutput(
  {
    scheduled_at_local: nullable(Type.String(), {
      description:
        'Kickoff in the time zone of `timezone`, ISO-8601 with its offset; null without a known zone or a kickoff.',
    }),
    timezone: nullable(Type.String(), {
      description: 'The time zone that you sent, or that the query names.',
    }),
    favorite: nullable(Favorite, { description: 'Null when no 1x2 is open.' }),
    implied_probabilities: nullable(mapOf(Type.Number()), {
      description: 'De-vigged probability by outcome of the full-time 1x2; null when no such quote is open.',
    }),
    fair_method: nullable(FairMethod),
    fair_methods: nullable(FairMethods),
    liquidity: Type.Array(WinnerLiquidity, {
      description:
        'How much can be staked on the full-time 1x2 at each exchange; empty if no source sends amounts.',
    }),
  },
  'MatchInfoResult',
);

export function matchInfoTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'match_info',
    title: 'Match info',
    description:
      'Answers when a match kicks off (in a time zone), the live score, who is favourite and with what probability, who won a finished match (results are kept for 30 days), and how much can be staked on it at exchanges. Finds the match from words; `timezone` adds the local kickoff time; a `date` of YYYY-MM-DD is a UTC day whatever the zone. Use get_sharp_line for lines and prices, score_prob for likely scores. Example: {"query": "who won Arsenal vs Chelsea", "timezone": "Europe/London"}.',
    input: Input,
    output: Output,
    run: async (input, { principal, nowMs }) => {
      const lookup = lookUpFixture(queries, input, nowMs);
      requireRead(lookup.words, READS);
      const fixture = lookup.best?.fixture;
      const asked = input.timezone ?? lookup.timezone;
      if (fixture === undefined) {
        const isOfSlate = lookup.isContested || lookup.list !== null || lookup.dateChoices !== null;
        const result = isOfSlate ? null : await queries.results.lookUp(input, nowMs);
        // A certain result is preferred to fixtures that only resemble the words, and such fixtures to
        // results that only resemble the words.
        const isShown = result?.status === 'matched' || lookup.status === 'not_found';
        const found = isShown && result?.status !== 'not_found' ? result : null;
        return {
          ...(found === null ? lookupHeader(input, lookup, '') : finishedHeader(input, found)),
          scheduled_at_local: localKickoff(found?.best?.result.scheduled_at ?? null, asked),
          timezone: asked,
          favorite: null,
          implied_probabilities: null,
          fair_method: null,
          fair_methods: null,
          liquidity: [],
        };
      }
      const { seesSharp } = principal;
      const fair = queries.markets.fair(fixture, { marketType: '1x2', period: 'full_time', seesSharp });
      const header = lookupHeader(input, lookup, summaryOf(fixture, fair, asked));
      const scheduledAtLocal = localKickoff(fixture.view.scheduledAt, asked);
      return {
        ...header,
        match: header.match === null ? null : { ...header.match, scheduled_at_local: scheduledAtLocal },
        scheduled_at_local: scheduledAtLocal,
        timezone: asked,
        favorite: favoriteOf(fixture, fair),
        implied_probabilities: fair === null ? null : impliedOf(fair),
        fair_method: fair === null ? null : fair.devigMethod,
        fair_methods: fair?.methods ?? null,
        liquidity: queries.liquidity.ofWinner(fixture, principal),
      };
    },
  });
}

function impliedOf(fair: FairMarket): Record<string, number> {
  return Object.fromEntries(
    fair.outcomes.map((outcome) => [outcome, rounded4(fair.probabilities[outcome]!)]),
  );
}

function summaryOf(fixture: FixtureNow, fair: FairMarket | null, timezone: string | null): string {
  const zone = timezone !== null && isTimezone(timezone) ? timezone : undefined;
  const line = toMatchSummary(fixture, { timezone: zone }).summary ?? '';
  if (fixture.status === 'finished') return `${line} ${winnerText(finishedScore(fixture))}`.trim();
  const favorite = favoriteOf(fixture, fair);
  if (fair === null || favorite === null) return line;
  const pct = Math.round(favorite.win_probability * 100);
  const what = favorite.outcome === 'draw' ? 'likeliest' : 'favourite';
  return sentences(line, `${favorite.team ?? 'A draw'} is ${what} at ${pct}%.`, leftOutText(fair.leftOut));
}

function finishedScore({ view }: FixtureNow) {
  return { home: view.homeTeam.name, away: view.awayTeam.name, score: view.score };
}

/** The local kickoff time; null without a zone, with an unparseable one, or without a kickoff. */
function localKickoff(scheduledAt: string | null, timezone: string | null): string | null {
  if (scheduledAt === null || timezone === null || !isTimezone(timezone)) return null;
  return localIsoText(Date.parse(scheduledAt), timezone);
}
