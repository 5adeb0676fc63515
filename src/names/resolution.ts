// The rule every look-up by name shares: sure, ambiguous or nothing (docs/decisions.md#resolving-names).

export type ResolveStatus = 'matched' | 'ambiguous' | 'not_found';

/** Less is not found. */
export const CONFIDENCE_MIN = 0.6;
/** Two candidates this close are ambiguous, the bound included. */
export const AMBIGUITY_MARGIN = 0.08;
export const ALTERNATIVES_MAX = 5;
/** Weaker candidates are not even named as alternatives. */
const ALTERNATIVE_CONFIDENCE_MIN = 0.4;

export interface Resolution<Candidate> {
  readonly status: ResolveStatus;
  readonly best: Candidate | null;
  readonly alternatives: Candidate[];
}

/** @param candidates surest first */
export function decide<Candidate extends { readonly confidence: number }>(
  candidates: readonly Candidate[],
): Resolution<Candidate> {
  const best = candidates[0];
  const named = candidates.filter((candidate) => candidate.confidence >= ALTERNATIVE_CONFIDENCE_MIN);
  if (best === undefined || best.confidence < CONFIDENCE_MIN) {
    return { status: 'not_found', best: null, alternatives: named.slice(0, ALTERNATIVES_MAX) };
  }
  const second = candidates[1];
  // A billionth of slack, so that a margin of exactly 0.08 does not hang on rounding.
  const close = second !== undefined && best.confidence - second.confidence <= AMBIGUITY_MARGIN + 1e-9;
  return {
    status: close ? 'ambiguous' : 'matched',
    best,
    alternatives: named.slice(1, 1 + ALTERNATIVES_MAX),
  };
}
