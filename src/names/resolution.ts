// The rule every look-up by name shares: sure, ambiguous or nothing (docs/names.md).

import calibrationText from './data/calibration.txt' with { type: 'text' };
import { readCalibration } from './data-tables.ts';

export type ResolveStatus = 'matched' | 'ambiguous' | 'not_found';

export const ALTERNATIVES_MAX = 5;

export interface Resolution<Candidate> {
  readonly status: ResolveStatus;
  /** The surest candidate, also when ambiguous; null when not found. */
  readonly best: Candidate | null;
  /** The next surest, at most ALTERNATIVES_MAX; when not found, the nearest. */
  readonly alternatives: Candidate[];
}

/** Something that a text may mean. */
export interface Weighed {
  /** See strength.ts: how much speaks for it. */
  readonly strength: number;
  /** 0 to 1: the share of answers of this strength that are right (calibrated). */
  readonly confidence: number;
}

/** `matched` is given from this calibrated confidence up. */
export const MATCH_CONFIDENCE_MIN = 0.9;
/** Two candidates whose strengths are this close could both be meant. */
export const STRENGTH_MARGIN = 0.45;
/** Strengths are sums of decimal fractions. */
const ROUNDING = 1e-6;
/** Less speaks for it than a name that could be anyone's: worth showing, not worth asking about. */
const ASKED_STRENGTH_MIN = 0.9;
/** Of several that could all be meant, none is surer than this. */
const CONTESTED_CONFIDENCE_MAX = 0.5;

/** Confidence by strength, of a team asked for alone and of a pair: fitted by `bun run names:calibrate`. */
const CALIBRATION = readCalibration('calibration.txt', calibrationText);

/**
 * The share of answers of this strength that were right on the development half of the club names, half of whose clubs
 * are absent (docs/names.md).
 * @param isPair both teams were asked for
 */
export function confidenceOf(strength: number, isPair: boolean): number {
  const steps = isPair ? CALIBRATION.pair : CALIBRATION.alone;
  let confidence = 0;
  for (const step of steps) {
    if (strength < step.strength - ROUNDING) break;
    confidence = step.confidence;
  }
  return confidence;
}

/** @param candidates strongest first */
export function decide<Candidate extends Weighed>(candidates: readonly Candidate[]): Resolution<Candidate> {
  const [best, second] = candidates;
  if (best === undefined) return { status: 'not_found', best: null, alternatives: [] };
  const isSure = best.confidence >= MATCH_CONFIDENCE_MIN;
  const contested = isSure ? best.strength - STRENGTH_MARGIN - 1e-9 : ASKED_STRENGTH_MIN;
  if (second !== undefined && second.strength >= contested) {
    const [first, ...others] = candidates.slice(0, 1 + ALTERNATIVES_MAX).map((candidate) => ({
      ...candidate,
      confidence: Math.min(candidate.confidence, CONTESTED_CONFIDENCE_MAX),
    }));
    return { status: 'ambiguous', best: first!, alternatives: others };
  }
  if (best.confidence < MATCH_CONFIDENCE_MIN) {
    return { status: 'not_found', best: null, alternatives: candidates.slice(0, ALTERNATIVES_MAX) };
  }
  return { status: 'matched', best, alternatives: candidates.slice(1, 1 + ALTERNATIVES_MAX) };
}
