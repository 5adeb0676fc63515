// Results of compare_prob and score_prob: probabilities derived from prices, and how an external number
// compares.

import { type Static, Type } from '@sinclair/typebox';
import { OUTCOMES_1X2 } from '../domain/catalogue.ts';
import { FAIR_METHODS } from '../domain/devig.ts';
import { exact, nullable, oneOf } from './schema.ts';
import { Reference } from './signals/found.ts';
import { LOOKUP_HEADER } from './tool-parts.ts';
import {
  BookmakerKeySchema,
  Line,
  MarketTypeSchema,
  OddsFormatSchema,
  OutcomeSchema,
  PeriodSchema,
} from './values.ts';

/**
 * Maximum length of the name of an external price, in characters. A longer name is refused with status 422.
 */
export const EXTERNAL_LABEL_CHARS_MAX = 80;

const VERDICTS = ['good', 'marginal', 'no_edge'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const Probability = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Probability, 4 decimals.',
  examples: [0.5234],
});
export const Favorite = exact(
  {
    outcome: oneOf(OUTCOMES_1X2, { description: 'Likeliest outcome.' }),
    team: nullable(Type.String(), { description: 'Team name; null for a draw.' }),
    win_probability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Fair probability of this outcome, from the full-time 1x2 without its margin.',
    }),
    source: nullable(BookmakerKeySchema, { description: 'Book whose 1x2 prices these are.' }),
  },
  { title: 'Favorite' },
);
export type Favorite = Static<typeof Favorite>;

const FairFrom = nullable(BookmakerKeySchema, {
  description:
    'Book with the lowest overround, from whose prices the margin was removed; null when there is none.',
});

export const CompareProbResult = exact(
  {
    ...LOOKUP_HEADER,
    status: oneOf(['ok', 'no_line', 'ambiguous', 'not_found'], {
      description:
        '`no_line`: the match is known, but no visible book has an open price to compare with. `ambiguous`: several fixtures fit and none was guessed; ask the user.',
    }),
    market_type: nullable(MarketTypeSchema),
    period: nullable(PeriodSchema),
    outcome: nullable(OutcomeSchema),
    line: Line,
    fair_prob: nullable(Probability, { description: 'Fair probability of the outcome: without the margin.' }),
    fair_decimal: nullable(Type.Number(), { description: '`fair_prob` as a decimal price: 1 / fair_prob.' }),
    fair_from: FairFrom,
    reference: nullable(Reference, {
      description:
        'Source of the fair price: `sharp`, `consensus` or a bookmaker; null without a fair price.',
    }),
    external_prob: nullable(Probability, {
      description: 'The probability that you sent, or the one implied by the price that you sent.',
    }),
    price: nullable(Type.Number(), { description: 'The price that you sent, in `format`.' }),
    format: OddsFormatSchema,
    external_label: nullable(Type.String(), { description: 'The name that you sent for the price.' }),
    edge_pp: nullable(Type.Number(), {
      description:
        '(fair_prob - external_prob) x 100, in percentage points; positive: the external price is better than fair.',
    }),
    ev_roi: nullable(Type.Number(), {
      description:
        'fair_prob / external_prob - 1: expected gain per unit staked; null when it is too large for JSON.',
    }),
    verdict: nullable(oneOf(VERDICTS), {
      description:
        '`good` if `edge_pp` is 2 or more, `marginal` if it is 1 or more, else `no_edge`; never `good` if `ev_roi` is above the cap of value bets.',
    }),
    devig_method: nullable(oneOf(['power', 'proportional']), {
      description: '`power` for `1x2`, else `proportional`.',
    }),
    caveats: Type.Array(Type.String(), {
      description: 'Caveats: what to know before acting on the edge. Repeat them to the user.',
    }),
  },
  { title: 'CompareProbResult' },
);
export type CompareProbResult = Static<typeof CompareProbResult>;

const ScorelineProb = exact(
  {
    score: Type.String({
      pattern: '^\\d+-\\d+$',
      description: 'Full-time score, home first.',
      examples: ['1-0'],
    }),
    prob: Probability,
  },
  { title: 'ScorelineProb' },
);

const GoalRate = Type.Number({ minimum: 0, examples: [1.62] });

export const ScoreProbResult = exact(
  {
    ...LOOKUP_HEADER,
    status: oneOf(['ok', 'no_line', 'ambiguous', 'not_found'], {
      description:
        '`no_line`: the match is known, but its prices allow no fit; `summary` says why. `ambiguous`: several fixtures fit and none was guessed; ask the user.',
    }),
    scores: Type.Array(ScorelineProb, {
      description:
        'The likeliest full-time scores, likeliest first, never below the current score; empty unless `ok`.',
    }),
    top_cum: nullable(Probability, { description: 'Probability that the match ends with one of `scores`.' }),
    implied_1x2: nullable(
      exact(
        { home: Probability, draw: Probability, away: Probability },
        { description: 'Full-time result under the fitted goal rates.' },
      ),
    ),
    lambda_home: nullable(GoalRate, {
      description:
        'Expected home goals: in the whole match before kickoff, in the rest of the match when live.',
    }),
    lambda_away: nullable(GoalRate, { description: 'Expected away goals, counted like `lambda_home`.' }),
    rho: nullable(Type.Number(), { description: 'Dixon-Coles low-score correlation of the fit.' }),
    ah_ev_check: nullable(Type.Number(), {
      description:
        'Expected profit of one unit on the home side at the fair handicap price, by the fitted grid. The fit does not use that price: near 0 means that the price and the grid agree. Null if there is no handicap or the fit needed it.',
    }),
    fair_from: FairFrom,
    fair_method: nullable(oneOf(FAIR_METHODS), {
      description:
        'How the margin was removed from the prices of `fair_from`: `power` for a 1x2, `shin` at a lead of two goals or more, `proportional` for a handicap when there is no 1x2.',
    }),
  },
  { title: 'ScoreProbResult' },
);
export type ScoreProbResult = Static<typeof ScoreProbResult>;
