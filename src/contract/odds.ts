// Quotes, the odds of one fixture, its opening prices, the parameters that filter them, and batches: up to 20
// fixtures per request, where a failure only affects its own entry.

import { type Static, Type } from '@sinclair/typebox';
import { BATCH_EVENT_IDS_MAX } from '../limits.ts';
import { ErrorCodeSchema } from './errors.ts';
import {
  AtParameter,
  BookmakersParameter,
  EventIdParameter,
  FormatParameter,
  MarketsParameter,
  PeriodParameter,
} from './parameters.ts';
import { exact, instant, nullable, oneOf } from './schema.ts';
import {
  BookmakerKeySchema,
  EVENT_ID_EXAMPLE,
  EventId,
  HandicapComponents,
  LINE_NAME,
  MarketTypeSchema,
  OddsFormatSchema,
  Prices,
  QuoteStatusSchema,
} from './values.ts';

/** The fields that identify a quote within its fixture. */
export const QUOTE_NAME = {
  bookmaker: BookmakerKeySchema,
  ...LINE_NAME,
  handicap_components: HandicapComponents,
} as const;

export const OddsQuote = exact(
  {
    ...QUOTE_NAME,
    prices: Prices,
    format: OddsFormatSchema,
    status: QuoteStatusSchema,
    as_of: instant({ description: 'Source time of the last message about this quote.' }),
  },
  {
    title: 'OddsQuote',
    description:
      'The prices of one book for one line of a market. A price of 0 means that the line was pulled; it is 0 in every format.',
  },
);
export type OddsQuote = Static<typeof OddsQuote>;

export const FixtureAsOf = instant({
  description: 'When the feed last confirmed this fixture, in steps of 10 s.',
});
export const Stale = Type.Boolean({
  description: 'True when `as_of` is older than the freshness window of the match state (live or pre-match).',
});

/** How old a price is. Spread it into every schema that shows a price to act on. */
export const PRICE_AGE = {
  as_of: instant({ description: 'Source time of the last message about this price: when it last moved.' }),
  confirmed_at: instant({
    description:
      'When the source last confirmed the price: with the message of `as_of` or, while the price is open, with a later heartbeat.',
  }),
  age_s: Type.Integer({
    minimum: 0,
    description: 'Whole seconds from `as_of` to the answer.',
    examples: [42],
  }),
  lagging: Type.Boolean({
    description:
      "True if the price last moved more than an hour before the sharp book's price at the same line.",
  }),
} as const;
const PriceAge = exact(PRICE_AGE);
export type PriceAge = Static<typeof PriceAge>;

export const OddsBlock = exact(
  {
    event_id: EventId,
    as_of: FixtureAsOf,
    stale: Stale,
    odds: Type.Array(OddsQuote, {
      description: 'Flat list, sorted by market, period, line, then catalogue order of books.',
    }),
  },
  { title: 'OddsBlock' },
);
export type OddsBlock = Static<typeof OddsBlock>;

export const OpeningQuote = exact(
  {
    ...QUOTE_NAME,
    prices: Prices,
    format: OddsFormatSchema,
    opened_at: nullable(instant(), { description: 'When this price was first seen.' }),
  },
  {
    title: 'OpeningQuote',
    description: 'The first price seen at one book, market, period and line. Never changes.',
  },
);
export type OpeningQuote = Static<typeof OpeningQuote>;

export const EventOpening = exact(
  {
    event_id: EventId,
    source: oneOf(['first_seen', 'upstream'], {
      description: '`first_seen`: this service recorded the openings. `upstream`: the feed sent them.',
    }),
    opening: Type.Array(OpeningQuote, {
      description: 'One per current quote that has an opening on file; the others are left out.',
    }),
  },
  { title: 'EventOpening' },
);
export type EventOpening = Static<typeof EventOpening>;

export const OddsQuery = Type.Object({
  bookmakers: BookmakersParameter,
  markets: MarketsParameter,
  period: PeriodParameter,
  format: FormatParameter,
});

export const MarketOddsParams = Type.Object({ event_id: EventIdParameter, market_type: MarketTypeSchema });

/** The filters of odds, now or at an instant of the past. */
export const PastOddsQuery = Type.Object({ ...OddsQuery.properties, at: AtParameter });

export const MarketOddsQuery = Type.Object({
  bookmakers: BookmakersParameter,
  period: PeriodParameter,
  format: FormatParameter,
  at: AtParameter,
});

// Any text is accepted: an invalid id fails in its own entry, and the others are answered.
const BatchEventIds = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: BATCH_EVENT_IDS_MAX,
  description: 'Event ids. An id that is sent twice is answered twice.',
  examples: [[EVENT_ID_EXAMPLE]],
});

export const BatchOddsBody = Type.Object(
  { event_ids: BatchEventIds, ...PastOddsQuery.properties },
  { title: 'BatchOddsRequest' },
);

export const BatchOpeningsBody = Type.Object(
  { event_ids: BatchEventIds, ...OddsQuery.properties },
  { title: 'BatchOpeningsRequest' },
);

const BatchError = exact(
  {
    code: ErrorCodeSchema,
    message: Type.String({ description: 'For people; may change.' }),
    fix: nullable(Type.String(), { description: 'The concrete corrective action, or null.' }),
  },
  { title: 'BatchError' },
);

export const BatchOddsEntry = exact(
  {
    event_id: Type.String({ description: 'The id that you sent.', examples: [EVENT_ID_EXAMPLE] }),
    odds: nullable(OddsBlock, { description: 'Null when this id failed.' }),
    error: nullable(BatchError, { description: 'Why this id failed, or null.' }),
  },
  { title: 'BatchOddsEntry', description: 'Exactly one of `odds` and `error` is set.' },
);
export type BatchOddsEntry = Static<typeof BatchOddsEntry>;

export const BatchOdds = exact(
  {
    count: Type.Integer({ minimum: 0, maximum: BATCH_EVENT_IDS_MAX, description: 'Number of entries.' }),
    ok_count: Type.Integer({
      minimum: 0,
      maximum: BATCH_EVENT_IDS_MAX,
      description: 'Number of entries with odds.',
    }),
    data: Type.Array(BatchOddsEntry, { description: 'In request order, one entry per id.' }),
  },
  { title: 'BatchOdds' },
);
export type BatchOdds = Static<typeof BatchOdds>;

export const BatchOpenings = exact(
  {
    data: Type.Array(EventOpening, {
      description: 'In request order. Ids that are not on the slate are left out.',
    }),
  },
  { title: 'BatchOpenings' },
);
export type BatchOpenings = Static<typeof BatchOpenings>;
