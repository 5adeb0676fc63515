// The rule of every look-up by name: sure, ambiguous or nothing (docs/reference/names.md).

import calibrationText from './data/calibration.txt' with { type: 'text' };
import { readCalibration } from './data-tables.ts';

export type ResolveStatus = 'matched' | 'ambiguous' | 'not_found';

export const ALTERNATIVES_MAX = 5;

export interface Resolution<Candidate> {
  readonly status: ResolveStatus;
  /** The surest candidate, also when ambiguous; null when not found. */
  readonly best: Candidate | null;
  /** The next surest; when not found, the nearest. At most ALTERNATIVES_MAX. */
  readonly alternatives: Candidate[];
}

/** Something that a text may mean. */
export interface Weighed {
  /** Strength of the match: see strength.ts. */
  readonly strength: number;
  /** 0 to 1: the share of answers of this strength that are right (calibrated). */
  readonly confidence: number;
  /**
   * Whether only one side of "A v B" fits, and the other side names a known club. Such a candidate is shown,
   * but the answer does not ask whether it is meant.
   */
  readonly isOther?: boolean | undefined;
}

/** From this calibrated confidence upwards the answer is `matched`. */
export const MATCH_CONFIDENCE_MIN = 0.9;
/** If two candidates' strengths are this close, either could be meant. */
export const STRENGTH_MARGIN = 0.45;
/** Tolerance in comparing strengths, which are sums of decimal fractions. */
const ROUNDING = 1e-6;
/** A candidate less sure than this is noise and is not offered. */
export const OFFERED_CONFIDENCE_MIN = 0.02;
/** If several could all be meant, the confidence of each is at most this. */
export const CONTESTED_CONFIDENCE_MAX = 0.5;

/**
 * The evidence of an answer: two names with a word between them that is never part of a name; one name, or
 * two side by side; or one name that fits no other club of the table.
 */
export type Evidence = 'pair' | 'alone' | 'sole';

/** Confidence by strength for each kind of evidence: fitted by `bun run names calibrate`. */
const CALIBRATION = readCalibration('calibration.txt', calibrationText);

/**
 * How many answers of this strength were right, as a share, on the development half of the club names. Half
 * of those clubs were not on the slate (docs/reference/names.md).
 */
export function confidenceOf(strength: number, evidence: Evidence): number {
  const steps = CALIBRATION[evidence];
  let confidence = 0;
  for (const step of steps) {
    if (strength < step.strength - ROUNDING) break;
    confidence = step.confidence;
  }
  return confidence;
}

/** Whether a candidate would be the match if no other came near it. */
export function isSure({
  strength,
  evidence,
}: {
  readonly strength: number;
  readonly evidence: Evidence;
}): boolean {
  return confidenceOf(strength, evidence) >= MATCH_CONFIDENCE_MIN;
}

/**
 * Matched when one candidate is sure and no other comes near it, ambiguous when some are worth offering and
 * the strongest is not `isOther`, otherwise not found.
 * @param candidates strongest first
 */
export function decide<Candidate extends Weighed>(candidates: readonly Candidate[]): Resolution<Candidate> {
  const [best, second] = candidates;
  const offered = candidates.filter(({ confidence }) => confidence >= OFFERED_CONFIDENCE_MIN);
  const isSure = best !== undefined && best.confidence >= MATCH_CONFIDENCE_MIN;
  const isContested =
    isSure && second !== undefined && second.strength >= best.strength - STRENGTH_MARGIN - 1e-9;
  if (isSure && !isContested)
    return { status: 'matched', best, alternatives: offered.slice(1, 1 + ALTERNATIVES_MAX) };
  const [first, ...others] = offered.slice(0, 1 + ALTERNATIVES_MAX).map((candidate) => ({
    ...candidate,
    confidence: Math.min(candidate.confidence, CONTESTED_CONFIDENCE_MAX),
  }));
  if (first === undefined) return { status: 'not_found', best: null, alternatives: [] };
  if (first.isOther === true)
    return { status: 'not_found', best: null, alternatives: [first, ...others].slice(0, ALTERNATIVES_MAX) };
  return { status: 'ambiguous', best: first, alternatives: others };
}
