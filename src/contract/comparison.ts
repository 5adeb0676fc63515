// Several bookmakers side by side on one market: the result of compare_lines, also part of get_sharp_line.

import { type Static, Type } from '@sinclair/typebox';
import { LINE_MAX, LINE_MIN } from '../domain/handicap.ts';
import { FixtureAsOf, PRICE_AGE, Stale } from './odds.ts';
import { exact, mapOf, nullable, oneOf, optional, withDefault } from './schema.ts';
import { Summary } from './tool-parts.ts';
import {
  BookmakerKeySchema,
  DecimalPrice,
  EventId,
  FairMethod,
  FormattedPrice,
  Line,
  MarketTypeSchema,
  Name,
  OddsFormatSchema,
  OutcomeSchema,
  PeriodSchema,
  Prices,
  QuoteStatusSchema,
} from './values.ts';

const VERBOSITIES = ['full', 'terse'] as const;
export const VerbosityParameter = withDefault(
  oneOf(VERBOSITIES, {
    description: '`terse` leaves `books` empty and keeps the analytics and the summary.',
  }),
  'full',
);
export const PeriodDefaultParameter = withDefault(PeriodSchema, 'full_time');

/**
 * This field has no default: the words of a query may name the market, and a default that the client fills in
 * would contradict them.
 */
export const AskedMarketParameter = optional({
  ...MarketTypeSchema,
  description: 'When absent: the market named in `query` ("moneyline", "over 2.5"), else `asian_handicap`.',
});
export const AskedPeriodParameter = optional({
  ...PeriodSchema,
  description: 'When absent: the period named in `query` ("first half"), else `full_time`.',
});

export const LineParameter = optional(
  Type.Number({
    multipleOf: 0.25,
    minimum: LINE_MIN,
    maximum: LINE_MAX,
    description:
      "Use this line, not the consensus line: the total, or the home side's handicap (negative: home gives goals). Not for `1x2`.",
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
    ...PRICE_AGE,
  },
  { title: 'BookLine' },
);

const BestPrice = exact(
  {
    outcome: OutcomeSchema,
    bookmaker: BookmakerKeySchema,
    price: FormattedPrice,
    decimal: DecimalPrice,
    ...PRICE_AGE,
  },
  { title: 'BestPrice' },
);

const ProbabilityByOutcome = mapOf(Type.Number({ minimum: 0, maximum: 1 }));
/** Fair probabilities of one book's prices by every method; `FairMethod` names the default method. */
export const FairMethods = exact(
  { proportional: ProbabilityByOutcome, power: ProbabilityByOutcome, shin: ProbabilityByOutcome },
  {
    title: 'FairMethods',
    description:
      "Fair probability by outcome of one book's prices, by three methods of removing its margin. The default everywhere is `power` for a 1x2 and `proportional` for handicaps and totals.",
  },
);
export type FairMethods = Static<typeof FairMethods>;

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
    line: {
      ...Line,
      description: 'The line that all fields below refer to: the requested one, else the consensus line.',
    },
    best_prices: Type.Array(BestPrice, { description: 'Best price per outcome on `line`.' }),
    fair_odds: nullable(mapOf(Type.Number()), {
      description:
        'Fair decimal odds by outcome: the prices of the sharpest book (lowest overround) on `line`, with its margin removed by `fair_method`.',
    }),
    fair_from: nullable(BookmakerKeySchema, { description: 'Book the fair odds came from.' }),
    fair_method: nullable(FairMethod),
    fair_methods: nullable(FairMethods),
    books: Type.Array(BookLine, {
      description: 'Every visible quote of the market, or of the requested line; empty when `terse`.',
    }),
    book_count: Type.Integer({ minimum: 0, description: 'Number of books with an open price on `line`.' }),
    summary: Summary,
    verbosity: oneOf(VERBOSITIES, { description: 'The verbosity of this answer.' }),
  },
  { title: 'CompareLinesResult' },
);
export type CompareLinesResult = Static<typeof CompareLinesResult>;
