// Phrases that the sentences of several tools share: a selection, a market, a value bet, an arbitrage, a
// book's name. Other phrases accompany prices: how old they are, what was left out, what a tier does not see.

import type { ArbOpportunity, ValueBet } from '../../contract/signals/found.ts';
import {
  BOOKMAKER_KEYS,
  BOOKMAKERS,
  type BookmakerKey,
  isSharpBookmaker,
  type MarketType,
  type Outcome,
  type Period,
  SHARP_BOOKMAKERS,
} from '../../domain/catalogue.ts';
import { type ClosedReason, EXCLUSIONS, type Excluded, type Exclusion } from '../../domain/signal-gate.ts';
import { roundHalfAwayFromZero } from '../../domain/texts/decimal-text.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';

const MARKET_NAMES = { '1x2': '1x2', asian_handicap: 'Asian handicap', totals: 'totals' } as const;

/** "full-time Asian handicap". */
export function marketText(marketType: MarketType, period: Period): string {
  return `${period === 'full_time' ? 'full-time' : 'half-time'} ${MARKET_NAMES[marketType]}`;
}

/** A handicap with its sign: "+0.5", "-0.75", "0". */
function signedText(line: number): string {
  return line > 0 ? `+${line}` : String(line);
}

/**
 * "Arsenal", "a draw", "Chelsea +0.5", "over 2.5". A line is the home side's, so the away side's is its
 * opposite.
 */
export function selectionText(outcome: Outcome, line: number | null, { view }: FixtureNow): string {
  if (outcome === 'draw') return 'a draw';
  if (outcome === 'over' || outcome === 'under') return line === null ? outcome : `${outcome} ${line}`;
  const team = outcome === 'home' ? view.homeTeam.name : view.awayTeam.name;
  if (line === null) return team;
  return `${team} ${signedText(outcome === 'home' || line === 0 ? line : -line)}`;
}

/**
 * "no book has an open price at 3.5; offered are 2.25 and 2.5". The text about a handicap names both teams.
 * If the line is offered with the other sign, the text says so, because the words most likely gave the
 * favourite's handicap to the other team.
 */
export function lineNotOfferedText(
  { market_type, line }: { readonly market_type: MarketType; readonly line: number },
  offered: readonly number[],
  fixture: FixtureNow,
): string {
  const none = 'no book has an open price at';
  if (market_type !== 'asian_handicap') return `${none} ${line}; offered are ${joined(offered.map(String))}`;
  const both = (each: number) =>
    `${selectionText('home', each, fixture)} (${selectionText('away', each, fixture)})`;
  const lines = `offered for ${fixture.view.homeTeam.name} are ${joined(offered.map(signedText))}`;
  const isTurned = line !== 0 && offered.includes(-line);
  const turned = isTurned ? `. It is offered with the other sign: ${both(-line)}` : '';
  return `${none} ${both(line)}; ${lines}${turned}`;
}

/** "Arsenal -0.75 at 1.98 with Crown (full-time Asian handicap), an edge of 2.1%". */
export function valueText(bet: ValueBet, fixture: FixtureNow): string {
  const selection = selectionText(bet.outcome, bet.line, fixture);
  const market = marketText(bet.market_type, bet.period);
  const lag = bet.lagging
    ? `, a price that last moved ${ageText(bet.age_s)} ago, over an hour before the sharp book's`
    : '';
  return `${selection} at ${bet.price} with ${bookName(bet.bookmaker)} (${market}), an edge of ${bet.edge_pct}%${lag}`;
}

/** "42 seconds", "5 minutes", "20 hours". */
function ageText(ageS: number): string {
  if (ageS < 120) return `${ageS} seconds`;
  return ageS < 7_200 ? `${Math.floor(ageS / 60)} minutes` : `${Math.floor(ageS / 3_600)} hours`;
}

/** "over 2.5 at 2.1 with Crown and under 2.5 at 2.02 with Sbobet (full-time totals), a margin of 2.97%". */
export function arbitrageText(opportunity: ArbOpportunity, fixture: FixtureNow): string {
  const { legs, line, market_type, period, margin_pct, worst_pct, best_pct } = opportunity;
  const texts = legs.map(
    (leg) => `${selectionText(leg.outcome, line, fixture)} at ${leg.price} with ${bookName(leg.bookmaker)}`,
  );
  const settled =
    worst_pct === best_pct ? '' : ` (${worst_pct}% at worst, when the result lands on the line)`;
  const lagging = legs.filter((leg) => leg.lagging).map((leg) => bookName(leg.bookmaker));
  const lag =
    lagging.length === 0
      ? ''
      : `; the price of ${joined(lagging)} last moved over an hour before the sharp book's`;
  return `${joined(texts)} (${marketText(market_type, period)}), a margin of ${margin_pct}%${settled}${lag}`;
}

/** "a", "a and b", "a, b and c". */
export function joined(texts: readonly string[], word = 'and'): string {
  if (texts.length < 2) return texts.join('');
  return `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}

/** Joins the texts that are neither null nor empty. */
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

/**
 * Says that the roster has no sharp book or that the caller's tier does not see it, and adds `consequence`.
 * Null for a caller who sees it.
 */
export function unseenSharpText({ seesSharp, tier }: Principal, consequence: string): string | null {
  if (SHARP_BOOKMAKERS.length === 0) return `The roster of this server has no sharp book${consequence}`;
  return seesSharp ? null : `The sharp book is not part of the ${tier} tier${consequence}`;
}

/** Why a fair price deserves less trust than the sharp book's; null when it is the sharp book's. */
export function fairSourceCaveat(fairFrom: BookmakerKey, principal: Principal): string | null {
  if (isSharpBookmaker(BOOKMAKER_KEYS.indexOf(fairFrom))) return null;
  const name = bookName(fairFrom);
  return (
    unseenSharpText(
      principal,
      `; the fair price is from ${name}, the tightest book left, so confidence is reduced.`,
    ) ??
    `The fair price is from ${name}, the tightest book here, and not from the sharp book, so confidence is reduced.`
  );
}

/** Why a book is not used for fair odds although it is the tightest; null when no book was left out. */
export function leftOutText(books: readonly BookmakerKey[]): string | null {
  if (books.length === 0) return null;
  const names = joined(books.map(bookName));
  const verb = books.length === 1 ? 'is' : 'are';
  const whose = books.length === 1 ? 'its' : 'their';
  return `${names} ${verb} left out of the fair odds: the inverse of ${whose} own prices sums below 1.`;
}

/**
 * A sentence about hits that were left out because they are too good; most often the price is wrong. Null for
 * 0.
 */
export function droppedText(count: number, what: 'edge' | 'margin' | 'return'): string | null {
  if (count === 0) return null;
  const hits = count === 1 ? `1 implausibly large ${what} was` : `${count} implausibly large ${what}s were`;
  return `${hits} left out; most often such a price is an error.`;
}

export function staleText({ stale }: FixtureNow): string | null {
  return stale ? 'The prices are stale.' : null;
}

/** Why the prices of a fixture may no longer be offered; null when there is no sign of that. */
export function leftOverText({ status, view, moment }: FixtureNow): string | null {
  if (status === 'finished') return 'The match has finished; prices that are still shown are leftovers.';
  const isLate = status === 'scheduled' && moment.nowMs >= view.scheduledAtMs;
  return isLate ? `K${LATE.slice(1)}.` : null;
}

/**
 * Why no price of a fixture's period can still be bet: "the first half is over; prices that are still shown
 * are leftovers".
 */
export function closedText(reason: ClosedReason, period: Period): string {
  const over = period === 'half_time' ? 'the first half is over' : 'regulation time is over';
  const why = { finished: 'the match has finished', period_over: over, not_started_late: LATE }[reason];
  return reason === 'not_started_late' ? why : `${why}; prices that are still shown are leftovers`;
}

const LATE =
  'kickoff has passed and nothing says that the match is live, so its prices may be from before it';

/**
 * What was left out of a search, by reason; null when nothing was. For a tier without the sharp book, its
 * absence is a property of the tier and not of a line, so the sentence is about the tier.
 */
export function excludedText(excluded: Excluded, principal: Principal): string | null {
  const parts = EXCLUSIONS.flatMap((reason) => {
    const count = excluded[reason];
    if (count === 0 || reason === 'implausible') return []; // `droppedText` counts implausible hits
    if (reason === 'no_sharp' && !principal.seesSharp) return []; // the sentence about the tier counts these
    const [one, many] = EXCLUDED_WORDS[reason];
    return [count === 1 ? `1 ${one}` : `${count} ${many}`];
  });
  const lines = excluded.no_sharp === 1 ? '1 line was' : `${excluded.no_sharp} lines were`;
  const unseen =
    excluded.no_sharp === 0 ? null : unseenSharpText(principal, `, so ${lines} not searched for value.`);
  const text = sentences(parts.length === 0 ? null : `Left out: ${joined(parts)}.`, unseen);
  return text === '' ? null : text;
}

const EXCLUDED_WORDS: Readonly<Record<Exclude<Exclusion, 'implausible'>, readonly [string, string]>> = {
  stale: ['stale quote', 'stale quotes'],
  suspended: ['suspended quote', 'suspended quotes'],
  period_over: ['quote of a period that is over', 'quotes of a period that is over'],
  not_started_late: [
    'fixture past its kickoff that nothing says is live',
    'fixtures past their kickoff that nothing says are live',
  ],
  finished: ['finished fixture', 'finished fixtures'],
  single_book: ["line with one owner's prices alone", "lines with one owner's prices alone"],
  no_sharp: ['line without a price of the sharp book', 'lines without a price of the sharp book'],
  no_reference: ['line without a reference price', 'lines without a reference price'],
};

/** Which books' prices are old compared with the sharp book's; null when no price is. */
export function laggingText(bookmakers: readonly BookmakerKey[]): string | null {
  if (bookmakers.length === 0) return null;
  const names = joined([...new Set(bookmakers)].map(bookName));
  return `The price of ${names} last moved over an hour before the sharp book's: it may be lagging.`;
}

/** The warning that the goal grid behind an expected return is not reliable; null when it is. */
export function gridText({ handicapDisagrees }: { readonly handicapDisagrees: boolean }): string | null {
  return handicapDisagrees
    ? 'The handicap disagrees with the goal grid by more than 10%, so ev_pct is rough.'
    : null;
}
