// The power method for kernels: probabilities of two or three outcomes into the caller's array. The same answer as
// domain/devig.ts to the last digits, at about a third of the time, because it keeps the powers it has instead of
// computing them again from the exponent.

const ITERATIONS_MAX = 64;
/** A step this small is the last one: its cube, which the series below leaves out, is under the rounding of a double. */
const LAST_STEP = 1e-6;
/** Overrounds up to about a fifth, which is every real book; above, Halley's step may fly past the root. */
const TAME_EXCESS_MAX = 0.2;

/**
 * Writes p = q^k, with the k for which the powers sum to 1, over the inverse prices q in `fair` (Clarke, Kovalchik and
 * Ingram 2017, "Adjusting bookmaker's odds to allow for overround"). Halley's step on ln(sum of q^k) where that is tame,
 * else Newton's, which never overshoots from k = 1 because the function falls and is convex.
 * @param fair inverse decimal prices in (0, 1), whose sum is 1 or more; the third is 0 in a two-way market
 */
export function powerFair(fair: Float64Array): void {
  let a = fair[0]!;
  let b = fair[1]!;
  let c = fair[2]!;
  const logA = Math.log(a);
  const logB = Math.log(b);
  const logC = c > 0 ? Math.log(c) : 0;
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
    const sum = a + b + c;
    const excess = Math.log(sum);
    // First and second derivative of ln(sum of q^k) by k: mean and variance of ln q under the powers.
    const slope = (a * logA + b * logB + c * logC) / sum;
    const curvature = (a * logA * logA + b * logB * logB + c * logC * logC) / sum - slope * slope;
    const tame = excess < TAME_EXCESS_MAX && excess * curvature < (slope * slope) / 4;
    const step = tame ? (-2 * excess * slope) / (2 * slope * slope - excess * curvature) : -excess / slope;
    const stepA = step * logA;
    const stepB = step * logB;
    const stepC = step * logC;
    if (Math.abs(stepA) + Math.abs(stepB) + Math.abs(stepC) < LAST_STEP) {
      a *= 1 + stepA * (1 + stepA / 2);
      b *= 1 + stepB * (1 + stepB / 2);
      c *= 1 + stepC * (1 + stepC / 2);
      break;
    }
    a *= Math.exp(stepA);
    b *= Math.exp(stepB);
    c *= Math.exp(stepC);
  }
  fair[0] = a;
  fair[1] = b;
  fair[2] = c;
}
