// Numbers and times in the visitor's locale.

import type { OddsFormat } from '../../../domain/catalogue.ts';

const LOCALE = navigator.language;

/** A function that writes numbers with at least and at most that many digits after the point. */
function digits(least: number, most: number, options: Intl.NumberFormatOptions = {}) {
  const range = { minimumFractionDigits: least, maximumFractionDigits: most };
  return new Intl.NumberFormat(LOCALE, { ...range, ...options }).format;
}

const UNGROUPED = { useGrouping: false } as const;
const SIGNED = { signDisplay: 'exceptZero' } as const;

const PRICE_TEXTS: Readonly<Record<OddsFormat, (price: number) => string>> = {
  decimal: digits(2, 4, UNGROUPED),
  hk: digits(2, 4, UNGROUPED),
  malay: digits(2, 3, UNGROUPED),
  american: digits(0, 0, { ...UNGROUPED, ...SIGNED }),
  indonesian: digits(2, 3, UNGROUPED),
  probability: digits(3, 4, UNGROUPED),
};

/** A price with the digits of its format, and with its sign where the format uses signs. */
export function priceText(price: number, format: OddsFormat): string {
  return PRICE_TEXTS[format](price);
}

const threeDigitText = digits(3, 3);
export const twoDigitText = digits(2, 2, UNGROUPED);
// Without the option, -0.04 would be "-0.0".
export const oneDigitText = digits(1, 1, { signDisplay: 'negative' });
export const countText = digits(0, 0);

/** A computed decimal price: three digits below ten, two above, so that a column of them is easy to read. */
export function fairDecimalText(decimal: number): string {
  return decimal < 10 ? threeDigitText(decimal) : twoDigitText(decimal);
}

/** For example 0.034 as "3.4 %" or "3.4%". */
export const shareText = digits(1, 1, { style: 'percent' });

/** A share in percent without the sign, for cells below a common heading. */
export function marginText(share: number): string {
  return oneDigitText(share * 100);
}

/** A number with its sign and two digits: "-0.75". */
export const signedText = digits(2, 2, SIGNED);
/** An edge in percent, with its sign: "+2.1". */
export const edgeText = digits(1, 1, SIGNED);

const handicapText = digits(0, 2, SIGNED);
const totalText = digits(0, 2);

/** A line: "-0.5" or "+1" for a handicap, "2.25" for a total. */
export function lineText(line: number, isHandicap: boolean): string {
  return (isHandicap ? handicapText : totalText)(line);
}

/** The time zones that Intl knows. */
export function timeZones(): readonly string[] {
  return Intl.supportedValuesOf('timeZone');
}

export const OWN_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DAY_AND_TIME = { day: 'numeric', month: 'short', year: 'numeric', ...TIME } as const;

const clocks = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = timeZone + JSON.stringify(options);
  let format = clocks.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone });
    clocks.set(key, format);
  }
  return format;
}

/** Hour and minute of an instant. */
export function timeText(iso: string, timeZone: string): string {
  return formatOf(timeZone, TIME).format(new Date(iso));
}

/** Hour, minute and second of an instant. */
export function secondText(ms: number, timeZone: string): string {
  return formatOf(timeZone, { ...TIME, second: '2-digit' }).format(ms);
}

/** Weekday and day of an instant, for narrow columns. */
export function dayText(iso: string, timeZone: string): string {
  const date = new Date(iso);
  // Format weekday and day separately: together, some languages would write the number first ("28 Sat").
  const [weekday, day] = [formatOf(timeZone, { weekday: 'short' }), formatOf(timeZone, { day: 'numeric' })];
  return `${weekday.format(date)} ${day.format(date)}`;
}

/** Day and time of an instant. */
export function dateTimeText(iso: string, timeZone: string): string {
  return formatOf(timeZone, DAY_AND_TIME).format(new Date(iso));
}

/** Day and time of an instant, with seconds. */
export function instantText(ms: number, timeZone: string): string {
  return formatOf(timeZone, { ...DAY_AND_TIME, second: '2-digit' }).format(ms);
}

const MINUTES_FROM_MS = 90_000;

/** Whether an age is shown in seconds, and so changes every second. */
export function isInSeconds(ms: number): boolean {
  return ms < MINUTES_FROM_MS;
}

/** A duration in words: "0.4 s", "12 s", "3 min", "2 h". */
export function ageText(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 9.95) return `${oneDigitText(seconds)} s`;
  if (isInSeconds(ms)) return `${countText(seconds)} s`;
  if (seconds < 5_400) return `${countText(seconds / 60)} min`;
  return `${countText(seconds / 3_600)} h`;
}

/**
 * A match clock. Feeds write "2h 67", which people write as 67'. Other short forms ("ht", "q4 4:30") get
 * capitals; a clock in a form of its own stays as it is.
 */
export function clockText(clock: string): string {
  const minute = /^[12]h (\d+)$/.exec(clock)?.[1];
  if (minute !== undefined) return `${minute}'`;
  return /^([12]h|ht|ot|q\d)\b/.test(clock) ? clock.toUpperCase() : clock;
}
