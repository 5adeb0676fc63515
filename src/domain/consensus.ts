// The consensus of bookmakers: the mean of their fair probabilities in log-odds, scaled to sum to one
// (Satopää, V. A. and others, 2014, "Combining multiple probability predictions using a simple logit model",
// International Journal of Forecasting 30(2), 344-356, with equal weights and without extremizing). All
// owners count alike, because weights that were fitted on one season did not hold in the next.

/** Fewer independent owners than this are no consensus. */
export const CONSENSUS_OWNERS_MIN = 3;
/** A quote whose inverse prices sum to more than this is a mistake, and takes no part in a consensus. */
export const CONSENSUS_SUM_MAX = 1.6;

/** One bookmaker's fair probabilities of all outcomes of a line, each strictly between 0 and 1. */
export interface FairQuote {
  /** Bookmakers of one owner have the same number. */
  readonly owner: number;
  readonly probabilities: readonly number[];
}

/**
 * Bookmakers of one owner count once, by their mean.
 * @returns probabilities that sum to 1, in the order of the outcomes; null with fewer than three owners
 */
export function consensusOf(quotes: readonly FairQuote[]): number[] | null {
  const byOwner = Map.groupBy(quotes, ({ owner }) => owner);
  if (byOwner.size < CONSENSUS_OWNERS_MIN) return null;
  const owners = [...byOwner.values()].map((own) =>
    meanOf(own.map(({ probabilities }) => probabilities.map(logit))),
  );
  const even = meanOf(owners).map((logOdds) => 1 / (1 + Math.exp(-logOdds)));
  const sum = even.reduce((total, probability) => total + probability, 0);
  return even.map((probability) => probability / sum);
}

function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}

function meanOf(rows: readonly (readonly number[])[]): number[] {
  return rows[0]!.map((_, column) => rows.reduce((sum, row) => sum + row[column]!, 0) / rows.length);
}
