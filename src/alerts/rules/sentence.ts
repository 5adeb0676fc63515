// A rule as a sentence, for people who check what they asked for.

import type { AlertFormat, AlertKind, AlertWhen } from '../../contract/alerts/alert-rules.ts';
import {
  MAX_HOLD_PCT_DEFAULT,
  MIN_EDGE_PCT_DEFAULT,
  MIN_MARGIN_PCT_DEFAULT,
  MIN_MIDDLE_EV_PCT_DEFAULT,
  MOVE_DEFAULTS,
  STEAM_DEFAULTS,
} from '../../domain/signal-gate.ts';
import type { AlertRule } from './alert-rule.ts';

type SentenceParts = Pick<AlertRule, 'when' | 'where' | 'names'> & Partial<Pick<AlertRule, 'to'>>;

const SUBJECTS: Readonly<Record<AlertKind, (when: AlertWhen) => string>> = {
  value: ({ min_edge_pct = MIN_EDGE_PCT_DEFAULT, min_ev_pct, reference }) =>
    [
      `Value of ${min_edge_pct} % or more`,
      ...(min_ev_pct === undefined ? [] : [`with an expected return of ${min_ev_pct} % or more`]),
      ...(reference === undefined ? [] : [`against ${reference}`]),
    ].join(' '),
  arbitrage: ({ min_margin_pct = MIN_MARGIN_PCT_DEFAULT }) => `Arbitrage of ${min_margin_pct} % or more`,
  middle: ({ min_ev_pct = MIN_MIDDLE_EV_PCT_DEFAULT }) =>
    `A middle with an expected return of ${min_ev_pct} % or more`,
  low_hold: ({ max_hold_pct = MAX_HOLD_PCT_DEFAULT }) => `A hold of ${max_hold_pct} % or less`,
  move: ({ pct = MOVE_DEFAULTS.pct, of = MOVE_DEFAULTS.of, within_s }) =>
    of === 'fair'
      ? `A fair probability that moves by ${pct} percentage points or more ${withinText(within_s)}`
      : `A price that moves by ${pct} % or more ${withinText(within_s)}`,
  steam: ({ pct = STEAM_DEFAULTS.pct, owners = STEAM_DEFAULTS.owners, within_s }) =>
    `Steam of ${pct} % or more by at least ${owners} owners ${withinText(within_s)}`,
  price: ({ market, outcome, line, price }) =>
    `A price of ${price} or more for ${[market, outcome, line].filter((part) => part !== undefined).join(' ')}`,
  match: ({ news }) =>
    `A match ${(news ?? ['live', 'score', 'finished']).map((word) => NEWS[word]).join(', ')}`,
  source: () => 'A source of prices is lost or back',
};

/** Moves and steam have the same default of `within_s`, so one default serves both. */
function withinText(seconds: number = STEAM_DEFAULTS.within_s): string {
  return seconds % 60 === 0 ? `within ${seconds / 60} min` : `within ${seconds} s`;
}

const NEWS = { live: 'goes live', score: 'changes its score', finished: 'finishes' } as const;

const SERVICES: Readonly<Record<AlertFormat, string | null>> = {
  raw: null,
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
  ntfy: 'ntfy',
};

/** "Value of 3 % or more in Premier League, before kickoff, to Discord". */
export function sentenceOf({ when, where, names, to }: SentenceParts): string {
  const place = names.event ?? where.event_id ?? names.league ?? where.league ?? where.sport;
  const team = where.team === undefined ? [] : [`of ${names.team ?? where.team}`];
  const parts = [
    [SUBJECTS[when.kind](when), ...(place === undefined ? [] : [`in ${place}`]), ...team].join(' '),
    ...(where.markets === undefined ? [] : [`in ${where.markets.join(' and ')}`]),
    ...(where.period === undefined ? [] : [where.period === 'full_time' ? 'full time' : 'first half']),
    ...(where.bookmakers === undefined ? [] : [`at ${where.bookmakers.join(', ')}`]),
    ...(where.in_play === undefined ? [] : [where.in_play ? 'in play' : 'before kickoff']),
    ...(to === undefined ? [] : [`to ${SERVICES[to.format] ?? new URL(to.url).host}`]),
  ];
  return parts.join(', ');
}
