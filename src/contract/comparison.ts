// Books side by side on one market: the result of compare_lines, and inside get_sharp_line. Value and arbitrage as tools
// report them: reports of prices, no stake, no link.

import { type Static, Type } from '@sinclair/typebox';
import { OUTCOMES } from '../domain/catalogue.ts';
import { HANDICAP_LINE_MAX } from '../domain/handicap.ts';
import { FixtureAsOf, Stale } from './odds.ts';
import { exact, mapOf, nullable, oneOf, optional, withDefault } from './schema.ts';
import { Summary } from './tool-parts.ts';
import {
  BookmakerKeySchema,
  EventId,
  Line,
  MarketTypeSchema,
  Name,
  OddsFormatSchema,
  PeriodSchema,
  Prices,
  QuoteStatusSchema,
} from './values.ts';

export const OutcomeSchema = oneOf(OUTCOMES, {
  description: 'home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.',
  examples: ['home'],
});
const DecimalPrice = Type.Number({ description: 'The same price in decimal.', examples: [1.95] });
const FormattedPrice = Type.Number({
  description: 'Price in the requested format.',
  examples: [1.95],
});

const VERBOSITIES = ['full', 'terse'] as const;
export const VerbosityParameter = withDefault(
  oneOf(VERBOSITIES, {
    description: '`terse` leaves `books` empty and keeps the analytics and the summary.',
  }),
  'full',
);
export const MarketTypeParameter = withDefault(MarketTypeSchema, 'asian_handicap');
export const PeriodDefaultParameter = withDefault(PeriodSchema, 'full_time');

export const LineParameter = optional(
  Type.Number({
    multipleOf: 0.25,
    minimum: -HANDICAP_LINE_MAX,
    maximum: HANDICAP_LINE_MAX,
    description:
      "Judge this line, not the consensus line: the total, or the home side's handicap (negative: home gives goals). Not for `1x2`.",
    examples: [2.5],
  }),
);

const BookLine = exact(
  {
    bookmaker: BookmakerKeySchema,
    line: Line,
    prices: Prices,
    overround: nullable(Type.Number(), {
      description: 'Sum of the inverse decimal prices minus 1; null when a price is 1 or less.',
    }),
    status: QuoteStatusSchema,
  },
  { title: 'BookLine' },
);

const BestPrice = exact(
  {
    outcome: OutcomeSchema,
    bookmaker: BookmakerKeySchema,
    price: FormattedPrice,
    decimal: DecimalPrice,
  },
  { title: 'BestPrice' },
);

export const CompareLinesResult = exact(
  {
    event_id: EventId,
    home_team: Name,
    away_team: Name,
    market_type: MarketTypeSchema,
    period: PeriodSchema,
    format: OddsFormatSchema,
    as_of: FixtureAsOf,
    stale: Stale,
    consensus_line: nullable(Type.Number(), {
      description: 'Line offered by the most books; null for `1x2` or when no book has an open quote.',
    }),
    lines_offered: Type.Array(Type.Number(), { description: 'Distinct open lines across books, ascending.' }),
    line: { ...Line, description: 'Line that all below are of: as asked, else the consensus line.' },
    best_prices: Type.Array(BestPrice, { description: 'Best price per outcome on `line`.' }),
    fair_odds: nullable(mapOf(Type.Number()), {
      description:
        'Fair decimal odds by outcome: the sharpest book (lowest overround) on `line` with its margin removed proportionally.',
    }),
    fair_from: nullable(BookmakerKeySchema, { description: 'Book the fair odds came from.' }),
    books: Type.Array(BookLine, {
      description: 'Every visible quote of the market, or of the line asked for; empty when `terse`.',
    }),
    book_count: Type.Integer({ minimum: 0, description: 'Books with an open price on `line`.' }),
    summary: Summary,
    verbosity: oneOf(VERBOSITIES, { description: 'As asked.' }),
  },
  { title: 'CompareLinesResult' },
);
export type CompareLinesResult = Static<typeof CompareLinesResult>;

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
