// compare_prob: is someone else's probability (a prediction market's, a model's) better or worse than the
// fair one?

import { Type } from '@sinclair/typebox';
import { AskedPeriodParameter, LineParameter } from '../../contract/comparison.ts';
import { FormatParameter } from '../../contract/parameters.ts';
import {
  type CompareProbResult,
  EXTERNAL_LABEL_CHARS_MAX,
  CompareProbResult as Output,
} from '../../contract/probability.ts';
import { optional } from '../../contract/schema.ts';
import { ReferenceParameter } from '../../contract/signals/found.ts';
import { type LookupHeader, lookupInput } from '../../contract/tool-parts.ts';
import { MarketTypeSchema, OutcomeSchema } from '../../contract/values.ts';
import {
  indexIn,
  MARKET_TYPES,
  type MarketType,
  OUTCOMES,
  type Outcome,
  outcomesOf,
  type Period,
  SPORT_FOOTBALL,
  SPORT_KEYS,
  SPORTS,
  type SportKey,
} from '../../domain/catalogue.ts';
import { impliedProbability } from '../../domain/odds-format.ts';
import { ServiceError, ValidationError } from '../../errors.ts';
import { type MarketWords, unclear } from '../../names/market/market-meaning.ts';
import { withDecimalPrice } from '../../names/market/quoted-price.ts';
import { askedMarket, type Reads, requireOutcome, sideOf } from '../../query/lookup/asked-market.ts';
import { type FixtureLookup, lookUpFixture } from '../../query/lookup/fixture-lookup.ts';
import {
  fairOfComparison,
  type ProbabilityEdge,
  probabilityEdge,
} from '../../query/markets/market-comparison.ts';
import { fairByReference, type ReferenceFair } from '../../query/markets/reference-fair.ts';
import { requestedReference } from '../../query/odds/odds-filter.ts';
import { rounded4, roundedPct } from '../../query/rounding.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import {
  assumedHomeCaveat,
  compareProbCaveats,
  compareProbSentence,
  implausibleCaveat,
  noLineSentence,
} from '../words/compare-prob-words.ts';
import { lookupHeader } from '../words/lookup-answer.ts';
import { joined } from '../words/phrases.ts';

const Input = lookupInput({
  outcome: optional({
    ...OutcomeSchema,
    description: `${OutcomeSchema.description} The query may name it ("Chelsea to win", "over 2.5"). Required with price; with external_prob the default is home.`,
  }),
  external_prob: optional(
    Type.Number({
      exclusiveMinimum: 0,
      exclusiveMaximum: 1,
      description:
        'The probability to judge, above 0 and below 1: what a contract that pays 1 costs, fees included. Send this or price.',
      examples: [0.48],
    }),
  ),
  price: optional(
    Type.Number({
      description:
        'The price to judge, in `format`, in place of external_prob. The query may name it ("+150", "7/4").',
      examples: [2.1],
    }),
  ),
  format: FormatParameter,
  market_type: optional({
    ...MarketTypeSchema,
    description:
      'When absent: the market that the query or the outcome names (over and under mean totals), else `1x2`.',
  }),
  period: AskedPeriodParameter,
  line: LineParameter,
  reference: {
    ...ReferenceParameter,
    description:
      'Whose fair price to compare with: `sharp`, `consensus` (all books, each owner with equal weight) or a bookmaker; when absent, the sharpest book of the line.',
  },
  external_label: optional(
    Type.String({
      maxLength: EXTERNAL_LABEL_CHARS_MAX,
      description: 'Source of the probability, named in the summary.',
      examples: ['Polymarket'],
    }),
  ),
});

type Request = (typeof Input)['static'];
/** The request with defaults filled in and with the probability that the price implies. */
type CompareProbRequest = Omit<Request, 'outcome' | 'line'> & {
  readonly external_prob: number;
  readonly market_type: MarketType;
  readonly period: Period;
  readonly outcome: Outcome;
  readonly line: number | undefined;
};
type Echo = Omit<CompareProbRequest, 'outcome'> & { readonly outcome: Outcome | null };

export function compareProbTool(services: ToolServices): Tool {
  const { queries } = services;
  return defineTool({
    name: 'compare_prob',
    title: 'Compare a probability',
    description:
      'Answers "is 2.10 on over 2.5 good?": judges a price, or a probability from elsewhere (a prediction market, a model), against the fair one of the sharpest book: fair probability, edge in percentage points, expected return, verdict good/marginal/no_edge and caveats to pass on. It never sizes a stake. Send `price` (in `format`) or `external_prob` (fees included); `outcome` is home/draw/away for 1x2, home/away for asian_handicap, over/under for totals; `line` is the consensus line unless given. Use get_sharp_line for the market itself, find_value for books priced above fair, score_prob for exact scores. Example: {"query": "Arsenal vs Chelsea", "market_type": "totals", "outcome": "over", "line": 2.5, "price": 2.1}.',
    input: Input,
    output: Output,
    run: (given, context) => {
      const { asked, lookup } = readPrice(queries, given, context.nowMs);
      const probability = probabilityAsked(asked);
      requireStated(lookup.words, asked);
      const fixture = lookup.best?.fixture;
      if (fixture === undefined) {
        const echoed = echoOf(lookup.words, { ...asked, external_prob: probability });
        return { ...lookupHeader(asked, lookup, ''), ...unanswered(echoed) };
      }
      const input = betAsked(lookup.words, { ...asked, external_prob: probability }, fixture);
      const { market_type: marketType, period, line } = input;
      const { principal } = context;
      const reference = asked.reference === undefined ? null : requestedReference(asked.reference, principal);
      const comparison = queries.markets.compare(fixture, {
        ...{ marketType, period, line, seesSharp: principal.seesSharp },
        wantsBooks: reference !== null,
      });
      const fair =
        reference === null
          ? fairOfComparison(comparison, marketType)
          : fairByReference(comparison, marketType, reference);
      if (fair === null) {
        const summary = noLineSentence(input, fixture, comparison);
        return { ...lookupHeader(input, lookup, summary), ...unanswered(input), status: 'no_line' as const };
      }
      const edge = probabilityEdge({
        fair: fair.probabilities[input.outcome]!,
        external: input.external_prob,
        maxEdge: services.maxEdge,
      });
      const header = lookupHeader(input, lookup, compareProbSentence(input, fixture, { fair, edge }));
      const caveats = compareProbCaveats(input, fixture, { fair, edge, rows: comparison.rows, principal });
      const isDefault = asked.outcome === undefined && lookup.words.outcome === null;
      const isOfAway = isDefault && input.outcome === 'home' && sideOf(asked.query, fixture) === 'away';
      const doubtOfSide = isOfAway ? assumedHomeCaveat(fixture) : null;
      const doubt = implausibleCaveat(edge);
      const question = `${doubt} Is the price right, and is it for this outcome?`;
      const decision = { ...header.decision, safe_to_proceed: false, ask_user: question };
      return {
        ...header,
        ...(doubt === null ? {} : { decision }),
        ...unanswered(input),
        ...answered(input, fair, edge),
        caveats: doubtOfSide === null ? caveats : [doubtOfSide, ...caveats],
      };
    },
  });
}

type Answer = Omit<CompareProbResult, keyof LookupHeader>;

const READS: Reads = {
  answer: 'compare_prob judges a winner, a handicap or a total',
  instead: 'Ask POST /v1/mcp/score_prob for the probabilities of scores',
  line: true,
  outcome: true,
};

/**
 * The bet that words and arguments name.
 * @throws ServiceError `invalid_request` when they contradict each other, or leave open what a price refers
 * to
 */
function betAsked(
  words: MarketWords,
  input: Request & { readonly external_prob: number },
  fixture: FixtureNow,
): CompareProbRequest {
  const asked = askedMarket(words, input, { fixture, reads: READS, assumed: '1x2' });
  const market = asked.market ?? '1x2';
  if (asked.outcome === null && input.price !== undefined)
    throw outcomeMissing(asked.market, fixture.view.sport);
  const outcome = asked.outcome ?? 'home';
  requireOutcome(outcome, market, fixture.view.sport);
  // A client of the contract names the market and may mean its consensus line; any other client has to give
  // the line.
  const isLineKnown = market === '1x2' || asked.line !== null;
  if (!isLineKnown && (input.price !== undefined || input.market_type === undefined)) {
    throw new ServiceError('invalid_request', `Cannot judge ${outcome}: ${market} needs a line`, {
      fix: 'Send line, or say it in query, as in "over 2.5" or "Chelsea -1.5"',
    });
  }
  return {
    ...input,
    market_type: market,
    period: asked.period ?? 'full_time',
    outcome,
    line: asked.line ?? undefined,
  };
}

/**
 * The price or probability of the arguments or, with neither argument, the one that the words quote: "+150 on
 * wolves", "7/4".
 */
function readPrice(
  queries: ToolServices['queries'],
  given: Request,
  nowMs: number,
): { readonly asked: Request; readonly lookup: FixtureLookup } {
  const isGiven = given.price !== undefined || given.external_prob !== undefined;
  const query = isGiven ? null : withDecimalPrice(given.query);
  if (query !== null) {
    const lookup = lookUpFixture(queries, { ...given, query }, nowMs);
    // Use this reading only if it gives a single price: beside another price, "24/11" is a day.
    if (lookup.words.prices.length === 1)
      return { asked: withQuoted({ ...given, format: 'decimal' }, lookup.words), lookup };
  }
  const lookup = lookUpFixture(queries, given, nowMs);
  return { asked: isGiven ? given : withQuoted(given, lookup.words), lookup };
}

/** The request with the price that the words quote. @throws ServiceError `invalid_request` for several */
function withQuoted(given: Request, { prices }: MarketWords): Request {
  const [quoted, other] = prices;
  if (quoted === undefined) return given;
  if (other !== undefined) {
    throw unclear(
      `the price could be ${quoted.value} or ${other.value}`,
      'Send price, or leave the other number out; write "over" or a sign in front of a line',
    );
  }
  const { value, form } = quoted;
  if (form === 'probability') return { ...given, external_prob: value };
  if (form === 'american') return { ...given, price: value, format: 'american' };
  return { ...given, price: value, format: given.format === 'american' ? 'decimal' : given.format };
}

/**
 * Refuses a call that lacks what every bet needs, whether or not its fixture was found.
 * @throws ServiceError `invalid_request`
 */
function requireStated(words: MarketWords, input: Request): void {
  const sport = input.sport ?? SPORTS[SPORT_FOOTBALL].key;
  const market = input.market_type ?? words.market;
  if (input.outcome !== undefined && market !== null) requireOutcome(input.outcome, market, sport);
  const isNamed = input.outcome !== undefined || words.outcome !== null || words.team !== null;
  if (!isNamed && (input.price !== undefined || market === 'totals')) throw outcomeMissing(market, sport);
}

function outcomeMissing(market: MarketType | null, sport: SportKey): ServiceError {
  const outcomes =
    market === null ? OUTCOMES : outcomesOf(indexIn(SPORT_KEYS, sport), indexIn(MARKET_TYPES, market));
  return new ServiceError(
    'invalid_request',
    'Cannot judge the bet: neither outcome nor query says which outcome it is on',
    {
      fix: `Send outcome as ${joined(outcomes, 'or')}${market === null ? ', or say it in query, as in "Arsenal to win" or "over 2.5"' : ''}`,
    },
  );
}

/** The part of the answer that repeats the bet: it needs the words and arguments, but no fixture. */
function echoOf(
  { market, period, outcome }: MarketWords,
  input: Request & { readonly external_prob: number },
): Echo {
  const named = input.outcome ?? (outcome === 'win' || outcome === 'lose' ? null : outcome);
  const isDefault = market === null && named === null && input.price === undefined;
  return {
    ...input,
    market_type: input.market_type ?? market ?? '1x2',
    period: input.period ?? period ?? 'full_time',
    line: input.line,
    outcome: isDefault ? 'home' : named,
  };
}

/** The known parts of the bet; everything else is null. */
function unanswered(input: Echo): Answer {
  return {
    market_type: input.market_type,
    period: input.period,
    outcome: input.outcome,
    line: input.line ?? null,
    fair_prob: null,
    fair_decimal: null,
    fair_from: null,
    reference: null,
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

function answered(input: CompareProbRequest, fair: ReferenceFair, edge: ProbabilityEdge) {
  return {
    line: fair.line,
    fair_prob: rounded4(fair.probabilities[input.outcome]!),
    fair_decimal: rounded4(fair.decimalFair[input.outcome]!),
    fair_from: fair.fromBookmaker,
    reference: input.reference ?? fair.fromBookmaker,
    edge_pp: roundedPct(edge.edgePp),
    ev_roi: edge.roi === null ? null : rounded4(edge.roi),
    verdict: edge.verdict,
    devig_method: fair.devigMethod,
  };
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
