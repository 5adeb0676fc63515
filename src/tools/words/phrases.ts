// Phrases that the sentences of several tools share: a selection, a market, a value bet, an arbitrage, a book's name, and
// what must be said beside prices (how old they are, what was left out, what a tier does not see).

import type { ArbOpportunity, ValueBet } from '../../contract/comparison.ts';
import {
  BOOKMAKERS,
  type BookmakerKey,
  type MarketType,
  type Outcome,
  type Period,
  SHARP_BOOKMAKER_INDEX,
} from '../../domain/catalogue.ts';
import { roundHalfAwayFromZero } from '../../domain/decimal-text.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { FixtureNow } from '../../query/fixture-view.ts';

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
export function joined(texts: readonly string[], word = 'and'): string {
  if (texts.length < 2) return texts.join('');
  return `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}

/** The sentences that there are, one after the other. */
export function sentences(...texts: readonly (string | null)[]): string {
  return texts.filter((text) => text !== null && text !== '').join(' ');
}

/** A fraction in per cent with one decimal: "52.3%". */
export function percentText(fraction: number): string {
  return `${roundHalfAwayFromZero(fraction * 100, 1)}%`;
}

/** Display name of a book. */
export function bookName(key: BookmakerKey): string {
  return BOOKMAKERS.find((book) => book.key === key)!.name;
}

/** That a caller's tier does not see the sharp book, and what follows; null for a tier that does. */
export function unseenSharpText({ seesSharp, tier }: Principal, consequence: string): string | null {
  return seesSharp ? null : `The sharp book is not part of the ${tier} tier${consequence}`;
}

/** Why a fair price deserves less trust than the sharp book's; null when it is the sharp book's. */
export function fairSourceCaveat(fairFrom: BookmakerKey, principal: Principal): string | null {
  if (fairFrom === BOOKMAKERS[SHARP_BOOKMAKER_INDEX]!.key) return null;
  const name = bookName(fairFrom);
  return (
    unseenSharpText(
      principal,
      `; the fair price is from ${name}, the tightest book left, so confidence is reduced.`,
    ) ??
    `The fair price is from ${name}, the tightest book here, and not from the sharp book, so confidence is reduced.`
  );
}

/** Why a book is no source of fair odds although it is the tightest; null when none is left out. */
export function leftOutText(books: readonly BookmakerKey[]): string | null {
  if (books.length === 0) return null;
  const names = joined(books.map(bookName));
  const verb = books.length === 1 ? 'is' : 'are';
  const whose = books.length === 1 ? 'its' : 'their';
  return `${names} ${verb} left out of the fair odds: the inverse of ${whose} own prices sums below 1.`;
}

/** Hits that were left out: most often a wrong price, not a gift. Null when there were none. */
export function droppedText(count: number, what: 'edge' | 'margin'): string | null {
  if (count === 0) return null;
  const hits = count === 1 ? `1 implausibly large ${what} was` : `${count} implausibly large ${what}s were`;
  return `${hits} left out; most often such a price is an error.`;
}

/** Why the prices of a fixture may not be there any more; null when nothing says so. */
export function staleText({ stale }: FixtureNow, reason = ''): string | null {
  return stale ? `The prices are stale${reason}.` : null;
}
export function leftOverText({ status }: FixtureNow): string | null {
  return status === 'finished' ? 'The match has finished; what is still quoted is left over.' : null;
}
