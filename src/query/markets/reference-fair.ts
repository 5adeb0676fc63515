// The fair price of a line by a reference that the caller names: the sharp book, the consensus of all books,
// or one bookmaker.

import { isSharpBookmaker, type MarketType, OWNER_MASKS } from '../../domain/catalogue.ts';
import { CONSENSUS_SUM_MAX, consensusOf, type FairQuote } from '../../domain/consensus.ts';
import { devigByMarket, FAIR_METHOD_BY_MARKET, inverseSum } from '../../domain/devig.ts';
import { REFERENCE_CONSENSUS, REFERENCE_SHARP } from '../../domain/reference.ts';
import { COMPARISON_SLACK } from '../../scoring/criteria.ts';
import type { LineBook, MarketLine } from '../../scoring/market-lines.ts';
import { type FairMarket, fairOfLine, lineOf, type MarketComparison } from './market-comparison.ts';

/** A fair price that may come from the consensus instead of one book. */
export type ReferenceFair = Omit<FairMarket, 'fromBookmaker' | 'prices' | 'methods'> & {
  /** Null for the consensus. */
  readonly fromBookmaker: FairMarket['fromBookmaker'] | null;
};

/**
 * The consensus includes every owner, because the price that it judges is from elsewhere.
 * @param comparison of a question with `wantsBooks`
 * @param reference as the kernels read it
 * @returns null when the reference has no fair price at the judged line
 */
export function fairByReference(
  comparison: MarketComparison,
  marketType: MarketType,
  reference: number,
): ReferenceFair | null {
  const { judged, outcomes } = comparison;
  if (judged === null) return null;
  if (reference === REFERENCE_CONSENSUS) return consensusFair(judged, comparison, marketType);
  const books = judged.books.filter(({ bookmaker }) =>
    reference === REFERENCE_SHARP ? isSharpBookmaker(bookmaker) : bookmaker === reference,
  );
  const sharpest = tightestOf(books);
  return fairOfLine({ ...judged, sharpest, belowOneBookmakers: [] }, { marketType, outcomes });
}

function consensusFair(
  line: MarketLine,
  { outcomes }: MarketComparison,
  marketType: MarketType,
): ReferenceFair | null {
  const quotes = line.books.flatMap(({ bookmaker, pricesE4 }): FairQuote[] => {
    const decimals = decimalsOf(pricesE4);
    const devigged = devigByMarket(marketType, decimals);
    if (!devigged.ok || (inverseSum(decimals) ?? 0) > CONSENSUS_SUM_MAX + COMPARISON_SLACK) return [];
    return [{ owner: OWNER_MASKS[bookmaker]!, probabilities: devigged.probabilities }];
  });
  const probabilities = consensusOf(quotes);
  if (probabilities === null || !probabilities.every((value) => value > 0 && value < 1)) return null;
  return {
    outcomes,
    probabilities: Object.fromEntries(outcomes.map((outcome, index) => [outcome, probabilities[index]!])),
    decimalFair: Object.fromEntries(outcomes.map((outcome, index) => [outcome, 1 / probabilities[index]!])),
    devigMethod: FAIR_METHOD_BY_MARKET[marketType],
    fromBookmaker: null,
    leftOut: [],
    line: lineOf(marketType, line),
  };
}

/** The book with the lowest margin. Books without a margin have no fair price and are never chosen. */
function tightestOf(books: readonly LineBook[]): LineBook | null {
  let tightest: LineBook | null = null;
  let lowestSum = Number.POSITIVE_INFINITY;
  for (const book of books) {
    const sum = inverseSum(decimalsOf(book.pricesE4)) ?? 0;
    if (sum < 1 - COMPARISON_SLACK || sum >= lowestSum - COMPARISON_SLACK) continue;
    lowestSum = sum;
    tightest = book;
  }
  return tightest;
}

function decimalsOf(pricesE4: readonly number[]): number[] {
  return pricesE4.map((priceE4) => priceE4 / 10_000);
}
