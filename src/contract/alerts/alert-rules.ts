// Requests and answers about alert rules: what a rule watches and where it sends.

import { OptionalKind, type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { ALERT_WHEN_FIELDS, ALERT_WHERE_FIELDS } from '../../domain/alerts/alert-fields.ts';
import { MARKET_TYPES, OUTCOMES } from '../../domain/catalogue.ts';
import {
  ALERT_FORMATS,
  ALERT_KINDS,
  ALERT_STATUSES,
  MIN_EDGE_PCT_DEFAULT,
  MIN_MARGIN_PCT_DEFAULT,
  MIN_MIDDLE_EV_PCT_DEFAULT,
  MOVE_DEFAULTS,
  STEAM_DEFAULTS,
} from '../../domain/signal-gate.ts';
import {
  ALERT_AGAIN_S_DEFAULT,
  ALERT_AGAIN_S_MAX,
  ALERT_NAME_CHARS_MAX,
  ALERT_URL_CHARS_MAX,
  ALERTS_PER_ACCOUNT_MAX,
  PRICE_MAX,
} from '../../limits.ts';
import { BookmakersParameter, MarketsParameter, queryText } from '../parameters.ts';
import { csvOf, deletedAnswer, exact, instant, nullable, oneOf, optional, tokenText } from '../schema.ts';
import { ReferenceParameter } from '../signals/found.ts';
import { ChangeSchema, KindProperties, OwnersSchema } from '../signals/kinds.ts';
import { EVENT_ID_EXAMPLE, MarketTypeSchema, PeriodSchema, SportKeySchema } from '../values.ts';

export type AlertKind = (typeof ALERT_KINDS)[number];

/** What can happen to a match that a rule watches. */
const MATCH_NEWS = ['live', 'score', 'finished'] as const;
export type MatchNews = (typeof MATCH_NEWS)[number];

export type AlertFormat = (typeof ALERT_FORMATS)[number];

export type AlertStatus = (typeof ALERT_STATUSES)[number];

const Percent = (description: string) => optional(Type.Number({ minimum: 0, maximum: 1_000, description }));

export const AlertWhen = exact(
  {
    kind: oneOf(ALERT_KINDS, {
      description:
        '`value`: a price above the fair one. `arbitrage`: all outcomes cost less than they return. `middle`: prices at two lines that can both win. `low_hold`: the best prices of a line are close to fair. `move`: a price or fair probability moved. `steam`: several owners moved a price the same way before kickoff. `price`: an outcome reaches a price. `match`: a match goes live, changes its score or finishes. `source`: a source of prices is lost or back, for operators.',
    }),
    min_edge_pct: Percent(`For \`value\`: lowest edge in per cent; default ${MIN_EDGE_PCT_DEFAULT}.`),
    min_ev_pct: optional({
      ...KindProperties.min_ev_pct,
      description: `For \`value\` and \`middle\`: lowest expected return in per cent. Default: no minimum for \`value\`, ${MIN_MIDDLE_EV_PCT_DEFAULT} for \`middle\`.`,
    }),
    reference: ReferenceParameter,
    min_margin_pct: Percent(
      `For \`arbitrage\`: lowest margin in per cent; default ${MIN_MARGIN_PCT_DEFAULT}.`,
    ),
    max_hold_pct: KindProperties.max_hold_pct,
    pct: optional({
      ...ChangeSchema,
      description: `Smallest change that counts. For \`move\`: percentage points of the fair probability if \`of\` is \`fair\` (its default), per cent of the price if \`of\` is \`price\`; default ${MOVE_DEFAULTS.pct}. For \`steam\`: per cent of the price; default ${STEAM_DEFAULTS.pct}.`,
    }),
    of: KindProperties.move_of,
    within_s: KindProperties.within_s,
    owners: optional({
      ...OwnersSchema,
      description: `For \`steam\`: least number of owners that moved the same way; default ${STEAM_DEFAULTS.owners}.`,
    }),
    market: optional({ ...MarketTypeSchema, description: 'For `price`: the market; required there.' }),
    line: optional(
      Type.Number({
        minimum: -1_000,
        maximum: 1_000,
        description: 'For `price`: the line; any when absent.',
      }),
    ),
    outcome: optional(oneOf(OUTCOMES, { description: 'For `price`: the outcome; required there.' })),
    price: optional(
      Type.Number({
        exclusiveMinimum: 1,
        maximum: PRICE_MAX,
        description: 'For `price`: the decimal price that some bookmaker must offer; required there.',
      }),
    ),
    news: optional(
      csvOf(MATCH_NEWS, MATCH_NEWS.length, {
        description: 'For `match`: what to report, comma-separated; all when absent.',
        examples: ['live,finished'],
      }),
    ),
    closed: optional(
      Type.Boolean({ description: 'For signals and prices: also report the end of each; default false.' }),
    ),
    again_after_s: optional(
      Type.Integer({
        minimum: 0,
        maximum: ALERT_AGAIN_S_MAX,
        description: `For signals and prices: if the same one opens again within this many seconds after its end, it is not reported again; default ${ALERT_AGAIN_S_DEFAULT}.`,
      }),
    ),
  } satisfies Record<(typeof ALERT_WHEN_FIELDS)[number], TSchema>,
  { title: 'AlertWhen', examples: [{ kind: 'value', min_edge_pct: 3 }] },
);
export type AlertWhen = Static<typeof AlertWhen>;

export const AlertWhere = exact(
  {
    sport: optional(SportKeySchema),
    league: optional(
      queryText('League id (`lg_...`), or a name that means one league of the slate.', 'Premier League'),
    ),
    team: optional(queryText('Team id (`tm_...`), or a name that means one team of the slate.', 'Arsenal')),
    event_id: optional(
      tokenText(
        { minLength: 1, maxLength: 64, description: 'One match (`evt_...`).', examples: [EVENT_ID_EXAMPLE] },
        'Send an event id from a list or from find_match',
      ),
    ),
    markets: MarketsParameter,
    period: optional({ ...PeriodSchema, description: 'One period; both when absent.' }),
    bookmakers: BookmakersParameter,
    in_play: optional(
      Type.Boolean({ description: 'True: only in play. False: only before kickoff. Both when absent.' }),
    ),
  } satisfies Record<(typeof ALERT_WHERE_FIELDS)[number], TSchema>,
  { title: 'AlertWhere', examples: [{ sport: 'football', in_play: false }] },
);
export type AlertWhere = Static<typeof AlertWhere>;

export const AlertTo = exact(
  {
    url: Type.String({
      minLength: 1,
      maxLength: ALERT_URL_CHARS_MAX,
      description:
        'An https URL. Telegram: https://api.telegram.org/bot<token>/sendMessage?chat_id=<id>; ntfy: the URL of the topic.',
      examples: ['https://hooks.example.com/overround'],
    }),
    format: oneOf(ALERT_FORMATS, {
      description: '`raw`: signed JSON (Standard Webhooks). The others: a sentence for that service.',
    }),
  },
  { title: 'AlertTo', examples: [{ url: 'https://hooks.example.com/overround', format: 'raw' }] },
);
export type AlertTo = Static<typeof AlertTo>;

const AlertName = Type.String({
  minLength: 1,
  maxLength: ALERT_NAME_CHARS_MAX,
  description: 'A name for people.',
  examples: ['Value before kickoff'],
});

export const CreateAlertRequest = exact(
  { name: AlertName, when: AlertWhen, where: optional(AlertWhere), to: AlertTo },
  { title: 'CreateAlertRequest' },
);
export type CreateAlertRequest = Static<typeof CreateAlertRequest>;

export const ChangeAlertRequest = exact(
  {
    name: optional(AlertName),
    when: optional(AlertWhen),
    where: optional(AlertWhere),
    to: optional(AlertTo),
    status: optional(oneOf(['active', 'paused'], { description: 'Pause the rule, or activate it again.' })),
  },
  { title: 'ChangeAlertRequest' },
);
export type ChangeAlertRequest = Static<typeof ChangeAlertRequest>;

/** The fields of a request as answers show them: all are present, null when not set; lists are arrays. */
function answered(
  { properties }: TObject,
  changed: Readonly<Record<string, TSchema>>,
  title: string,
): TObject<Record<string, TSchema>> {
  const fields = Object.entries(properties).map(([name, { [OptionalKind]: isOptional, ...schema }]) => {
    const field = (changed[name] ?? schema) as TSchema;
    return [name, isOptional === undefined ? field : nullable(field)];
  });
  return exact(Object.fromEntries(fields) as Record<string, TSchema>, { title });
}

const ShownWhen = answered(
  AlertWhen,
  { news: Type.Array(oneOf(MATCH_NEWS), { description: 'For `match`: what is reported; null means all.' }) },
  'ShownAlertWhen',
);
const ShownWhere = answered(
  AlertWhere,
  {
    markets: Type.Array(oneOf(MARKET_TYPES), { description: 'Market types; null means all.' }),
    bookmakers: Type.Array(Type.String(), { description: 'Bookmaker keys; null means all of the tier.' }),
  },
  'ShownAlertWhere',
);

export const Alert = exact(
  {
    id: Type.String({ pattern: '^alr_[0-9a-f]{20}$', description: 'Identifies the rule.' }),
    name: Type.String({ description: 'A name for people.' }),
    sentence: Type.String({
      description: 'The rule as a sentence.',
      examples: ['Value of 3 % or more in football, before kickoff, to hooks.example.com'],
    }),
    when: ShownWhen,
    where: ShownWhere,
    to: AlertTo,
    status: oneOf(ALERT_STATUSES, {
      description:
        '`failing`: the endpoint failed too often; set the rule to `active` to resume. `ended`: the endpoint answered 410.',
    }),
    note: nullable(Type.String(), {
      description: 'Why nothing is sent or watched now; null when all is well.',
    }),
    created_at: instant({ description: 'When the rule was created.' }),
  },
  { title: 'Alert' },
);
export type Alert = Static<typeof Alert>;

const Secret = nullable(Type.String({ pattern: '^whsec_' }), {
  description: 'Secret that signs deliveries of format `raw`, shown only this once; null for other formats.',
});
export const AlertWithSecret = exact({ alert: Alert, secret: Secret }, { title: 'AlertWithSecret' });
export type AlertWithSecret = Static<typeof AlertWithSecret>;
export const AlertAnswer = exact({ alert: Alert }, { title: 'AlertAnswer' });
export const AlertsAnswer = exact(
  {
    alerts: Type.Array(Alert, { description: 'Oldest first.' }),
    limit: Type.Integer({
      description: 'How many rules an account may have.',
      examples: [ALERTS_PER_ACCOUNT_MAX],
    }),
  },
  { title: 'AlertsAnswer' },
);
export const AlertDeleted = deletedAnswer('AlertDeleted', 'The rule and its deliveries are gone.');
