// The power method of removing a margin, for kernels: the method itself, and a bound that rules most lines
// out without its logarithms.

const LN_THREE = Math.log(3);
const ITERATIONS_MAX = 64;
/**
 * A step this small is the last one. The series below leaves out the cube of the step, which is then smaller
 * than the rounding of a double.
 */
const LAST_STEP = 1e-6;
/**
 * Inverse sums exceed 1 by at most about a fifth for every real bookmaker. Above that, Halley's step may
 * overshoot the root.
 */
const TAME_EXCESS_MAX = 0.2;

/**
 * The power method for kernels. It gives the result of devigPower (domain/devig.ts) to the last digits in
 * about a third of the time, because it updates the powers instead of computing them again from the exponent.
 * Replaces the inverse prices q in `fair` by p = q^k, with the k for which the powers sum to 1 (Clarke,
 * Kovalchik and Ingram 2017, "Adjusting bookmaker's odds to allow for overround"). It uses Halley's step on
 * ln(sum of q^k) where that is safe, otherwise Newton's, which never overshoots from k = 1 because the
 * function is decreasing and convex.
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
    // First and second derivative of ln(sum of q^k) by k: mean and variance of ln q, weighted by the powers.
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

/**
 * A lower bound on how much the power method raises a price, computed without its logarithms; it rules out
 * most lines. For n inverse prices q with sum S, Newton's first step gives k - 1 >= ln S / ln n (their
 * entropy is at most ln n). So the fair price is q^(1 - k) = exp((k - 1) ln(1/q)) >= 1 + (ln S / ln n)
 * ln(1/q) times the sharp price; and ln x is at least 2(x - 1)/(x + 1) for x from 1 up.
 * @returns the bound without its last factor, (p - 1)/(p + 1) of the decimal price p = 1/q
 */
export function powerLift(sum: number, threeWay: boolean): number {
  return (4 * (sum - 1)) / ((sum + 1) * (threeWay ? LN_THREE : Math.LN2));
}
