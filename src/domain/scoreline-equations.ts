// The equations between goal rates and market prices, with their derivatives. A bet on the margin or the total is one or
// two half-goal steps (a quarter line settles in halves); its value is the expected gain of a stake at the fair price,
// times the fair probability, so that 0 means agreement and the scale is that of a probability.
//
// d P(margin > m) / d lambdaHome = P(margin = m), / d lambdaAway = -P(margin = m + 1); d P(total > m) = P(total = m).

import { boundedRho, marginShiftAbove, type PoissonPair, totalShiftAbove } from './goal-model.ts';

/** A bet that wins above one whole number, loses below another, and is void between; two of them for a quarter line. */
export interface SteppedBet {
  /** Per step: wins when the goals are more than `winAbove`, loses when they are fewer than `lossBelow`. */
  readonly steps: readonly { readonly winAbove: number; readonly lossBelow: number }[];
  readonly winWeight: number;
  readonly lossWeight: number;
  /** What the weighted difference must equal. */
  readonly target: number;
}

/** Home minus away probability of the full-time result, when home already leads by `lead`. */
export function resultBet(lead: number, home: number, away: number): SteppedBet {
  return {
    steps: [{ winAbove: -lead, lossBelow: -lead }],
    winWeight: 1,
    lossWeight: 1,
    target: home - away,
  };
}

/** A stake on more than `quarters` / 4 goals at the fair price of `probability`. A home handicap passes its line negated. */
export function lineBet(quarters: number, probability: number): SteppedBet {
  const halves = quarters % 2 === 0 ? [quarters / 2] : [(quarters - 1) / 2, (quarters + 1) / 2];
  return {
    steps: halves.map((half) => ({ winAbove: Math.floor(half / 2), lossBelow: Math.ceil(half / 2) })),
    winWeight: 1 - probability,
    lossWeight: probability,
    target: 0,
  };
}

/** Where the low-score shift comes from: a fixed rho, or the draw price, which it then matches exactly. */
export type ShiftRule =
  | { readonly kind: 'rho'; readonly rho: number }
  | { readonly kind: 'draw'; readonly margin: number; readonly probability: number };

/** Residuals and their derivatives at one pair of rates. */
export class ScorelineEquations {
  readonly #pair: PoissonPair;
  readonly #supremacy: SteppedBet;
  readonly #total: SteppedBet;
  readonly #rule: ShiftRule;
  shift = 0;
  supremacy = 0;
  supremacyByHome = 0;
  supremacyByAway = 0;
  total = 0;
  totalByHome = 0;
  totalByAway = 0;

  constructor(pair: PoissonPair, bets: { supremacy: SteppedBet; total: SteppedBet }, rule: ShiftRule) {
    this.#pair = pair;
    this.#supremacy = bets.supremacy;
    this.#total = bets.total;
    this.#rule = rule;
  }

  /** Sum of squared residuals. */
  get cost(): number {
    return this.supremacy * this.supremacy + this.total * this.total;
  }

  /** Evaluates everything at rates within RATE_MIN and RATE_MAX. */
  evaluate(lambdaHome: number, lambdaAway: number): void {
    const pair = this.#pair;
    pair.set(lambdaHome, lambdaAway);
    let shiftByHome: number;
    let shiftByAway: number;
    if (this.#rule.kind === 'rho') {
      const rho = boundedRho(this.#rule.rho, lambdaHome, lambdaAway);
      this.shift = rho * lambdaHome * lambdaAway * Math.exp(-lambdaHome - lambdaAway);
      shiftByHome = this.shift * (1 / lambdaHome - 1);
      shiftByAway = this.shift * (1 / lambdaAway - 1);
    } else {
      const { margin, probability } = this.#rule;
      const perShift = marginShiftAbove(margin - 1) - marginShiftAbove(margin);
      const plain = pair.marginAt(margin);
      this.shift = (probability - plain) / perShift;
      shiftByHome = (plain - pair.marginAt(margin - 1)) / perShift;
      shiftByAway = (plain - pair.marginAt(margin + 1)) / perShift;
    }

    const supremacy = this.#supremacy;
    this.supremacy = marginValue(pair, supremacy, this.shift);
    let byHome = 0;
    let byAway = 0;
    let byShift = 0;
    for (const { winAbove, lossBelow } of supremacy.steps) {
      byHome +=
        supremacy.winWeight * pair.marginAt(winAbove) + supremacy.lossWeight * pair.marginAt(lossBelow - 1);
      byAway -=
        supremacy.winWeight * pair.marginAt(winAbove + 1) + supremacy.lossWeight * pair.marginAt(lossBelow);
      byShift +=
        supremacy.winWeight * marginShiftAbove(winAbove) +
        supremacy.lossWeight * marginShiftAbove(lossBelow - 1);
    }
    this.supremacyByHome = (byHome + byShift * shiftByHome) / supremacy.steps.length;
    this.supremacyByAway = (byAway + byShift * shiftByAway) / supremacy.steps.length;

    const total = this.#total;
    this.total = totalValue(pair, total, this.shift);
    let byRate = 0;
    byShift = 0;
    for (const { winAbove, lossBelow } of total.steps) {
      byRate += total.winWeight * pair.totalAt(winAbove) + total.lossWeight * pair.totalAt(lossBelow - 1);
      byShift +=
        total.winWeight * totalShiftAbove(winAbove) + total.lossWeight * totalShiftAbove(lossBelow - 1);
    }
    this.totalByHome = (byRate + byShift * shiftByHome) / total.steps.length;
    this.totalByAway = (byRate + byShift * shiftByAway) / total.steps.length;
  }
}

/** Value of a bet on the margin, home minus away goals still to come. */
export function marginValue(pair: PoissonPair, bet: SteppedBet, shift: number): number {
  let sum = 0;
  for (const { winAbove, lossBelow } of bet.steps) {
    const win = pair.marginAbove(winAbove) + shift * marginShiftAbove(winAbove);
    const noLoss = pair.marginAbove(lossBelow - 1) + shift * marginShiftAbove(lossBelow - 1);
    sum += bet.winWeight * win - bet.lossWeight * (1 - noLoss);
  }
  return sum / bet.steps.length - bet.target;
}

/** Value of a bet on the total of goals still to come. */
function totalValue(pair: PoissonPair, bet: SteppedBet, shift: number): number {
  let sum = 0;
  for (const { winAbove, lossBelow } of bet.steps) {
    const win = pair.totalAbove(winAbove) + shift * totalShiftAbove(winAbove);
    const noLoss = pair.totalAbove(lossBelow - 1) + shift * totalShiftAbove(lossBelow - 1);
    sum += bet.winWeight * win - bet.lossWeight * (1 - noLoss);
  }
  return sum / bet.steps.length - bet.target;
}
