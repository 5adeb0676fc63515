// Parts that several tools share: input fields, and the match, the alternatives, the decision and the
// natural-language header of answers; and the manifest that lists the tools.

import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { BOOKMAKER_KEYS } from '../domain/catalogue.ts';
import { DAY_WORDS } from '../domain/days/day-text.ts';
import { BOOKMAKERS_FILTER_MAX, MARKETS_FILTER_MAX } from '../limits.ts';
import { ClockText, ScheduledAt } from './event.ts';
import { EventIdParameter, FormatParameter, PeriodParameter, queryText } from './parameters.ts';
import { Confidence } from './resolve.ts';
import { alsoCalled, dayText, exact, mapOf, nullable, oneOf, optional, withDefault } from './schema.ts';
import {
  BookmakerKeySchema,
  EventId,
  EventStatusSchema,
  MarketTypeSchema,
  Name,
  Score,
  SportKeySchema,
} from './values.ts';

export const MatchSummary = exact(
  {
    event_id: EventId,
    sport: SportKeySchema,
    league: Type.String({ description: 'League name.' }),
    home_team: Name,
    away_team: Name,
    scheduled_at: ScheduledAt,
    scheduled_at_local: nullable(Type.String(), {
      description:
        'Kickoff in the requested time zone, ISO-8601 with its offset; null without a zone or a kickoff.',
    }),
    status: EventStatusSchema,
    score: nullable(Score, { description: 'Current score when live, final score when finished.' }),
    clock: ClockText,
    confidence: nullable(Confidence, {
      description: 'How certain it is that this fixture is meant; null except from find_match.',
    }),
    summary: nullable(Type.String(), { description: 'One line a person could read out.' }),
  },
  { title: 'MatchSummary' },
);
export type MatchSummary = Static<typeof MatchSummary>;

export const MatchAlternative = exact(
  {
    event_id: EventId,
    label: Type.String({ description: "'Home vs Away'.", examples: ['Arsenal vs Chelsea'] }),
    confidence: Confidence,
  },
  { title: 'MatchAlternative' },
);
export type MatchAlternative = Static<typeof MatchAlternative>;

const NextAction = exact(
  {
    tool: Type.String({ description: 'Tool to call next.', examples: ['get_match_odds'] }),
    args: mapOf(Type.String(), { description: 'Arguments for that tool.' }),
    reason: Type.String({ description: 'Why this call comes next.' }),
  },
  { title: 'NextAction' },
);

export const Decision = exact(
  {
    safe_to_proceed: Type.Boolean({ description: 'True when the result is unambiguous enough to act on.' }),
    confidence: nullable(Confidence, { description: 'How certain it is that the right fixture was found.' }),
    ask_user: nullable(Type.String(), { description: 'What to ask the user; null when safe to proceed.' }),
    next_action: nullable(NextAction, { description: 'Suggested next call.' }),
  },
  { title: 'Decision' },
);
export type Decision = Static<typeof Decision>;

export const Alternatives = Type.Array(MatchAlternative, {
  description: 'Other plausible fixtures, best first.',
});
const AskUser = nullable(Type.String(), {
  description: 'A question whose answer decides which match is meant.',
});
export const Summary = Type.String({ description: 'One plain sentence a person could read out.' });
const AsOf = nullable(Type.String({ format: 'date-time' }), {
  description: 'When the feed last confirmed the fixture; null when `match` is null.',
});
const StaleOrNull = nullable(Type.Boolean(), {
  description: 'Whether `as_of` is older than the freshness window; null when `match` is null.',
});

/** Result status of every query tool except find_match. */
const LookupStatus = oneOf(['ok', 'ambiguous', 'not_found'], {
  description: '`ambiguous`: several fixtures fit and none was guessed; ask the user.',
});

/** Header fields of a natural-language result. Spread them into the tool's own output object. */
export const LOOKUP_HEADER = {
  status: LookupStatus,
  query: Type.String({ description: 'The query that you sent.' }),
  summary: Summary,
  match: nullable(MatchSummary, { description: 'The fixture that is meant; null unless it is certain.' }),
  alternatives: Alternatives,
  ask_user: AskUser,
  as_of: AsOf,
  stale: StaleOrNull,
  decision: Decision,
} as const;
const LookupHeader = exact(LOOKUP_HEADER);
export type LookupHeader = Static<typeof LookupHeader>;

/** Fixture query of every query tool. */
export const QueryField = alsoCalled(
  queryText(
    'One team, two teams, or an `evt_` id. May also name a day (2026-03-01, "tonight") and a market ("over 2.5", "-1.5", "moneyline", "first half").',
    'Arsenal vs Chelsea',
  ),
  {
    names: [
      ...['event_id', 'event', 'id', 'match', 'match_id', 'fixture', 'fixture_id', 'game', 'game_id'],
      ...[
        'team',
        'teams',
        'team_name',
        'home',
        'home_team',
        'away',
        'away_team',
        'name',
        'search',
        'text',
        'q',
      ],
    ],
    takes: 'an event id (`evt_...`), one team or two',
  },
);
export const SportHint = optional({ ...SportKeySchema, description: 'Only this sport.' });
export const DateHint = optional(
  dayText({ description: `Kickoff day: YYYY-MM-DD, ${DAY_WORDS}.`, examples: ['today'] }),
);
export const DateToHint = optional(
  dayText({
    description: 'Last kickoff day of a range that starts at date, inclusive.',
    examples: ['tomorrow'],
  }),
);

/**
 * A fixture by its id or in words. A call needs exactly one of the two; no schema that every client accepts
 * can express that.
 */
export const FIXTURE_FIELDS = {
  event_id: optional({ ...EventIdParameter, description: 'Event id (`evt_...`); or send query.' }),
  query: optional({ ...QueryField, description: `In place of event_id: ${QueryField.description}` }),
  sport: SportHint,
  date: DateHint,
} as const;

/** Input of a tool that finds its fixture from words. */
export function lookupInput<Fields extends TProperties>(fields: Fields) {
  return Type.Object({ query: QueryField, ...fields, sport: SportHint, date: DateHint });
}

/** The answer of a tool that finds its fixture from words: the header and the tool's own fields. */
export function lookupOutput<Fields extends TProperties>(fields: Fields, title: string) {
  return exact({ ...LOOKUP_HEADER, ...fields }, { title });
}

/** In tools, lists are arrays; in REST queries they are comma-separated text. */
export const MarketsField = optional(
  Type.Array(MarketTypeSchema, {
    maxItems: MARKETS_FILTER_MAX,
    description: 'Market types; all when absent or empty.',
    examples: [['1x2', 'totals']],
  }),
);
export const BookmakersField = optional(
  Type.Array(BookmakerKeySchema, {
    maxItems: BOOKMAKERS_FILTER_MAX,
    description: 'Bookmaker keys; all books of the tier when absent or empty.',
    examples: [BOOKMAKER_KEYS.slice(0, 2)],
  }),
);
/** What narrows the quotes of a fixture, and their format. Spread into a tool's input. */
export const QUOTE_FIELDS = {
  markets: MarketsField,
  bookmakers: BookmakersField,
  period: PeriodParameter,
  format: FormatParameter,
} as const;
export const StatusHint = optional({ ...EventStatusSchema, description: 'Only this status.' });

export const ListVerbosityParameter = withDefault(
  oneOf(['full', 'terse'], {
    description: '`terse`: one short row per match in `by_league`; `matches` is empty.',
  }),
  'full',
);

/** Fixtures in a list, in full or short form. Spread into the tool's own output object. */
export const MATCH_LIST = {
  matches: Type.Array(MatchSummary, { description: 'Empty when `terse`.' }),
  by_league: nullable(
    Type.Array(
      exact(
        {
          league: Type.String({ description: 'League name.' }),
          rows: Type.Array(Type.String(), {
            description:
              'One row per match. It begins with the kickoff (with MM-DD if not on `date`), or with "live", score and clock, or with score and "FT". Then come the teams and the event id without `evt_`.',
          }),
        },
        { title: 'LeagueRows' },
      ),
    ),
    { description: 'Leagues in the order of their first kickoff; null unless `terse`.' },
  ),
} as const;

const JsonSchemaObject = mapOf(Type.Unknown(), { description: 'A JSON Schema.' });

export const ToolManifest = exact(
  {
    tools: Type.Array(
      exact(
        {
          name: Type.String({ description: 'Tool name.', examples: ['find_match'] }),
          title: Type.String({ description: 'Short name for people.' }),
          description: Type.String({ description: 'Description for a model that chooses a tool.' }),
          method: Type.Literal('POST', { description: 'How it is called over REST.' }),
          path: Type.String({
            description: 'Where it is called over REST.',
            examples: ['/v1/mcp/find_match'],
          }),
          input_schema: JsonSchemaObject,
          output_schema: JsonSchemaObject,
        },
        { title: 'ToolManifestEntry' },
      ),
    ),
  },
  { title: 'ToolManifest' },
);
