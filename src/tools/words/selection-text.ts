// What a bet is on, in words a person could read out: the selection, the market, a value bet, an arbitrage.

import type { ArbOpportunity, ValueBet } from '../../contract/signals.ts';
import type { MarketType, Outcome, Period } from '../../domain/catalogue.ts';
import { roundHalfAwayFromZero } from '../../domain/decimal-text.ts';
import type { FixtureNow } from '../../query/fixture-view.ts';
import { bookName } from './fair-source.ts';

const MARKET_NAMES = { '1x2': '1x2', asian_handicap: 'Asian handicap', totals: 'totals' } as const;

/** "full-time Asian handicap". */
export function marketText(marketType: MarketType, period: Period): string {
  return `${period === 'full_time' ? 'full-time' : 'half-time'} ${MARKET_NAMES[marketType]}`;
}

/** A handicap with its sign: "+0.5", "-0.75", "0". */
function signedText(line: number): string {
  return line > 0 ? `+${line}` : String(line);
}

/** "Arsenal", "a draw", "Chelsea +0.5", "over 2.5". A line is the home side's, so the away side's is its opposite. */
export function selectionText(outcome: Outcome, line: number | null, { view }: FixtureNow): string {
  if (outcome === 'draw') return 'a draw';
  if (outcome === 'over' || outcome === 'under') return line === null ? outcome : `${outcome} ${line}`;
  const team = outcome === 'home' ? view.homeTeam.name : view.awayTeam.name;
  if (line === null) return team;
  return `${team} ${signedText(outcome === 'home' || line === 0 ? line : -line)}`;
}

/** "Arsenal -0.75 at 1.98 with Crown (full-time Asian handicap), an edge of 2.1%". */
export function valueText(bet: ValueBet, fixture: FixtureNow): string {
  const selection = selectionText(bet.outcome, bet.line, fixture);
  const market = marketText(bet.market_type, bet.period);
  return `${selection} at ${bet.price} with ${bookName(bet.bookmaker)} (${market}), an edge of ${bet.edge_pct}%`;
}

/** "over 2.5 at 2.1 with Crown and under 2.5 at 2.02 with Sbobet (full-time totals), a margin of 2.97%". */
export function arbitrageText(opportunity: ArbOpportunity, fixture: FixtureNow): string {
  const { legs, line, market_type, period, margin_pct } = opportunity;
  const texts = legs.map(
    (leg) => `${selectionText(leg.outcome, line, fixture)} at ${leg.price} with ${bookName(leg.bookmaker)}`,
  );
  return `${joined(texts)} (${marketText(market_type, period)}), a margin of ${margin_pct}%`;
}

/** "a", "a and b", "a, b and c". */
export function joined(texts: readonly string[]): string {
  if (texts.length < 2) return texts.join('');
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

/** A fraction in per cent with one decimal: "52.3%". */
export function percentText(fraction: number): string {
  return `${roundHalfAwayFromZero(fraction * 100, 1)}%`;
}
