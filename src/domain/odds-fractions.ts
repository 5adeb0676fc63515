// The formulas between decimal odds and the other formats (docs/decisions.md#odds-formats), on exact fractions and, for
// the fast path, in floating point.

import type { OddsFormat } from './catalogue.ts';
import { type Fraction, fractionOf } from './decimal-text.ts';

/** From here up, decimal - 1 keeps twelve digits: enough for any format's decimals. */
const ESTIMATE_DECIMAL_MIN = 1.001;

/** The exact decimal price that a valid value in `format` stands for. */
export function decimalFractionOf(value: number, format: OddsFormat): Fraction {
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
export function targetFractionOf(decimal: Fraction, format: OddsFormat): Fraction {
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

/** `targetFractionOf` in floating point, good for roundFast; NaN where the subtraction of 1 would cancel too much. */
export function targetEstimateOf(decimal: number, format: OddsFormat): number {
  if (decimal < ESTIMATE_DECIMAL_MIN) return Number.NaN;
  const net = decimal - 1;
  switch (format) {
    case 'decimal':
      return decimal;
    case 'hk':
      return net;
    case 'malay':
      return net <= 1 ? net : -1 / net;
    case 'indonesian':
      return net >= 1 ? net : -1 / net;
    case 'american':
      return net >= 1 ? 100 * net : -100 / net;
    case 'probability':
      return 1 / decimal;
  }
}
