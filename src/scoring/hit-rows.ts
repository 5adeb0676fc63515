// The rows that kernels write, hits and their counts, and the objects made from the few hits that are shown.
// A row is a run of Float64, so one typed array can hold integers, prices and fractions.
//
//   value hit  market | period | line in quarters | outcome | bookmaker | priceE4 | fair decimal | edge |
//              at | sharp at | reference | reference at
//   arb hit    market | period | line in quarters | leg count | (bookmaker | priceE4 | at) x 3 |
//              inverse sum | margin | sharp at
//
// `at` is the source time of a price's last message; `sharp at` is that of the sharp bookmaker's price at the
// line (of several the tightest one's), NaN where the caller sees none; `reference at` is that of the newest
// price of the reference. All in Unix ms. `reference` is a bookmaker, or REFERENCE_CONSENSUS.

import { OUTCOMES_MAX } from '../domain/catalogue.ts';
import { BOOKMAKERS_MAX } from '../limits.ts';

export const HIT_MARKET = 0;
export const HIT_PERIOD = 1;
export const HIT_LINE_QUARTERS = 2;

export const VALUE_OUTCOME = 3;
export const VALUE_BOOKMAKER = 4;
export const VALUE_PRICE_E4 = 5;
export const VALUE_FAIR_DECIMAL = 6;
export const VALUE_EDGE = 7;
export const VALUE_AT_MS = 8;
export const VALUE_SHARP_AT_MS = 9;
export const VALUE_REFERENCE = 10;
export const VALUE_REFERENCE_AT_MS = 11;
export const VALUE_STRIDE = 12;

export const ARB_LEG_COUNT = 3;
export const ARB_LEGS = 4;
export const ARB_LEG_STRIDE = 3;
export const ARB_INVERSE_SUM = ARB_LEGS + OUTCOMES_MAX * ARB_LEG_STRIDE;
export const ARB_MARGIN = ARB_INVERSE_SUM + 1;
export const ARB_SHARP_AT_MS = ARB_MARGIN + 1;
export const ARB_STRIDE = ARB_SHARP_AT_MS + 1;

/** Indexes of the Int32 words in `ScoreBuffers.counts`. */
export const COUNT_VALUE = 0;
export const COUNT_ARB = 1;
export const COUNT_VALUE_DROPPED = 2; // hits above the cap
export const COUNT_ARB_DROPPED = 3;
export const COUNT_FAIR_LINES = 4; // lines with a fair price of the reference
export const COUNT_BOOKMAKER_MASK = 5; // bit b: bookmaker b took part
export const COUNT_SHARP_LEFT_OUT = 6; // lines where the reference bookmaker's inverse prices sum below 1
export const COUNT_REFERENCE_MASK = 7; // bit b: a fair price was computed from bookmaker b alone
/**
 * Counts of what was left out, by reason. The reason `implausible` has COUNT_VALUE_DROPPED and
 * COUNT_ARB_DROPPED.
 */
export const COUNT_STALE = 8; // quotes
export const COUNT_SUSPENDED = 9; // quotes, including those with a price of 1 or less
export const COUNT_PERIOD_OVER = 10; // quotes
export const COUNT_LATE = 11; // 1: kickoff has passed, but nothing shows that the match has begun
export const COUNT_FINISHED = 12; // 1: the match is over
export const COUNT_SINGLE_BOOK = 13; // lines with prices of one owner only
export const COUNT_NO_SHARP = 14; // lines of several owners, without a sharp bookmaker that takes part
export const COUNT_NO_REFERENCE = 15; // lines of several owners, without the named bookmaker or consensus
export const FIRST_EXCLUDED = COUNT_STALE;
export const EXCLUDED_WORDS = COUNT_NO_REFERENCE + 1 - FIRST_EXCLUDED;
export const COUNT_STALE_MASK = 16; // bit b: a quote of bookmaker b is stale
export const COUNT_AWAITED_MASK = 17; // bit b: a heartbeat of bookmaker b may make one of its quotes fresh
const COUNT_WORDS = 18;

/**
 * Scratch words for the line that the kernel is processing: its rows, the best price of each outcome, and the
 * row of each best price.
 */
export const LINE_FIRST_ROW = 0;
export const LINE_END_ROW = 1;
// row of the reference bookmaker; with the consensus, of the tightest sharp bookmaker; -1 without one
export const LINE_REFERENCE_ROW = 2;
export const LINE_HIDDEN_MASK = 3; // bit b: bookmaker b is hidden from the results
export const LINE_OUTCOME_COUNT = 4;
// bit b: bookmaker b is hidden from the results, but its prices are needed to judge them: as the reference,
// or as a sharp bookmaker for `lagging`
export const LINE_COMPARED_ONLY_MASK = 5;
export const LINE_IN_REACH = 6; // bits VALUE_IN_REACH and ARB_IN_REACH
export const LINE_VISIBLE_MASK = 7; // bit b: the caller may see bookmaker b
export const LINE_REFERENCE_MASK = 8; // bit b: LINE_REFERENCE_ROW may be a row of bookmaker b
export const LINE_BEST = 9;
export const LINE_BEST_ROW = LINE_BEST + OUTCOMES_MAX;
const LINE_WORDS = LINE_BEST_ROW + OUTCOMES_MAX;

/** Words of an owner in `ScoreBuffers.consensus`: a sum for each outcome, then how many bookmakers it has. */
export const CONSENSUS_COUNT = OUTCOMES_MAX;
export const CONSENSUS_STRIDE = OUTCOMES_MAX + 1;

/** Bits of LINE_IN_REACH: which hits the line may contain, decided without computing logarithms. */
export const VALUE_IN_REACH = 1;
export const ARB_IN_REACH = 2;

/**
 * The buffers that a kernel writes into: `counts`, `value` and `arb` are the result, all others scratch
 * space. Hits that do not fit into `value` or `arb` are counted but not written.
 */
export interface ScoreBuffers {
  readonly counts: Int32Array;
  readonly line: Int32Array;
  readonly fair: Float64Array;
  /** For each owner: the sums of log-odds of its bookmakers by outcome, and their number. */
  readonly consensus: Float64Array;
  /** One word: when the newest price of the line's reference was last confirmed by a message. Unix ms. */
  readonly referenceAtMs: Float64Array;
  /** One word: source time of the sharp bookmaker's last message about the line; NaN without one. Unix ms. */
  readonly sharpAtMs: Float64Array;
  /**
   * One word: the time until the first quote of the page that took part becomes too old; Infinity if none
   * will.
   */
  readonly spareMs: Float64Array;
  /** SignalGate.quoteFromMs: one time for each bookmaker. */
  readonly quoteFromMs: Float64Array;
  readonly value: Float64Array;
  readonly arb: Float64Array;
}

/**
 * Buffers large enough for any page of up to `quoteCount` quotes: each line has at least one quote, at most
 * three value hits and one arbitrage.
 */
export function createScoreBuffers(quoteCount: number): ScoreBuffers {
  return {
    counts: new Int32Array(COUNT_WORDS),
    line: new Int32Array(LINE_WORDS),
    fair: new Float64Array(OUTCOMES_MAX),
    consensus: new Float64Array(BOOKMAKERS_MAX * CONSENSUS_STRIDE),
    referenceAtMs: new Float64Array(1),
    sharpAtMs: new Float64Array(1),
    spareMs: new Float64Array(1),
    quoteFromMs: new Float64Array(BOOKMAKERS_MAX),
    value: new Float64Array(quoteCount * OUTCOMES_MAX * VALUE_STRIDE),
    arb: new Float64Array(quoteCount * ARB_STRIDE),
  };
}

/** A best price above the reference's fair price. Indexes refer to the catalogue lists. */
export interface ValueHit {
  readonly market: number;
  readonly period: number;
  /** 0 for a 1x2. */
  readonly lineQuarters: number;
  /** Index into outcomesOf(sport, market). */
  readonly outcome: number;
  readonly bookmaker: number;
  readonly priceE4: number;
  readonly fairDecimal: number;
  /** decimal / fairDecimal - 1, a fraction. */
  readonly edge: number;
  /** The bookmaker whose prices the fair price was computed from, or REFERENCE_CONSENSUS. */
  readonly reference: number;
  /** Source time of the newest price that the fair price was computed from. Unix ms. */
  readonly referenceAtMs: number;
  /** Source time of the last message about the price. Unix ms. */
  readonly atMs: number;
  /**
   * Source time of the sharp bookmaker's last message about the line; NaN where the caller sees none. Unix
   * ms.
   */
  readonly sharpAtMs: number;
}

export interface ArbLegHit {
  readonly bookmaker: number;
  readonly priceE4: number;
  /** Source time of the last message about the price. Unix ms. */
  readonly atMs: number;
}

/** One price per outcome of a line, from two bookmakers or more, that together cost less than they return. */
export interface ArbHit {
  readonly market: number;
  readonly period: number;
  readonly lineQuarters: number;
  /** In the order of outcomesOf(sport, market). */
  readonly legs: readonly ArbLegHit[];
  readonly inverseSum: number;
  /** 1 / inverseSum - 1, a fraction. */
  readonly margin: number;
  /**
   * Source time of the sharp bookmaker's last message about the line; NaN where the caller sees none. Unix
   * ms.
   */
  readonly sharpAtMs: number;
}

export function valueHitAt(rows: Float64Array, offset: number): ValueHit {
  return {
    market: rows[offset + HIT_MARKET]!,
    period: rows[offset + HIT_PERIOD]!,
    lineQuarters: rows[offset + HIT_LINE_QUARTERS]!,
    outcome: rows[offset + VALUE_OUTCOME]!,
    bookmaker: rows[offset + VALUE_BOOKMAKER]!,
    priceE4: rows[offset + VALUE_PRICE_E4]!,
    fairDecimal: rows[offset + VALUE_FAIR_DECIMAL]!,
    edge: rows[offset + VALUE_EDGE]!,
    reference: rows[offset + VALUE_REFERENCE]!,
    atMs: rows[offset + VALUE_AT_MS]!,
    sharpAtMs: rows[offset + VALUE_SHARP_AT_MS]!,
    referenceAtMs: rows[offset + VALUE_REFERENCE_AT_MS]!,
  };
}

export function arbHitAt(rows: Float64Array, offset: number): ArbHit {
  const legs: ArbLegHit[] = [];
  const end = offset + ARB_LEGS + rows[offset + ARB_LEG_COUNT]! * ARB_LEG_STRIDE;
  for (let leg = offset + ARB_LEGS; leg < end; leg += ARB_LEG_STRIDE) {
    legs.push({ bookmaker: rows[leg]!, priceE4: rows[leg + 1]!, atMs: rows[leg + 2]! });
  }
  return {
    market: rows[offset + HIT_MARKET]!,
    period: rows[offset + HIT_PERIOD]!,
    lineQuarters: rows[offset + HIT_LINE_QUARTERS]!,
    legs,
    inverseSum: rows[offset + ARB_INVERSE_SUM]!,
    margin: rows[offset + ARB_MARGIN]!,
    sharpAtMs: rows[offset + ARB_SHARP_AT_MS]!,
  };
}
