// Parameters that several routes and tools share, and the pages of lists: cursor, limit and the envelope of
// answers.

import { type TSchema, Type } from '@sinclair/typebox';
import { BOOKMAKER_KEYS, MARKET_TYPES } from '../domain/catalogue.ts';
import {
  BOOKMAKERS_FILTER_MAX,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  MARKETS_FILTER_MAX,
  QUERY_CHARS_MAX,
} from '../limits.ts';
import { alsoCalled, csvOf, dateText, exact, nullable, optional, tokenText, withDefault } from './schema.ts';
import { EVENT_ID_EXAMPLE, OddsFormatSchema, PeriodSchema } from './values.ts';

/**
 * Maximum length of an id in characters; real ids are far shorter. A longer one is refused with status 400.
 */
const ID_CHARS_MAX = 64;
/** Maximum length of the name of a time zone, in characters. A longer name is refused with status 400. */
const TIMEZONE_CHARS_MAX = 64;

export const EventIdParameter = alsoCalled(
  tokenText(
    {
      minLength: 1,
      maxLength: ID_CHARS_MAX,
      description: 'Event id (`evt_...`).',
      examples: [EVENT_ID_EXAMPLE],
    },
    'Send an event id from a list or from find_match',
  ),
  {
    names: ['id', 'event', 'match', 'match_id', 'fixture', 'fixture_id', 'game', 'game_id'],
    takes: 'an event id (`evt_...`)',
  },
);

export const EventIdParams = Type.Object({ event_id: EventIdParameter });

export const BookmakersParameter = optional(
  csvOf(BOOKMAKER_KEYS, BOOKMAKERS_FILTER_MAX, {
    description: 'Comma-separated bookmaker keys; all books of the tier when absent.',
    examples: [BOOKMAKER_KEYS.slice(0, 2).join()],
  }),
);

export const MarketsParameter = optional(
  csvOf(MARKET_TYPES, MARKETS_FILTER_MAX, {
    description: 'Comma-separated market types; all when absent.',
    examples: ['1x2,totals'],
  }),
);

export const PeriodParameter = optional({ ...PeriodSchema, description: 'One period; both when absent.' });

export const FormatParameter = withDefault(OddsFormatSchema, 'decimal');

/**
 * Maximum length of an instant in characters; real ones have fewer than 36. A longer text is refused with
 * status 400.
 */
const INSTANT_CHARS_MAX = 40;

/** An instant in a request: ISO-8601 with its zone. `history/past/past-instant.ts` reads it. */
export function instantParameter(description: string) {
  return optional(
    tokenText(
      { minLength: 1, maxLength: INSTANT_CHARS_MAX, description, examples: ['2026-03-01T18:45:00Z'] },
      'Send an ISO-8601 time with its zone, such as 2026-03-01T18:45:00Z',
    ),
  );
}

export const AtParameter = instantParameter(
  'A time in the past, ISO-8601 with a zone: the request is answered as it would have been then. See /v1/history for what is kept.',
);

export const DateParameter = optional(
  dateText({
    description: 'Kickoff day, YYYY-MM-DD, UTC unless `timezone` is given.',
    examples: ['2026-03-01'],
  }),
);

export const TimezoneParameter = timezone('IANA time zone in which days begin and end; UTC when absent.');
export const TimezoneField = timezone('IANA time zone of day boundaries and local times; UTC when absent.');

function timezone(description: string) {
  return optional(
    tokenText(
      { minLength: 1, maxLength: TIMEZONE_CHARS_MAX, description, examples: ['Europe/London'] },
      'Send a name of the IANA time zone database, such as Europe/London',
    ),
  );
}

/** Text that names something or says it in words. */
export function queryText(description: string, example: string): ReturnType<typeof Type.String> {
  return Type.String({ minLength: 1, maxLength: QUERY_CHARS_MAX, description, examples: [example] });
}

export const LeagueParameter = optional(
  queryText(
    'League id (`lg_...`) or name. An ambiguous name is 400 and lists the candidate ids.',
    'Premier League',
  ),
);

/**
 * Maximum length of a cursor in characters; real ones are far shorter. A longer one is refused with status
 * 400.
 */
const CURSOR_CHARS_MAX = 512;

export const LimitParameter = withDefault(
  Type.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX, description: 'Page size.', examples: [50] }),
  LIST_LIMIT_DEFAULT,
);

export const CursorParameter = optional(
  tokenText(
    {
      maxLength: CURSOR_CHARS_MAX,
      description:
        '`page.next_cursor` of the previous page. Opaque; it marks a position, so a page never skips or repeats an entity when others are added or removed.',
    },
    'Send page.next_cursor of the previous page unchanged, or drop cursor to start over',
  ),
);

const Page = exact(
  {
    next_cursor: nullable(Type.String(), { description: 'Cursor of the next page; null on the last one.' }),
    limit: Type.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX, description: 'Page size of this answer.' }),
  },
  { title: 'Page' },
);

/** One page of a list: `{data, page}`. */
export function pageOf<Element extends TSchema>(element: Element, title: string) {
  return exact({ data: Type.Array(element), page: Page }, { title });
}

/** A list without pages: only `{data}`. */
export function dataOf<Element extends TSchema>(element: Element, title: string) {
  return exact({ data: Type.Array(element) }, { title });
}
