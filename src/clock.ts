// The only place that reads the time. All other code gets a Clock, or a `nowMs`, as an argument. Also defines
// a second, a minute, an hour and a day in milliseconds.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Source of time. `wallMs` is Unix time in milliseconds. `monotonicMs` never goes back; use it for waits and
 * rates.
 */
export interface Clock {
  wallMs(): number;
  monotonicMs(): number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/**
 * The machine's clock or, with `frozenAtMs`, a wall clock that always shows that time, for a frozen slate on
 * a known date. Its monotonic clock still runs, so waits and deadlines work.
 */
export function clockOf(frozenAtMs: number | null): Clock {
  if (frozenAtMs === null) return systemClock;
  return { wallMs: () => frozenAtMs, monotonicMs: () => performance.now() };
}

/** ISO-8601 UTC text with milliseconds: the format of timestamps in answers and logs. */
export function toIsoText(ms: number): string {
  return new Date(ms).toISOString();
}

/** Same as toIsoText, but null for an unknown time (NaN). */
export function isoTextOrNull(ms: number): string | null {
  return Number.isNaN(ms) ? null : toIsoText(ms);
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Unix ms of an ISO-8601 time with a time zone; NaN for any other text. Date.parse alone would also accept
 * "March 1 2027", and read 30 February as 2 March.
 */
export function instantMs(text: string): number {
  const day = INSTANT.exec(text)?.[1];
  return day !== undefined && isCalendarDate(day) ? Date.parse(text) : Number.NaN;
}

/** Whether `text` is a real day in the form YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(ms) && toIsoText(ms).startsWith(text);
}
