// Calendar days in a time zone, for date filters, and local times.

import { ServiceError } from '../../errors.ts';

const UTC = 'UTC';

/** An interval of Unix ms that excludes its end. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The zone of a request, UTC if it names none. @throws ServiceError `invalid_request` for a zone that does
 * not exist
 */
export function requireTimezone(timezone: string | undefined): string {
  const zone = timezone ?? UTC;
  if (!isTimezone(zone)) {
    throw new ServiceError('invalid_request', 'Cannot use timezone: it is not an IANA time zone', {
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

/**
 * The time from the start of `date` to the end of `dateTo` (by default, `date`) in a zone. Both are
 * YYYY-MM-DD and already checked.
 */
export function dayRange(date: string, timezone: string = UTC, dateTo: string = date): TimeRange {
  const first = Temporal.PlainDate.from(date).toZonedDateTime(timezone);
  const afterLast = Temporal.PlainDate.from(dateTo).add({ days: 1 }).toZonedDateTime(timezone);
  return { fromMs: first.epochMilliseconds, toMs: afterLast.epochMilliseconds };
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
