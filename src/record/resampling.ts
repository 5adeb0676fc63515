// The bootstrap over matches (Efron, B. and Tibshirani, R. J., 1993, "An Introduction to the Bootstrap",
// chapter 13): whole matches are drawn with replacement. Bets on one match are not independent, so drawing
// single bets would give intervals that are too narrow.

import { Random } from '../domain/random.ts';

export const RESAMPLES = 2_000;
const SEED = 20_260_101;

/** Units of work between two pauses, about a millisecond; a draw is one unit. */
const WORK_PER_STEP = 100_000;

/**
 * Divides long work into steps. Use one meter for all parts of an answer. Otherwise many short parts would
 * run without a pause.
 */
export class StepMeter {
  #left = WORK_PER_STEP;

  /** Counts units of work that were done. @returns whether a pause is due */
  isStepOver(units: number): boolean {
    this.#left -= units;
    if (this.#left > 0) return false;
    this.#left = WORK_PER_STEP;
    return true;
  }
}

/** A value of one match, such as the return of a bet on it. */
export interface MatchValue {
  readonly match: string;
  readonly value: number;
}

/**
 * Matches in the order of their ids, so that the same values give the same resamples in whatever order they
 * come.
 */
export function matchesInOrder(values: readonly MatchValue[]): string[] {
  return [...new Set(values.map(({ match }) => match))].sort();
}

export interface ResampledWork {
  readonly matchCount: number;
  /** Units of work of one call of `use`. */
  readonly useSteps: number;
  readonly meter: StepMeter;
}

/**
 * Draws matches again and again, with other work between two steps.
 * @param use gets how often each match was drawn, and the number of the resample
 */
export function* resampled(
  { matchCount, useSteps, meter }: ResampledWork,
  use: (weights: Uint32Array, resample: number) => void,
): Generator<void, void> {
  const random = new Random(SEED);
  const weights = new Uint32Array(matchCount);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    weights.fill(0);
    for (let draw = 0; draw < matchCount; draw++) weights[random.index(matchCount)]!++;
    use(weights, resample);
    if (meter.isStepOver(matchCount + useSteps)) yield;
  }
}

/** The bounds of the middle 95 % of the resamples' results. Sorts in place. */
export function middleOf(resamples: Float64Array): readonly [number, number] {
  resamples.sort();
  return [resamples[Math.floor(RESAMPLES * 0.025)]!, resamples[Math.ceil(RESAMPLES * 0.975) - 1]!];
}
