// A quote as a page holds it: decimal prices by outcome, and how each one last moved.

import type { OddsQuote } from '../../../contract/odds.ts';
import type { Outcome } from '../../../domain/catalogue.ts';
import { toDecimal } from '../../../domain/decimal-price.ts';
import { localMsOf } from './api.ts';
import type { StandingPrice } from './opening-steps.ts';

/** A price movement. */
export interface Move {
  readonly isUp: boolean;
  readonly atMs: number;
  /**
   * True when the page did not see the move itself: its direction is from opening to current price, its time
   * is the time of the last message.
   */
  readonly isFromOpening?: boolean;
}

export interface MirrorQuote extends OddsQuote {
  /** Decimal odds by outcome, in the API's order. */
  readonly decimals: ReadonlyMap<Outcome, number>;
  readonly moves: ReadonlyMap<Outcome, Move>;
  /** `as_of`, converted to this machine's clock. */
  readonly atMs: number;
}

/** Identifies a quote within its fixture. */
export function quoteKey(quote: Pick<OddsQuote, 'bookmaker' | 'market_type' | 'period' | 'line'>): string {
  return `${quote.bookmaker} ${lineKey(quote)}`;
}

export function lineKey({
  market_type,
  period,
  line,
}: Pick<OddsQuote, 'market_type' | 'period' | 'line'>): string {
  return `${market_type} ${period} ${line}`;
}

const NO_MOVES: ReadonlyMap<Outcome, Move> = new Map();

/** Decimal odds by outcome, in the API's order. */
export function decimalsOf({ prices, format }: Pick<OddsQuote, 'prices' | 'format'>): Map<Outcome, number> {
  return new Map(
    Object.entries(prices).map(([name, price]) => [name as Outcome, toDecimal(price, format)] as const),
  );
}

/** Adds the moves from the opening for outcomes that have not moved while the page was open. */
export function movedFrom(first: Pick<StandingPrice, 'atMs' | 'decimals'>, quote: MirrorQuote): MirrorQuote {
  if (quote.atMs <= first.atMs) return quote;
  const moves = new Map(quote.moves);
  for (const [outcome, decimal] of quote.decimals) {
    const before = first.decimals?.get(outcome) ?? 0;
    if (moves.has(outcome) || before === 0 || decimal === 0 || before === decimal) continue;
    moves.set(outcome, { isUp: decimal > before, atMs: quote.atMs, isFromOpening: true });
  }
  return { ...quote, moves };
}

export function mirrorQuote(quote: OddsQuote, former: MirrorQuote | undefined, nowMs: number): MirrorQuote {
  const decimals = decimalsOf(quote);
  let moves: Map<Outcome, Move> | null = null;
  for (const [outcome, decimal] of decimals) {
    const before = former?.decimals.get(outcome);
    // A change of odds format is not a move, and neither is a price that was pulled or came back.
    const isMove = former?.format === quote.format && before !== undefined && before > 0 && decimal > 0;
    const move =
      isMove && before !== decimal ? { isUp: decimal > before, atMs: nowMs } : former?.moves.get(outcome);
    if (move !== undefined) {
      moves ??= new Map();
      moves.set(outcome, move);
    }
  }
  return { ...quote, decimals, moves: moves ?? NO_MOVES, atMs: localMsOf(quote.as_of) };
}
