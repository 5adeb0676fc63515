// Validates prices as upstreams write them, in one way for every source.

/** The highest valid decimal price, because betting exchanges stop at 1,000. */
export const PRICE_MAX = 1_000;

/**
 * Decimal prices, rounded to the ten-thousandths that the protocol carries.
 * @param values numbers, or numbers as text
 * @returns null when one is negative, above 1,000 or not a number
 */
export function pricesOf(values: readonly unknown[]): number[] | null {
  const prices: number[] = [];
  for (const value of values) {
    const price = numberOf(value);
    if (!(price >= 0 && price <= PRICE_MAX)) return null;
    prices.push(Math.round(price * 10_000) / 10_000);
  }
  return prices;
}

/** Whether the bookmaker has suspended the market. It then sends prices of 1 or less, which pay no profit. */
export function isPulled(prices: readonly number[]): boolean {
  return prices.some((price) => price <= 1);
}

/** A number, or plain decimal text as a number; NaN for anything else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^[+-]?\d{1,12}(?:\.\d{1,20})?$/.test(value)) return Number.NaN;
  return Number(value);
}
