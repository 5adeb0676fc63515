// Times as the protocol writes them. One reader for the validator and for sources that must look at a time themselves.

/** ISO-8601 with its zone; a date that the calendar does not have is none. */
const WIRE_TIME = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
/** The first instant whose year has five digits, which the answers' timestamps could not show. */
const YEAR_10_000_MS = 253_402_300_800_000;
/** Every month has this many days. */
const MONTH_DAYS_MIN = 28;

/** Unix ms of an ISO-8601 time of 1970 to 9999 that carries its zone, NaN for anything else. */
export function wireTimeMs(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  const day = WIRE_TIME.exec(value)?.[1];
  if (day === undefined || (Number(day) > MONTH_DAYS_MIN && !hasDay(value, Number(day)))) return Number.NaN;
  const ms = Date.parse(value);
  return isWireTime(ms) ? ms : Number.NaN;
}

/** Whether an instant can be written in the protocol. */
export function isWireTime(ms: number): boolean {
  return ms >= 0 && ms < YEAR_10_000_MS;
}

/** Date.parse takes the 30th of February for the 2nd of March. */
function hasDay(text: string, day: number): boolean {
  return new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, day)).getUTCDate() === day;
}
