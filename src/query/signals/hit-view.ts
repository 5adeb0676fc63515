// A value or arbitrage hit as answers show it: in the caller's odds format, rounded, with its age and the
// return that the goal grid expects.

import { toIsoText } from '../../clock.ts';
import type { ArbOpportunity, ValueBet } from '../../contract/signals/found.ts';
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

/** A value hit as answers show it. This is the only place where it is rounded. */
export function toValueBet(hit: ValueHit, view: HitView): ValueBet {
  const { sport, format, moment, ownConfirmations } = view;
  const { atMs, sharpAtMs, bookmaker } = hit;
  const expected = expectedReturn(hit, view);
  return {
    ...marketOf(hit),
    outcome: outcomesOf(sport, hit.market)[hit.outcome]!,
    ...priceOf(hit, format),
    fair_price: rounded4(hit.fairDecimal),
    fair_method: FAIR_METHOD_BY_MARKET[MARKET_TYPES[hit.market]!],
    edge_pct: roundedPct(hit.edge * 100),
    ev_pct: expected === null ? null : roundedPct(expected * 100),
    format,
    since: toIsoText(sinceOfValue(hit)),
    ...priceAge({ atMs, sharpAtMs, isOpen: true, bookmaker }, moment, ownConfirmations),
  };
}

/** An arbitrage hit as the API shows it. */
export function toOpportunity(
  hit: ArbHit,
  { sport, format, moment, ownConfirmations }: HitView,
): ArbOpportunity {
  const outcomes = outcomesOf(sport, hit.market);
  const marginPct = hit.margin * 100;
  return {
    ...marketOf(hit),
    legs: hit.legs.map((leg, index) => ({
      outcome: outcomes[index]!,
      ...priceOf(leg, format),
      ...priceAge({ ...leg, sharpAtMs: hit.sharpAtMs, isOpen: true }, moment, ownConfirmations),
    })),
    since: toIsoText(sinceOfArb(hit)),
    inverse_sum: roundedInverseSum(hit.inverseSum),
    margin_pct: roundedPct(marginPct),
    worst_pct: roundedPct(marginPct * (1 - landingShare(hit.market, hit.lineQuarters))),
    best_pct: roundedPct(marginPct),
  };
}

/**
 * Since when the price and the prices of the reference have all been unchanged. Unix ms, on the source's
 * clock.
 */
export function sinceOfValue({ atMs, referenceAtMs }: ValueHit): number {
  return Math.max(atMs, referenceAtMs);
}

/** Since when all prices of an arbitrage have been unchanged. Unix ms, on the source's clock. */
export function sinceOfArb({ legs }: ArbHit): number {
  return Math.max(...legs.map(({ atMs }) => atMs));
}

function marketOf(hit: { readonly market: number; readonly period: number; readonly lineQuarters: number }) {
  return {
    market_type: MARKET_TYPES[hit.market]!,
    period: PERIODS[hit.period]!,
    line: shownLine(hit.market, hit.lineQuarters),
  };
}

function priceOf({ bookmaker, priceE4 }: { bookmaker: number; priceE4: number }, format: OddsFormat) {
  return {
    bookmaker: BOOKMAKER_KEYS[bookmaker]!,
    price: priceInFormat(priceE4, format, malayDecimalsOf(bookmaker)),
    decimal: priceE4 / 10_000,
  };
}
