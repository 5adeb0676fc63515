// Shown prices as decimal ones, by which prices of any format are compared. It is fast and not exact, as
// odds-format.ts is.

import type { OddsFormat } from './catalogue.ts';

/** A price in decimal odds; 0 for a pulled price, in every format. */
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
