// How a bet on a line is settled by a score. Every step is exact: lines are integers in quarters, scores are
// integers, and a quarter line is decided by its margin alone.

import { MARKET_1X2, MARKET_TOTALS, OUTCOMES, type Outcome, SPORT_FOOTBALL } from './catalogue.ts';
import { lineFromQuarters, type SettledResult, settledAtMargin } from './handicap.ts';

/** Goals or points of both sides. */
export interface FinalScore {
  readonly home: number;
  readonly away: number;
}

/** A pair of home and away as an object; null for null. */
export function toScore(pair: readonly [number, number] | null): FinalScore | null {
  return pair === null ? null : { home: pair[0], away: pair[1] };
}

/** Shares of a stake that win, are given back, and are lost. They add to 1. */
export interface SettledShares {
  readonly win: number;
  readonly push: number;
  readonly loss: number;
}

const SHARES: Readonly<Record<SettledResult, SettledShares>> = {
  win: { win: 1, push: 0, loss: 0 },
  half_win: { win: 0.5, push: 0.5, loss: 0 },
  push: { win: 0, push: 1, loss: 0 },
  half_loss: { win: 0, push: 0.5, loss: 0.5 },
  loss: { win: 0, push: 0, loss: 1 },
};

export function sharesOf(result: SettledResult): SettledShares {
  return SHARES[result];
}

export interface SettledLine {
  /** Index into SPORTS. */
  readonly sport: number;
  /** Index into MARKET_TYPES. */
  readonly market: number;
  /** The total, or the home side's handicap, in quarters; any number for a 1x2. */
  readonly lineQuarters: number;
  /** The score of the line's period at its end. */
  readonly score: FinalScore;
  /** The score when the bet was made. Only a football handicap counts from it. */
  readonly fromScore: FinalScore;
}

/**
 * The result of a bet on one outcome.
 * A 1x2 without a draw (basketball) that ends level is a push.
 * @param outcome one that the market of this sport has
 */
export function settle(line: SettledLine, outcome: Outcome): SettledResult {
  const { sport, market, lineQuarters, score, fromScore } = line;
  const lead = score.home - score.away;
  if (market === MARKET_1X2) {
    if (lead === 0) return sport !== SPORT_FOOTBALL ? 'push' : outcome === 'draw' ? 'win' : 'loss';
    return outcome === (lead > 0 ? OUTCOMES[0] : OUTCOMES[2]) ? 'win' : 'loss';
  }
  if (market === MARKET_TOTALS) {
    const over = (score.home + score.away) * 4 - lineQuarters;
    return settledAtMargin(outcome === 'over' ? over : -over);
  }
  const counted = sport === SPORT_FOOTBALL ? lead - (fromScore.home - fromScore.away) : lead;
  const home = counted * 4 + lineQuarters;
  return settledAtMargin(outcome === 'home' ? home : -home);
}

/** A line as answers show it: null for a 1x2, which has no line. @param market index into MARKET_TYPES */
export function shownLine(market: number, quarters: number): number | null {
  return market === MARKET_1X2 ? null : lineFromQuarters(quarters);
}

/**
 * The share of every stake that is returned when the result lands exactly on a line: all of it on a whole
 * line (a push), half on a quarter line. On a half line and in a 1x2 that cannot happen, so it is 0.
 * @param market index into MARKET_TYPES
 */
export function landingShare(market: number, lineQuarters: number): number {
  if (market === MARKET_1X2 || lineQuarters % 4 === 2 || lineQuarters % 4 === -2) return 0;
  return lineQuarters % 4 === 0 ? 1 : 0.5;
}
