// What a fair probability says of someone else's: edge, expected return and verdict (docs/decisions.md#answer-shapes).

import type { Verdict } from '../contract/probability.ts';
import { COMPARISON_SLACK } from '../scoring/criteria.ts';

/** Edges from which the verdict is `good` and `marginal`, as differences of probabilities; bounds included. */
const GOOD_FROM = 0.02;
const MARGINAL_FROM = 0.01;

export interface ProbabilityEdge {
  /** (fair - external) x 100, in percentage points, unrounded. */
  readonly edgePp: number;
  /** fair / external - 1, unrounded; null when it is beyond what a number holds. */
  readonly roi: number | null;
  readonly verdict: Verdict;
}

/** @param fair @param external probabilities strictly between 0 and 1 */
export function probabilityEdge({ fair, external }: { fair: number; external: number }): ProbabilityEdge {
  const edge = fair - external;
  const roi = fair / external - 1;
  return { edgePp: edge * 100, roi: Number.isFinite(roi) ? roi : null, verdict: verdictOf(edge) };
}

function verdictOf(edge: number): Verdict {
  if (edge >= GOOD_FROM - COMPARISON_SLACK) return 'good';
  return edge >= MARGINAL_FROM - COMPARISON_SLACK ? 'marginal' : 'no_edge';
}
