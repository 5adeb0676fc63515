// Days as people write them: today, Saturday, 21 Nov, 2026-01-31, 02/01. Questions, the `date` of tools and
// the command line all use this grammar.

import { ServiceError } from '../../errors.ts';
import { dayAlone, withEnglishDays } from './day-words.ts';

/** Examples of days, for descriptions and errors. */
export const DAY_WORDS = 'today, tomorrow, sunday, 28 Nov or this weekend';

/** What "today" refers to. */
export interface Today {
  readonly nowMs: number;
  /**
   * IANA zone of "today" and of days without a year; UTC if absent. A day written YYYY-MM-DD is a UTC day
   * everywhere.
   */
  readonly timezone?: string | undefined;
  /** Whether the query is about finished matches: "Saturday" is then the last one, not the next. */
  readonly isPast?: boolean | undefined;
}

/** One day or several; `toMs` is excluded. */
export interface DateRange {
  readonly fromMs: number;
  readonly toMs: number;
  /** The first day, YYYY-MM-DD. */
  readonly dateText: string;
  /** The last day. It differs from the first only for a weekend. */
  readonly lastDateText: string;
  /**
   * The evening that "tonight" means, up to the early morning after it; null if the text names no evening.
   * The range itself is the whole day and that morning, so that an afternoon fixture can still be offered.
   */
  readonly evening: { readonly fromMs: number; readonly toMs: number } | null;
}

export interface QueryDates {
  /** The text without its dates. */
  readonly rest: string;
  /**
   * The days that the text may mean: two if `written` is ambiguous ("02/01"), null if the text has no date.
   */
  readonly choices: readonly DateRange[] | null;
  readonly written: string;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?:,?\\s+((?:19|20)\\d\\d))?';
const ISO = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g;
const DAY_MONTH = new RegExp(`(?<![\\w-])${DAY}\\s+(?:of\\s+)?${MONTH}\\b\\.?${YEAR}(?![\\w-])`, 'i');
const MONTH_DAY = new RegExp(`(?<![\\w-])${MONTH}\\.?\\s+(?:the\\s+)?${DAY}${YEAR}(?![\\w-])`, 'i');
const SLASHED = /(?<![\w/.])(\d{1,2})\/(\d{1,2})(?:\/((?:20)?\d\d))?(?![\w/])/;
/**
 * "23.11." and "5.12.2026", day first. "2.10." at the very end is not read, because it may be a price that
 * ends a sentence.
 */
const DOTTED =
  /(?<![\w/.,]|\b(?:at|for|odds|price) |@ ?)(?:(0[1-9]|[12]\d|3[01])|([1-9]))\.(0?[1-9]|1[0-2])\.(?:((?:20)?\d\d)(?![\w/.])|(?=\s+\S)|(?<!(?<!\d)\d\.\d{1,2}\.)(?=\s*$))/;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const WEEKDAY =
  /(?<![\w-])(?:(last|next|this|on)\s+)?(monday|tuesday|tues?|wednesday|thursday|thurs?|friday|fri|saturday|sunday)(?:'?s)?(\s+(?:night|evening))?(?![\w-])/i;
const RELATIVE =
  /(?<![\w-])(?:(tonight|tonite|(?:this|last)\s+(?:night|evening))|((?:the\s+)?day\s+after\s+tomorrow|today|tomorrow|yesterday)(?:'?s)?(\s+(?:night|evening))?)(?:'?s)?(?![\w-])/i;
/** "3pm", "at 19:45 CET": removed from the text, because fixtures are found by their day. */
const CLOCK_TIME =
  /(?<![\w.:])(?:at\s+)?(?:(?:[01]?\d|2[0-3]):[0-5]\d(?:\s*[ap]\.?m\b\.?)?|(?:0?[1-9]|1[0-2])(?:\.[0-5]\d)?\s*[ap]\.?m\b\.?)(?:\s*(?:utc|gmt|bst|cet|cest|et|est|edt|pt|pst|pdt)\b)?(?![\w:])/gi;
/** An evening lasts from EVENING_HOUR to MORNING_HOUR of the next day, because games of the NBA are late. */
const EVENING_HOUR = 17;
const MORNING_HOUR = 6;
const WEEKEND = /(?<![\w-])(?:(last|next|this)\s+)?weekend(?:'?s)?(?![\w-])/i;
const PAST_WORDS = /\b(?:won|lost|beat|finished|ended|result|score|scored)\b/i;

/** Whether a weekday is part of the name that `before` ends with: "Sheffield Wednesday". */
type IsPartOfName = (before: string, weekday: string) => boolean;

/**
 * The days that a text means, two for "02/01". Null if the text has no date or other words, or if the date
 * does not exist.
 */
export function readDay(text: string, today: Today): readonly DateRange[] | null {
  try {
    const { rest, choices } = takeDates(dayAlone(text), today);
    return rest.trim() === '' ? choices : null;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/**
 * Takes the days out of a text.
 * @throws ServiceError invalid_request for a date that does not exist ("2026-13-45", "31 Feb") or two
 * different YYYY-MM-DD dates
 */
export function takeDates(text: string, today: Today, isPartOfName: IsPartOfName = () => false): QueryDates {
  const zone = today.timezone ?? 'UTC';
  const time = Temporal.Instant.fromEpochMilliseconds(Math.floor(today.nowMs)).toZonedDateTimeISO(zone);
  const now = time.toPlainDate();
  const isPast = today.isPast === true || PAST_WORDS.test(text);
  const found: DateRange[][] = [];
  let written = '';
  let rest = withEnglishDays(text).replace(ISO, (iso, year: string, month: string, day: string) => {
    const date = dateOf(Number(year), Number(month), Number(day), iso);
    const known = found[0]?.[0];
    if (known !== undefined && known.dateText !== iso) throw disagree(known.dateText, iso);
    if (known === undefined) found.push([rangeOf(date, 'UTC')]);
    written = iso;
    return ' ';
  });
  const take = (
    pattern: RegExp,
    read: (match: RegExpExecArray) => Temporal.PlainDate[] | null,
    days = 1,
    isEvening: (match: RegExpExecArray) => boolean = () => false,
  ): void => {
    const match = pattern.exec(rest);
    if (match === null) return;
    const dates = read(match);
    if (dates === null) return;
    const isNight = isEvening(match);
    found.push(dates.map((date) => (isNight ? eveningOf(date, time) : rangeOf(date, zone, days))));
    written = match[0].trim();
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
  };
  rest = rest.replace(CLOCK_TIME, ' ');
  take(DAY_MONTH, ([all, day, month, year]) => [near(now, month!, Number(day), year, all)]);
  take(MONTH_DAY, ([all, month, day, year]) => [near(now, month!, Number(day), year, all)]);
  take(SLASHED, (match) => slashed(match, now));
  take(DOTTED, ([all, two, one, month, year]) => [
    nearest(now, Number(month), Number(two ?? one), year, all),
  ]);
  take(
    RELATIVE,
    ([, evening, day]) => {
      const word = (evening ?? day)!.toLowerCase();
      if (word === 'yesterday' || word.startsWith('last')) return [now.subtract({ days: 1 })];
      return [now.add({ days: word.includes('after') ? 2 : word === 'tomorrow' ? 1 : 0 })];
    },
    1,
    ([, evening, , night]) => (evening ?? night) !== undefined,
  );
  take(WEEKEND, ([, which]) => [weekend(now, which?.toLowerCase(), isPast)], 2);
  const weekday = (match: RegExpExecArray): Temporal.PlainDate[] | null =>
    isPartOfName(rest.slice(0, match.index), match[2]!) ? null : [weekdayOf(match, now, isPast)];
  take(WEEKDAY, weekday, 1, ([, , , night]) => night !== undefined);
  if (found.length === 0) return { rest, choices: null, written };
  return { rest, choices: combine(found), written };
}

/**
 * The date that a weekday means: the next day with that name, which may be today. With `isPast` it is the
 * latest day with that name, which may be today; with "last", the latest one before today.
 */
function weekdayOf(match: RegExpExecArray, now: Temporal.PlainDate, isPast: boolean): Temporal.PlainDate {
  const wanted = WEEKDAYS.findIndex((name) => name.startsWith(match[2]!.toLowerCase().slice(0, 3))) + 1;
  const ahead = (wanted - now.dayOfWeek + 7) % 7;
  const which = match[1]?.toLowerCase();
  if (which === 'last' || (isPast && which !== 'next')) {
    const back = (now.dayOfWeek - wanted + 7) % 7;
    return now.subtract({ days: which === 'last' && back === 0 ? 7 : back });
  }
  // "Next Saturday" said on a Saturday is not today.
  return now.add({ days: which === 'next' && ahead === 0 ? 7 : ahead });
}

/**
 * The days that all dates of the text allow. If two dates exclude each other, `toMs` is not after `fromMs`.
 */
function combine(found: readonly DateRange[][]): DateRange[] {
  return found.reduce((left, right) =>
    left.flatMap((one) =>
      right.map((other) => ({
        fromMs: Math.max(one.fromMs, other.fromMs),
        toMs: Math.min(one.toMs, other.toMs),
        dateText: one.fromMs >= other.fromMs ? one.dateText : other.dateText,
        lastDateText: one.toMs <= other.toMs ? one.lastDateText : other.lastDateText,
        evening: one.evening ?? other.evening,
      })),
    ),
  );
}

/**
 * The date of a day and a month's name. If the text has no year, the year is chosen that brings the date
 * nearest to now.
 */
function near(
  now: Temporal.PlainDate,
  month: string,
  day: number,
  year: string | undefined,
  written: string,
): Temporal.PlainDate {
  const monthNumber = MONTHS.indexOf(month.toLowerCase().slice(0, 3)) + 1;
  return nearest(now, monthNumber, day, year, written);
}

function nearest(
  now: Temporal.PlainDate,
  month: number,
  day: number,
  year: string | undefined,
  written: string,
): Temporal.PlainDate {
  if (year !== undefined) return dateOf(Number(year.length === 2 ? `20${year}` : year), month, day, written);
  let best: Temporal.PlainDate | null = null;
  for (const offset of [0, 1, -1, 2, 3]) {
    const date = tryDate(now.year + offset, month, day);
    if (date === null) continue;
    if (best === null || Math.abs(daysFrom(now, date)) < Math.abs(daysFrom(now, best))) best = date;
  }
  if (best === null) throw noSuchDate(written);
  return best;
}

function slashed(match: RegExpExecArray, now: Temporal.PlainDate): Temporal.PlainDate[] | null {
  const [all, first, second, year] = match;
  const [left, right] = [Number(first), Number(second)];
  const isDayFirst = left >= 1 && left <= 31 && right >= 1 && right <= 12;
  const isMonthFirst = left >= 1 && left <= 12 && right >= 1 && right <= 31;
  if (!isDayFirst && !isMonthFirst) throw noSuchDate(all!);
  const dates: Temporal.PlainDate[] = [];
  if (isDayFirst) dates.push(nearest(now, right, left, year, all!));
  if (isMonthFirst && left !== right) dates.push(nearest(now, left, right, year, all!));
  return dates;
}

function weekend(now: Temporal.PlainDate, which: string | undefined, isPast: boolean): Temporal.PlainDate {
  const saturday = now.dayOfWeek === 7 ? now.subtract({ days: 1 }) : now.add({ days: 6 - now.dayOfWeek });
  if (which === 'next') return saturday.add({ days: 7 });
  if (which === 'last' || (isPast && now.dayOfWeek < 6)) return saturday.subtract({ days: 7 });
  return saturday;
}

function rangeOf(date: Temporal.PlainDate, zone: string, days = 1): DateRange {
  return {
    fromMs: date.toZonedDateTime(zone).epochMilliseconds,
    toMs: date.add({ days }).toZonedDateTime(zone).epochMilliseconds,
    dateText: date.toString(),
    lastDateText: date.add({ days: days - 1 }).toString(),
    evening: null,
  };
}

/**
 * A day and its evening. Before six in the morning, "tonight" also means the evening that is not over yet.
 */
function eveningOf(date: Temporal.PlainDate, now: Temporal.ZonedDateTime): DateRange {
  const atMs = (day: Temporal.PlainDate, hour: number): number =>
    day.toZonedDateTime({ timeZone: now.timeZoneId, plainTime: { hour } }).epochMilliseconds;
  const isStillNight = now.hour < MORNING_HOUR && now.toPlainDate().equals(date);
  const fromMs = atMs(isStillNight ? date.subtract({ days: 1 }) : date, EVENING_HOUR);
  const toMs = atMs(date.add({ days: 1 }), MORNING_HOUR);
  const day = rangeOf(date, now.timeZoneId);
  return { ...day, fromMs: Math.min(day.fromMs, fromMs), toMs, evening: { fromMs, toMs } };
}

function dateOf(year: number, month: number, day: number, written: string): Temporal.PlainDate {
  const date = tryDate(year, month, day);
  if (date === null) throw noSuchDate(written);
  return date;
}

function tryDate(year: number, month: number, day: number): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function daysFrom(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return from.until(to).days;
}

function noSuchDate(written: string): ServiceError {
  return new ServiceError('invalid_request', `Cannot read date: '${written}' is not in the calendar`, {
    fix: 'Write the day as YYYY-MM-DD, for example 2026-01-31',
  });
}

function disagree(left: string, right: string): ServiceError {
  return new ServiceError('invalid_request', `Cannot read date: query holds both '${left}' and '${right}'`, {
    fix: 'Keep one YYYY-MM-DD date in the query',
  });
}
