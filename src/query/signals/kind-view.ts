// Middles, low hold, moves and steam as answers show them: in the caller's odds format, rounded, each price
// with its age.

import { toIsoText } from '../../clock.ts';
import type { LineMove, LowHold, Middle, Steam } from '../../contract/signals/kinds.ts';
import { BOOKMAKER_KEYS, MARKET_TYPES, outcomesOf, PERIODS } from '../../domain/catalogue.ts';
import { malayDecimalsOf, priceInFormat } from '../../domain/odds-format.ts';
import { shownLine } from '../../domain/settlement.ts';
import type { ArbHit } from '../../scoring/hit-rows.ts';
import type { HitBook, MiddleHit, MoveHit, SteamHit } from '../../scoring/kinds/kind-rows.ts';
import { rounded4, roundedPct } from '../rounding.ts';
import { priceAge } from '../slate/fixture-view.ts';
import { type HitView, toOpportunity } from './hit-view.ts';

export function toMiddle(hit: MiddleHit, view: HitView): Middle {
  const outcomes = outcomesOf(view.sport, hit.market);
  const lines = [hit.lineQuarters, hit.otherQuarters];
  return {
    market_type: MARKET_TYPES[hit.market]!,
    period: PERIODS[hit.period]!,
    legs: hit.legs.map((leg, index) => ({
      outcome: outcomes[index]!,
      line: shownLine(hit.market, lines[index]!),
      ...bookPrice(leg, view),
    })),
    since: toIsoText(sinceOfMiddle(hit)),
    both_win_prob: rounded4(hit.bothWin),
    no_loss_prob: rounded4(hit.noLoss),
    ev_pct: roundedPct(hit.expected * 100),
    worst_pct: roundedPct(hit.worst * 100),
  };
}

/** Since when both prices of a middle have been unchanged. Unix ms, on the source's clock. */
export function sinceOfMiddle({ legs }: MiddleHit): number {
  return Math.max(...legs.map(({ atMs }) => atMs));
}

/** A low hold is an arbitrage hit that was found with a negative least margin. */
export function toLowHold(hit: ArbHit, view: HitView): LowHold {
  const { market_type, period, line, legs, since } = toOpportunity(hit, view);
  // `+ 0`, so that no hold is -0.
  return { market_type, period, line, legs, since, hold_pct: roundedPct(-hit.margin * 100) + 0 };
}

/** @param withinS how many seconds back the earlier price was looked up */
export function toMove(hit: MoveHit, view: HitView, withinS: number): LineMove {
  const { book } = hit;
  return {
    ...lineOf(hit, view),
    of: hit.isFair ? 'fair' : 'price',
    bookmaker: BOOKMAKER_KEYS[book.bookmaker]!,
    decimal_from: rounded4(book.fromE4 / 10_000),
    decimal_to: rounded4(book.toE4 / 10_000),
    change: roundedPct(hit.change * 100),
    from_at: toIsoText(hit.fromAtMs),
    within_s: withinS,
  };
}

/** A steam hit as the API shows it. */
export function toSteam(hit: SteamHit, view: HitView, withinS: number): Steam {
  return {
    ...lineOf(hit, view),
    way: hit.way === 1 ? 'drifting' : 'shortening',
    owners: hit.owners,
    books: hit.books.map(({ bookmaker, fromE4, toE4, atMs }) => ({
      bookmaker: BOOKMAKER_KEYS[bookmaker]!,
      decimal_from: fromE4 / 10_000,
      decimal_to: toE4 / 10_000,
      change_pct: roundedPct((toE4 / fromE4 - 1) * 100),
      as_of: toIsoText(atMs),
    })),
    book_count: hit.bookCount,
    within_s: withinS,
  };
}

function lineOf(
  hit: {
    readonly market: number;
    readonly period: number;
    readonly lineQuarters: number;
    readonly outcome: number;
  },
  { sport }: HitView,
) {
  return {
    market_type: MARKET_TYPES[hit.market]!,
    period: PERIODS[hit.period]!,
    line: shownLine(hit.market, hit.lineQuarters),
    outcome: outcomesOf(sport, hit.market)[hit.outcome]!,
  };
}

function bookPrice(
  { bookmaker, toE4, atMs, sharpAtMs }: HitBook,
  { format, moment, ownConfirmations }: HitView,
) {
  return {
    bookmaker: BOOKMAKER_KEYS[bookmaker]!,
    price: priceInFormat(toE4, format, malayDecimalsOf(bookmaker)),
    decimal: toE4 / 10_000,
    ...priceAge({ atMs, sharpAtMs, isOpen: true, bookmaker }, moment, ownConfirmations),
  };
}
