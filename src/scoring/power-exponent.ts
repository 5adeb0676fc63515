// The exponent of the power de-vig for two or three prices, without allocation: for kernels only.

const ITERATIONS_MAX = 64;
const STEP_MIN = 1e-15;

/**
 * The k >= 1 for which a^k + b^k + c^k = 1, where a, b, c are inverse decimal prices (Clarke, Kovalchik and Ingram
 * 2017, "Adjusting bookmaker's odds to allow for overround", the power method). Newton on the logarithm of the sum,
 * which is convex and falling in k, so that from k = 1 every step stays left of the root and none overshoots.
 * @param a,b inverse prices in (0, 1)
 * @param c likewise, or 0 in a two-way market
 * @returns k; 1 when the sum is 1 or less, which has no overround to take away
 */
export function powerExponent(a: number, b: number, c: number): number {
  let sum = a + b + c;
  if (sum <= 1) return 1;
  const logA = Math.log(a);
  const logB = Math.log(b);
  const logC = c > 0 ? Math.log(c) : 0;
  let termA = a;
  let termB = b;
  let termC = c;
  let exponent = 1;
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
    const step = (-sum * Math.log(sum)) / (termA * logA + termB * logB + termC * logC);
    exponent += step;
    if (Math.abs(step) <= STEP_MIN * exponent) break;
    termA = Math.exp(exponent * logA);
    termB = Math.exp(exponent * logB);
    termC = c > 0 ? Math.exp(exponent * logC) : 0;
    sum = termA + termB + termC;
  }
  return exponent;
}
