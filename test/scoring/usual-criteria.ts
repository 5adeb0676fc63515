// The criteria most scoring tests and benches ask under.

import type { ScoreCriteria } from '../../src/scoring/criteria.ts';

/** Every market, period and book; value from 1 %, any arbitrage, nothing above 10 %. */
export const USUAL_CRITERIA: ScoreCriteria = {
  marketMask: 7,
  periodMask: 3,
  seesSharp: true,
  minEdge: 0.01,
  maxEdge: 0.1,
  minMargin: 0,
  maxMargin: 0.1,
};
