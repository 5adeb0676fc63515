// Values that many schemas share: ids, closed enums, names, scores, timestamps and prices.

import { type SchemaOptions, type Static, type TNumber, Type } from '@sinclair/typebox';
import {
  BOOKMAKER_CLASSES,
  BOOKMAKER_KEYS,
  EVENT_STATUSES,
  MARKET_TYPES,
  ODDS_FORMATS,
  OUTCOMES,
  type Outcome,
  PERIODS,
  QUOTE_STATUSES,
  SHARP_BOOKMAKERS,
  SPORT_KEYS,
} from '../domain/catalogue.ts';
import { encodeId, ID_PREFIXES, type IdKind } from '../domain/ids.ts';
import { exact, nullable, oneOf } from './schema.ts';

/** A number that no fixture on any slate has. An id made from any number is valid. */
const EXAMPLE_NUMBER = 2 ** 40;
/** An event id for examples and descriptions. */
export const EVENT_ID_EXAMPLE = encodeId('event', EXAMPLE_NUMBER);

export const SportId = entityId('sport', 'Sport id.');
export const BookmakerId = entityId('bookmaker', 'Bookmaker id.');
export const LeagueId = entityId('league', 'League id. Stable across calls and restarts; safe to store.');
export const TeamId = entityId('team', 'Team id. Stable across calls and restarts; safe to store.');
export const EventId = entityId('event', 'Event id. Stable across calls and restarts; safe to store.');

export const SportKeySchema = oneOf(SPORT_KEYS, { description: 'Sport.', examples: ['football'] });
export const BookmakerKeySchema = oneOf(BOOKMAKER_KEYS, {
  description: 'Bookmaker key, as every `bookmakers` filter takes it.',
  examples: BOOKMAKER_KEYS.slice(0, 1),
});
export const BookmakerClassSchema = oneOf(BOOKMAKER_CLASSES, {
  description: `${SHARP_BOOKMAKERS.length === 1 ? 'The one `sharp` book is' : 'Books of class `sharp` are'} left out of everything on the free tier.`,
  examples: BOOKMAKER_CLASSES.slice(-1),
});
export const MarketTypeSchema = oneOf(MARKET_TYPES, {
  description: 'Market type.',
  examples: ['asian_handicap'],
});
export const PeriodSchema = oneOf(PERIODS, {
  description: 'Period; `half_time` is the first half.',
  examples: ['full_time'],
});
export const EventStatusSchema = oneOf(EVENT_STATUSES, { description: 'Event status.', examples: ['live'] });
export const QuoteStatusSchema = oneOf(QUOTE_STATUSES, {
  description:
    '`suspended`: the book pulled the line; its last prices are still shown. Use only the prices of `open` quotes.',
  examples: ['open'],
});
export const OddsFormatSchema = oneOf(ODDS_FORMATS, {
  description: 'Odds format of prices.',
  examples: ['decimal'],
});

export const Name = Type.String({ description: 'Display name.', examples: ['Arsenal'] });

export const Score = exact(
  {
    home: Type.Integer({ minimum: 0, description: 'Home side.', examples: [2] }),
    away: Type.Integer({ minimum: 0, description: 'Away side.', examples: [1] }),
  },
  { title: 'Score', description: 'A count per side: goals, or cards.' },
);
export type Score = Static<typeof Score>;

export const Line = nullable(Type.Number({ multipleOf: 0.25 }), {
  description: "The home side's handicap (negative: home gives goals) or the total; null for `1x2`.",
  examples: [-0.75],
});
/** The fields that identify a line within its fixture. */
export const LINE_NAME = { market_type: MarketTypeSchema, period: PeriodSchema, line: Line } as const;
export const HandicapComponents = nullable(
  Type.Array(Type.Number({ multipleOf: 0.5 }), { minItems: 2, maxItems: 2 }),
  {
    description:
      'The two half-step lines of a quarter line, nearer zero first; null when the line is not split.',
    examples: [[-0.5, -1]],
  },
);

/** Prices by outcome name; the market decides which names there are (`outcomesOf` in domain/catalogue.ts). */
type PricesByOutcome = Readonly<Partial<Record<Outcome, number>>>;

const Price = Type.Number({
  description: 'Price in the format of this answer; an integer only in `american`.',
});

export const Prices = byOutcome(Price, {
  title: 'Prices',
  description:
    'Price by outcome: home/draw/away for `1x2` (home/away in basketball), home/away for `asian_handicap`, over/under for `totals`.',
  examples: [{ home: 1.95, away: 1.93 }],
});

/** Prices or amounts by outcome name. */
export function byOutcome(number: TNumber, options: SchemaOptions) {
  return Type.Unsafe<PricesByOutcome>(
    Type.Union(
      [
        exact({ home: number, draw: number, away: number }),
        exact({ home: number, away: number }),
        exact({ over: number, under: number }),
      ],
      options,
    ),
  );
}

function entityId(kind: IdKind, description: string): ReturnType<typeof Type.String> {
  return Type.String({
    pattern: `^${ID_PREFIXES[kind]}[0-9A-Za-z]{8,}$`,
    description,
    examples: [encodeId(kind, EXAMPLE_NUMBER)],
  });
}

export const OutcomeSchema = oneOf(OUTCOMES, {
  description: 'home/draw/away for `1x2`, home/away for `asian_handicap`, over/under for `totals`.',
  examples: ['home'],
});
export const DecimalPrice = Type.Number({
  description: 'The price in decimal, whatever format is requested.',
  examples: [1.95],
});
export const FormattedPrice = Type.Number({
  description: 'Price in the requested format.',
  examples: [1.95],
});
export const FairMethod = oneOf(['power', 'proportional'], {
  description: 'How the margin was removed: `power` for `1x2`, else `proportional`.',
});
