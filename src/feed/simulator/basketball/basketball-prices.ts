// Basketball chances from expected points: margin and total are normally distributed around the expected
// values, with a variance that grows with the remaining points. Every market counts the whole score, also in
// play, and lines end in .5.

import { MARKET_TOTALS } from '../../../domain/catalogue.ts';
import { normalBelow } from '../../../domain/random.ts';
import type { Outlook, PriceModel } from '../price-model.ts';

/** Variance of margin and total per expected point, measured on this simulator's own matches. */
export const VARIANCE_PER_POINT = 0.6;
/** Keeps the variance above zero in the last seconds. */
const VARIANCE_MIN = 0.6;

export class BasketballModel implements PriceModel {
  readonly lineStepQuarters = 4;
  #margin = 0;
  #total = 0;
  #deviation = 1;

  load(outlook: Outlook): void {
    const { home, away, homeScore, awayScore } = outlook;
    this.#margin = home - away + homeScore - awayScore;
    this.#total = home + away + homeScore + awayScore;
    this.#deviation = Math.sqrt(VARIANCE_MIN + VARIANCE_PER_POINT * (home + away));
  }

  fair(market: number, lineQuarters: number, out: Float64Array): number {
    const line = lineQuarters / 4;
    // A moneyline is a handicap of 0, because overtime decides a draw.
    const ahead = market === MARKET_TOTALS ? this.#total - line : this.#margin + line;
    const chance = normalBelow(ahead / this.#deviation);
    out[0] = chance;
    out[1] = 1 - chance;
    return 2;
  }

  guessLine(market: number): number {
    const balanced = market === MARKET_TOTALS ? this.#total : -this.#margin;
    return 4 * Math.round(balanced - 0.5) + 2;
  }
}
