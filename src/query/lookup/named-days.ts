// The days that a request names, as dates or in words.

import { type DateRange, readDay, type Today } from '../../domain/days/day-text.ts';
import { assert, ServiceError } from '../../errors.ts';
import { LIST_EVENTS_DAYS_MAX } from '../../limits.ts';
import { dayRange, daysBetween, requireTimezone, type TimeRange } from '../lists/day.ts';

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
 * Reads the days of a request.
 * @param isPast whether the request is about past matches. A weekday then means the last one, not the next
 * @throws ServiceError `invalid_request` for a zone that does not exist, for a text that may mean two days,
 * and for a range that ends before it begins, has no beginning or spans more than LIST_EVENTS_DAYS_MAX days
 */
export function daysOf(request: DaysRequest, nowMs: number, isPast = false): Days {
  const timezone = requireTimezone(request.timezone);
  const today = { nowMs, timezone, isPast };
  const first = request.date === undefined ? null : dayNamed(request.date, today);
  const last = request.date_to === undefined ? null : dayNamed(request.date_to, today, 'date_to');
  if (first === null) {
    if (last !== null) throw wrongDateTo('it needs a date for the range to begin at');
    return { timezone, date: null, dateTo: null, range: null };
  }
  const date = first.dateText;
  const { lastDateText } = last ?? first;
  const days = daysBetween(date, lastDateText);
  if (days < 0) throw wrongDateTo('it is before date');
  if (days > LIST_EVENTS_DAYS_MAX) throw wrongDateTo(`it is ${days} days after date`);
  const dateTo = last === null && days === 0 ? null : lastDateText;
  return { timezone, date, dateTo, range: dayRange(date, timezone, lastDateText) };
}

function wrongDateTo(problem: string): ServiceError {
  return new ServiceError('invalid_request', `Cannot use date_to: ${problem}`, {
    fix: `Send a date, and a date_to that is the same day or at most ${LIST_EVENTS_DAYS_MAX} days later`,
  });
}

/**
 * The day that a date or word means. A date is a UTC day, a word is a day in the zone of `today`.
 * @throws ServiceError `invalid_request` for a text that may mean two days ("02/01")
 */
export function dayNamed(text: string, today: Today, field: 'date' | 'date_to' = 'date'): DateRange {
  const [day, other] = readDay(text, today) ?? [];
  assert(day !== undefined, 'a text that the schema accepts names a day');
  if (other === undefined) return day;
  throw new ServiceError('invalid_request', `Cannot use ${field}: it may mean two days`, {
    fix: `Send ${day.dateText} or ${other.dateText}`,
  });
}
