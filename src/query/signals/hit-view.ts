// Hits of every kind as answers show them: in the caller's odds format, rounded, each price with its age. A
// value hit also has the expected return by the goal grid.

import { toIsoText } from '../../clock.ts';
import type { ArbOpportunity, ValueBet } from '../../contract/signals/found.ts';
import type { LineMove, LowHold, Middle, Steam } from '../../contract/signals/kinds.ts';
import {
  BOOKMAKER_KEYS,
  MARKET_1X2,
  MARKET_ASIAN_HANDICAP,
  MARKET_TYPES,
  type OddsFormat,
  outcomesOf,
  PERIOD_FULL_TIME,
  PERIODS,
} from '../../domain/catalogue.ts';
import { FAIR_METHOD_BY_MARKET } from '../../domain/devig.ts';
import { malayDecimalsOf, priceInFormat } from '../../domain/odds-format.ts';
import { returnedShare } from '../../domain/scoreline.ts';
import { landingShare, shownLine } from '../../domain/settlement.ts';
import type { Confirmations, SignalMoment } from '../../domain/signal-gate.ts';
import type { ArbHit, ValueHit } from '../../scoring/hit-rows.ts';
import type { HitLine, MiddleHit, MoveHit, SteamHit } from '../../scoring/kinds/kind-rows.ts';
import type { FixtureScoreline } from '../markets/fixture-scoreline.ts';
import { rounded4, roundedInverseSum, roundedPct } from '../rounding.ts';
import { priceAge } from '../slate/fixture-view.ts';

/** How hits of one fixture are shown. */
export interface HitView {
  /** Index into SPORTS. */
  readonly sport: number;
  readonly format: OddsFormat;
  readonly moment: SignalMoment;
  /** FixtureView.ownConfirmations. */
  readonly ownConfirmations: Confirmations | null;
  /** The goal grid that settles full-time bets of a football match; null without one. */
  readonly grid: GoalGrid | null;
}

/** A fitted goal grid, and whether the handicap, which the fit did not use, agrees with it. */
export interface GoalGrid extends Pick<FixtureScoreline, 'fit' | 'score'> {
  readonly handicapDisagrees: boolean;
}

/** If the |expected value| of the held-out handicap is above this, the goal grid is not reliable. */
const HANDICAP_CHECK_MAX = 0.1;

/** Whether the handicap, which the fit did not use, contradicts the goal grid. */
export function handicapDisagrees({ handicapExpectedValue }: FixtureScoreline['fit']): boolean {
  return handicapExpectedValue !== null && Math.abs(handicapExpectedValue) > HANDICAP_CHECK_MAX;
}

/**
 * Expected return of a unit stake when the bet is settled, as a fraction: the edge times the share of the
 * stake that is expected to win or lose, not to be returned. Null when no goal grid settles the market.
 */
export function expectedReturn(hit: ValueHit, { grid }: HitView): number | null {
  if (grid === null || hit.period !== PERIOD_FULL_TIME) return null;
  if (hit.market === MARKET_1X2) return hit.edge;
  const { fit, score } = grid;
  const isHandicap = hit.market === MARKET_ASIAN_HANDICAP;
  // In play a handicap counts goals from now on, a total counts those of the whole match.
  const quarters = isHandicap ? -hit.lineQuarters : hit.lineQuarters - 4 * (score.home + score.away);
  return hit.edge * (1 - returnedShare(fit.rates, isHandicap ? 'margin' : 'total', quarters));
}

/** A value hit as answers show it. Its numbers are rounded only here. */
export function toValueBet(hit: ValueHit, view: HitView): ValueBet {
  const expected = expectedReturn(hit, view);
  return {
    ...outcomeOf(hit, view),
    ...priceOf(hit, view),
    fair_price: rounded4(hit.fairDecimal),
    fair_method: FAIR_METHOD_BY_MARKET[MARKET_TYPES[hit.market]!],
    edge_pct: roundedPct(hit.edge * 100),
    ev_pct: expected === null ? null : roundedPct(expected * 100),
    format: view.format,
    since: toIsoText(sinceOfValue(hit)),
    ...ageOf(hit, view),
  };
}

/** An arbitrage hit as the API shows it. */
export function toOpportunity(hit: ArbHit, view: HitView): ArbOpportunity {
  const outcomes = outcomesOf(view.sport, hit.market);
  const marginPct = hit.margin * 100;
  return {
    ...lineOf(hit),
    legs: hit.legs.map((leg, index) => ({
      outcome: outcomes[index]!,
      ...priceOf(leg, view),
      ...ageOf({ ...leg, sharpAtMs: hit.sharpAtMs }, view),
    })),
    since: toIsoText(sinceOfLegs(hit)),
    inverse_sum: roundedInverseSum(hit.inverseSum),
    margin_pct: roundedPct(marginPct),
    worst_pct: roundedPct(marginPct * (1 - landingShare(hit.market, hit.lineQuarters))),
    best_pct: roundedPct(marginPct),
  };
}

export function toMiddle(hit: MiddleHit, view: HitView): Middle {
  const outcomes = outcomesOf(view.sport, hit.market);
  const lines = [hit.lineQuarters, hit.otherQuarters];
  return {
    market_type: MARKET_TYPES[hit.market]!,
    period: PERIODS[hit.period]!,
    legs: hit.legs.map((leg, index) => ({
      outcome: outcomes[index]!,
      line: shownLine(hit.market, lines[index]!),
      ...priceOf({ ...leg, priceE4: leg.toE4 }, view),
      ...ageOf(leg, view),
    })),
    since: toIsoText(sinceOfLegs(hit)),
    both_win_prob: rounded4(hit.bothWin),
    no_loss_prob: rounded4(hit.noLoss),
    ev_pct: roundedPct(hit.expected * 100),
    worst_pct: roundedPct(hit.worst * 100),
  };
}

/** A low hold is an arbitrage hit that was found with a negative least margin. */
export function toLowHold(hit: ArbHit, view: HitView): LowHold {
  const { market_type, period, line, legs, since } = toOpportunity(hit, view);
  // `+ 0` turns -0 into 0.
  return { market_type, period, line, legs, since, hold_pct: roundedPct(-hit.margin * 100) + 0 };
}

/** @param withinS how many seconds back the earlier price was looked up */
export function toMove(hit: MoveHit, view: HitView, withinS: number): LineMove {
  const { book } = hit;
  return {
    ...outcomeOf(hit, view),
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
    ...outcomeOf(hit, view),
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

/** When the price or a price of the reference last moved. Unix ms, on the source's clock. */
export function sinceOfValue({ atMs, referenceAtMs }: ValueHit): number {
  return Math.max(atMs, referenceAtMs);
}

/** When a price of an arbitrage or a middle last moved. Unix ms, on the source's clock. */
export function sinceOfLegs({ legs }: ArbHit | MiddleHit): number {
  return Math.max(...legs.map(({ atMs }) => atMs));
}

function lineOf({ market, period, lineQuarters }: HitLine) {
  return {
    market_type: MARKET_TYPES[market]!,
    period: PERIODS[period]!,
    line: shownLine(market, lineQuarters),
  };
}

function outcomeOf(hit: HitLine & { readonly outcome: number }, { sport }: HitView) {
  return { ...lineOf(hit), outcome: outcomesOf(sport, hit.market)[hit.outcome]! };
}

function priceOf(
  { bookmaker, priceE4 }: { readonly bookmaker: number; readonly priceE4: number },
  { format }: HitView,
) {
  return {
    bookmaker: BOOKMAKER_KEYS[bookmaker]!,
    price: priceInFormat(priceE4, format, malayDecimalsOf(bookmaker)),
    decimal: priceE4 / 10_000,
  };
}

function ageOf(
  { bookmaker, atMs, sharpAtMs }: Omit<Parameters<typeof priceAge>[0], 'isOpen'>,
  { moment, ownConfirmations }: HitView,
) {
  return priceAge({ bookmaker, atMs, sharpAtMs, isOpen: true }, moment, ownConfirmations);
}
