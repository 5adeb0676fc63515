// Makes a bookmaker's prices from fair chances: how large the margin is, how it is added, and rounding to the
// bookmaker's steps. The margin is added by the reverse of the service's own de-vigging: proportional for
// two-way markets, power for three-way.

import { HOUR_MS } from '../../clock.ts';
import { SPORT_FOOTBALL } from '../../domain/catalogue.ts';
import type { ScheduledFixture } from './schedule.ts';

/** Factors on the margin of a full-time handicap, by period and market: 1x2, handicap, totals. */
const MARKET_FACTORS = {
  football: [
    [1.6, 1, 1.12],
    [2.3, 1.2, 1.25],
  ],
  basketball: [
    [1.15, 1, 1.05],
    [1.4, 1.2, 1.25],
  ],
} as const;
/** Factors on the margin by rank of the league, 1 to 3, because markets with few bets have higher margins. */
const RANK_FACTORS = [1, 1.12, 1.25] as const;
/** The extra margin a day or more before kickoff, compared with kickoff. */
const EARLY_MORE = 0.2;
/** The extra margin in play, and the further one that grows towards the end of the match. */
const IN_PLAY_MORE = 0.12;
const LATE_MORE = 0.6;

/**
 * The factor on every margin from the fixture's league, the time to kickoff and the state of play.
 * @param shareLeft the share of the match's scoring that is still to come; 1 before kickoff
 */
export function marginFactorOf(fixture: ScheduledFixture, atMs: number, shareLeft: number): number {
  const rank = RANK_FACTORS[fixture.league.rank - 1] as number;
  const hours = (fixture.kickoffMs - atMs) / HOUR_MS;
  if (hours > 0) return rank * (1 + EARLY_MORE * Math.min(1, hours / 24));
  const played = 1 - Math.min(1, Math.max(0, shareLeft));
  return rank * (1 + IN_PLAY_MORE + LATE_MORE * played ** 3);
}

/** The factor on a bookmaker's margin in a market and period. */
export function marketFactorOf(sport: number, market: number, period: number): number {
  const factors = sport === SPORT_FOOTBALL ? MARKET_FACTORS.football : MARKET_FACTORS.basketball;
  return (factors[period] as readonly number[])[market] as number;
}

/** A price outside this range is not offered. The line is suspended instead. */
const PRICE_MIN = 1.03;
const PRICE_MAX = 51;
const CHANCE_MIN = 1e-4;
const NEWTON_ROUNDS = 4;

/**
 * Prices of one line.
 * @param chances fair, in outcome order; the first `count` are read
 * @param out receives decimal prices
 * @returns false when the line is too one-sided to be offered; `out` is then meaningless
 */
export function priceLine(
  chances: Float64Array,
  count: number,
  book: { readonly margin: number; readonly priceScale: number },
  out: Float64Array,
): boolean {
  for (let i = 0; i < count; i++) if (!((chances[i] as number) >= CHANCE_MIN)) return false;
  const power = count === 3 ? marginPower(chances, count, 1 + book.margin) : 1;
  for (let i = 0; i < count; i++) {
    const chance = chances[i] as number;
    const booked = count === 3 ? chance ** power : chance * (1 + book.margin);
    const price = Math.round(book.priceScale / booked) / book.priceScale;
    if (price < PRICE_MIN || price > PRICE_MAX) return false;
    out[i] = price;
  }
  return true;
}

/** The k for which the sum of chance^k is `sum`, by Newton's method from 1. */
function marginPower(chances: Float64Array, count: number, sum: number): number {
  let power = 1;
  for (let round = 0; round < NEWTON_ROUNDS; round++) {
    let value = -sum;
    let slope = 0;
    for (let i = 0; i < count; i++) {
      const chance = chances[i] as number;
      const booked = chance ** power;
      value += booked;
      slope += booked * Math.log(chance);
    }
    power -= value / slope;
  }
  return power;
}
