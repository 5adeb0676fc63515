// The interface between a price model and the bookmakers, and the choice of a line with a model: the same for
// both sports.

import { MARKET_TOTALS } from '../../domain/catalogue.ts';

/** One bookmaker's expectation for one period, in play or before. */
export interface Outlook {
  /** Goals or points still to come. */
  home: number;
  away: number;
  /** Already scored. */
  homeScore: number;
  awayScore: number;
}

/** Fair probabilities from expected scoring. Holds one outlook at a time: load it, then request lines. */
export interface PriceModel {
  /** Distance of neighbouring lines, in quarters. */
  readonly lineStepQuarters: number;
  load(outlook: Outlook): void;
  /**
   * Fair probabilities in the order of the outcomes; for two-way lines, the stake that a push returns is not
   * in the sum.
   * @param out receives them
   * @returns how many outcomes there are
   */
  fair(market: number, lineQuarters: number, out: Float64Array): number;
  /** A line of the model's grid near the balanced one. */
  guessLine(market: number): number;
}

const WALK_MAX = 60;

/** The line nearest to even chances. */
export function balancedLine(model: PriceModel, market: number, out: Float64Array): number {
  let line = model.guessLine(market);
  let off = offBalance(model, market, line, out);
  // A higher handicap line makes a home bet likelier to win, a higher total makes over less likely.
  const towards = off > 0 === (market === MARKET_TOTALS) ? 1 : -1;
  for (let i = 0; i < WALK_MAX; i++) {
    const next = line + towards * model.lineStepQuarters;
    const nextOff = offBalance(model, market, next, out);
    if (!(Math.abs(nextOff) < Math.abs(off))) break;
    line = next;
    off = nextOff;
  }
  return line;
}

/** Chance of the first outcome minus a half. */
export function offBalance(model: PriceModel, market: number, line: number, out: Float64Array): number {
  model.fair(market, line, out);
  return (out[0] as number) - 0.5;
}
