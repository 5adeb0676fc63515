// How much can be staked at the prices of exchanges.

import { type Static, Type } from '@sinclair/typebox';
import { exact, instant, nullable } from './schema.ts';
import { BookmakerKeySchema, EventId, Line, MarketTypeSchema, PeriodSchema, type Prices } from './values.ts';

const Amount = Type.Number({ minimum: 0, description: 'An amount in the currency of the exchange.' });

/** Amounts by outcome name, as prices are. */
const Sizes = Type.Unsafe<Static<typeof Prices>>(
  Type.Union(
    [
      exact({ home: Amount, draw: Amount, away: Amount }),
      exact({ home: Amount, away: Amount }),
      exact({ over: Amount, under: Amount }),
    ],
    {
      title: 'Sizes',
      description: 'What can be staked at the best price of each outcome; 0 without a price.',
      examples: [{ home: 312.5, away: 98.2 }],
    },
  ),
);

const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 code of the amounts.',
  examples: ['USD'],
});
const Matched = nullable(Amount, {
  description: 'What was traded so far; null when the source does not say.',
});
const MeasuredAt = instant({
  description: 'Source time of these amounts, which are sent every few seconds.',
});

export const WinnerLiquidity = exact(
  { bookmaker: BookmakerKeySchema, currency: Currency, as_of: MeasuredAt, sizes: Sizes, matched: Matched },
  { title: 'WinnerLiquidity', description: 'What can be staked on the full-time 1x2 at one exchange.' },
);
export type WinnerLiquidity = Static<typeof WinnerLiquidity>;

const ExchangeLiquidity = exact(
  {
    bookmaker: BookmakerKeySchema,
    currency: Currency,
    as_of: MeasuredAt,
    lines: Type.Array(
      exact({
        market_type: MarketTypeSchema,
        period: PeriodSchema,
        line: Line,
        sizes: Sizes,
        matched: Matched,
      }),
    ),
  },
  { title: 'ExchangeLiquidity' },
);

export const Liquidity = exact(
  {
    event_id: EventId,
    exchanges: Type.Array(ExchangeLiquidity, {
      description: 'One per exchange that prices the fixture and whose source says how much can be staked.',
    }),
  },
  { title: 'Liquidity' },
);
export type Liquidity = Static<typeof Liquidity>;
