// The fair price of a line, with the service's own formulas, so that the board can show it beside every price
// without a request. The reference is the sharp book, the consensus of all books, or a bookmaker that the
// visitor names.

import type { MarketType, Outcome } from '../../../../domain/catalogue.ts';
import { CONSENSUS_SUM_MAX, consensusOf, type FairQuote } from '../../../../domain/consensus.ts';
import { devigByMarket, inverseSum } from '../../../../domain/devig.ts';
import { pageSettings, SHARP_BOOKS } from '../page-settings.ts';
import type { MirrorQuote } from '../quote.ts';
import { parameter } from '../view.ts';

/** Fair probabilities of one line, against which every price of the line is judged. */
export interface FairLine {
  /** The bookmaker whose margin was removed; null for the consensus. */
  readonly from: string | null;
  readonly probabilities: ReadonlyMap<Outcome, number>;
  /**
   * (price / fair price - 1) x 100. Null for a price of 1 or less, and where too few other owners have prices
   * for a consensus.
   */
  readonly edgePct: (bookmaker: string, outcome: Outcome, decimal: number) => number | null;
}

interface BookQuote extends FairQuote {
  readonly bookmaker: string;
  readonly sum: number;
}

const OWNERS = new Map(
  pageSettings.bookmakers.map(({ key, owner }) => [
    key,
    pageSettings.bookmakers.findIndex((one) => one.owner === owner),
  ]),
);

/**
 * @param quotes of one line, hidden columns included
 * @param seesSharp whether the sharp book is among the fixture's quotes; if not, the default reference is the
 * consensus
 * @returns null when the reference gives no fair price
 */
export function fairLine(
  marketType: MarketType,
  outcomes: readonly Outcome[],
  quotes: readonly MirrorQuote[],
  seesSharp: boolean,
): FairLine | null {
  const open = bookQuotes(marketType, outcomes, quotes);
  const wanted = parameter('reference') || (seesSharp ? 'sharp' : 'consensus');
  if (wanted === 'consensus') return consensusLine(outcomes, open);
  const books = open.filter(({ bookmaker }) =>
    wanted === 'sharp' ? SHARP_BOOKS.has(bookmaker) : bookmaker === wanted,
  );
  const tightest = books.reduce<BookQuote | null>(
    (best, one) => (best === null || one.sum < best.sum ? one : best),
    null,
  );
  if (tightest === null) return null;
  const probabilities = byOutcome(outcomes, tightest.probabilities);
  return {
    from: tightest.bookmaker,
    probabilities,
    edgePct: (_bookmaker, outcome, decimal) => edgeOf(probabilities.get(outcome), decimal),
  };
}

/** The consensus of a line. Each bookmaker is judged by a consensus without the bookmakers of its owner. */
function consensusLine(outcomes: readonly Outcome[], open: readonly BookQuote[]): FairLine | null {
  const all = consensusOf(open);
  if (all === null) return null;
  const without = new Map<number, ReadonlyMap<Outcome, number> | null>();
  const judgedBy = (bookmaker: string): ReadonlyMap<Outcome, number> | null => {
    const owner = OWNERS.get(bookmaker) ?? -1;
    let judge = without.get(owner);
    if (judge === undefined) {
      const others = consensusOf(open.filter((one) => one.owner !== owner));
      judge = others === null ? null : byOutcome(outcomes, others);
      without.set(owner, judge);
    }
    return judge;
  };
  return {
    from: null,
    probabilities: byOutcome(outcomes, all),
    edgePct: (bookmaker, outcome, decimal) => edgeOf(judgedBy(bookmaker)?.get(outcome), decimal),
  };
}

function bookQuotes(
  marketType: MarketType,
  outcomes: readonly Outcome[],
  quotes: readonly MirrorQuote[],
): BookQuote[] {
  return quotes.flatMap(({ bookmaker, status, decimals }): BookQuote[] => {
    if (status !== 'open') return [];
    const prices = outcomes.map((outcome) => decimals.get(outcome) ?? 0);
    const sum = inverseSum(prices);
    if (sum === null || sum > CONSENSUS_SUM_MAX) return [];
    const devigged = devigByMarket(marketType, prices);
    if (!devigged.ok) return [];
    return [{ bookmaker, owner: OWNERS.get(bookmaker) ?? -1, sum, probabilities: devigged.probabilities }];
  });
}

function byOutcome(outcomes: readonly Outcome[], values: readonly number[]): ReadonlyMap<Outcome, number> {
  return new Map(outcomes.map((outcome, index) => [outcome, values[index]!]));
}

function edgeOf(probability: number | undefined, decimal: number): number | null {
  return probability === undefined || decimal <= 1 ? null : (probability * decimal - 1) * 100;
}
