// `overround events` and `overround today`: list fixtures with the best 1x2 prices.

import type { ResolvedLeague } from '../../contract/resolve.ts';
import type { OddsChanges } from '../../contract/stream/odds-changes.ts';
import { DAY_WORDS, type DateRange, readDay, type Today, takeDates } from '../../domain/days/day-text.ts';
import { ServiceError } from '../../errors.ts';
import { PROGRAM_COMMAND } from '../../program-files.ts';
import { requireOne } from '../../terminal/find-fixture.ts';
import {
  fixturesOf,
  fixtureTable,
  isOn,
  type ListedFixture,
  withWords,
} from '../../terminal/fixture-list.ts';
import { countText } from '../../terminal/fixture-text.ts';
import { Server } from '../../terminal/server.ts';
import { displayOf, plainText } from '../../terminal/text.ts';
import { type Command, type CommandInput, type Flag, UsageError } from '../command.ts';
import { choiceOf, JSON_FLAG, numberOf, PRICE_FLAGS, SLATE_FLAGS } from '../server-flags.ts';

/** Fixtures shown when no limit is given. */
const LIMIT_DEFAULT = 50;
const { date: _utcDay, ...FILTERS } = SLATE_FLAGS;
const LIST_FLAGS = {
  ...FILTERS,
  format: PRICE_FLAGS.format,
  timezone: {
    value: 'zone',
    help: 'IANA time zone for days and kickoffs; default: the zone of this machine',
  },
  limit: { value: 'number', help: `most fixtures to list; default ${LIMIT_DEFAULT}` },
  json: JSON_FLAG,
} as const satisfies Record<string, Flag>;

export const eventCommands: readonly Command[] = [
  {
    name: 'events',
    summary: 'Lists fixtures by league: local kickoff, status, score and the best 1x2 prices',
    arguments: ['[words...]'],
    flags: {
      date: {
        value: 'day',
        help: 'only this local day: YYYY-MM-DD, tomorrow, a weekday, "this weekend" or "28 Nov"',
      },
      ...LIST_FLAGS,
    },
    examples: [
      'events',
      'events premier league tomorrow',
      'events --date saturday --sport basketball --json',
    ],
    run: (input) => list(input, { isToday: false }),
  },
  {
    name: 'today',
    summary: 'Lists the fixtures that kick off today in local time, and those still live',
    arguments: ['[words...]'],
    flags: LIST_FLAGS,
    examples: ['today', 'today --status live', 'today la liga --timezone Europe/Madrid'],
    run: (input) => list(input, { isToday: true }),
  },
];

async function list(input: CommandInput, { isToday }: { readonly isToday: boolean }): Promise<number> {
  const timezone = timezoneOf(input);
  const limit = numberOf(input, 'limit', 1) ?? LIMIT_DEFAULT;
  if (!Number.isInteger(limit)) throw new UsageError('Cannot use --limit: allowed is a whole number');
  const { words, days } = askedFor(input, timezone, isToday);
  const server = new Server(input);
  const view = await server.get<OddsChanges>('/v1/odds', {
    markets: '1x2',
    period: 'full_time',
    sport: choiceOf(input, 'sport') ?? undefined,
    league: input.flags.league,
    status: choiceOf(input, 'status') ?? undefined,
    format: choiceOf(input, 'format') ?? undefined,
  });
  const all = fixturesOf(view);
  const named = words.length === 0 ? all : await namedBy(words, all, server);
  const found = named.filter(
    (fixture) =>
      days === null || isOn(fixture, days, timezone) || (isToday && fixture.state.status === 'live'),
  );
  const shown = found.slice(0, limit);
  const counts = { count: shown.length, total: found.length, truncated: shown.length < found.length };
  if (input.flags.json !== undefined) {
    const date = days?.dateText ?? null;
    const dateTo = days === null || days.lastDateText === date ? null : days.lastDateText;
    const about = { date, date_to: dateTo, timezone, ...counts, as_of: view.as_of, stale: view.stale };
    input.writeOutput(JSON.stringify({ ...about, fixtures: shown.map(asJson) }));
    return 0;
  }
  const display = displayOf(input.environment);
  if (shown.length > 0) {
    for (const line of fixtureTable(shown, timezone, display)) input.writeOutput(line);
    input.writeOutput('');
  }
  input.writeOutput(
    plainText(summaryOf({ ...counts, days, timezone, elsewhere: named.length - found.length })),
  );
  const isPriceless = shown.length > 0 && shown.every(({ best }) => Object.keys(best).length === 0);
  const hidden = isPriceless ? await server.hiddenPrices() : null;
  if (hidden !== null) input.writeOutput(plainText(hidden));
  if (view.stale) input.writeOutput('These prices are stale: the feed has not confirmed them lately.');
  return 0;
}

/**
 * The days that the words, --date and `isToday` name together, null if they name none, and the other words.
 * @throws UsageError for an invalid day, or for different days
 */
function askedFor(
  input: CommandInput,
  timezone: string,
  isToday: boolean,
): { readonly words: readonly string[]; readonly days: DateRange | null } {
  const today = { nowMs: input.clock.wallMs(), timezone };
  const named = namedDays(input.arguments.words ?? '', today);
  const found = [...named.days];
  const { date } = input.flags;
  if (date !== undefined) {
    const days = readDay(date, today);
    if (days === null)
      throw new UsageError(`Cannot use --date "${date}": allowed is a date such as 2026-03-01, ${DAY_WORDS}`);
    found.push(...days);
  }
  if (isToday) found.push(...readDay('today', today)!);
  const texts = new Set(found.map(daysText));
  if (texts.size > 1) throw new UsageError(`Cannot list fixtures: ${[...texts].join(' and ')} are two days`);
  return { words: named.rest.split(/\s+/).filter((word) => word !== ''), days: found[0] ?? null };
}

/**
 * Splits a text into the days that it names and the rest.
 * @throws UsageError for a day that is not in the calendar
 */
function namedDays(
  text: string,
  today: Today,
): { readonly rest: string; readonly days: readonly DateRange[] } {
  try {
    const { rest, choices } = takeDates(text, today);
    return { rest, days: choices ?? [] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new UsageError(error.message);
  }
}

function daysText({ dateText, lastDateText }: DateRange): string {
  return dateText === lastDateText ? dateText : `${dateText} to ${lastDateText}`;
}

/**
 * Fixtures whose names contain the words. If no name does, the fixture that the server's resolver finds.
 * @throws CommandFailure
 */
async function namedBy(
  words: readonly string[],
  fixtures: readonly ListedFixture[],
  server: Server,
): Promise<readonly ListedFixture[]> {
  const held = withWords(fixtures, words);
  const query = words.join(' ');
  if (new Set(held.map(({ event }) => event.league.id)).size > 1) {
    // "bundesliga" is the name of one league and part of the names of others. Only the league with exactly
    // this name is meant.
    const league = await server.post<ResolvedLeague>('/v1/resolve/league', { query });
    const isOfIt = ({ event }: ListedFixture): boolean => event.league.id === league.best_match?.league_id;
    if (held.some(isOfIt)) return held.filter(isOfIt);
  }
  if (held.length > 0) return held;
  const lookup = await server.post<Parameters<typeof requireOne>[0]>('/v1/mcp/find_match', { query });
  requireOne(lookup, query);
  return fixtures.filter(({ event }) => event.id === lookup.match!.event_id);
}

function timezoneOf({ flags: { timezone } }: CommandInput): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const allowed = 'allowed is an IANA name such as Europe/London';
    throw new UsageError(`Cannot use --timezone "${timezone}": ${allowed}`);
  }
}

function asJson({ event, state, best }: ListedFixture) {
  return { ...event, status: state.status, score: state.score, clock: state.clock, best_1x2: best };
}

interface Summary {
  readonly count: number;
  readonly total: number;
  readonly days: DateRange | null;
  readonly timezone: string;
  /** Fixtures that match everything except the day. */
  readonly elsewhere: number;
}

function summaryOf({ count, total, days, timezone, elsewhere }: Summary): string {
  const when = days === null ? '' : ` on ${daysText(days)}`;
  if (total === 0) {
    const others = elsewhere === 0 ? '' : `; ${elsewhere} on other days, see \`${PROGRAM_COMMAND} events\``;
    return `No fixtures${when} (${timezone})${others}`;
  }
  const shown = count < total ? `, the first ${count} are shown (--limit ${total} shows all)` : '';
  return `${countText(total, 'fixture')}${when}${shown}. Kickoffs are in ${timezone}`;
}
