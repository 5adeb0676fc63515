// The kinds of signals beside value and arbitrage, as tools and streams show them, and their parameters.

import { type Static, Type } from '@sinclair/typebox';
import { ArbLeg, DecimalPrice, FormattedPrice, OutcomeSchema } from '../comparison.ts';
import { PRICE_AGE } from '../odds.ts';
import { exact, instant, withDefault } from '../schema.ts';
import { BookmakerKeySchema, Line, MarketTypeSchema, PeriodSchema } from '../values.ts';

/** Least expected return of a middle and highest hold, in per cent, when the caller sets none. */
export const MIN_MIDDLE_EV_PCT_DEFAULT = 0;
export const MAX_HOLD_PCT_DEFAULT = 1;
/** Highest hold that can be asked for. */
const MAX_HOLD_PCT = 10;

export const MinMiddleEvParameter = withDefault(
  Type.Number({
    minimum: -10,
    description: 'Least expected return of a middle in per cent, inclusive.',
    examples: [0],
  }),
  MIN_MIDDLE_EV_PCT_DEFAULT,
);
export const MaxHoldParameter = withDefault(
  Type.Number({
    minimum: 0,
    maximum: MAX_HOLD_PCT,
    description: 'Highest hold of a line in per cent, inclusive.',
    examples: [1],
  }),
  MAX_HOLD_PCT_DEFAULT,
);

const Probability = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const MiddleLeg = exact(
  {
    outcome: OutcomeSchema,
    line: { ...Line, description: 'Line of this bet: the total, or the home handicap.' },
    bookmaker: BookmakerKeySchema,
    price: FormattedPrice,
    decimal: DecimalPrice,
    ...PRICE_AGE,
  },
  { title: 'MiddleLeg' },
);

export const Middle = exact(
  {
    market_type: MarketTypeSchema,
    period: PeriodSchema,
    legs: Type.Array(MiddleLeg, { description: 'Over or home, then under or away, of two owners.' }),
    since: instant({
      description: 'Since when these prices exist together: the latest of their last moves.',
    }),
    both_win_prob: Probability('Probability that both bets win, in full or by half.'),
    no_loss_prob: Probability('Probability that one wins, in full or by half, and the other loses nothing.'),
    ev_pct: Type.Number({
      description:
        'Expected return of one unit on the pair in per cent, split so that both bets pay the same; every result settled as it is, quarter lines by halves.',
      examples: [0.8],
    }),
    worst_pct: Type.Number({ description: 'Its return at the worst result, in per cent.', examples: [-4.2] }),
  },
  { title: 'Middle' },
);
export type Middle = Static<typeof Middle>;

export const LowHold = exact(
  {
    market_type: MarketTypeSchema,
    period: PeriodSchema,
    line: Line,
    legs: Type.Array(ArbLeg, { description: 'The best price of every outcome, from at least two owners.' }),
    since: instant({
      description: 'Since when these prices exist together: the latest of their last moves.',
    }),
    hold_pct: Type.Number({
      description:
        '(1 - 1 / sum of 1/decimal) x 100: how far the best prices together are from fair. Below 0 they are an arbitrage.',
      examples: [0.35],
    }),
  },
  { title: 'LowHold' },
);
export type LowHold = Static<typeof LowHold>;
