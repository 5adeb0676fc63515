// Conversion from and to the six odds formats (docs/reference/decisions.md#odds-formats). Every conversion is
// exact: a number stands for its shortest decimal text, is computed as a fraction, and is rounded once, half
// away from zero. Stored prices, Int32 in ten-thousandths, are converted with integers only.

import { ServiceError } from '../errors.ts';
import { BOOKMAKER_KEYS, BOOKMAKERS, type BookmakerKey, ODDS_FORMATS, type OddsFormat } from './catalogue.ts';
import { type Fraction, fractionOf, roundFraction } from './texts/decimal-text.ts';

/** Decimals of malay prices when no bookmaker is given. Sharp bookmakers show 3, all others 2. */
const MALAY_DECIMALS_CANONICAL = 3;
const MALAY_DECIMALS_OTHER = 2;
const MALAY_DECIMALS_SHARP = 3;
/** A decimal price of 1 in ten-thousandths. A price at or below it has no meaning in the other formats. */
export const PRICE_ONE_E4 = 10_000;

/** Decimals per format, sent without trailing zeros. Those of malay depend on the bookmaker. */
const DECIMALS: Readonly<Record<OddsFormat, number>> = {
  decimal: 4,
  hk: 4,
  malay: MALAY_DECIMALS_CANONICAL,
  american: 0,
  indonesian: 3,
  probability: 4,
};

/** The valid range of each format, as shown in errors. */
export const ODDS_FORMAT_RANGES: Readonly<Record<OddsFormat, string>> = {
  decimal: 'greater than 1',
  hk: 'greater than 0',
  malay: 'from -1 to 1 and not 0',
  american: 'at least 100, or at most -100',
  indonesian: 'at least 1, or at most -1',
  probability: 'greater than 0 and less than 1',
};

/** Decimals that a bookmaker uses for malay prices. @param bookmakerIndex index into BOOKMAKERS */
export function malayDecimalsOf(bookmakerIndex: number): number {
  return BOOKMAKERS[bookmakerIndex]!.class === 'sharp' ? MALAY_DECIMALS_SHARP : MALAY_DECIMALS_OTHER;
}

export function isValidOdds(value: number, format: OddsFormat): boolean {
  if (!Number.isFinite(value)) return false;
  const size = Math.abs(value);
  switch (format) {
    case 'decimal':
      return value > 1;
    case 'hk':
      return value > 0;
    case 'malay':
      return size <= 1 && value !== 0;
    case 'american':
      return size >= 100;
    case 'indonesian':
      return size >= 1;
    case 'probability':
      return value > 0 && value < 1;
  }
}

interface OddsConversion {
  readonly value: number;
  readonly from: OddsFormat;
  readonly to: readonly OddsFormat[];
  /** The bookmaker whose malay decimals apply; null for the canonical 3. */
  readonly bookmakerKey: BookmakerKey | null;
}

/**
 * Converts a value to each target format, and echoes it exactly in its own. Each result is rounded once from
 * the exact source. A result is null only if it exceeds the largest double (hk 1e-320 in american).
 * @throws ServiceError `invalid_request` if the value is outside the format's range; the message names the
 * range
 */
export function convertOdds(conversion: OddsConversion): Partial<Record<OddsFormat, number | null>> {
  const { value, from, to, bookmakerKey } = conversion;
  const decimal = decimalFractionOf(checked(value, from), from);
  const malayDecimals =
    bookmakerKey === null ? MALAY_DECIMALS_CANONICAL : malayDecimalsOf(BOOKMAKER_KEYS.indexOf(bookmakerKey));
  const converted: Partial<Record<OddsFormat, number | null>> = { [from]: value };
  for (const format of ODDS_FORMATS) {
    if (format === from || !to.includes(format)) continue;
    const decimals = format === 'malay' ? malayDecimals : DECIMALS[format];
    const rounded = roundFraction(targetFractionOf(decimal, format), decimals);
    converted[format] = Number.isFinite(rounded) ? rounded : null;
  }
  return converted;
}

/** Decimals of an implied probability: about the precision of a double. */
const IMPLIED_DECIMALS = 16;

/**
 * The implied probability of a price, 1 / decimal, rounded to 16 decimals. Gives 0 for decimal prices above
 * 2e16, and 1 for those closer than 5e-17 to 1.
 * @throws ServiceError `invalid_request` if `value` is outside the format's range; the message names the
 * range
 */
export function impliedProbability(value: number, format: OddsFormat): number {
  const decimal = decimalFractionOf(checked(value, format), format);
  return roundFraction(targetFractionOf(decimal, 'probability'), IMPLIED_DECIMALS);
}

/**
 * A stored price in a format: exact for every Int32, integers only, no allocation.
 * @param priceE4 decimal price in ten-thousandths, unchanged in `decimal`; 10000 or less gives 0 in the other
 * formats
 * @param malayDecimals only used for `malay`, see malayDecimalsOf
 */
export function priceInFormat(priceE4: number, format: OddsFormat, malayDecimals: number): number {
  if (format === 'decimal') return priceE4 / 10_000;
  if (priceE4 <= PRICE_ONE_E4) return 0;
  const net = priceE4 - PRICE_ONE_E4;
  switch (format) {
    case 'hk':
      return net / 10_000;
    case 'malay': {
      const scale = malayDecimals === 2 ? 100 : 1_000;
      return net <= PRICE_ONE_E4
        ? quotient(net * scale, 10_000) / scale
        : -quotient(10_000 * scale, net) / scale || 0;
    }
    case 'indonesian':
      return net >= PRICE_ONE_E4 ? quotient(net, 10) / 1_000 : -quotient(10_000_000, net) / 1_000;
    case 'american':
      return net >= PRICE_ONE_E4 ? quotient(net, 100) : -quotient(1_000_000, net);
    case 'probability':
      return quotient(100_000_000, priceE4) / 10_000;
  }
}

/**
 * Quotient of two positive integers, rounded half up. Exact while 2 x numerator + denominator is below 2^53.
 */
function quotient(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}

function checked(value: number, format: OddsFormat): number {
  if (isValidOdds(value, format)) return value;
  const range = ODDS_FORMAT_RANGES[format];
  throw new ServiceError('invalid_request', `Cannot read ${format} odds: the value must be ${range}`, {
    fix: `Send a ${format} value that is ${range}, or name the format that the value is in`,
  });
}

/** The exact decimal price of a valid value in `format`. */
function decimalFractionOf(value: number, format: OddsFormat): Fraction {
  const { numerator, denominator } = fractionOf(value);
  switch (format) {
    case 'decimal':
      return { numerator, denominator };
    case 'hk':
      return { numerator: numerator + denominator, denominator };
    case 'malay':
    case 'indonesian':
      return numerator > 0n
        ? { numerator: numerator + denominator, denominator }
        : { numerator: denominator - numerator, denominator: -numerator };
    case 'american':
      return numerator > 0n
        ? { numerator: numerator + 100n * denominator, denominator: 100n * denominator }
        : { numerator: 100n * denominator - numerator, denominator: -numerator };
    case 'probability':
      return { numerator: denominator, denominator: numerator };
  }
}

/** A decimal price above 1 in `format`, exact. */
function targetFractionOf(decimal: Fraction, format: OddsFormat): Fraction {
  const { numerator, denominator } = decimal;
  const net = numerator - denominator;
  switch (format) {
    case 'decimal':
      return decimal;
    case 'hk':
      return { numerator: net, denominator };
    case 'malay':
      return net <= denominator
        ? { numerator: net, denominator }
        : { numerator: -denominator, denominator: net };
    case 'indonesian':
      return net >= denominator
        ? { numerator: net, denominator }
        : { numerator: -denominator, denominator: net };
    case 'american':
      return net >= denominator
        ? { numerator: 100n * net, denominator }
        : { numerator: -100n * denominator, denominator: net };
    case 'probability':
      return { numerator: denominator, denominator: numerator };
  }
}
