// Arithmetic on prices in any format: conversion to and from decimal, and the overround of a set of prices.

import type { OddsFormat } from '../../../domain/catalogue.ts';

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

/** A decimal price in another format, unrounded; 0 when it has no meaning there. */
export function fromDecimal(decimal: number, format: OddsFormat): number {
  if (decimal <= 1) return format === 'decimal' ? decimal : 0;
  const net = decimal - 1;
  switch (format) {
    case 'decimal':
      return decimal;
    case 'hk':
      return net;
    case 'malay':
      return net <= 1 ? net : -1 / net;
    case 'american':
      return net >= 1 ? net * 100 : -100 / net;
    case 'indonesian':
      return net >= 1 ? net : -1 / net;
    case 'probability':
      return 1 / decimal;
  }
}

/**
 * Sum of the inverse prices minus 1, or null when a price is missing. @param decimals one price per outcome
 */
export function overroundOf(decimals: readonly number[]): number | null {
  if (decimals.length === 0 || decimals.some((price) => price <= 1)) return null;
  return decimals.reduce((sum, price) => sum + 1 / price, 0) - 1;
}
