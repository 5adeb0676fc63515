// How lines settle by a score.

import { type Static, Type } from '@sinclair/typebox';
import { OUTCOMES } from '../../domain/catalogue.ts';
import { LINE_MAX, LINE_MIN, SETTLED_RESULTS } from '../../domain/handicap.ts';
import { exact, nullable, oneOf, optional } from '../schema.ts';
import {
  EventId,
  LINE_NAME,
  Line,
  MarketTypeSchema,
  PeriodSchema,
  Score,
  SportKeySchema,
} from '../values.ts';

/** Higher than the final score of any match of either sport. */
const SCORE_MAX = 999;

/** Scores of a request: unlike those of answers they have an upper limit. */
const AskedScore = Type.Object({
  home: Type.Integer({ minimum: 0, maximum: SCORE_MAX, description: 'Home side.', examples: [2] }),
  away: Type.Integer({ minimum: 0, maximum: SCORE_MAX, description: 'Away side.', examples: [1] }),
});

export const ConvertSettleBody = Type.Object(
  {
    sport: SportKeySchema,
    market_type: MarketTypeSchema,
    period: optional(PeriodSchema),
    line: optional(
      Type.Number({
        minimum: LINE_MIN,
        maximum: LINE_MAX,
        multipleOf: 0.25,
        description: "The total, or the home side's handicap; required except for `1x2`.",
        examples: [-0.75],
      }),
    ),
    score: { ...AskedScore, description: 'The score of the period at its end.' },
    from_score: optional({
      ...AskedScore,
      description:
        'The score from which an in-play football handicap counts; 0-0 when absent. No other market uses it.',
    }),
  },
  { title: 'ConvertSettleRequest' },
);

const Share = Type.Number({ minimum: 0, maximum: 1, multipleOf: 0.5 });

export const SettledOutcome = exact(
  {
    outcome: oneOf(OUTCOMES, { description: 'Outcome of the market.', examples: ['home'] }),
    result: oneOf(SETTLED_RESULTS, {
      description: 'What becomes of a stake on the outcome.',
      examples: ['half_win'],
    }),
    win: { ...Share, description: 'Share of the stake that wins.', examples: [0.5] },
    push: { ...Share, description: 'Share of the stake that is given back.', examples: [0.5] },
    loss: { ...Share, description: 'Share of the stake that loses.', examples: [0] },
  },
  { title: 'SettledOutcome', description: '`win`, `push` and `loss` add to 1.' },
);

export const ConvertSettleResponse = exact(
  {
    market_type: MarketTypeSchema,
    line: Line,
    outcomes: Type.Array(SettledOutcome, { description: 'Every outcome of the market, in its order.' }),
  },
  { title: 'ConvertSettleResponse' },
);
export type ConvertSettleResponse = Static<typeof ConvertSettleResponse>;

export const SettledClosingLine = exact(
  {
    ...LINE_NAME,
    outcomes: Type.Array(SettledOutcome, { description: 'Every outcome of the market, in its order.' }),
  },
  { title: 'SettledClosingLine' },
);

export const EventSettlement = exact(
  {
    event_id: EventId,
    score: Score,
    half_time_score: nullable(Score, { description: 'Null when it was not seen.' }),
    settlement: Type.Array(SettledClosingLine, {
      description:
        'Each line that had a closing price, once, sorted by market, period and line. First-half lines only if `half_time_score` is known.',
    }),
  },
  { title: 'EventSettlement' },
);
export type EventSettlement = Static<typeof EventSettlement>;
