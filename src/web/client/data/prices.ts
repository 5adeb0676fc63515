// Arithmetic over prices in any format: what they are in decimal, the overround of a set, the best of a line.

import type { OddsFormat } from '../../../domain/catalogue.ts';

/** A price in decimal odds; 0 for a pulled line, whatever the format. */
export function toDecimal(price: number, format: OddsFormat): number {
  if (price === 0) return 0;
  switch (format) {
    case 'decimal':
      return price;
    case 'hk':
      return price + 1;
    case 'malay':
      return price > 0 ? price + 1 : 1 - 1 / price;
    case 'american':
      return price > 0 ? price / 100 + 1 : 1 - 100 / price;
    case 'indonesian':
      return price > 0 ? price + 1 : 1 - 1 / price;
    case 'probability':
      return 1 / price;
  }
}

/** Sum of the inverse prices less 1, or null when one is missing. @param decimals one price per outcome */
export function overroundOf(decimals: readonly number[]): number | null {
  if (decimals.length === 0 || decimals.some((price) => price <= 1)) return null;
  return decimals.reduce((sum, price) => sum + 1 / price, 0) - 1;
}
