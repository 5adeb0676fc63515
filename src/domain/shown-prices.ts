// Arithmetic on prices as answers show them, for pages and commands: conversion to and from decimal, and
// the order of a market's lines. Exact conversions are in odds-format.ts.

import type { OddsFormat } from './catalogue.ts';

/** A price in decimal odds; 0 for a pulled price, in every format. */
export function toDecimal(price: number, format: OddsFormat): number {
  if (price === 0) return 0;
  switch (format) {
    case 'decimal':
      return price;
    case 'hk':
      return price + 1;
    case 'american':
      return price > 0 ? price / 100 + 1 : 1 - 100 / price;
    case 'malay':
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

/** A line of a market, to be compared with the others. */
export interface RankedLine {
  /** Null for a 1x2. */
  readonly line: number | null;
  /** Number of bookmakers with an open price for every outcome. */
  readonly bookCount: number;
  /** The best price of each outcome; 0 where it has none. */
  readonly bestDecimals: readonly number[];
}

/** Differences of probabilities up to this size are rounding errors. */
const BALANCE_SLACK = 1e-9;

/**
 * Order of lines: most bookmakers first, then most balanced, then nearest zero. The first one is the
 * consensus line. compare_lines uses the same order.
 */
export function byConsensus(one: RankedLine, other: RankedLine): number {
  if (one.bookCount !== other.bookCount) return other.bookCount - one.bookCount;
  const balance = imbalanceOf(one) - imbalanceOf(other);
  if (Math.abs(balance) > BALANCE_SLACK) return balance;
  return Math.abs(one.line ?? 0) - Math.abs(other.line ?? 0);
}

function imbalanceOf({ bestDecimals }: RankedLine): number {
  if (bestDecimals.some((price) => price <= 1)) return Number.POSITIVE_INFINITY;
  return 1 / Math.min(...bestDecimals) - 1 / Math.max(...bestDecimals);
}
