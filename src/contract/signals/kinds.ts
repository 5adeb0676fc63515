// The kinds of signals other than value and arbitrage, as tools and streams show them, and their parameters.

import { type Static, Type } from '@sinclair/typebox';
import {
  MAX_HOLD_PCT_DEFAULT,
  MIN_MIDDLE_EV_PCT_DEFAULT,
  MOVE_DEFAULTS,
  MOVE_OF,
  STEAM_DEFAULTS,
  type STREAM_KINDS,
} from '../../domain/signal-gate.ts';
import { BOOKMAKERS_MAX, PRICE_WINDOW_S_MAX } from '../../limits.ts';
import { PRICE_AGE } from '../odds.ts';
import { exact, instant, oneOf, optional, withDefault } from '../schema.ts';
import {
  BookmakerKeySchema,
  DecimalPrice,
  FormattedPrice,
  LINE_NAME,
  Line,
  MarketTypeSchema,
  OutcomeSchema,
  PeriodSchema,
} from '../values.ts';
import { ArbLeg } from './found.ts';

/** A falling price means that its outcome is thought likelier. */
const STEAM_WAYS = ['shortening', 'drifting'] as const;

/** The highest hold that can be requested. */
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
    legs: Type.Array(MiddleLeg, {
      description: 'The two bets, at books of different owners: over or home, then under or away.',
    }),
    since: instant({
      description: 'None of these prices has moved since this time.',
    }),
    both_win_prob: Probability('Probability that both bets win, in full or by half.'),
    no_loss_prob: Probability(
      'Probability that one bet wins, in full or by half, and the other loses nothing.',
    ),
    ev_pct: Type.Number({
      description:
        'Expected return in per cent of the total stake, which is split so that both bets pay the same. Every result is settled exactly, quarter lines by halves.',
      examples: [0.8],
    }),
    worst_pct: Type.Number({
      description: 'Return of the pair at the worst result, in per cent.',
      examples: [-4.2],
    }),
  },
  { title: 'Middle' },
);
export type Middle = Static<typeof Middle>;

export const LowHold = exact(
  {
    ...LINE_NAME,
    legs: Type.Array(ArbLeg, { description: 'The best price of every outcome, from at least two owners.' }),
    since: instant({
      description: 'None of these prices has moved since this time.',
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

export const WithinSchema = Type.Integer({
  minimum: 60,
  maximum: PRICE_WINDOW_S_MAX,
  description: 'Prices are compared with those of this many seconds ago.',
  examples: [1_800],
});
export const OwnersSchema = Type.Integer({
  minimum: 2,
  maximum: BOOKMAKERS_MAX,
  description: 'Least number of owners that moved the same way; bookmakers of one group count once.',
  examples: [3],
});
export const ChangeSchema = Type.Number({
  minimum: 0.1,
  maximum: 100,
  description: 'Smallest change that counts: per cent for a price, percentage points for a fair probability.',
  examples: [1.5],
});

export const LineMove = exact(
  {
    ...LINE_NAME,
    outcome: OutcomeSchema,
    of: oneOf(MOVE_OF, { description: 'What moved: a fair probability, or the price of a bookmaker.' }),
    bookmaker: {
      ...BookmakerKeySchema,
      description: 'The bookmaker whose price moved, or from whose prices the fair probability is computed.',
    },
    decimal_from: Type.Number({
      description: 'Decimal price before the move; the fair price if `of` is `fair`.',
    }),
    decimal_to: Type.Number({ description: 'Decimal price now; the fair price if `of` is `fair`.' }),
    change: Type.Number({
      description: 'The change: per cent for a price, percentage points for a fair probability.',
      examples: [-4.2],
    }),
    from_at: instant({ description: 'When the earlier price was first offered, as far as it is known.' }),
    within_s: WithinSchema,
  },
  { title: 'LineMove' },
);
export type LineMove = Static<typeof LineMove>;

const SteamBook = exact(
  {
    bookmaker: BookmakerKeySchema,
    decimal_from: Type.Number({ description: 'Decimal price `within_s` seconds ago.' }),
    decimal_to: Type.Number({ description: 'Decimal price now.' }),
    change_pct: Type.Number({ description: 'Change in per cent of the earlier price.' }),
    as_of: instant({ description: 'Source time of the last message about the present price.' }),
  },
  { title: 'SteamBook' },
);

export const Steam = exact(
  {
    ...LINE_NAME,
    outcome: OutcomeSchema,
    way: oneOf(STEAM_WAYS, { description: '`shortening`: prices fell. `drifting`: they rose.' }),
    owners: Type.Integer({
      minimum: 2,
      description: 'Number of independent owners whose price moved this way.',
    }),
    books: Type.Array(SteamBook, {
      description: 'Bookmakers that moved, at most eight, in catalogue order.',
    }),
    book_count: Type.Integer({ minimum: 2, description: 'Number of bookmakers that moved.' }),
    within_s: WithinSchema,
  },
  { title: 'Steam' },
);
export type Steam = Static<typeof Steam>;

/** A kind of signal that streams send. */
export type StreamKind = (typeof STREAM_KINDS)[number];

/**
 * The thresholds of these kinds, as parameters of streams. A threshold is allowed only if `signals` has its
 * kind.
 */
export const KindProperties = {
  min_ev_pct: optional(
    Type.Number({
      minimum: -10,
      description: `Least expected return of a middle in per cent; default ${MIN_MIDDLE_EV_PCT_DEFAULT}.`,
    }),
  ),
  max_hold_pct: optional(
    Type.Number({
      minimum: 0,
      maximum: MAX_HOLD_PCT,
      description: `Highest hold of \`low_hold\` in per cent; default ${MAX_HOLD_PCT_DEFAULT}.`,
    }),
  ),
  move_pct: optional({
    ...ChangeSchema,
    description: `Smallest change that counts for \`move\`: percentage points if \`move_of\` is \`fair\`, per cent if it is \`price\`; default ${MOVE_DEFAULTS.pct}.`,
  }),
  move_of: optional(
    oneOf(MOVE_OF, {
      description: `What \`move\` compares: fair probabilities or prices; default ${MOVE_DEFAULTS.of}.`,
    }),
  ),
  steam_pct: optional({
    ...ChangeSchema,
    description: `Smallest change of a price that counts for \`steam\`, in per cent; default ${STEAM_DEFAULTS.pct}.`,
  }),
  owners: optional(OwnersSchema),
  within_s: optional({
    ...WithinSchema,
    description: `\`move\` and \`steam\` compare prices with those of this many seconds ago; default ${STEAM_DEFAULTS.within_s}.`,
  }),
} as const;
