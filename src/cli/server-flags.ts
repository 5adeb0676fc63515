// Flags shared by commands that call a server, and their parsing. Words of the catalogue are checked here.
// Names of bookmakers, leagues and days are checked by the server, whose roster may differ.

import { EVENT_STATUSES, MARKET_TYPES, ODDS_FORMATS, PERIODS, SPORT_KEYS } from '../domain/catalogue.ts';
import { readDay } from '../domain/days/day-text.ts';
import { nearestWord } from '../nearest-word.ts';
import type { PriceFilters } from '../terminal/prices-asked.ts';
import { type CommandInput, type Flag, UsageError } from './command.ts';

const CHOICES = {
  market: MARKET_TYPES,
  period: PERIODS,
  format: ODDS_FORMATS,
  sport: SPORT_KEYS,
  status: EVENT_STATUSES,
} as const;

function choiceFlag(name: keyof typeof CHOICES, help: string): Flag {
  return { value: CHOICES[name].join('|'), help };
}

export const JSON_FLAG: Flag = { help: 'for programs: JSON, one value per line' };

/** Flags that filter the prices and choose their format. */
export const PRICE_FLAGS = {
  market: choiceFlag('market', 'one market'),
  period: choiceFlag('period', 'one period'),
  bookmakers: { value: 'list', help: 'only these bookmakers, comma-separated keys' },
  format: choiceFlag('format', 'odds format; default decimal'),
} as const satisfies Record<string, Flag>;

/** Flags that filter the slate. */
export const SLATE_FLAGS = {
  sport: choiceFlag('sport', 'only this sport'),
  league: { value: 'league', help: 'only this league, by name or id' },
  date: {
    value: 'day',
    help: 'only fixtures that kick off on this UTC day: YYYY-MM-DD, tomorrow, a weekday or "28 Nov"',
  },
  status: choiceFlag('status', 'only this status'),
} as const satisfies Record<string, Flag>;

/** Flags of commands that follow the slate. */
export const FOLLOW_FLAGS = {
  ...SLATE_FLAGS,
  ...PRICE_FLAGS,
  for: { value: 'seconds', help: 'stops after this many seconds' },
  json: JSON_FLAG,
} as const satisfies Record<string, Flag>;

/**
 * The value of a flag in CHOICES, or null when it is not given. @throws UsageError with the nearest choice
 */
export function choiceOf<Name extends keyof typeof CHOICES>(
  { flags }: CommandInput,
  name: Name,
): (typeof CHOICES)[Name][number] | null {
  const given = flags[name];
  if (given === undefined) return null;
  const words: readonly (typeof CHOICES)[Name][number][] = CHOICES[name];
  const word = words.find((candidate) => candidate === given);
  if (word !== undefined) return word;
  const nearest = nearestWord(given, words)!.word;
  throw new UsageError(
    `Cannot use --${name} "${given}": allowed is ${words.join(', ')}, the nearest is ${nearest}`,
  );
}

/** The value of a number flag, or null when it is not given. @throws UsageError */
export function numberOf(
  { flags }: CommandInput,
  name: string,
  least = Number.NEGATIVE_INFINITY,
): number | null {
  const given = flags[name];
  if (given === undefined) return null;
  const number = Number(given);
  if (/^[+-]?\d+(?:\.\d+)?$/.test(given) && number >= least) return number;
  const allowed = Number.isFinite(least) ? `a number of at least ${least}` : 'a number such as -0.75 or 2.5';
  throw new UsageError(`Cannot use --${name} "${given}": allowed is ${allowed}`);
}

/** The items of a comma-separated flag, or null when it is not given. */
export function listOf({ flags }: CommandInput, name: string): readonly string[] | null {
  const parts = flags[name]?.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  return parts === undefined || parts.length === 0 ? null : parts;
}

/** Filters and format for prices that words select. @throws UsageError */
export function filtersOf(input: CommandInput): PriceFilters {
  return {
    market: choiceOf(input, 'market'),
    bookmakers: listOf(input, 'bookmakers'),
    period: choiceOf(input, 'period'),
    format: choiceOf(input, 'format'),
  };
}

/** The filters and the format of answers with prices, as query parameters. @throws UsageError */
export function priceParameters(input: CommandInput): Readonly<Record<string, string | undefined>> {
  return {
    bookmakers: listOf(input, 'bookmakers')?.join(),
    markets: choiceOf(input, 'market') ?? undefined,
    period: choiceOf(input, 'period') ?? undefined,
    format: choiceOf(input, 'format') ?? undefined,
  };
}

/**
 * The day of `--date` as YYYY-MM-DD, the only form that /v1/odds and /v1/stream accept. A text that does not
 * name exactly one day is returned unchanged, and the server refuses it.
 */
function utcDayOf({ flags: { date }, clock }: CommandInput): string | undefined {
  if (date === undefined) return undefined;
  const [day, other] = readDay(date, { nowMs: clock.wallMs() }) ?? [];
  const isOneDay = day !== undefined && other === undefined && day.lastDateText === day.dateText;
  return isOneDay ? day.dateText : date;
}

/** The query parameters of /v1/odds and /v1/stream. @throws UsageError */
export function slateParameters(input: CommandInput): Readonly<Record<string, string | undefined>> {
  return {
    sport: choiceOf(input, 'sport') ?? undefined,
    league: input.flags.league,
    date: utcDayOf(input),
    status: choiceOf(input, 'status') ?? undefined,
    ...priceParameters(input),
  };
}

/** Aborts at the first SIGINT, SIGTERM or SIGHUP, or after the seconds of `--for`. @throws UsageError */
export function stopOf(input: CommandInput): AbortController {
  const stop = new AbortController();
  const seconds = numberOf(input, 'for', 0);
  if (seconds !== null) setTimeout(() => stop.abort(), seconds * 1_000).unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  return stop;
}
