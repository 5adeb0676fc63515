// Value and arbitrage, of one fixture and of the whole slate: criteria from what a caller asked, and hits as the objects
// that answers show. One fixture is scored on the calling thread; for the slate the scoring pool does the work and the
// calling thread only chooses, sorts and shows.

import { toIsoText } from '../clock.ts';
import type { ArbOpportunity, ValueBet } from '../contract/comparison.ts';
import {
  BOOKMAKER_KEYS,
  type BookmakerKey,
  MARKET_1X2,
  MARKET_ASIAN_HANDICAP,
  MARKET_TYPES,
  type MarketType,
  type OddsFormat,
  type Outcome,
  outcomesOf,
  PERIOD_FULL_TIME,
  PERIODS,
  type Period,
} from '../domain/catalogue.ts';
import { landingShare, shownLine } from '../domain/handicap.ts';
import { malayDecimalsOf, priceInFormat } from '../domain/odds-format.ts';
import { returnedShare } from '../domain/scoreline.ts';
import { EXCLUSIONS, type Excluded, type SIGNAL_KINDS, type SignalMoment } from '../domain/signal-gate.ts';
import type { Principal } from '../domain/tiers.ts';
import { SCAN_SLATE_FIXTURES_MAX } from '../limits.ts';
import { COMPARISON_SLACK, type ScoreCriteria } from '../scoring/criteria.ts';
import { fixtureHits } from '../scoring/fixture-hits.ts';
import type { ScanRequest } from '../scoring/scan.ts';
import type { ArbHit, FixtureScore, ScoreWithHits, ValueHit } from '../scoring/score-rows.ts';
import type { SlateReader } from '../store/reader.ts';
import type { EventFilter, EventQueries } from './events.ts';
import type { FixtureScoreline, ScorelineQueries } from './fixture-scoreline.ts';
import { type FixtureNow, priceAge } from './fixture-view.ts';
import { oddsFilter } from './odds-filter.ts';
import { rounded4, roundedInverseSum, roundedPct } from './rounding.ts';

/** What counts as implausible, as fractions: 0.1 is 10 %. */
export interface PlausibleLimits {
  readonly maxEdge: number;
  readonly maxMargin: number;
}

/** The fields of a tool's input that say what counts; a bound that a tool does not take is 0. */
interface SignalRequest {
  readonly bookmakers?: readonly BookmakerKey[] | undefined;
  readonly markets?: readonly MarketType[] | undefined;
  readonly period?: Period | undefined;
  readonly min_edge_pct?: number;
  readonly min_margin_pct?: number;
  readonly max_age_s?: number | undefined;
}

/** How hits of one fixture are shown. */
export interface HitView {
  /** Index into SPORTS. */
  readonly sport: number;
  readonly format: OddsFormat;
  readonly moment: SignalMoment;
  /** The goal grid that settles full-time bets of a football match; null without one. */
  readonly grid: GoalGrid | null;
}

/** A fitted goal grid, and whether the handicap, which the fit has not seen, agrees with it. */
export interface GoalGrid extends Pick<FixtureScoreline, 'fit' | 'score'> {
  readonly handicapDisagrees: boolean;
}

/** What a search is for: only what was left out of that is counted. */
export type SignalKind = (typeof SIGNAL_KINDS)[number] | 'any';

export interface FixtureSignals {
  /** Highest edge first. */
  readonly valueBets: ValueBet[];
  /** Highest margin first. */
  readonly opportunities: ArbOpportunity[];
  /** Lines with a fair price of the sharp book; 0 explains why there is no value. */
  readonly sharpLineCount: number;
  /** Lines without one, because the sharp book's own inverse prices sum below 1. */
  readonly sharpLeftOutCount: number;
  /** The sharp bookmaker whose fair prices these are: of the first value bet, else any at a line; null without one. */
  readonly reference: number | null;
  /** Left out as implausible. */
  readonly droppedValueCount: number;
  readonly droppedArbCount: number;
  readonly score: FixtureScore | null;
  readonly grid: GoalGrid | null;
}

/**
 * A request's bounds, in per cent, as what the kernels test: fractions and masks, without what the caller may not see.
 * @throws ServiceError `forbidden` when a caller names a sharp bookmaker and the tier does not include it
 */
export function criteriaOf(
  request: SignalRequest,
  principal: Principal,
  { maxEdge, maxMargin }: PlausibleLimits,
): ScoreCriteria {
  const { bookmakerMask, marketMask, periodMask } = oddsFilter(request, principal);
  return {
    bookmakerMask,
    marketMask,
    periodMask,
    seesSharp: principal.seesSharp,
    minEdge: (request.min_edge_pct ?? 0) / 100,
    maxEdge,
    minMargin: (request.min_margin_pct ?? 0) / 100,
    maxMargin,
    maxAgeMs: request.max_age_s === undefined ? null : request.max_age_s * 1_000,
  };
}

/** Adds up what was left out of the scores of a search, by reason. */
export function excludedOf(scores: readonly (FixtureScore | null)[], kind: SignalKind): Excluded {
  const total = Object.fromEntries(EXCLUSIONS.map((reason) => [reason, 0])) as Record<keyof Excluded, number>;
  for (const score of scores) {
    if (score === null) continue;
    const implausible =
      (kind === 'arbitrage' ? 0 : score.droppedValueCount) + (kind === 'value' ? 0 : score.droppedArbCount);
    const counts: Excluded = { ...score.leftOut, implausible };
    for (const reason of EXCLUSIONS) {
      // Without the sharp book there is no value, but arbitrage does not need it.
      if (reason !== 'no_sharp' || kind !== 'arbitrage') total[reason] += counts[reason];
    }
  }
  return total;
}

/** Above this |expected value| of the held-out handicap the goal grid is not to be relied on. */
export const HANDICAP_CHECK_MAX = 0.1;

interface SignalSources {
  readonly reader: SlateReader;
  readonly events: Pick<EventQueries, 'urgent'>;
  readonly scorelines: ScorelineQueries;
  readonly scorer: Scorer;
}

/** How the hits of a fixture are asked for. */
interface HitsAsked {
  readonly criteria: ScoreCriteria;
  readonly format: OddsFormat;
  /** Least expected return of value, in per cent; undefined asks for none. */
  readonly minEvPct?: number | undefined;
  /** Value on this outcome alone; undefined is any. */
  readonly outcome?: Outcome | undefined;
  /** What is looked for; undefined is both. */
  readonly kind?: SignalKind | undefined;
}

export class SignalQueries {
  readonly #sources: SignalSources;

  constructor(sources: SignalSources) {
    this.#sources = sources;
  }

  /** Every hit of one fixture. */
  ofFixture(fixture: FixtureNow, asked: HitsAsked): FixtureSignals {
    const { criteria, format } = asked;
    const hits = fixtureHits(this.#sources.reader, fixture.view.eventNumber, criteria, fixture.moment);
    const valueHits = (hits?.valueHits ?? []).toSorted((left, right) => byStrength(left.edge, right.edge));
    const arbHits = (hits?.arbHits ?? []).toSorted((left, right) => byStrength(left.margin, right.margin));
    const view = this.viewOf(fixture, { criteria, format, hits: valueHits });
    const shownHits = valueHits.filter((hit) => isAskedFor(hit, view, asked));
    return {
      valueBets: shownHits.map((hit) => toValueBet(hit, view)),
      opportunities: arbHits.map((hit) => toOpportunity(hit, view)),
      sharpLineCount: hits?.sharpLineCount ?? 0,
      sharpLeftOutCount: hits?.sharpLeftOutCount ?? 0,
      reference: shownHits[0]?.reference ?? hits?.reference ?? null,
      droppedValueCount: hits?.droppedValueCount ?? 0,
      droppedArbCount: hits?.droppedArbCount ?? 0,
      score: hits ?? null,
      grid: view.grid,
    };
  }

  /** How hits of a fixture are shown. The goal grid is only fitted where one of `hits` is settled by it. */
  viewOf(
    fixture: FixtureNow,
    asked: Pick<HitsAsked, 'criteria' | 'format'> & { readonly hits: readonly (ValueHit | null)[] },
  ): HitView {
    const isSettled = asked.hits.some((hit) => hit?.period === PERIOD_FULL_TIME);
    return {
      sport: fixture.view.sportIndex,
      format: asked.format,
      moment: fixture.moment,
      grid: isSettled ? this.#gridOf(fixture, asked.criteria.seesSharp) : null,
    };
  }

  #gridOf(fixture: FixtureNow, seesSharp: boolean): GoalGrid | null {
    if (fixture.view.sport !== 'football') return null;
    const fitted = this.#sources.scorelines.fit(fixture, { seesSharp, count: 1 });
    if (!fitted.ok) return null;
    return { fit: fitted.fit, score: fitted.score, handicapDisagrees: handicapDisagrees(fitted.fit) };
  }

  /**
   * Scores the fixtures that pass the filter, at most SCAN_SLATE_FIXTURES_MAX of them.
   * @throws ServiceError `upstream_unavailable` when there is no slate or the pool's queue is full
   */
  async scan(filter: EventFilter, asked: HitsAsked, nowMs: number): Promise<SlateScan> {
    const { events, scorer } = this.#sources;
    const { criteria } = asked;
    const { fixtures, count } = events.urgent(filter, nowMs, SCAN_SLATE_FIXTURES_MAX);
    const byNumber = new Map(fixtures.map((fixture) => [fixture.view.eventNumber, fixture]));
    const moment = fixtures[0]?.moment;
    if (moment === undefined) return { count: 0, scanned: [] };
    const scores = await scorer.scan({ ...criteria, eventNumbers: [...byNumber.keys()], moment });
    const scanned = scores.flatMap((score) => {
      const fixture = byNumber.get(score.eventNumber);
      if (fixture === undefined) return [];
      return [{ fixture, score: ofKind(this.#withAsked(fixture, score, asked), asked.kind ?? 'any') }];
    });
    // The sort is stable, so fixtures without a signal stay in scan order.
    return { count, scanned: scanned.sort(bySignal) };
  }

  /** The score with only the value of the expected return and outcome asked for; few fixtures have value at all. */
  #withAsked(fixture: FixtureNow, score: FixtureScore, asked: HitsAsked): FixtureScore {
    const { criteria, format, minEvPct, outcome } = asked;
    if ((minEvPct === undefined && outcome === undefined) || score.valueCount === 0) return score;
    const hits =
      fixtureHits(this.#sources.reader, score.eventNumber, criteria, fixture.moment)?.valueHits ?? [];
    const view = this.viewOf(fixture, { criteria, format, hits });
    const within = hits
      .filter((hit) => isAskedFor(hit, view, asked))
      .toSorted((left, right) => byStrength(left.edge, right.edge));
    return { ...score, valueCount: within.length, bestValue: within[0] ?? null };
  }
}

/** Whether the handicap, which the fit has not seen, contradicts the goal grid. */
export function handicapDisagrees({ handicapExpectedValue }: FixtureScoreline['fit']): boolean {
  return handicapExpectedValue !== null && Math.abs(handicapExpectedValue) > HANDICAP_CHECK_MAX;
}

/**
 * Expected return of a unit as the bet settles, a fraction. A fair price is one at which win and loss balance, so a price
 * above it gains its edge on the part of the stake that is not returned. Null where no goal grid settles the market.
 */
function expectedReturn(hit: ValueHit, { grid }: HitView): number | null {
  if (grid === null || hit.period !== PERIOD_FULL_TIME) return null;
  if (hit.market === MARKET_1X2) return hit.edge;
  const { fit, score } = grid;
  const isHandicap = hit.market === MARKET_ASIAN_HANDICAP;
  // In play a handicap counts the goals from now on, a total those of the whole match.
  const quarters = isHandicap ? -hit.lineQuarters : hit.lineQuarters - 4 * (score.home + score.away);
  return hit.edge * (1 - returnedShare(fit.rates, isHandicap ? 'margin' : 'total', quarters));
}

function isAskedFor(hit: ValueHit, view: HitView, { minEvPct, outcome }: HitsAsked): boolean {
  const isOutcome = outcome === undefined || outcomesOf(view.sport, hit.market)[hit.outcome] === outcome;
  return isOutcome && reachesEv(hit, view, minEvPct);
}

/** The score without the hits of the other kind. */
function ofKind(score: FixtureScore, kind: SignalKind): FixtureScore {
  if (kind === 'value') return { ...score, arbCount: 0, bestArb: null };
  return kind === 'arbitrage' ? { ...score, valueCount: 0, bestValue: null } : score;
}

function reachesEv(hit: ValueHit, view: HitView, minEvPct: number | undefined): boolean {
  if (minEvPct === undefined) return true;
  const expected = expectedReturn(hit, view);
  return expected !== null && expected >= minEvPct / 100 - COMPARISON_SLACK;
}

/** For sorts, strongest first. Values that differ by binary rounding alone count as equal and keep their order. */
export function byStrength(left: number, right: number): number {
  const difference = right - left;
  return Math.abs(difference) <= COMPARISON_SLACK ? 0 : difference;
}

/** A value hit as answers show it; rounded here and nowhere before. */
export function toValueBet(hit: ValueHit, view: HitView): ValueBet {
  const { sport, format, moment } = view;
  const expected = expectedReturn(hit, view);
  return {
    ...marketOf(hit),
    outcome: outcomesOf(sport, hit.market)[hit.outcome]!,
    ...priceOf(hit, format),
    fair_price: rounded4(hit.fairDecimal),
    edge_pct: roundedPct(hit.edge * 100),
    ev_pct: expected === null ? null : roundedPct(expected * 100),
    format,
    since: toIsoText(sinceOfValue(hit)),
    ...priceAge({ atMs: hit.atMs, sharpAtMs: hit.sharpAtMs, isOpen: true }, moment),
  };
}

/** An arbitrage hit likewise. */
export function toOpportunity(hit: ArbHit, { sport, format, moment }: HitView): ArbOpportunity {
  const outcomes = outcomesOf(sport, hit.market);
  const marginPct = hit.margin * 100;
  return {
    ...marketOf(hit),
    legs: hit.legs.map((leg, index) => ({
      outcome: outcomes[index]!,
      ...priceOf(leg, format),
      ...priceAge({ atMs: leg.atMs, sharpAtMs: hit.sharpAtMs, isOpen: true }, moment),
    })),
    since: toIsoText(sinceOfArb(hit)),
    inverse_sum: roundedInverseSum(hit.inverseSum),
    margin_pct: roundedPct(marginPct),
    worst_pct: roundedPct(marginPct * (1 - landingShare(hit.market, hit.lineQuarters))),
    best_pct: roundedPct(marginPct),
  };
}

/** Since when a price stands against the sharp book's. Unix ms, on the source's clock. */
export function sinceOfValue({ atMs, sharpAtMs }: ValueHit): number {
  return Math.max(atMs, sharpAtMs);
}

/** Since when the prices of an arbitrage stand together, likewise. */
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

/** The pool, as this needs it. */
export interface Scorer {
  scan(request: ScanRequest): Promise<readonly FixtureScore[]>;
}

/** The pool, as who follows signals needs it: every hit of each fixture. */
export interface HitScorer {
  scanHits(request: ScanRequest): Promise<readonly ScoreWithHits[]>;
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
