// Calendar days in a time zone: the day boundary of date filters, and local times.

import { assert, ServiceError } from '../errors.ts';
import { LIST_EVENTS_DAYS_MAX } from '../limits.ts';
import { type Today, takeDates } from '../names/query-dates.ts';

const UTC = 'UTC';

/** An interval of Unix ms, end excluded. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Refuses a zone that does not exist.
 * @throws ServiceError `invalid_request`
 */
export function requireTimezone(timezone: string | undefined): string {
  const zone = timezone ?? UTC;
  if (!isTimezone(zone)) {
    throw new ServiceError('invalid_request', 'Cannot use timezone: it is no IANA time zone', {
      fix: 'Send an IANA name such as Europe/London or Asia/Singapore, or drop timezone for UTC',
    });
  }
  return zone;
}

/** Whether `zone` names an IANA time zone (offsets such as +02:00 do not). */
export function isTimezone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The day `date` (YYYY-MM-DD, already checked) in a zone, through `dateTo` inclusive when given. */
export function dayRange(date: string, timezone: string = UTC, dateTo: string = date): TimeRange {
  const first = Temporal.PlainDate.from(date).toZonedDateTime(timezone);
  const afterLast = Temporal.PlainDate.from(dateTo).add({ days: 1 }).toZonedDateTime(timezone);
  return { fromMs: first.epochMilliseconds, toMs: afterLast.epochMilliseconds };
}

/** The kickoff days that a request names. */
export interface DaysRequest {
  /** YYYY-MM-DD or a word (`dayText` in contract/schema.ts). */
  readonly date?: string | undefined;
  /** The last day, inclusive; only with `date`. */
  readonly date_to?: string | undefined;
  readonly timezone?: string | undefined;
}

interface Days {
  readonly timezone: string;
  /** YYYY-MM-DD, or null when no day was named. */
  readonly date: string | null;
  readonly dateTo: string | null;
  /** Null when no day was named. */
  readonly range: TimeRange | null;
}

/**
 * Reads the days of a request. @param isPast the request is about what is over: a weekday is the last one, not the next
 * @throws ServiceError `invalid_request` for a zone that does not exist, and for a range that ends before it begins, has
 *   no beginning or spans more than LIST_EVENTS_DAYS_MAX days
 */
export function daysOf(request: DaysRequest, nowMs: number, isPast = false): Days {
  const timezone = requireTimezone(request.timezone);
  const today = { nowMs, timezone, isPast };
  const date = request.date === undefined ? null : dayNamed(request.date, today);
  const dateTo = request.date_to === undefined ? null : dayNamed(request.date_to, today);
  if (date === null && dateTo !== null) throw wrongDateTo('there is no date that the range begins at');
  if (date === null) return { timezone, date, dateTo, range: null };
  const days = dateTo === null ? 0 : daysBetween(date, dateTo);
  if (days < 0) throw wrongDateTo('it is before date');
  if (days > LIST_EVENTS_DAYS_MAX) throw wrongDateTo(`it is ${days} days after date`);
  return { timezone, date, dateTo, range: dayRange(date, timezone, dateTo ?? date) };
}

function wrongDateTo(problem: string): ServiceError {
  return new ServiceError('invalid_request', `Cannot use date_to: ${problem}`, {
    fix: `Send a date, and a date_to from it on, at most ${LIST_EVENTS_DAYS_MAX} days after it`,
  });
}

/** The day that a date or a word for one names, YYYY-MM-DD. */
export function dayNamed(text: string, today: Today): string {
  const day = takeDates(text, today).choices?.[0];
  assert(day !== undefined, 'a text that the schema lets through names a day');
  return day.dateText;
}

/** The calendar day of an instant in a zone, YYYY-MM-DD. */
export function dayOf(ms: number, timezone: string = UTC): string {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(ms))
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toString();
}

/** An instant as ISO-8601 local time with its offset, such as 2026-03-01T19:45:00+01:00. */
export function localIsoText(ms: number, timezone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(ms)).toZonedDateTimeISO(timezone);
  return local.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

/** Whole days from one date to another (both YYYY-MM-DD). */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;
}
