// How well closing prices of a 1x2 forecast results: the log-loss of each reference's closing fair prices,
// and its difference from the log-loss of REFERENCE_DEFAULT over the matches that both have.

import {
  BOOKMAKERS,
  MARKET_1X2,
  outcomesOf,
  PERIOD_FULL_TIME,
  SHARP_BOOKMAKERS,
} from '../domain/catalogue.ts';
import { REFERENCE_DEFAULT, REFERENCE_WORDS, referenceOfWord } from '../domain/reference.ts';
import { type FinalScore, settle } from '../domain/settlement.ts';
import { meanOf } from '../query/averages.ts';
import { marketLineOfKey, packQuoteKey } from '../store/quote-key.ts';
import type { ClosedQuote } from './closing-lines.ts';
import { closingFair } from './recorded-signal.ts';

/** A match with its closing prices and its score. */
export interface ClosedMatch {
  readonly sport: number;
  readonly closing: readonly ClosedQuote[];
  readonly score: FinalScore;
}

export interface ClosingForecast {
  /** A word of REFERENCE_WORDS. */
  readonly reference: string;
  /** Matches for which this reference and REFERENCE_DEFAULT have closing prices. */
  readonly matches: number;
  /** Mean of -ln(probability of what happened). Lower is better. */
  readonly log_loss: number;
  /**
   * The mean minus the mean of REFERENCE_DEFAULT over the same matches. Its standard error is in
   * `standard_error`.
   */
  readonly difference: number;
  readonly standard_error: number | null;
}

const LINE = marketLineOfKey(packQuoteKey(MARKET_1X2, PERIOD_FULL_TIME, 0, 0));
/** The sharp bookmaker is left out of the consensus that it is compared with. */
const JUDGED = BOOKMAKERS.findIndex(({ key }) => key === SHARP_BOOKMAKERS[0]?.key);

/** A row for each reference that has any match. A basketball match that ends level is left out. */
export function closingForecasts(matches: readonly ClosedMatch[]): ClosingForecast[] {
  const words = REFERENCE_WORDS.filter((word) => word !== SHARP_BOOKMAKERS[0]?.key);
  const losses = new Map(words.map((word) => [word, matches.map((match) => lossOf(match, word))]));
  const own = losses.get(REFERENCE_DEFAULT)!;
  return words.flatMap((reference) => {
    const pairs = losses
      .get(reference)!
      .flatMap((loss, index) => (loss === null || own[index] == null ? [] : [[loss, own[index]] as const]));
    if (pairs.length === 0) return [];
    const differences = pairs.map(([loss, other]) => loss - other);
    const difference = meanOf(differences)!;
    const variance = meanOf(differences.map((one) => (one - difference) ** 2))!;
    return [
      {
        reference,
        matches: pairs.length,
        log_loss: digits(meanOf(pairs.map(([loss]) => loss))!),
        difference: digits(difference),
        standard_error: reference === REFERENCE_DEFAULT ? null : digits(Math.sqrt(variance / pairs.length)),
      },
    ];
  });
}

function lossOf({ sport, closing, score }: ClosedMatch, word: string): number | null {
  const books = closing.filter(({ key }) => marketLineOfKey(key) === LINE);
  const fair = closingFair(books, '1x2', referenceOfWord(word), JUDGED);
  const outcomes = outcomesOf(sport, MARKET_1X2);
  const line = { sport, market: MARKET_1X2, lineQuarters: 0, score, fromScore: { home: 0, away: 0 } };
  const won = outcomes.findIndex((outcome) => settle(line, outcome) === 'win');
  return fair === null || won < 0 ? null : -Math.log(fair[won]!);
}

function digits(value: number): number {
  return Number(value.toFixed(5)) + 0;
}
