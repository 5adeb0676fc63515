// score_prob: the likeliest full-time scores of a football match, as its prices imply them.

import { Type } from '@sinclair/typebox';
import { ScoreProbResult as Output, type ScoreProbResult } from '../../contract/probability.ts';
import { withDefault } from '../../contract/schema.ts';
import { type LookupHeader, lookupInput } from '../../contract/tool-parts.ts';
import type { ScorelineFit } from '../../domain/scoreline.ts';
import type { Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { type Reads, requireRead } from '../../query/lookup/asked-market.ts';
import {
  type FixtureLookup,
  type FixtureQuestion,
  lookUpFixture,
} from '../../query/lookup/fixture-lookup.ts';
import type { FixtureScoreline, NoScoreline } from '../../query/markets/fixture-scoreline.ts';
import type { Queries } from '../../query/queries.ts';
import { rounded4, roundedPct } from '../../query/rounding.ts';
import { handicapDisagrees } from '../../query/signals/hit-view.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { answerLookup } from '../words/lookup-answer.ts';
import { labelOf } from '../words/match-summary.ts';
import {
  bookName,
  fairSourceCaveat,
  joined,
  leftOutText,
  percentText,
  sentences,
  staleText,
} from '../words/phrases.ts';

const TOP_MAX = 10;
const TOP_DEFAULT = 5;

const Input = lookupInput({
  top: withDefault(
    Type.Integer({ minimum: 1, maximum: TOP_MAX, description: `How many scores, 1 to ${TOP_MAX}.` }),
    TOP_DEFAULT,
  ),
});

export function scoreProbTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'score_prob',
    title: 'Likeliest scores',
    description:
      'Answers "what will the score be?" for one football match: the likeliest full-time scores with probabilities, expected goals per side, the implied 1x2, and `ah_ev_check`, near 0 when the handicap market agrees. Fitted (Dixon-Coles) to the sharpest book\'s 1x2 and totals; works live from the current score. Not for basketball. Use match_info for who is favourite, compare_prob to judge a probability you already have, get_result for a finished match. `top` is 1 to 10, default 5. Example: {"query": "Arsenal vs Chelsea", "top": 3}.',
    input: Input,
    output: Output,
    run: (input, { principal, nowMs }) =>
      answerLookup<ScoresAnswer>(input, lookUpFootball(queries, input, nowMs), {
        none: NO_SCORES,
        found: (fixture) => {
          const { seesSharp } = principal;
          const scoreline = queries.scorelineOf(fixture, { seesSharp, count: input.top });
          if (!scoreline.ok) {
            const fields = { ...NO_SCORES, status: 'no_line' as const };
            return { summary: noScoresSentence(fixture, scoreline.reason), fields };
          }
          const doubt = handicapDoubt(scoreline.fit);
          const summary = sentences(scoresSentence(fixture, scoreline, principal), doubt);
          return {
            summary,
            fields: scoresOf(scoreline),
            doubt: doubt === null ? null : `${doubt} Use them anyway?`,
          };
        },
      }),
  });
}

const READS: Reads = {
  answer: 'score_prob predicts scores of the full match, not lines',
  instead:
    'Ask POST /v1/mcp/get_sharp_line about a line or the first half, POST /v1/mcp/compare_prob to judge a price',
  // Words that name these markets are accepted: the implied 1x2 and the expected goals are part of the
  // answer.
  markets: ['1x2', 'totals'],
  periods: ['full_time'],
  line: false,
  outcome: true,
  score: true,
};

/**
 * The lookup of a tool for football only: a football and a basketball side with one name are not ambiguous
 * here.
 * @throws ServiceError `invalid_request` when the match meant is not football
 */
function lookUpFootball(queries: Queries, question: FixtureQuestion, nowMs: number): FixtureLookup {
  const lookup = lookUpFixture(queries, question, nowMs);
  requireRead(lookup.words, READS);
  const fixture = lookup.best?.fixture;
  if (fixture !== undefined && fixture.view.sport !== 'football') {
    throw new ServiceError('invalid_request', `Cannot predict scores: this match is ${fixture.view.sport}`, {
      fix: 'Ask for a football match; for basketball POST /v1/mcp/get_sharp_line with market_type totals, or POST /v1/mcp/compare_prob',
    });
  }
  if (lookup.status !== 'ambiguous') return lookup;
  const sports = new Set(lookup.candidates.map((candidate) => candidate.fixture.view.sport));
  if (sports.size === 1) return lookup;
  return lookUpFixture(queries, { ...question, sport: 'football' }, nowMs);
}

/** A sentence when the handicap, which the fit did not use, contradicts the fit; null when it does not. */
function handicapDoubt(fit: ScorelineFit): string | null {
  if (!handicapDisagrees(fit)) return null;
  const gap = percentText(Math.abs(fit.handicapExpectedValue!));
  return `The Asian handicap disagrees with these scores: by them its fair price would be off by ${gap}.`;
}

type Scores = Omit<ScoreProbResult, keyof LookupHeader>;
/** This status replaces the status of the lookup. */
type ScoresAnswer = Scores & { readonly status?: 'no_line' };

const NO_SCORES: Scores = {
  scores: [],
  top_cum: null,
  implied_1x2: null,
  lambda_home: null,
  lambda_away: null,
  rho: null,
  ah_ev_check: null,
  fair_from: null,
  fair_method: null,
};

function scoresOf({ fit, scorelines, covered, fromBookmaker, fairMethod }: FixtureScoreline): Scores {
  const { implied, rates, handicapExpectedValue } = fit;
  return {
    scores: scorelines.map(({ home, away, probability }) => ({
      score: `${home}-${away}`,
      prob: rounded4(probability),
    })),
    top_cum: rounded4(covered),
    implied_1x2: {
      home: rounded4(implied.home),
      draw: rounded4(implied.draw),
      away: rounded4(implied.away),
    },
    lambda_home: rounded4(rates.lambdaHome),
    lambda_away: rounded4(rates.lambdaAway),
    rho: rounded4(rates.rho),
    ah_ev_check: handicapExpectedValue === null ? null : rounded4(handicapExpectedValue),
    fair_from: fromBookmaker,
    fair_method: fairMethod,
  };
}

/** Scores that are read out; the answer may list more. */
const SPOKEN_COUNT = 3;

/** The likeliest scores, their total probability, and the expected goals behind them. */
function scoresSentence(
  fixture: FixtureNow,
  { fit, score, scorelines, covered, fromBookmaker, leftOut }: FixtureScoreline,
  principal: Principal,
): string {
  const { homeTeam, awayTeam } = fixture.view;
  const spoken = scorelines
    .slice(0, SPOKEN_COUNT)
    .map(({ home, away, probability }) => `${home}-${away} (${percentText(probability)})`);
  const verb = spoken.length === 1 ? 'score is' : 'scores are';
  const cover =
    scorelines.length === 1 ? '' : `, the ${scorelines.length} listed cover ${percentText(covered)}`;
  const now = fixture.isLive ? ` from ${score.home}-${score.away} now` : '';
  const more = fixture.isLive ? 'more goals' : 'goals';
  const home = roundedPct(fit.rates.lambdaHome);
  const away = roundedPct(fit.rates.lambdaAway);
  const likeliest = `${labelOf(fixture)}: the likeliest full-time ${verb} ${joined(spoken)}${cover}${now}; ${bookName(fromBookmaker)}'s prices imply ${home} ${more} for ${homeTeam.name} and ${away} for ${awayTeam.name}.`;
  return sentences(
    likeliest,
    fairSourceCaveat(fromBookmaker, principal),
    leftOutText(leftOut),
    staleText(fixture),
  );
}

/** Why there is no score to predict. */
function noScoresSentence(fixture: FixtureNow, reason: NoScoreline): string {
  const label = labelOf(fixture);
  const { score } = fixture.view;
  if (reason === 'finished') {
    return `${label} has finished${score === null ? '' : ` ${score.home}-${score.away}`}, so there is no score left to predict.`;
  }
  return `${label}: no scores can be derived right now, because ${REASONS[reason]}.`;
}

const REASONS: Readonly<Record<Exclude<NoScoreline, 'finished'>, string>> = {
  not_started_late: 'kickoff has passed and nothing says that the match is live',
  period_over: 'regulation time is over',
  score_unknown: 'the match is live and its current score is not known',
  no_totals_market: 'no book has a usable open full-time totals price',
  totals_decided: 'the goals so far have already reached every open totals line',
  no_supremacy_market: 'no book has a usable open full-time 1x2 or Asian handicap price',
  inconsistent_prices: 'the open 1x2, totals and handicap prices contradict each other',
};
