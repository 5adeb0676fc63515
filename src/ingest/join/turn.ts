// Swaps home and away in a fixture's messages, for a source that lists a match the other way round than the
// slate. Swapping twice gives the original message. Pure.

import { MARKET_1X2, MARKET_ASIAN_HANDICAP } from '../../domain/catalogue.ts';
import type {
  CloseMessage,
  LiquidityMessage,
  QuoteMessage,
  ResultMessage,
  StateMessage,
} from '../../feed/protocol.ts';

type Pair = readonly [number, number];

/** Swaps the counts of home and away. */
export function turnPair(pair: Pair | null): Pair | null {
  return pair === null ? null : [pair[1], pair[0]];
}

export function turnState(message: StateMessage): StateMessage {
  return { ...message, score: turnPair(message.score), cards: turnPair(message.cards) };
}

export function turnResult(message: ResultMessage): ResultMessage {
  const { score, redCards } = message;
  return { ...message, score: [score[1], score[0]], redCards: turnPair(redCards) };
}

/**
 * Negates the handicap, because it is always the home side's, and swaps the prices of the sides. Totals have
 * no sides.
 */
export function turnQuote(message: QuoteMessage): QuoteMessage {
  const { market, pricesE4, openingPricesE4, openingLineQuarters } = message;
  if (market !== MARKET_1X2 && market !== MARKET_ASIAN_HANDICAP) return message;
  return {
    ...message,
    lineQuarters: turnLine(market, message.lineQuarters),
    pricesE4: pricesE4.toReversed(), // the draw stays in the middle
    openingPricesE4: openingPricesE4?.toReversed() ?? null,
    openingLineQuarters: turnLine(market, openingLineQuarters),
  };
}

export function turnClose(message: CloseMessage): CloseMessage {
  return { ...message, lineQuarters: turnLine(message.market, message.lineQuarters) };
}

export function turnLiquidity(message: LiquidityMessage): LiquidityMessage {
  return {
    ...message,
    rows: message.rows.map((row) => {
      if (row.market !== MARKET_1X2 && row.market !== MARKET_ASIAN_HANDICAP) return row;
      return { ...row, lineQuarters: turnLine(row.market, row.lineQuarters), sizes: row.sizes.toReversed() };
    }),
  };
}

function turnLine(market: number, lineQuarters: number): number {
  return market === MARKET_ASIAN_HANDICAP ? 0 - lineQuarters : lineQuarters;
}
