// The criteria that most scoring tests and benches use.

import { ALL_BOOKMAKERS_MASK } from '../../src/domain/catalogue.ts';
import { REFERENCE_SHARP } from '../../src/domain/reference.ts';
import { allConfirmedAt, type SignalGate, type SignalMoment } from '../../src/domain/signal-gate.ts';
import type { ScoreCriteria } from '../../src/scoring/criteria.ts';

/** Every market, period and bookmaker; value from 1 %, any arbitrage, nothing above 10 %. */
export const USUAL_CRITERIA: ScoreCriteria = {
  marketMask: 7,
  periodMask: 3,
  bookmakerMask: ALL_BOOKMAKERS_MASK,
  seesSharp: true,
  reference: REFERENCE_SHARP,
  minEdge: 0.01,
  maxEdge: 0.1,
  minMargin: 0,
  maxMargin: 0.1,
  maxAgeMs: null,
};

/** A minute before time 0, at which every test fixture kicks off. Every quote has just been confirmed. */
export const BEFORE_KICKOFF: SignalMoment = {
  nowMs: -60_000,
  confirmedAtMs: allConfirmedAt(-60_000),
  windows: { liveMs: 60_000, prematchMs: 300_000 },
};

/** A gate that every quote passes. */
export const OPEN_GATE: Pick<SignalGate, 'closedBy' | 'endedPeriodMask' | 'quoteFromMs'> = {
  closedBy: null,
  endedPeriodMask: 0,
  quoteFromMs: allConfirmedAt(Number.NEGATIVE_INFINITY),
};
