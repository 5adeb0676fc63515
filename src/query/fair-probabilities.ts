// Fair probabilities of one market of one fixture: the prices of the sharpest visible book on the consensus line with
// the book's margin taken out. For compare_prob, score_prob and the favourite of match_info.

import type { DevigMethod } from '../contract/probability.ts';
import { BOOKMAKER_KEYS, type BookmakerKey, type MarketType, type Outcome } from '../domain/catalogue.ts';
import { devigPower, devigProportional } from '../domain/devig.ts';
import type { FixtureNow } from './fixture-view.ts';
import {
  type ComparedLine,
  compareMarket,
  lineOf,
  type MarketComparison,
  type MarketQuestion,
} from './market-comparison.ts';
import type { Slate } from './slate.ts';

/** Numbers by outcome name; the outcomes of the market are there, the others are not. */
export type ByOutcome = Readonly<Partial<Record<Outcome, number>>>;

export interface FairMarket {
  readonly outcomes: readonly Outcome[];
  /** Unrounded, each strictly between 0 and 1; they sum to 1. On a whole line: given that the stake is not returned. */
  readonly probabilities: ByOutcome;
  /** 1 / probability. */
  readonly decimalFair: ByOutcome;
  readonly devigMethod: DevigMethod;
  /** The book with the lowest overround on the line, ties by catalogue order. */
  readonly fromBookmaker: BookmakerKey;
  /** The consensus line; null for a 1x2. */
  readonly line: number | null;
}

/** What a line's prices belong to. */
export interface LineMarket {
  readonly marketType: MarketType;
  readonly outcomes: readonly Outcome[];
}

/**
 * Fair probabilities of a market.
 * @returns null when no visible quote takes part, or when the sharpest book's prices cannot be de-vigged (their inverse
 *   sum is below 1)
 */
export function fairMarket(slate: Slate, fixture: FixtureNow, question: MarketQuestion): FairMarket | null {
  return fairOfComparison(compareMarket(slate, fixture, question), question.marketType);
}

/** The same from a comparison that is already made. */
export function fairOfComparison(comparison: MarketComparison, marketType: MarketType): FairMarket | null {
  const { consensus, outcomes } = comparison;
  return consensus === null ? null : fairOfLine(consensus, { marketType, outcomes });
}

/** De-vigs a line's sharpest prices: a 1x2 by the power method (two-way in basketball too), others proportionally. */
export function fairOfLine(line: ComparedLine, { marketType, outcomes }: LineMarket): FairMarket | null {
  const decimals = line.sharpestPricesE4.map((priceE4) => priceE4 / 10_000);
  const devigMethod = marketType === '1x2' ? 'power' : 'proportional';
  const devigged = devigMethod === 'power' ? devigPower(decimals) : devigProportional(decimals);
  // The power of a longshot beside two near-certainties underflows: such prices mean nothing.
  if (!devigged.ok || !devigged.probabilities.every((value) => value > 0 && value < 1)) return null;
  const { probabilities } = devigged;
  return {
    outcomes,
    probabilities: Object.fromEntries(outcomes.map((outcome, index) => [outcome, probabilities[index]!])),
    decimalFair: Object.fromEntries(outcomes.map((outcome, index) => [outcome, 1 / probabilities[index]!])),
    devigMethod,
    fromBookmaker: BOOKMAKER_KEYS[line.sharpestBookmaker]!,
    line: lineOf(marketType, line),
  };
}
