// Football chances from expected goals: both sides score by independent Poisson processes, so all of a
// bookmaker's markets follow from two numbers. In play, 1x2 and totals count the whole score. An Asian
// handicap counts only later goals, as Asian bookmakers settle it (a bet starts at 0-0), so its line does not
// include goals already scored.

import { MARKET_1X2, MARKET_ASIAN_HANDICAP } from '../../../domain/catalogue.ts';
import type { Outlook, PriceModel } from '../price-model.ts';

/** The most remaining goals of one side that are counted; more have a chance below one in a million. */
const GOALS_MAX = 18;

export class FootballModel implements PriceModel {
  readonly lineStepQuarters = 1;
  readonly #home = new Float64Array(GOALS_MAX + 1);
  readonly #away = new Float64Array(GOALS_MAX + 1);
  /** Chance of each future goal difference, from -GOALS_MAX on. */
  readonly #margin = new Distribution(-GOALS_MAX, GOALS_MAX);
  /** Chance of each number of future goals. */
  readonly #total = new Distribution(0, GOALS_MAX);
  #outlook: Outlook = { home: 0, away: 0, homeScore: 0, awayScore: 0 };

  load(outlook: Outlook): void {
    this.#outlook = outlook;
    const { home, away } = outlook;
    poisson(home, this.#home);
    poisson(away, this.#away);
    this.#margin.setDifference(this.#home, this.#away);
    poisson(home + away, this.#total.chances);
    this.#total.cumulate();
  }

  fair(market: number, lineQuarters: number, out: Float64Array): number {
    const { homeScore, awayScore } = this.#outlook;
    if (market === MARKET_1X2) {
      const level = awayScore - homeScore;
      out[0] = this.#margin.above(2 * level);
      out[2] = this.#margin.below(2 * level);
      out[1] = Math.max(0, 1 - out[0] - out[2]);
      return 3;
    }
    const handicap = market === MARKET_ASIAN_HANDICAP;
    const counted = handicap ? this.#margin : this.#total;
    // A quarter line is two half-step lines with half the stake on each; thresholds are in half goals.
    const low = Math.floor(lineQuarters / 2);
    const high = Math.ceil(lineQuarters / 2);
    const scored = 2 * (homeScore + awayScore);
    const first = handicap ? -low : low - scored;
    const second = handicap ? -high : high - scored;
    const win = counted.above(first) + counted.above(second);
    const loss = counted.below(first) + counted.below(second);
    // Fair decimal odds of a line with pushes are 1 + loss / win, as if the stakes of a push had never been
    // bet.
    out[0] = win / (win + loss);
    out[1] = loss / (win + loss);
    return 2;
  }

  guessLine(market: number): number {
    const { home, away, homeScore, awayScore } = this.#outlook;
    // Adding 0 turns -0 into 0, so that they are one line.
    if (market === MARKET_ASIAN_HANDICAP) return Math.round(4 * (away - home)) + 0;
    return Math.round(4 * (home + away + homeScore + awayScore));
  }
}

/** Chances of whole numbers in a range, with their running sums. */
class Distribution {
  readonly #lowest: number;
  readonly chances: Float64Array;
  /** `#upTo[i]`: chance of being below the i-th number. */
  readonly #upTo: Float64Array;

  constructor(lowest: number, highest: number) {
    this.#lowest = lowest;
    this.chances = new Float64Array(highest - lowest + 1);
    this.#upTo = new Float64Array(highest - lowest + 2);
  }

  /** Chance that twice the number is above `halves`. */
  above(halves: number): number {
    return 1 - this.#below(Math.floor(halves / 2) + 1);
  }

  /** Chance that twice the number is below `halves`. */
  below(halves: number): number {
    return this.#below(Math.ceil(halves / 2));
  }

  #below(number: number): number {
    const index = number - this.#lowest;
    if (index <= 0) return 0;
    if (index >= this.#upTo.length) return 1;
    return this.#upTo[index] as number;
  }

  setDifference(first: Float64Array, second: Float64Array): void {
    const chances = this.chances;
    chances.fill(0);
    for (let i = 0; i <= GOALS_MAX; i++) {
      const chance = first[i] as number;
      for (let j = 0; j <= GOALS_MAX; j++) {
        const at = i - j + GOALS_MAX;
        chances[at] = (chances[at] as number) + chance * (second[j] as number);
      }
    }
    this.cumulate();
  }

  cumulate(): void {
    let sum = 0;
    for (let i = 0; i < this.chances.length; i++) {
      sum += this.chances[i] as number;
      this.#upTo[i + 1] = sum;
    }
  }
}

/** Poisson chances of 0 to GOALS_MAX, scaled to add up to 1. */
function poisson(mean: number, out: Float64Array): void {
  let term = Math.exp(-mean);
  let sum = 0;
  for (let i = 0; i <= GOALS_MAX; i++) {
    out[i] = term;
    sum += term;
    term *= mean / (i + 1);
  }
  for (let i = 0; i <= GOALS_MAX; i++) out[i] = (out[i] as number) / sum;
}
