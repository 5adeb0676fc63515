// Value and arbitrage as tools report them. They are reports of prices: no stake, no link.

import { type Static, Type } from '@sinclair/typebox';
import { DecimalPrice, FormattedPrice, OutcomeSchema } from './comparison.ts';
import { exact, withDefault } from './schema.ts';
import { BookmakerKeySchema, Line, MarketTypeSchema, OddsFormatSchema, PeriodSchema } from './values.ts';

export const ValueBet = exact(
  {
    market_type: MarketTypeSchema,
    period: PeriodSchema,
    line: Line,
    outcome: OutcomeSchema,
    bookmaker: BookmakerKeySchema,
    price: FormattedPrice,
    decimal: DecimalPrice,
    fair_price: Type.Number({
      description: 'Fair decimal price: the sharp book at the same line, de-vigged.',
    }),
    edge_pct: Type.Number({ description: '(decimal / fair_price - 1) x 100.', examples: [1.84] }),
    format: OddsFormatSchema,
  },
  { title: 'ValueBet' },
);
export type ValueBet = Static<typeof ValueBet>;

const ArbLeg = exact(
  { outcome: OutcomeSchema, bookmaker: BookmakerKeySchema, price: FormattedPrice, decimal: DecimalPrice },
  { title: 'ArbLeg' },
);

export const ArbOpportunity = exact(
  {
    market_type: MarketTypeSchema,
    period: PeriodSchema,
    line: Line,
    legs: Type.Array(ArbLeg, { description: 'One per outcome, from at least two books.' }),
    inverse_sum: Type.Number({ description: 'Sum of 1/decimal over the legs; below 1.' }),
    margin_pct: Type.Number({ description: '(1 / inverse_sum - 1) x 100.', examples: [0.42] }),
  },
  { title: 'ArbOpportunity' },
);
export type ArbOpportunity = Static<typeof ArbOpportunity>;

export const MinEdgeParameter = withDefault(
  Type.Number({ minimum: 0, description: 'Least edge in per cent, the bound included.', examples: [1] }),
  1,
);
export const MinMarginParameter = withDefault(
  Type.Number({ minimum: 0, description: 'Least margin in per cent, the bound included.', examples: [0] }),
  0,
);
