// Exact decimal arithmetic. A number stands for its shortest decimal text, not for its exact binary value.
// Rounding uses fast floating point when the result is certain, and exact fractions when the dropped part may
// be a tie.

import { assert } from '../../errors.ts';

/** An exact fraction; the denominator is positive. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * If the distance to a tie is smaller than this, in units of the last kept decimal, floating point is not
 * trusted.
 */
const TIE_DISTANCE = 1e-4;
/** Above this many units of the last kept decimal, a double cannot resolve `TIE_DISTANCE`. */
const FAST_UNITS_MAX = 2 ** 36;

/**
 * Rounds the shortest decimal text of `value` half away from zero: 1.005 at 2 decimals is 1.01.
 * @param value finite
 * @param decimals 0 to 15
 * @returns the nearest double of the rounded decimal; never -0
 */
export function roundHalfAwayFromZero(value: number, decimals: number): number {
  const rounded = roundFast(value, decimals);
  return Number.isNaN(rounded) ? roundFraction(fractionOf(value), decimals) : rounded;
}

/**
 * The rounded value if floating point is certain of it, otherwise NaN. `value` may have a relative error of a
 * few parts in 2^52. The result is still that of the exact number.
 */
function roundFast(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const units = Math.abs(value) * scale;
  if (!(units < FAST_UNITS_MAX)) return Number.NaN;
  const whole = Math.floor(units);
  const rest = units - whole;
  if (Math.abs(rest - 0.5) < TIE_DISTANCE) return Number.NaN;
  const rounded = (rest > 0.5 ? whole + 1 : whole) / scale;
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

/** The exact fraction of a finite number's shortest decimal text. */
export function fractionOf(value: number): Fraction {
  assert(Number.isFinite(value), 'only finite numbers have a decimal text');
  const [mantissa, exponentText] = String(value).split('e');
  const [whole, decimals = ''] = mantissa!.split('.');
  const exponent = Number(exponentText ?? 0) - decimals.length;
  const digits = BigInt(whole! + decimals);
  if (exponent >= 0) return { numerator: digits * 10n ** BigInt(exponent), denominator: 1n };
  return { numerator: digits, denominator: 10n ** BigInt(-exponent) };
}

/**
 * Rounds an exact fraction half away from zero.
 * @returns the nearest double of the rounded decimal; never -0; infinite if it exceeds the largest double
 */
export function roundFraction(fraction: Fraction, decimals: number): number {
  const negative = fraction.numerator < 0n;
  const size = negative ? -fraction.numerator : fraction.numerator;
  const doubled = 2n * fraction.denominator;
  const units = (2n * size * 10n ** BigInt(decimals) + fraction.denominator) / doubled;
  const rounded = Number(`${units}e-${decimals}`);
  return negative && rounded !== 0 ? -rounded : rounded;
}
