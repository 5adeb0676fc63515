// A market in an answer of The Odds API as a quote.

import type { MarketType } from '../../domain/catalogue.ts';
import { quartersFromLine } from '../../domain/handicap.ts';
import { isPulled, numberOf } from '../../feed/poll/prices.ts';
import type { OddsApiFixture } from '../../feed/the-odds-api/fixture.ts';
import type { Market } from '../../feed/the-odds-api/messages.ts';
import { wireTimeMs } from '../../feed/wire-time.ts';
import { PRICE_MAX } from '../../limits.ts';
import { absurdity, namedPrices } from './prices.ts';
import type { ImportedQuote } from './tape-recorder.ts';

const LINE_MAX = 1_000;
const MARKETS: Readonly<Record<string, MarketType>> = {
  h2h: '1x2',
  spreads: 'asian_handicap',
  totals: 'totals',
};
/**
 * American prices are whole numbers of at least this size, positive or negative. The decimal prices of a
 * market are never all like that.
 */
const AMERICAN_MIN = 100;

export interface MarketContext {
  readonly fixture: OddsApiFixture;
  readonly bookmaker: string;
  readonly lastUpdate: string | undefined;
}

/** A market of one bookmaker as a quote, or why it is left out. */
export function quoteOf(
  market: Market,
  { fixture, bookmaker, lastUpdate }: MarketContext,
): ImportedQuote | string {
  const marketType = MARKETS[market.key];
  if (marketType === undefined) return 'unknown_market';
  const atMs = wireTimeMs(lastUpdate);
  if (Number.isNaN(atMs)) return 'bad_time';
  const names = outcomeNamesOf(marketType, fixture);
  if (marketType === '1x2' && names.length === 3 && market.outcomes.length === 2) return 'no_draw';
  if (market.outcomes.length !== names.length) return 'bad_outcomes';
  const outcomes = names.map((name) => market.outcomes.find((outcome) => outcome.name === name));
  if (outcomes.some((outcome) => outcome === undefined)) return 'bad_outcomes';
  const line = lineOf(marketType, outcomes[0]!.point, outcomes[1]!.point);
  if (line === undefined) return 'bad_line';
  const prices = decimalsOf(outcomes.map((outcome) => outcome!.price));
  if (prices === null) return 'bad_price';
  const e4 = prices.map((price) => Math.round(price * 10_000));
  if (isPulled(e4.map((price) => price / 10_000))) return 'price_pulled';
  // Checked before rounding. The inverses of +150 and -150 add up to exactly 1, but those of the rounded
  // prices 2.5 and 1.6667 to less than 1, which would be refused.
  const absurd = absurdity(prices.map((price) => price * 10_000));
  if (absurd !== null) return absurd;
  return {
    ...{ bookmaker, marketType, period: 'full_time', line },
    ...{ status: 'open', pricesE4: namedPrices(marketType, e4), atMs },
  };
}

function outcomeNamesOf(marketType: MarketType, { sport, home, away }: OddsApiFixture): readonly string[] {
  if (marketType === 'totals') return ['Over', 'Under'];
  return marketType === '1x2' && sport === 'football'
    ? [home.name, 'Draw', away.name]
    : [home.name, away.name];
}

/** The home side's handicap or the total; null for a 1x2, undefined when the points are not a pair. */
function lineOf(marketType: MarketType, first: unknown, second: unknown): number | null | undefined {
  if (marketType === '1x2') return null;
  if (typeof first !== 'number' || typeof second !== 'number') return undefined;
  const isPair = marketType === 'totals' ? first === second && first >= 0 : first === -second;
  if (!isPair || quartersFromLine(first, LINE_MAX) === null) return undefined;
  return first === 0 ? 0 : first;
}

/** Decimal prices, not rounded, from decimal or American ones; null when one is not a price. */
function decimalsOf(values: readonly unknown[]): number[] | null {
  const numbers = values.map(numberOf);
  const isAmerican = numbers.every((value) => Number.isInteger(value) && Math.abs(value) >= AMERICAN_MIN);
  const decimals = isAmerican
    ? numbers.map((price) => 1 + (price > 0 ? price / 100 : 100 / -price))
    : numbers;
  return decimals.every((price) => price >= 0 && price <= PRICE_MAX) ? decimals : null;
}
