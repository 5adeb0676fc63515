// The rows that kernels write: hits, and what was counted beside them; and the objects made of the few that are shown. A
// row is a run of Float64, so that one typed array holds integers, prices and fractions alike.
//
//   value hit  market | period | line in quarters | outcome | bookmaker | priceE4 | fair decimal | edge | at |
//              sharp at | reference book
//   arb hit    market | period | line in quarters | leg count | (bookmaker | priceE4 | at) x 3 | inverse sum | margin | sharp at
//
// `at` is the source time of a price's last message, `sharp at` that of the sharp book's at the same line, in Unix ms.

import { OUTCOMES_MAX } from '../domain/catalogue.ts';

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
export const VALUE_STRIDE = 11;

export const ARB_LEG_COUNT = 3;
export const ARB_LEGS = 4;
export const ARB_LEG_STRIDE = 3;
export const ARB_INVERSE_SUM = ARB_LEGS + OUTCOMES_MAX * ARB_LEG_STRIDE;
export const ARB_MARGIN = ARB_INVERSE_SUM + 1;
export const ARB_SHARP_AT_MS = ARB_MARGIN + 1; // NaN when the sharp book does not take part
export const ARB_STRIDE = ARB_SHARP_AT_MS + 1;

/** Int32 words of `ScoreBuffers.counts`. */
export const COUNT_VALUE = 0;
export const COUNT_ARB = 1;
export const COUNT_VALUE_DROPPED = 2; // above the cap
export const COUNT_ARB_DROPPED = 3;
export const COUNT_SHARP_LINES = 4; // lines with a fair price of the sharp book
export const COUNT_BOOKMAKER_MASK = 5; // bit b: book b took part
export const COUNT_SHARP_LEFT_OUT = 6; // lines at which the sharp book's inverse prices sum below 1
export const COUNT_REFERENCE_MASK = 7; // bit b: a fair price is from sharp book b
/** What was left out, by reason: the `implausible` are the two dropped counts above. */
export const COUNT_STALE = 8; // quotes
export const COUNT_SUSPENDED = 9; // quotes, those with a price of 1 or less too
export const COUNT_PERIOD_OVER = 10; // quotes
export const COUNT_LATE = 11; // 1: the fixture should have begun and nothing says that it has
export const COUNT_FINISHED = 12; // 1: the fixture is over
export const COUNT_SINGLE_BOOK = 13; // lines whose prices have one owner
export const COUNT_NO_SHARP = 14; // other lines at which the sharp book does not take part
const COUNT_WORDS = 15;
export const FIRST_EXCLUDED = COUNT_STALE;
export const EXCLUDED_WORDS = COUNT_WORDS - FIRST_EXCLUDED;

/** Scratch words of the line a kernel is at: its rows, and best prices and the rows they are in by outcome. */
export const LINE_FIRST_ROW = 0;
export const LINE_END_ROW = 1;
export const LINE_SHARP_ROW = 2; // of the tightest sharp book that takes part, -1 when none does
export const LINE_HIDDEN_MASK = 3; // bit b: the caller does not see book b
export const LINE_OUTCOME_COUNT = 4;
export const LINE_REFERENCE_ONLY_MASK = 5; // bit b: sharp book b is hidden, and is the reference all the same
export const LINE_IN_REACH = 6; // VALUE_IN_REACH and ARB_IN_REACH
export const LINE_BEST = 7;
export const LINE_BEST_ROW = LINE_BEST + OUTCOMES_MAX;
const LINE_WORDS = LINE_BEST_ROW + OUTCOMES_MAX;

/** Bits of LINE_IN_REACH: what may be at the line, as far as that is told without logarithms. */
export const VALUE_IN_REACH = 1;
export const ARB_IN_REACH = 2;

/**
 * What a kernel writes into, `line`, `fair` and `oldestAtMs` being its scratch. Hits beyond the room of `value` or `arb` are
 * counted but not written.
 */
export interface ScoreBuffers {
  readonly counts: Int32Array;
  readonly line: Int32Array;
  readonly fair: Float64Array;
  /** One word: source time of the page's oldest quote that took part; Infinity where the gate asks for no age. */
  readonly oldestAtMs: Float64Array;
  readonly value: Float64Array;
  readonly arb: Float64Array;
}

/** Buffers in which no page of up to `quoteCount` quotes can overflow: a line has a quote, three hits and one arb. */
export function createScoreBuffers(quoteCount: number): ScoreBuffers {
  return {
    counts: new Int32Array(COUNT_WORDS),
    line: new Int32Array(LINE_WORDS),
    fair: new Float64Array(OUTCOMES_MAX),
    oldestAtMs: new Float64Array(1),
    value: new Float64Array(quoteCount * OUTCOMES_MAX * VALUE_STRIDE),
    arb: new Float64Array(quoteCount * ARB_STRIDE),
  };
}

/** A best price above the sharp book's fair one. Indices are those of the catalogue lists. */
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
  /** The sharp bookmaker whose prices the fair one is made of. */
  readonly reference: number;
  /** Source time of the last message about the price, and about the sharp book's at the same line. Unix ms. */
  readonly atMs: number;
  readonly sharpAtMs: number;
}

export interface ArbLegHit {
  readonly bookmaker: number;
  readonly priceE4: number;
  /** Source time of the last message about the price. Unix ms. */
  readonly atMs: number;
}

/** One price per outcome of a line, from two books or more, that together cost less than they return. */
export interface ArbHit {
  readonly market: number;
  readonly period: number;
  readonly lineQuarters: number;
  /** In the order of outcomesOf(sport, market). */
  readonly legs: readonly ArbLegHit[];
  readonly inverseSum: number;
  /** 1 / inverseSum - 1, a fraction. */
  readonly margin: number;
  /** Of the sharp book's last message about the same line; NaN when it does not take part. Unix ms. */
  readonly sharpAtMs: number;
}

/** The value hit whose row starts at `offset`. */
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
  };
}

/** The arbitrage hit whose row starts at `offset`. */
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
