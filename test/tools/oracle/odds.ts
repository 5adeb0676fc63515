// Odds formats, handicap splits and de-vigging by the rules of the decisions page, implemented a second time,
// for plain numbers.

import { Rounded } from './expected.ts';

interface Book {
  readonly key: string;
  readonly name: string;
  readonly class: string;
}

/** The bookmakers of the built-in roster. TEST_ROSTER replaces them (test/support/own-roster.ts). */
const CONTRACT: readonly Book[] = [
  { key: 'crown', name: 'Crown', class: 'asian' },
  { key: 'sbobet', name: 'Sbobet', class: 'asian' },
  { key: 'macau', name: 'Macau', class: 'asian' },
  { key: 'm8bet', name: 'M8bet', class: 'asian' },
  { key: 'pinnacle', name: 'Pinnacle', class: 'sharp' },
  { key: 'nova88', name: 'Nova88', class: 'asian' },
  { key: 'hkjc', name: 'HKJC', class: 'asian' },
];
const ROSTER = JSON.parse(process.env.TEST_ROSTER ?? JSON.stringify(CONTRACT)) as readonly Book[];
export const BOOKS: readonly string[] = ROSTER.map(({ key }) => key);
export const BOOK_NAMES = Object.fromEntries(ROSTER.map(({ key, name }) => [key, name]));
const CLASSES = new Map(ROSTER.map((book) => [book.key, book.class]));
const SHARP_BOOKS = BOOKS.filter((book) => classOf(book) === 'sharp');

export function classOf(book: string): string {
  return CLASSES.get(book)!;
}

export function isSharp({ bookmaker }: { readonly bookmaker: string }): boolean {
  return classOf(bookmaker) === 'sharp';
}

interface Priced {
  readonly bookmaker: string;
  readonly prices: readonly number[];
  readonly status: string;
}

/**
 * The sharp quote that other quotes are compared with: the open sharp quote with the lowest margin, otherwise
 * the first.
 */
export function referenceOf<Quote extends Priced>(line: readonly Quote[]): Quote | undefined {
  const sharps = SHARP_BOOKS.flatMap((book) => line.filter(({ bookmaker }) => bookmaker === book));
  const fair = sharps.filter(
    ({ prices, status }) =>
      status === 'open' && prices.every((price) => price > 1) && inverseSum(prices) >= 1 - TIE,
  );
  const least = Math.min(...fair.map(({ prices }) => inverseSum(prices)));
  return fair.find(({ prices }) => inverseSum(prices) <= least + TIE) ?? sharps[0];
}

export const MARKETS = ['1x2', 'asian_handicap', 'totals'] as const;
export const PERIODS = ['full_time', 'half_time'] as const;
export const FORMATS = ['decimal', 'hk', 'malay', 'american', 'indonesian', 'probability'] as const;
export type Market = (typeof MARKETS)[number];
export type Format = (typeof FORMATS)[number];

/** Prices have four decimals, so sums and differences of prices that differ by less than this are equal. */
export const TIE = 1e-12;

export function outcomesOf(sport: string, market: string): readonly string[] {
  if (market === 'totals') return ['over', 'under'];
  if (market === 'asian_handicap' || sport === 'basketball') return ['home', 'away'];
  return ['home', 'draw', 'away'];
}

/**
 * A decimal price in a format. A decimal price is returned as the feed sent it. In all other formats, a price
 * of 1 or less, which a suspended line may have, is 0.
 */
export function inFormat(decimal: number, format: Format, book: string): Rounded | number {
  if (decimal <= 1 && format !== 'decimal') return 0;
  const gain = decimal - 1;
  switch (format) {
    case 'decimal':
      return decimal;
    case 'hk':
      return new Rounded(gain, 4);
    case 'malay':
      return new Rounded(decimal <= 2 ? gain : -1 / gain, classOf(book) === 'sharp' ? 3 : 2);
    case 'indonesian':
      return new Rounded(decimal >= 2 ? gain : -1 / gain, 3);
    case 'american':
      return new Rounded(decimal >= 2 ? 100 * gain : -100 / gain, 0);
    case 'probability':
      return new Rounded(1 / decimal, 4);
  }
}

/** The two halves of a quarter line, first the one nearer to zero; null for a line that is not split. */
export function componentsOf(line: number | null): number[] | null {
  if (line === null || Number.isInteger(line * 2)) return null;
  const near = line > 0 ? line - 0.25 : line + 0.25;
  const far = line > 0 ? line + 0.25 : line - 0.25;
  return [near === 0 ? 0 : near, far];
}

export function inverseSum(prices: readonly number[]): number {
  return prices.reduce((sum, price) => sum + 1 / price, 0);
}

function proportional(prices: readonly number[]): number[] | null {
  const sum = inverseSum(prices);
  return sum < 1 - TIE ? null : prices.map((price) => 1 / price / sum);
}

/** The k for which the sum of (1/d)^k is 1, by bisection to the last digit. */
function power(prices: readonly number[]): number[] | null {
  if (inverseSum(prices) < 1 - TIE) return null;
  let low = 0;
  let high = 1_000;
  for (let step = 0; step < 70; step++) {
    const k = (low + high) / 2;
    if (prices.reduce((sum, price) => sum + price ** -k, 0) > 1) low = k;
    else high = k;
  }
  return prices.map((price) => price ** -low);
}

/** Fair probabilities: a 1x2 by the power method, in basketball too; handicaps and totals in proportion. */
export function methodOf(market: string): 'power' | 'proportional' {
  return market === '1x2' ? 'power' : 'proportional';
}

export function fairOf(market: string, prices: readonly number[]): number[] | null {
  return methodOf(market) === 'power' ? power(prices) : proportional(prices);
}

/**
 * Shin's fair probabilities. The share of insiders has a closed form for two outcomes; otherwise it is found
 * by the usual iteration.
 */
export function shinOf(prices: readonly number[]): number[] {
  const inverses = prices.map((price) => 1 / price);
  const sum = inverseSum(prices);
  const roots = (z: number) => inverses.map((q) => Math.sqrt(z * z + (4 * (1 - z) * q * q) / sum));
  let z = 0;
  if (inverses.length === 2) {
    const gap = (inverses[0]! - inverses[1]!) ** 2;
    z = ((sum - 1) * (gap - sum)) / (sum * (gap - 1));
  } else {
    for (let before = Number.NaN, step = 0; z !== before && step < 5_000; step++) {
      before = z;
      z = (roots(z).reduce((total, root) => total + root, 0) - 2) / (inverses.length - 2);
    }
  }
  return roots(z).map((root) => (root - z) / (2 * (1 - z)));
}
