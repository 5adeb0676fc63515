// Value and arbitrage as tools report them (prices only, no stakes and no links), and the parameters of their
// search.

import { type Static, Type } from '@sinclair/typebox';
import { REFERENCE_DEFAULT, REFERENCE_WORDS } from '../../domain/reference.ts';
import {
  EXCLUSIONS,
  type Excluded,
  MIN_EDGE_PCT_DEFAULT,
  MIN_MARGIN_PCT_DEFAULT,
} from '../../domain/signal-gate.ts';
import { PRICE_AGE } from '../odds.ts';
import { exact, instant, nullable, oneOf, optional, withDefault } from '../schema.ts';
import {
  BookmakerKeySchema,
  DecimalPrice,
  FairMethod,
  FormattedPrice,
  LINE_NAME,
  OddsFormatSchema,
  OutcomeSchema,
} from '../values.ts';

export const ValueBet = exact(
  {
    ...LINE_NAME,
    outcome: OutcomeSchema,
    bookmaker: BookmakerKeySchema,
    price: FormattedPrice,
    decimal: DecimalPrice,
    fair_price: Type.Number({
      description: 'Fair decimal price: the reference at the same line, without its margin.',
    }),
    fair_method: FairMethod,
    edge_pct: Type.Number({ description: '(decimal / fair_price - 1) x 100.', examples: [1.84] }),
    ev_pct: nullable(Type.Number(), {
      description:
        'Expected return in per cent of the stake, by the fitted goal grid: the edge times the share of the stake that, on average, a push does not return. Null without a grid.',
      examples: [1.62],
    }),
    format: OddsFormatSchema,
    since: instant({
      description: 'Neither this price nor those of the reference have moved since this time.',
    }),
    ...PRICE_AGE,
  },
  { title: 'ValueBet' },
);
export type ValueBet = Static<typeof ValueBet>;

export const ArbLeg = exact(
  {
    outcome: OutcomeSchema,
    bookmaker: BookmakerKeySchema,
    price: FormattedPrice,
    decimal: DecimalPrice,
    ...PRICE_AGE,
  },
  { title: 'ArbLeg' },
);

export const ArbOpportunity = exact(
  {
    ...LINE_NAME,
    legs: Type.Array(ArbLeg, { description: 'One bet per outcome, with at least two books in all.' }),
    since: instant({
      description: 'None of these prices has moved since this time.',
    }),
    inverse_sum: Type.Number({ description: 'Sum of 1/decimal over the legs; below 1.' }),
    margin_pct: Type.Number({ description: '(1 / inverse_sum - 1) x 100.', examples: [0.42] }),
    worst_pct: Type.Number({
      description:
        'Lowest return in per cent, with stakes in inverse proportion to the prices: 0 on a whole line (a push returns every stake), half the margin on a quarter line, else the margin.',
      examples: [0],
    }),
    best_pct: Type.Number({
      description: 'Highest return in per cent with the stakes of `worst_pct`: the margin.',
      examples: [0.42],
    }),
  },
  { title: 'ArbOpportunity' },
);
export type ArbOpportunity = Static<typeof ArbOpportunity>;

export const MinEdgeParameter = withDefault(
  Type.Number({ minimum: 0, description: 'Lowest edge in per cent, inclusive.', examples: [1] }),
  MIN_EDGE_PCT_DEFAULT,
);
export const MinMarginParameter = withDefault(
  Type.Number({ minimum: 0, description: 'Lowest margin in per cent, inclusive.', examples: [0] }),
  MIN_MARGIN_PCT_DEFAULT,
);
export const MinEvParameter = optional(
  Type.Number({
    minimum: 0,
    description:
      'Lowest expected return (`ev_pct`) in per cent, inclusive; when absent, `ev_pct` is not checked.',
    examples: [1],
  }),
);
/** Not `withDefault`: the default depends on the roster, and the answer says what was used. */
export const ReferenceParameter = optional(
  oneOf(REFERENCE_WORDS, {
    description: `Reference that value is measured against: \`sharp\` (the sharp book), \`consensus\` (all other books with an open price there, each owner with equal weight) or a bookmaker; when absent, \`${REFERENCE_DEFAULT}\`.`,
    examples: ['consensus'],
  }),
);
export const Reference = oneOf(REFERENCE_WORDS, {
  description: 'Reference that value was measured against: `sharp`, `consensus` or a bookmaker.',
  examples: ['sharp'],
});

/** One week, in seconds. */
const MAX_AGE_S = 604_800;
export const MaxAgeParameter = optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_AGE_S,
    description:
      'Highest age of a price in seconds, by `as_of`. When absent: any age before kickoff, as long as the source confirms the price; 300 in play.',
    examples: [300],
  }),
);

const EXCLUSION_TEXTS: Readonly<Record<keyof Excluded, string>> = {
  stale: 'Quotes not confirmed within the freshness window, or older than the highest allowed age.',
  implausible: 'Value or arbitrage above the cap. Most often one of the prices is wrong.',
  suspended: 'Quotes that are suspended or carry a price of 1 or less.',
  period_over: 'Quotes of a period that is over.',
  not_started_late: 'Fixtures past their kickoff that no source reports as live.',
  finished: 'Finished fixtures.',
  single_book: 'Lines, or pairs of legs, whose prices come from a single owner.',
  no_sharp:
    'Lines with prices of several owners but none of the sharp book. Counted only when the reference is `sharp`.',
  no_reference:
    'Lines without a price of the reference, if it is not `sharp`: the named bookmaker has none, or fewer than three other owners are left for a consensus.',
};
export const ExcludedCounts = exact(
  Object.fromEntries(
    EXCLUSIONS.map((reason) => [reason, Type.Integer({ minimum: 0, description: EXCLUSION_TEXTS[reason] })]),
  ) as Record<keyof Excluded, ReturnType<typeof Type.Integer>>,
  { title: 'Excluded', description: 'How many quotes, lines, hits or fixtures were left out, by reason.' },
);
export const SignalNote = nullable(Type.String(), {
  description: 'Caveats: why there are no signals, or what was left out and why.',
});
