// How much can be staked at the prices of exchanges.

import { type Static, Type } from '@sinclair/typebox';
import { exact, instant, nullable } from './schema.ts';
import { BookmakerKeySchema, byOutcome, EventId, LINE_NAME } from './values.ts';

const Amount = Type.Number({ minimum: 0, description: 'An amount in the currency of the exchange.' });

const Sizes = byOutcome(Amount, {
  title: 'Sizes',
  description: 'Amount that can be staked at the best price of each outcome; 0 without a price.',
  examples: [{ home: 312.5, away: 98.2 }],
});

const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 code of the amounts.',
  examples: ['USD'],
});
const Matched = nullable(Amount, {
  description: 'Amount traded so far; null if the source does not send it.',
});
const MeasuredAt = instant({
  description: 'Source time of these amounts. The source sends them every few seconds.',
});

export const WinnerLiquidity = exact(
  { bookmaker: BookmakerKeySchema, currency: Currency, as_of: MeasuredAt, sizes: Sizes, matched: Matched },
  {
    title: 'WinnerLiquidity',
    description: 'The amounts that can be staked on the full-time 1x2 at one exchange.',
  },
);
export type WinnerLiquidity = Static<typeof WinnerLiquidity>;

const ExchangeLiquidity = exact(
  {
    bookmaker: BookmakerKeySchema,
    currency: Currency,
    as_of: MeasuredAt,
    lines: Type.Array(
      exact({
        ...LINE_NAME,
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
      description:
        'One entry for each exchange that has prices of the fixture and whose source sends amounts.',
    }),
  },
  { title: 'Liquidity' },
);
export type Liquidity = Static<typeof Liquidity>;
