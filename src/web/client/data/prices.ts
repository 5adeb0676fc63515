// Arithmetic on decimal prices: conversion to any format, and the overround of a set of prices.

import type { OddsFormat } from '../../../domain/catalogue.ts';

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
