// Numbers and times in the visitor's locale.

import type { OddsFormat } from '../../../domain/catalogue.ts';

const LOCALE = navigator.language;

const PRICE_DIGITS: Readonly<Record<OddsFormat, { readonly least: number; readonly most: number }>> = {
  decimal: { least: 2, most: 4 },
  hk: { least: 2, most: 4 },
  malay: { least: 2, most: 3 },
  american: { least: 0, most: 0 },
  indonesian: { least: 2, most: 3 },
  probability: { least: 3, most: 4 },
};

const priceFormats = new Map<OddsFormat, Intl.NumberFormat>();

/** A price with the digits of its format, and with its sign where the format uses signs. */
export function priceText(price: number, format: OddsFormat): string {
  let numbers = priceFormats.get(format);
  if (numbers === undefined) {
    const { least, most } = PRICE_DIGITS[format];
    numbers = new Intl.NumberFormat(LOCALE, {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
      signDisplay: format === 'american' ? 'exceptZero' : 'auto',
      useGrouping: false,
    });
    priceFormats.set(format, numbers);
  }
  return numbers.format(price);
}

const threeDigits = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const twoDigits = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
});

/** A computed decimal price: three digits below ten, two above, so that a column of them is easy to read. */
export function fairDecimalText(decimal: number): string {
  return decimal < 10 ? threeDigits.format(decimal) : twoDigits.format(decimal);
}

const oneDigit = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  // Without this, -0.04 would be "-0.0".
  signDisplay: 'negative',
});
const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const lineFormat = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });
const signedLine = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2, signDisplay: 'exceptZero' });

export function countText(value: number): string {
  return whole.format(value);
}

export function oneDigitText(value: number): string {
  return oneDigit.format(value);
}

/** For example 0.034 as "3.4 %" or "3.4%". */
export function shareText(share: number): string {
  return percent.format(share);
}

/** A share in percent without the sign, for cells below a common heading. */
export function marginText(share: number): string {
  return oneDigit.format(share * 100);
}

const twoSigned = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'exceptZero',
});

/** A number with its sign and two digits: "-0.75". */
export function signedText(value: number): string {
  return twoSigned.format(value);
}

export function twoDigitText(value: number): string {
  return twoDigits.format(value);
}

const edge = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** An edge in percent, with its sign: "+2.1". */
export function edgeText(percentage: number): string {
  return edge.format(percentage);
}

/** A line: "-0.5" or "+1" for a handicap, "2.25" for a total. */
export function lineText(line: number, isHandicap: boolean): string {
  return (isHandicap ? signedLine : lineFormat).format(line);
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
  // Together, some languages would write the number first: "28 Sat".
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
  if (seconds < 9.95) return `${oneDigit.format(seconds)} s`;
  if (isInSeconds(ms)) return `${whole.format(seconds)} s`;
  if (seconds < 5_400) return `${whole.format(seconds / 60)} min`;
  return `${whole.format(seconds / 3_600)} h`;
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
