// From fair chances to a book's prices: the margin goes on, the way the service's own de-vigging takes it off
// (proportional for two-way markets, power for three-way), and prices are rounded to the book's grid.

/** A price outside this range is not offered: the line is pulled instead. */
const PRICE_MIN = 1.03;
const PRICE_MAX = 51;
const CHANCE_MIN = 1e-4;
const NEWTON_ROUNDS = 4;

/**
 * Prices of one line.
 * @param chances fair, in outcome order; the first `count` are read
 * @param out receives decimal prices
 * @returns false when the line is too one-sided to be offered; `out` is then meaningless
 */
export function priceLine(
  chances: Float64Array,
  count: number,
  book: { readonly margin: number; readonly priceScale: number },
  out: Float64Array,
): boolean {
  for (let i = 0; i < count; i++) if (!((chances[i] as number) >= CHANCE_MIN)) return false;
  const power = count === 3 ? marginPower(chances, count, 1 + book.margin) : 1;
  for (let i = 0; i < count; i++) {
    const chance = chances[i] as number;
    const booked = count === 3 ? chance ** power : chance * (1 + book.margin);
    const price = Math.round(book.priceScale / booked) / book.priceScale;
    if (price < PRICE_MIN || price > PRICE_MAX) return false;
    out[i] = price;
  }
  return true;
}

/** The k for which the sum of chance^k is `sum`, by Newton's method from 1. */
function marginPower(chances: Float64Array, count: number, sum: number): number {
  let power = 1;
  for (let round = 0; round < NEWTON_ROUNDS; round++) {
    let value = -sum;
    let slope = 0;
    for (let i = 0; i < count; i++) {
      const chance = chances[i] as number;
      const booked = chance ** power;
      value += booked;
      slope += booked * Math.log(chance);
    }
    power -= value / slope;
  }
  return power;
}
