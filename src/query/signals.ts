// Value and arbitrage of fixtures: criteria from what a caller asked, and hits as the objects that answers show.

import type { ArbOpportunity, ValueBet } from '../contract/signals.ts';
import {
  BOOKMAKER_KEYS,
  MARKET_TYPES,
  type MarketType,
  type OddsFormat,
  outcomesOf,
  PERIODS,
  type Period,
} from '../domain/catalogue.ts';
import { shownLine } from '../domain/handicap.ts';
import { malayDecimalsOf, priceInFormat } from '../domain/odds-format.ts';
import type { Principal } from '../domain/tiers.ts';
import { COMPARISON_SLACK, type ScoreCriteria } from '../scoring/criteria.ts';
import { fixtureHits } from '../scoring/fixture-hits.ts';
import type { ArbHit, ValueHit } from '../scoring/score-rows.ts';
import type { FixtureNow } from './fixture-view.ts';
import { oddsFilter } from './odds-filter.ts';
import { rounded4, roundedInverseSum, roundedPct } from './rounding.ts';
import type { Slate } from './slate.ts';

/** What counts as implausible, as fractions: 0.1 is 10 %. */
export interface PlausibleLimits {
  readonly maxEdge: number;
  readonly maxMargin: number;
}

export interface SignalRequest {
  readonly markets?: readonly MarketType[] | undefined;
  readonly period?: Period | undefined;
  readonly minEdgePct: number;
  readonly minMarginPct: number;
}

/** How hits of one fixture are shown. */
export interface HitView {
  /** Index into SPORTS. */
  readonly sport: number;
  readonly format: OddsFormat;
}

export interface FixtureSignals {
  /** Highest edge first. */
  readonly valueBets: readonly ValueBet[];
  /** Highest margin first. */
  readonly opportunities: readonly ArbOpportunity[];
  /** Lines at which the sharp book has an open quote; 0 explains why there is no value. */
  readonly sharpLineCount: number;
  /** Left out as implausible. */
  readonly droppedValueCount: number;
  readonly droppedArbCount: number;
}

/** A request's bounds, in per cent, as what the kernels test: fractions and masks, without what the caller may not see. */
export function criteriaOf(
  request: SignalRequest,
  principal: Principal,
  { maxEdge, maxMargin }: PlausibleLimits,
): ScoreCriteria {
  const { marketMask, periodMask } = oddsFilter(request, principal);
  return {
    marketMask,
    periodMask,
    seesSharp: principal.seesSharp,
    minEdge: request.minEdgePct / 100,
    maxEdge,
    minMargin: request.minMarginPct / 100,
    maxMargin,
  };
}

/** Every hit of one fixture. */
export function fixtureSignals(
  { reader }: Slate,
  fixture: FixtureNow,
  { criteria, format }: { readonly criteria: ScoreCriteria; readonly format: OddsFormat },
): FixtureSignals {
  const hits = fixtureHits(reader, fixture.view.eventNumber, criteria);
  const view = { sport: fixture.view.sportIndex, format };
  const valueHits = [...(hits?.valueHits ?? [])].sort((left, right) => byStrength(left.edge, right.edge));
  const arbHits = [...(hits?.arbHits ?? [])].sort((left, right) => byStrength(left.margin, right.margin));
  return {
    valueBets: valueHits.map((hit) => toValueBet(hit, view)),
    opportunities: arbHits.map((hit) => toOpportunity(hit, view)),
    sharpLineCount: hits?.sharpLineCount ?? 0,
    droppedValueCount: hits?.droppedValueCount ?? 0,
    droppedArbCount: hits?.droppedArbCount ?? 0,
  };
}

/** Strongest first; what differs by binary rounding alone is equal, and keeps its order in a stable sort. */
export function byStrength(left: number, right: number): number {
  const difference = right - left;
  return Math.abs(difference) <= COMPARISON_SLACK ? 0 : difference;
}

/** A value hit as answers show it; rounded here and nowhere before. */
export function toValueBet(hit: ValueHit, { sport, format }: HitView): ValueBet {
  return {
    ...marketOf(hit),
    outcome: outcomesOf(sport, hit.market)[hit.outcome]!,
    ...priceOf(hit, format),
    fair_price: rounded4(hit.fairDecimal),
    edge_pct: roundedPct(hit.edge * 100),
    format,
  };
}

/** An arbitrage hit likewise. */
export function toOpportunity(hit: ArbHit, { sport, format }: HitView): ArbOpportunity {
  const outcomes = outcomesOf(sport, hit.market);
  return {
    ...marketOf(hit),
    legs: hit.legs.map((leg, index) => ({ outcome: outcomes[index]!, ...priceOf(leg, format) })),
    inverse_sum: roundedInverseSum(hit.inverseSum),
    margin_pct: roundedPct(hit.margin * 100),
  };
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
