// The scorelines that the shown prices imply. The page fits them itself, with the service's own formulas, so
// they follow every price and cost no request.

import type { MarketType } from '../../../domain/catalogue.ts';
import { lowScoreShift, PoissonPair } from '../../../domain/goal-model.ts';
import { quartersFromLine } from '../../../domain/handicap.ts';
import {
  fitScoreline,
  type PricedLine,
  type ScorelineFit,
  scorelineMarkets,
} from '../../../domain/scoreline.ts';
import type { FinalScore } from '../../../domain/settlement.ts';
import { byConsensus } from '../../../domain/shown-prices.ts';
import { type LineGrid, marketGrids } from '../data/lines/market-lines.ts';
import { methodOf, sharpestOf } from '../data/lines/sharpest.ts';
import type { Fixture } from '../data/mirror.ts';

export interface FittedScores {
  readonly fit: ScorelineFit;
  /** The score that the rates start from: 0-0 before kickoff. */
  readonly score: FinalScore;
}

/** Larger than any totals line. */
const TOTAL_LINE_MAX = 100;

/**
 * Fits the scorelines; null when the prices do not determine them: the match is over, a market is missing, or
 * the prices contradict each other.
 */
export function fitScores(fixture: Fixture): FittedScores | null {
  const { status, score: current } = fixture.state;
  if (status === 'finished' || (status === 'live' && current === null)) return null;
  const score = status === 'live' ? current! : { home: 0, away: 0 };
  const goals = score.home + score.away;
  const lines = (market: MarketType): readonly LineGrid[] =>
    marketGrids(fixture, { market }).find(({ period }) => period === 'full_time')?.lines ?? [];
  const open = lines('totals').filter(({ line }) => (line ?? 0) > goals);
  const totals = priced('totals', open.toSorted(byConsensus)[0]);
  const result = priced('1x2', lines('1x2')[0]);
  const handicap = priced('asian_handicap', lines('asian_handicap')[0]);
  if (totals === null || (result === null && handicap === null)) return null;
  const fit = fitScoreline(scorelineMarkets({ score, totals, result, handicap }));
  return fit.ok ? { fit, score } : null;
}

function priced(market: MarketType, line: LineGrid | undefined): PricedLine | null {
  const sharpest = line === undefined ? null : sharpestOf(line);
  const probabilities = sharpest?.byMethod.get(methodOf(market));
  if (line === undefined || sharpest === null || probabilities === undefined) return null;
  const lineQuarters = quartersFromLine(line.line ?? 0, TOTAL_LINE_MAX);
  return lineQuarters === null ? null : { lineQuarters, probabilities, prices: sharpest.prices };
}

/**
 * Probability of each final score. Home goals by row, away goals by column; the last row and column mean
 * "that many or more".
 * @param size number of rows and of columns
 */
export function scoreGrid({ fit: { rates }, score }: FittedScores, size: number): readonly number[][] {
  const grid = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const pair = new PoissonPair();
  pair.set(rates.lambdaHome, rates.lambdaAway);
  const shift = lowScoreShift(rates);
  for (let home = 0; home < pair.homeTerms; home++) {
    const row = grid[Math.min(size - 1, score.home + home)]!;
    for (let away = 0; away < pair.awayTerms; away++) {
      const isLow = home <= 1 && away <= 1;
      row[Math.min(size - 1, score.away + away)]! +=
        pair.scoreAt(home, away) + (isLow ? (home === away ? -shift : shift) : 0);
    }
  }
  return grid;
}
