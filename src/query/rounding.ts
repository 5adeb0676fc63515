// How numbers of answers are rounded (docs/reference/decisions.md#rounding): once, at the last step.

import { roundHalfAwayFromZero } from '../domain/texts/decimal-text.ts';

/** Probabilities, overround, fair prices, goal rates and expected values: 4 decimals. */
export function rounded4(value: number): number {
  return roundHalfAwayFromZero(value, 4);
}
/** Percentages: 2 decimals. */
export function roundedPct(value: number): number {
  return roundHalfAwayFromZero(value, 2);
}
/** Inverse sums: 6 decimals. */
export function roundedInverseSum(value: number): number {
  return roundHalfAwayFromZero(value, 6);
}
/** Confidence: 3 decimals. */
export function roundedConfidence(value: number): number {
  return roundHalfAwayFromZero(value, 3);
}
