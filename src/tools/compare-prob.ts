// compare_prob: is someone else's probability (a prediction market's, a model's) better or worse than the fair one?

import { Type } from '@sinclair/typebox';
import { LineParameter, OutcomeSchema, PeriodDefaultParameter } from '../contract/comparison.ts';
import { FormatParameter } from '../contract/parameters.ts';
import {
  type CompareProbResult,
  EXTERNAL_LABEL_CHARS_MAX,
  CompareProbResult as Output,
} from '../contract/probability.ts';
import { optional, withDefault } from '../contract/schema.ts';
import { type LookupHeader, lookupInput } from '../contract/tool-parts.ts';
import { MarketTypeSchema } from '../contract/values.ts';
import {
  indexIn,
  MARKET_TYPES,
  type MarketType,
  type Outcome,
  outcomesOf,
  SPORT_FOOTBALL,
  SPORT_KEYS,
  SPORTS,
} from '../domain/catalogue.ts';
import { impliedProbability } from '../domain/odds-format.ts';
import { ServiceError, ValidationError } from '../errors.ts';
import { lookUpFixture } from '../query/fixture-lookup.ts';
import type { FixtureNow } from '../query/fixture-view.ts';
import {
  type FairMarket,
  fairOfComparison,
  type ProbabilityEdge,
  probabilityEdge,
} from '../query/market-comparison.ts';
import { rounded4, roundedPct } from '../query/rounding.ts';
import { requireLineFits } from './compare-lines.ts';
import { defineTool, type Tool, type ToolServices } from './kit/tool.ts';
import { compareProbCaveats, compareProbSentence, noLineSentence } from './words/compare-prob-words.ts';
import { lookupHeader } from './words/lookup-answer.ts';
import { joined } from './words/phrases.ts';

const Input = lookupInput({
  outcome: withDefault(
    { ...OutcomeSchema, description: `Outcome the probability is of. ${OutcomeSchema.description}` },
    'home',
  ),
  external_prob: optional(
    Type.Number({
      exclusiveMinimum: 0,
      exclusiveMaximum: 1,
      description:
        'The probability to judge, between 0 and 1 and neither of them, fees already taken off: what a share of 1 costs in all. Send it or price.',
      examples: [0.48],
    }),
  ),
  price: optional(
    Type.Number({
      description: 'The price to judge, in `format`, in place of external_prob.',
      examples: [2.1],
    }),
  ),
  format: FormatParameter,
  market_type: withDefault(MarketTypeSchema, '1x2'),
  period: PeriodDefaultParameter,
  line: LineParameter,
  external_label: optional(
    Type.String({
      maxLength: EXTERNAL_LABEL_CHARS_MAX,
      description: 'Where the probability is from, for the summary.',
      examples: ['Polymarket'],
    }),
  ),
});

type Request = (typeof Input)['static'];
/** What was asked, defaults filled in, with the probability that the price implies. */
type CompareProbRequest = Request & { readonly external_prob: number };

export function compareProbTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'compare_prob',
    title: 'Compare a probability',
    description:
      'Answers "is 2.10 on over 2.5 good?": judges a price, or a probability from elsewhere (a prediction market, a model), against the fair one of the sharpest book: fair probability, edge in percentage points, expected return, verdict good/marginal/no_edge and caveats to pass on. It never sizes a stake. Send `price` (in `format`) or `external_prob` (fees included); `outcome` is home/draw/away for 1x2, home/away for asian_handicap, over/under for totals; `line` is the consensus line unless given. Use get_sharp_line for the market itself, find_value for books priced above fair, score_prob for exact scores. Example: {"query": "Arsenal vs Chelsea", "market_type": "totals", "outcome": "over", "line": 2.5, "price": 2.1}.',
    input: Input,
    output: Output,
    run: (asked, context) => {
      const input = { ...asked, external_prob: probabilityAsked(asked) };
      requireLineFits(input.market_type, input.line);
      requireOutcome(input, outcomesIn(input.sport ?? SPORTS[SPORT_FOOTBALL].key, input.market_type));
      const lookup = lookUpFixture(queries, input, context.nowMs);
      const fixture = lookup.best?.fixture;
      if (fixture === undefined) return { ...lookupHeader(input, lookup, ''), ...unanswered(input) };
      requireOutcome(input, outcomesIn(fixture.view.sport, input.market_type));
      const { market_type: marketType, period, line } = input;
      const { seesSharp } = context.principal;
      const comparison = queries.markets.compare(fixture, { marketType, period, line, seesSharp });
      const fair = fairOfComparison(comparison, marketType);
      if (fair === null) {
        const summary = noLineSentence(input, fixture, comparison);
        return { ...lookupHeader(input, lookup, summary), ...unanswered(input), status: 'no_line' as const };
      }
      const edge = probabilityEdge({
        fair: fair.probabilities[input.outcome]!,
        external: input.external_prob,
      });
      const header = lookupHeader(input, lookup, compareProbSentence(input, fixture, { fair, edge }));
      const caveats = compareProbCaveats(input, fixture, {
        fair,
        rows: comparison.rows,
        principal: context.principal,
      });
      return { ...header, ...unanswered(input), ...answered(input, fair, edge), caveats };
    },
  });
}

type Answer = Omit<CompareProbResult, keyof LookupHeader>;

/** The request echoed and everything else null. */
function unanswered(input: CompareProbRequest): Answer {
  return {
    market_type: input.market_type,
    period: input.period,
    outcome: input.outcome,
    line: input.line ?? null,
    fair_prob: null,
    fair_decimal: null,
    fair_from: null,
    external_prob: input.price === undefined ? input.external_prob : rounded4(input.external_prob),
    price: input.price ?? null,
    format: input.format,
    external_label: input.external_label ?? null,
    edge_pp: null,
    ev_roi: null,
    verdict: null,
    devig_method: null,
    caveats: [],
  };
}

function answered(input: CompareProbRequest, fair: FairMarket, edge: ProbabilityEdge) {
  return {
    line: fair.line,
    fair_prob: rounded4(fair.probabilities[input.outcome]!),
    fair_decimal: rounded4(fair.decimalFair[input.outcome]!),
    fair_from: fair.fromBookmaker,
    edge_pp: roundedPct(edge.edgePp),
    ev_roi: edge.roi === null ? null : rounded4(edge.roi),
    verdict: edge.verdict,
    devig_method: fair.devigMethod,
  };
}

function outcomesIn(sport: FixtureNow['view']['sport'], marketType: MarketType): readonly Outcome[] {
  return outcomesOf(indexIn(SPORT_KEYS, sport), indexIn(MARKET_TYPES, marketType));
}

/**
 * @throws ValidationError when there is neither a probability nor a price
 * @throws ServiceError `invalid_request` when there are both, or a price that means nothing in its format
 */
function probabilityAsked({ external_prob: probability, price, format }: Request): number {
  if (price === undefined) {
    if (probability !== undefined) return probability;
    const msg = 'Field required, or price in its place';
    throw new ValidationError([{ type: 'missing', loc: ['body', 'external_prob'], msg, input: null }]);
  }
  if (probability === undefined) return impliedProbability(price, format);
  throw new ServiceError('invalid_request', 'Cannot use price: external_prob is given too', {
    fix: 'Send price alone, or external_prob alone',
  });
}

/** @throws ServiceError `invalid_request` when the market has no such outcome */
function requireOutcome(
  { outcome, market_type: marketType }: CompareProbRequest,
  outcomes: readonly Outcome[],
): void {
  if (outcomes.includes(outcome)) return;
  throw new ServiceError(
    'invalid_request',
    `Cannot compare "${outcome}": this ${marketType} has no such outcome`,
    {
      fix: `Send outcome as ${joined(outcomes, 'or')}`,
    },
  );
}
