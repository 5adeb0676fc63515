// Which price of a line is its closing price, whatever happens around kickoff.

import { describe, expect, test } from 'bun:test';
import {
  BOOKMAKER_KEYS,
  MARKET_1X2,
  PERIOD_FULL_TIME,
  QUOTE_OPEN,
  QUOTE_SUSPENDED,
} from '../../src/domain/catalogue.ts';
import { Random } from '../../src/domain/random.ts';
import { referenceOfWord } from '../../src/domain/reference.ts';
import { ClosingLines } from '../../src/record/closing-lines.ts';
import { closingFair } from '../../src/record/recorded-signal.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';

const MINUTE = 60_000;
const KICKOFF = 1_000 * MINUTE;
const KEY = 7;

function fixture(): ClosingLines {
  const closing = new ClosingLines();
  closing.kickoffStated(KICKOFF, 0);
  return closing;
}

function put(closing: ClosingLines, price: number, atMs: number, status = QUOTE_OPEN): void {
  closing.advance(atMs);
  closing.put({ key: KEY, pricesE4: [price, price], closedAtMs: atMs }, status, atMs);
}

function priceOf(closing: ClosingLines): number | null {
  return closing.frozen?.find(({ key }) => key === KEY)?.pricesE4[0] ?? null;
}

describe('closing prices', () => {
  test('closing prices are the last open prices before the match was seen live, not those at that instant or later', () => {
    const closing = fixture();
    put(closing, 19_000, KICKOFF - 5 * MINUTE);
    put(closing, 20_000, KICKOFF - 1);
    closing.live(KICKOFF);
    put(closing, 30_000, KICKOFF);
    expect(priceOf(closing)).toBe(20_000);
  });

  test('if a match is first seen live late, that instant is its kickoff, and prices before it count', () => {
    const closing = fixture();
    put(closing, 19_000, KICKOFF - 1);
    put(closing, 20_000, KICKOFF + 4 * MINUTE);
    closing.advance(KICKOFF + 6 * MINUTE);
    closing.live(KICKOFF + 6 * MINUTE);
    expect(priceOf(closing)).toBe(20_000);
  });

  test('a match that is never seen live has its stated kickoff, and is settled ten minutes later', () => {
    const closing = fixture();
    put(closing, 19_000, KICKOFF - 1);
    put(closing, 20_000, KICKOFF + MINUTE);
    expect(closing.nextMs).toBe(KICKOFF + 10 * MINUTE);
    closing.advance(KICKOFF + 10 * MINUTE - 1);
    expect(closing.frozen).toBeNull();
    closing.advance(KICKOFF + 10 * MINUTE);
    expect(priceOf(closing)).toBe(19_000);
  });

  test('the closing price of a postponed match is the last one before its new kickoff', () => {
    const closing = fixture();
    put(closing, 19_000, KICKOFF - 1);
    closing.advance(KICKOFF + 5 * MINUTE);
    closing.kickoffStated(KICKOFF + 60 * MINUTE, KICKOFF + 5 * MINUTE);
    put(closing, 21_000, KICKOFF + 30 * MINUTE);
    closing.advance(KICKOFF + 70 * MINUTE);
    expect(priceOf(closing)).toBe(21_000);
  });

  test('a line that has been gone for more than ten minutes at kickoff has no closing price; a line gone for exactly ten minutes has one', () => {
    for (const [goneMs, expected] of [
      [10 * MINUTE, 19_000],
      [10 * MINUTE + 1, null],
    ] as const) {
      const suspended = fixture();
      put(suspended, 19_000, KICKOFF - 30 * MINUTE);
      put(suspended, 19_000, KICKOFF - goneMs, QUOTE_SUSPENDED);
      suspended.live(KICKOFF);
      const withdrawn = fixture();
      put(withdrawn, 19_000, KICKOFF - 30 * MINUTE);
      withdrawn.withdraw(KEY, KICKOFF - goneMs);
      withdrawn.live(KICKOFF);
      expect([priceOf(suspended), priceOf(withdrawn)]).toEqual([expected, expected]);
    }
  });

  test('the closing price of a line that was gone and came back is the price with which it came back', () => {
    const closing = fixture();
    put(closing, 19_000, KICKOFF - 50 * MINUTE);
    closing.withdraw(KEY, KICKOFF - 40 * MINUTE);
    put(closing, 18_000, KICKOFF - 2 * MINUTE);
    closing.live(KICKOFF);
    expect(priceOf(closing)).toBe(18_000);
  });

  test('without a stated kickoff there is a closing price only once the match is seen live', () => {
    const closing = new ClosingLines();
    closing.kickoffStated(Number.NaN, 0);
    put(closing, 19_000, 5);
    closing.advance(1e15);
    expect([closing.frozen, closing.nextMs]).toEqual([null, Number.POSITIVE_INFINITY]);
  });
});

test('the fair price at the close is the same to the last bit, in whatever order its prices come', () => {
  const random = new Random(5);
  for (let round = 0; round < 200; round++) {
    const prices = BOOKMAKER_KEYS.map((_, bookmaker) => ({
      key: packQuoteKey(MARKET_1X2, PERIOD_FULL_TIME, 0, bookmaker),
      pricesE4: [26_000, 32_000, 28_000].map((price) => Math.round(price * random.between(0.97, 1.03))),
      closedAtMs: 0,
    }));
    for (const reference of ['consensus', 'sharp'].map(referenceOfWord)) {
      const [one, other] = [prices, prices.toReversed()].map((books) =>
        closingFair(books, '1x2', reference, 1),
      );
      expect(one).not.toBeNull();
      expect(other).toEqual(one!);
    }
  }
});
