// Prices in the odds format that the visitor chose.

import type { OddsFormat } from '../../../domain/catalogue.ts';
import { fromDecimal } from '../../../domain/shown-prices.ts';
import { texts } from '../texts.ts';
import { fairDecimalText, priceText } from './number-words.ts';
import { parameter } from './view.ts';

/** The chosen odds format; decimal if the address names an unknown one. */
export function chosenFormat(): OddsFormat {
  const format = parameter('format');
  return Object.hasOwn(texts.formats, format) ? (format as OddsFormat) : 'decimal';
}

/** A price computed in decimal odds, such as a fair price, in the chosen format. */
export function chosenPriceText(decimal: number): string {
  const format = chosenFormat();
  if (format === 'decimal') return fairDecimalText(decimal);
  return priceText(Math.round(fromDecimal(decimal, format) * 1_000) / 1_000, format);
}
