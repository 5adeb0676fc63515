// Value and arbitrage, of one fixture and of the whole slate: criteria from what a caller asked, and hits as the objects
// that answers show. One fixture is scored on the calling thread; for the slate the scoring pool does the work and the
// calling thread only chooses, sorts and shows.

import type { ArbOpportunity, ValueBet } from '../contract/comparison.ts';
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
import { SCAN_SLATE_FIXTURES_MAX } from '../limits.ts';
import { COMPARISON_SLACK, type ScoreCriteria } from '../scoring/criteria.ts';
import { fixtureHits } from '../scoring/fixture-hits.ts';
import type { ScanRequest } from '../scoring/scan.ts';
import type { ArbHit, FixtureScore, ValueHit } from '../scoring/score-rows.ts';
import type { SlateReader } from '../store/reader.ts';
import { byKickoff, type EventFilter, type EventQueries } from './events.ts';
import type { FixtureNow } from './fixture-view.ts';
import { oddsFilter } from './odds-filter.ts';
import { rounded4, roundedInverseSum, roundedPct } from './rounding.ts';

/** What counts as implausible, as fractions: 0.1 is 10 %. */
export interface PlausibleLimits {
  readonly maxEdge: number;
  readonly maxMargin: number;
}

/** The fields of a tool's input that say what counts; a bound that a tool does not take is 0. */
interface SignalRequest {
  readonly markets?: readonly MarketType[] | undefined;
  readonly period?: Period | undefined;
  readonly min_edge_pct?: number;
  readonly min_margin_pct?: number;
}

/** How hits of one fixture are shown. */
interface HitView {
  /** Index into SPORTS. */
  readonly sport: number;
  readonly format: OddsFormat;
}

export interface FixtureSignals {
  /** Highest edge first. */
  readonly valueBets: ValueBet[];
  /** Highest margin first. */
  readonly opportunities: ArbOpportunity[];
  /** Lines with a fair price of the sharp book; 0 explains why there is no value. */
  readonly sharpLineCount: number;
  /** Lines without one, because the sharp book's own inverse prices sum below 1. */
  readonly sharpLeftOutCount: number;
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
    minEdge: (request.min_edge_pct ?? 0) / 100,
    maxEdge,
    minMargin: (request.min_margin_pct ?? 0) / 100,
    maxMargin,
  };
}

export class SignalQueries {
  readonly #reader: SlateReader;
  readonly #events: EventQueries;
  readonly #scorer: Scorer;

  constructor(reader: SlateReader, events: EventQueries, scorer: Scorer) {
    this.#reader = reader;
    this.#events = events;
    this.#scorer = scorer;
  }

  /** Every hit of one fixture. */
  ofFixture(fixture: FixtureNow, criteria: ScoreCriteria, format: OddsFormat): FixtureSignals {
    const hits = fixtureHits(this.#reader, fixture.view.eventNumber, criteria);
    const view = { sport: fixture.view.sportIndex, format };
    const valueHits = (hits?.valueHits ?? []).toSorted((left, right) => byStrength(left.edge, right.edge));
    const arbHits = (hits?.arbHits ?? []).toSorted((left, right) => byStrength(left.margin, right.margin));
    return {
      valueBets: valueHits.map((hit) => toValueBet(hit, view)),
      opportunities: arbHits.map((hit) => toOpportunity(hit, view)),
      sharpLineCount: hits?.sharpLineCount ?? 0,
      sharpLeftOutCount: hits?.sharpLeftOutCount ?? 0,
      droppedValueCount: hits?.droppedValueCount ?? 0,
      droppedArbCount: hits?.droppedArbCount ?? 0,
    };
  }

  /**
   * Scores the fixtures that pass the filter, at most SCAN_SLATE_FIXTURES_MAX of them.
   * @throws ServiceError `upstream_unavailable` when there is no slate or the pool's queue is full
   */
  async scan(filter: EventFilter, criteria: ScoreCriteria, nowMs: number): Promise<SlateScan> {
    const chosen = this.#events.select(filter, nowMs).sort(byScanOrder);
    const fixtures = chosen.slice(0, SCAN_SLATE_FIXTURES_MAX);
    const byNumber = new Map(fixtures.map((fixture) => [fixture.view.eventNumber, fixture]));
    const scores = await this.#scorer.scan({ ...criteria, eventNumbers: [...byNumber.keys()] });
    const scanned = scores.flatMap((score) => {
      const fixture = byNumber.get(score.eventNumber);
      return fixture === undefined ? [] : [{ fixture, score }];
    });
    // The sort is stable, so fixtures without a signal stay in scan order.
    return { count: chosen.length, scanned: scanned.sort(bySignal) };
  }
}

/** For sorts, strongest first. Values that differ by binary rounding alone count as equal and keep their order. */
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

/** The pool, as this needs it. */
export interface Scorer {
  scan(request: ScanRequest): Promise<readonly FixtureScore[]>;
}

export interface ScannedFixture {
  readonly fixture: FixtureNow;
  readonly score: FixtureScore;
}

export interface SlateScan {
  /** Fixtures of the whole filtered slate. */
  readonly count: number;
  /** Scored fixtures, strongest signal first: arbitrage by margin, then value by edge, then scan order. */
  readonly scanned: readonly ScannedFixture[];
}

/** Live first, then the soonest kickoffs, finished last. */
function byScanOrder(left: FixtureNow, right: FixtureNow): number {
  return scanRank(left) - scanRank(right) || byKickoff(left, right);
}

function scanRank({ status }: FixtureNow): number {
  return status === 'live' ? 0 : status === 'scheduled' ? 1 : 2;
}

/** Whether a fixture has value or arbitrage within the bounds asked for. */
export function hasSignal({ score: { valueCount, arbCount } }: ScannedFixture): boolean {
  return valueCount > 0 || arbCount > 0;
}

/** Fixtures with a signal first, also one whose edge is exactly the bound of 0, or a rounding error below it. */
function bySignal(left: ScannedFixture, right: ScannedFixture): number {
  return (
    Number(hasSignal(right)) - Number(hasSignal(left)) ||
    byStrength(left.score.bestArb?.margin ?? 0, right.score.bestArb?.margin ?? 0) ||
    byStrength(left.score.bestValue?.edge ?? 0, right.score.bestValue?.edge ?? 0)
  );
}
