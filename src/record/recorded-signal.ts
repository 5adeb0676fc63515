// A signal as the record keeps it, and how it is graded: against the close, and against the result.

import {
  BOOKMAKER_KEYS,
  indexIn,
  MARKET_1X2,
  MARKET_TYPES,
  type MarketType,
  type Outcome,
  OWNER_MASKS,
  outcomesOf,
  PERIODS,
  type Period,
  SHARP_BOOKMAKERS_MASK,
  SPORT_FOOTBALL,
} from '../domain/catalogue.ts';
import { CONSENSUS_SUM_MAX, consensusOf } from '../domain/consensus.ts';
import { devigByMarket, inverseSum } from '../domain/devig.ts';
import type { SettledResult } from '../domain/handicap.ts';
import { quartersFromLine } from '../domain/handicap.ts';
import { REFERENCE_CONSENSUS, REFERENCE_SHARP, referenceOfWord } from '../domain/reference.ts';
import { type FinalScore, settle, sharesOf } from '../domain/settlement.ts';
import type { SIGNAL_KINDS } from '../domain/signal-gate.ts';
import { bookmakerOfKey, marketLineOfKey, packQuoteKey } from '../store/quote-key.ts';
import type { ClosedQuote } from './closing-lines.ts';

/** Everything known when the signal opened, and its end. Prices are decimal, edges in per cent. */
export interface RecordedSignal {
  /**
   * The id is made of the signal's stream id, its reference and its opening time, so a signal that opens
   * twice has two records.
   */
  readonly id: string;
  readonly kind: (typeof SIGNAL_KINDS)[number];
  readonly event_id: string;
  readonly league: string;
  readonly sport: number;
  readonly market_type: MarketType;
  readonly period: Period;
  readonly line: number | null;
  /** Null for an arbitrage, as are bookmaker, prices and reference. */
  readonly outcome: Outcome | null;
  readonly bookmaker: string | null;
  readonly price: number | null;
  readonly fair_price: number | null;
  readonly reference: string | null;
  /** The margin of an arbitrage. */
  readonly edge_pct: number;
  readonly ev_pct: number | null;
  readonly in_play: boolean;
  /** The score when the signal opened, from which an in-play football handicap counts. */
  readonly from_score: FinalScore;
  readonly opened_at: string;
  readonly closed_at: string | null;
}

export interface GradedSignal extends RecordedSignal {
  /** Null for an arbitrage, for a signal in play, and for a line without a closing price. */
  readonly clv_pct: number | null;
  /**
   * Null for an arbitrage, and while the score is unknown: the final score or, for a line of the first half,
   * the score at half time.
   */
  readonly result: SettledResult | null;
  /** The profit of a stake of one unit, -1 if it is lost. */
  readonly unit_return: number | null;
}

/** What is known of a match at its end. */
export interface MatchEnd {
  readonly closing: readonly ClosedQuote[] | null;
  readonly score: FinalScore | null;
  /** At half time; null when it is unknown. */
  readonly halfTimeScore: FinalScore | null;
}

export function graded(signal: RecordedSignal, { closing, score, halfTimeScore }: MatchEnd): GradedSignal {
  const clvPct = closing === null ? null : closingLineValue(signal, closing);
  const counted = signal.period === 'half_time' ? halfTimeScore : score;
  return settled(signal, clvPct, counted);
}

/** @param score of the signal's period at its end */
export function settled(
  signal: RecordedSignal,
  clvPct: number | null,
  score: FinalScore | null,
): GradedSignal {
  const result = score === null ? null : resultOf(signal, score);
  const shares = result === null ? null : sharesOf(result);
  return {
    ...signal,
    clv_pct: clvPct,
    result,
    unit_return: shares === null ? null : shares.win * (signal.price! - 1) - shares.loss,
  };
}

function resultOf(signal: RecordedSignal, score: FinalScore): SettledResult | null {
  const { outcome, sport, market_type, line } = signal;
  if (outcome === null) return null;
  const fromScore = signal.in_play && sport === SPORT_FOOTBALL ? signal.from_score : { home: 0, away: 0 };
  const market = indexIn(MARKET_TYPES, market_type);
  return settle({ sport, market, lineQuarters: quartersOf(line), score, fromScore }, outcome);
}

function quartersOf(line: number | null): number {
  return line === null ? 0 : quartersFromLine(line, Number.POSITIVE_INFINITY)!;
}

/**
 * The closing line value in per cent: (closing fair probability by the signal's own reference and method x
 * its price - 1) x 100. Null for an arbitrage, in play, where the line has no close, and for a bookmaker that
 * has left the roster.
 */
export function closingLineValue(signal: RecordedSignal, closing: readonly ClosedQuote[]): number | null {
  const { outcome, bookmaker, price, reference, market_type, sport } = signal;
  if (outcome === null || bookmaker === null || reference === null || signal.in_play) return null;
  const judged = (BOOKMAKER_KEYS as readonly string[]).indexOf(bookmaker);
  if (judged < 0) return null;
  const market = indexIn(MARKET_TYPES, market_type);
  const period = indexIn(PERIODS, signal.period);
  const line = marketLineOfKey(
    packQuoteKey(market, period, market === MARKET_1X2 ? 0 : quartersOf(signal.line), 0),
  );
  const books = closing.filter(({ key }) => marketLineOfKey(key) === line);
  const fair = closingFair(books, market_type, referenceOfWord(reference), judged);
  if (fair === null) return null;
  return (fair[outcomesOf(sport, market).indexOf(outcome)]! * price! - 1) * 100;
}

/**
 * Closing fair probabilities of a line by a reference, in the order of outcomes; null without its prices.
 * @param judged the bookmaker whose owner is left out of a consensus
 */
export function closingFair(
  books: readonly ClosedQuote[],
  marketType: MarketType,
  reference: number,
  judged: number,
): readonly number[] | null {
  // Sorted, so that rounding does not depend on where the prices come from.
  const inOrder = books.toSorted((one, other) => bookmakerOfKey(one.key) - bookmakerOfKey(other.key));
  const quotes = inOrder.flatMap(({ key, pricesE4 }) => {
    const bookmaker = bookmakerOfKey(key);
    const decimals = pricesE4.map((priceE4) => priceE4 / 10_000);
    const devigged = devigByMarket(marketType, decimals);
    if (!devigged.ok) return [];
    const { probabilities } = devigged;
    return [{ bookmaker, owner: OWNER_MASKS[bookmaker]!, probabilities, sum: inverseSum(decimals)! }];
  });
  if (reference === REFERENCE_CONSENSUS) {
    return consensusOf(
      quotes.filter(({ owner, sum }) => owner !== OWNER_MASKS[judged] && sum <= CONSENSUS_SUM_MAX),
    );
  }
  const mask = reference === REFERENCE_SHARP ? SHARP_BOOKMAKERS_MASK : 1 << reference;
  const [tightest] = quotes
    .filter(({ bookmaker }) => ((mask >> bookmaker) & 1) === 1)
    .toSorted((one, other) => one.sum - other.sum);
  return tightest?.probabilities ?? null;
}
