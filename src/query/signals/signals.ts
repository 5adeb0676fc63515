// Value and arbitrage, for one fixture and for the whole slate: builds the criteria from a request and
// collects what was found and left out. One fixture is scored on the calling thread. For the slate the
// scoring pool does the work, and the calling thread only selects, sorts and formats.

import type { ArbOpportunity, ValueBet } from '../../contract/signals/found.ts';
import {
  type BookmakerKey,
  type MarketType,
  type OddsFormat,
  type Outcome,
  outcomesOf,
  PERIOD_FULL_TIME,
  type Period,
} from '../../domain/catalogue.ts';
import { REFERENCE_CONSENSUS } from '../../domain/reference.ts';
import { EXCLUSIONS, type Excluded, type Exclusion, type SIGNAL_KINDS } from '../../domain/signal-gate.ts';
import type { Principal } from '../../domain/tiers.ts';
import { SCAN_SLATE_FIXTURES_MAX } from '../../limits.ts';
import { COMPARISON_SLACK, type ScoreCriteria } from '../../scoring/criteria.ts';
import { fixtureHits } from '../../scoring/fixture-hits.ts';
import type { ValueHit } from '../../scoring/hit-rows.ts';
import type { ScanRequest } from '../../scoring/scan.ts';
import type { FixtureScore, ScoreWithHits } from '../../scoring/score-rows.ts';
import type { SlateReader } from '../../store/reader.ts';
import type { EventFilter, EventQueries } from '../lists/events.ts';
import { scorelineOf } from '../markets/fixture-scoreline.ts';
import { oddsFilter, requestedReference } from '../odds/odds-filter.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';
import {
  expectedReturn,
  type GoalGrid,
  type HitView,
  handicapDisagrees,
  toOpportunity,
  toValueBet,
} from './hit-view.ts';

/** The limits above which a hit is implausible, as fractions: 0.1 is 10 %. */
export interface PlausibleLimits {
  readonly maxEdge: number;
  readonly maxMargin: number;
}

/** The fields of a tool's input that set bounds; a bound that a tool does not have is 0. */
interface SignalRequest {
  readonly bookmakers?: readonly BookmakerKey[] | undefined;
  readonly markets?: readonly MarketType[] | undefined;
  readonly period?: Period | undefined;
  readonly min_edge_pct?: number;
  readonly min_margin_pct?: number;
  readonly max_age_s?: number | undefined;
  readonly reference?: string | undefined;
}

/** What a search is for; counts of what was left out cover only that kind. */
export type SearchedSignals = (typeof SIGNAL_KINDS)[number] | 'any';

export interface FixtureSignals {
  /** Highest edge first. */
  readonly valueBets: ValueBet[];
  /** Highest margin first. */
  readonly opportunities: ArbOpportunity[];
  /** Lines with a fair price of the reference; 0 explains why there is no value. */
  readonly fairLineCount: number;
  /** Lines without a fair price, because the reference's own inverse prices sum below 1. */
  readonly sharpLeftOutCount: number;
  /**
   * The bookmaker whose fair prices these are, taken from the first value bet, otherwise from any line; null
   * without such a line, and for the consensus.
   */
  readonly reference: number | null;
  /** How many value bets, and how many opportunities, were left out as implausible. */
  readonly droppedValueCount: number;
  readonly droppedArbCount: number;
  readonly score: FixtureScore | null;
  readonly grid: GoalGrid | null;
}

/**
 * Converts a request's bounds to what the scoring code tests: per cent to fractions, and lists to masks
 * without the bookmakers that the caller may not see.
 * @throws ServiceError `forbidden` when a caller names a sharp bookmaker that its tier does not include
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
    reference: requestedReference(request.reference, principal),
    minEdge: (request.min_edge_pct ?? 0) / 100,
    maxEdge,
    minMargin: (request.min_margin_pct ?? 0) / 100,
    maxMargin,
    maxAgeMs: request.max_age_s === undefined ? null : request.max_age_s * 1_000,
  };
}

/** Reasons that exclude value only, because arbitrage needs no reference. */
const NEEDS_REFERENCE: ReadonlySet<string> = new Set(['no_sharp', 'no_reference'] satisfies Exclusion[]);

/** Adds up what the scores of a search left out, by reason. */
export function excludedOf(scores: readonly (FixtureScore | null)[], kind: SearchedSignals): Excluded {
  const total = Object.fromEntries(EXCLUSIONS.map((reason) => [reason, 0])) as Record<keyof Excluded, number>;
  for (const score of scores) {
    if (score === null) continue;
    const implausible =
      (kind === 'arbitrage' ? 0 : score.droppedValueCount) + (kind === 'value' ? 0 : score.droppedArbCount);
    const counts: Excluded = { ...score.leftOut, implausible };
    for (const reason of EXCLUSIONS) {
      if (!NEEDS_REFERENCE.has(reason) || kind !== 'arbitrage') total[reason] += counts[reason];
    }
  }
  return total;
}

interface SignalSources {
  readonly reader: SlateReader;
  readonly events: Pick<EventQueries, 'urgent'>;
  readonly scorer: Scorer;
}

/** Which hits of a fixture are requested. */
interface HitsAsked {
  readonly criteria: ScoreCriteria;
  readonly format: OddsFormat;
  /** Least expected return of value, in per cent; undefined means no bound. */
  readonly minEvPct?: number | undefined;
  /** Value on this outcome only; undefined means any. */
  readonly outcome?: Outcome | undefined;
  /** The kind of hits; undefined means both. */
  readonly kind?: SearchedSignals | undefined;
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
      fairLineCount: hits?.fairLineCount ?? 0,
      sharpLeftOutCount: hits?.sharpLeftOutCount ?? 0,
      reference: bookmakerOf(shownHits[0]?.reference ?? hits?.reference ?? null),
      droppedValueCount: hits?.droppedValueCount ?? 0,
      droppedArbCount: hits?.droppedArbCount ?? 0,
      score: hits ?? null,
      grid: view.grid,
    };
  }

  /** How hits of a fixture are shown. The goal grid is fitted only if it settles one of `hits`. */
  viewOf(
    fixture: FixtureNow,
    asked: Pick<HitsAsked, 'criteria' | 'format'> & { readonly hits: readonly (ValueHit | null)[] },
  ): HitView {
    const isSettled = asked.hits.some((hit) => hit?.period === PERIOD_FULL_TIME);
    return {
      sport: fixture.view.sportIndex,
      format: asked.format,
      moment: fixture.moment,
      ownConfirmations: fixture.view.ownConfirmations,
      grid: isSettled ? this.#gridOf(fixture, asked.criteria.seesSharp) : null,
    };
  }

  #gridOf(fixture: FixtureNow, seesSharp: boolean): GoalGrid | null {
    if (fixture.view.sport !== 'football') return null;
    const fitted = scorelineOf(this.#sources.reader, fixture, { seesSharp, count: 1 });
    if (!fitted.ok) return null;
    return { fit: fitted.fit, score: fitted.score, handicapDisagrees: handicapDisagrees(fitted.fit) };
  }

  /**
   * Scores the fixtures that pass the filter, at most SCAN_SLATE_FIXTURES_MAX of them.
   * @throws ServiceError `upstream_unavailable` when there is no slate, or when the pool refuses or fails the
   * scan
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

  /**
   * The score with only the value hits of the requested expected return and outcome. Few fixtures have value
   * at all.
   */
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

/** The bookmaker of a reference; null for the consensus, which is no bookmaker. */
function bookmakerOf(reference: number | null): number | null {
  return reference === REFERENCE_CONSENSUS ? null : reference;
}

function isAskedFor(hit: ValueHit, view: HitView, { minEvPct, outcome }: HitsAsked): boolean {
  const isOutcome = outcome === undefined || outcomesOf(view.sport, hit.market)[hit.outcome] === outcome;
  return isOutcome && reachesEv(hit, view, minEvPct);
}

/** The score without the hits of a kind that was not searched for. */
function ofKind(score: FixtureScore, kind: SearchedSignals): FixtureScore {
  if (kind === 'value') return { ...score, arbCount: 0, bestArb: null };
  return kind === 'arbitrage' ? { ...score, valueCount: 0, bestValue: null } : score;
}

function reachesEv(hit: ValueHit, view: HitView, minEvPct: number | undefined): boolean {
  if (minEvPct === undefined) return true;
  const expected = expectedReturn(hit, view);
  return expected !== null && expected >= minEvPct / 100 - COMPARISON_SLACK;
}

/**
 * For sorting, strongest first. Values that differ only by binary rounding count as equal and keep their
 * order.
 */
export function byStrength(left: number, right: number): number {
  const difference = right - left;
  return Math.abs(difference) <= COMPARISON_SLACK ? 0 : difference;
}

/** The scoring pool, with the calls that this class needs. */
export interface Scorer {
  scan(request: ScanRequest): Promise<readonly FixtureScore[]>;
}

/** The scoring pool for followers of signals: every hit of each fixture. */
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

/** Whether a fixture has value or arbitrage within the requested bounds. */
export function hasSignal({ score: { valueCount, arbCount } }: ScannedFixture): boolean {
  return valueCount > 0 || arbCount > 0;
}

/**
 * Fixtures with a signal first. That is decided by counts, because the edge of a signal may be 0, or below 0
 * by a rounding error, when the bound is 0.
 */
function bySignal(left: ScannedFixture, right: ScannedFixture): number {
  return (
    Number(hasSignal(right)) - Number(hasSignal(left)) ||
    byStrength(left.score.bestArb?.margin ?? 0, right.score.bestArb?.margin ?? 0) ||
    byStrength(left.score.bestValue?.edge ?? 0, right.score.bestValue?.edge ?? 0)
  );
}
