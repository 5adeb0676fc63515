// The goal rates and likeliest scores that one football fixture's open prices imply. All prices and the score are read
// from one published page, so that a goal never stands beside prices from before it.

import type { Score } from '../contract/values.ts';
import {
  type BookmakerKey,
  indexIn,
  MARKET_TYPES,
  type MarketType,
  outcomesOf,
  PERIOD_FULL_TIME,
  visibleBookmakerMask,
} from '../domain/catalogue.ts';
import { devigShin } from '../domain/devig.ts';
import { quartersFromLine } from '../domain/handicap.ts';
import {
  fitScoreline,
  type Scoreline,
  type ScorelineFailure,
  type ScorelineFit,
  topScorelines,
} from '../domain/scoreline.ts';
import { type ClosedReason, closedReason, signalGate } from '../domain/signal-gate.ts';
import { assert } from '../errors.ts';
import { LINE_QUARTERS_MAX } from '../limits.ts';
import { consensusLine, type MarketLine, marketLines } from '../scoring/market-lines.ts';
import type { SlateReader } from '../store/reader.ts';
import type { FixtureNow } from './fixture-view.ts';
import { type FairMarket, fairOfLine } from './market-comparison.ts';

const LINE_MAX = LINE_QUARTERS_MAX / 4;

interface ScorelineQuestion {
  readonly seesSharp: boolean;
  /** How many scores, 1 or more. */
  readonly count: number;
}

export type NoScoreline =
  | ScorelineFailure
  /** The match is over, should have begun without a sign that it has, or is past its ninety minutes. */
  | ClosedReason
  /** Live, and the feed has sent no score. */
  | 'score_unknown'
  /** No visible open full-time totals quote. */
  | 'no_totals_market';

export interface FixtureScoreline {
  readonly ok: true;
  readonly fit: ScorelineFit;
  /** The score that the rates start from: 0-0 before kickoff. */
  readonly score: Score;
  /** Full-time scores, likeliest first. */
  readonly scorelines: readonly Scoreline[];
  /** Probability that one of them comes true. */
  readonly covered: number;
  /** The book whose 1x2, or handicap where there is no 1x2, gave the supremacy. */
  readonly fromBookmaker: BookmakerKey;
  /** Books passed over on one of the lines, because their own inverse prices sum below 1. */
  readonly leftOut: readonly BookmakerKey[];
}

/** Full-time lines with a quote that takes part, and the score, of one page. */
interface FixturePrices {
  readonly closedBy: ClosedReason | null;
  readonly score: Score | null;
  readonly result: readonly MarketLine[];
  readonly handicap: readonly MarketLine[];
  readonly totals: readonly MarketLine[];
}

export class ScorelineQueries {
  readonly #reader: SlateReader;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** Fits one football fixture's prices, or says why they cannot be. */
  fit(
    fixture: FixtureNow,
    { seesSharp, count }: ScorelineQuestion,
  ): FixtureScoreline | { readonly ok: false; readonly reason: NoScoreline } {
    assert(fixture.view.sport === 'football', 'scorelines are of football');
    const prices = this.#readPrices(fixture, seesSharp);
    if (prices !== undefined && prices.closedBy !== null) return { ok: false, reason: prices.closedBy };
    if (prices === undefined || prices.totals.length === 0) return { ok: false, reason: 'no_totals_market' };
    const score = fixture.isLive ? prices.score : { home: 0, away: 0 };
    if (score === null) return { ok: false, reason: 'score_unknown' };

    // A totals line that the goals so far have already reached is decided, so it says nothing about the goals to come.
    const goalQuarters = 4 * (score.home + score.away);
    const openTotals = prices.totals.filter((line) => line.lineQuarters > goalQuarters);
    if (openTotals.length === 0) return { ok: false, reason: 'totals_decided' };
    const totals = fairConsensus(openTotals, 'totals', fixture);
    if (totals === null) return { ok: false, reason: 'no_totals_market' };
    const handicap = fairConsensus(prices.handicap, 'asian_handicap', fixture);
    const priced = fairConsensus(prices.result, '1x2', fixture);
    const result = priced !== null && handicap !== null && isAtFloor(priced) ? null : priced;
    const source = result ?? handicap;
    if (source === null) return { ok: false, reason: 'no_supremacy_market' };

    const fit = fitScoreline({
      score,
      totals: { lineQuarters: quartersOf(totals), over: totals.probabilities.over! },
      result: result === null ? null : resultOf(result, score),
      handicap:
        handicap === null ? null : { lineQuarters: quartersOf(handicap), home: handicap.probabilities.home! },
    });
    if (!fit.ok) return fit;
    const { scorelines, covered } = topScorelines(fit.rates, score, count);
    const leftOut = [totals, result, handicap].flatMap((market) => market?.leftOut ?? []);
    return {
      ok: true,
      fit,
      score,
      scorelines,
      covered,
      fromBookmaker: source.fromBookmaker,
      leftOut: [...new Set(leftOut)],
    };
  }

  #readPrices({ view, moment }: FixtureNow, seesSharp: boolean): FixturePrices | undefined {
    const { columns, quotesPerFixture } = this.#reader;
    const bookmakerMask = visibleBookmakerMask(seesSharp);
    return this.#reader.readEvent(view.eventNumber, (page) => {
      const base = page * quotesPerFixture;
      const quoteCount = columns.quoteCount[page]!;
      const gate = signalGate(this.#reader.matchFacts(page), moment, Number.POSITIVE_INFINITY);
      function linesOf(marketType: MarketType): MarketLine[] {
        const market = indexIn(MARKET_TYPES, marketType);
        const marketView = { sport: view.sportIndex, market, period: PERIOD_FULL_TIME, bookmakerMask, gate };
        return marketLines(columns, base, quoteCount, marketView);
      }
      const home = columns.scoreHome[page]!;
      return {
        closedBy: closedReason(gate, PERIOD_FULL_TIME),
        score: home < 0 ? null : { home, away: columns.scoreAway[page]! },
        result: linesOf('1x2'),
        handicap: linesOf('asian_handicap'),
        totals: linesOf('totals'),
      };
    });
  }
}

function fairConsensus(
  lines: readonly MarketLine[],
  marketType: MarketType,
  { view }: FixtureNow,
): FairMarket | null {
  const consensus = consensusLine(lines);
  if (consensus === null) return null;
  const outcomes = outcomesOf(view.sportIndex, indexIn(MARKET_TYPES, marketType));
  return fairOfLine(consensus, { marketType, outcomes });
}

/** A price this low is the lowest but one that books offer: it stays there whatever happens, so it says no more. */
const FLOOR_PRICE = 1.02;
/** From this lead on the 1x2 is so lopsided that what it says of the goals to come depends on how its margin is taken out. */
const LOPSIDED_LEAD = 2;

function isAtFloor({ prices }: FairMarket): boolean {
  return Math.min(...prices) <= FLOOR_PRICE;
}

/**
 * The 1x2 that the goal rates are fitted to. At a lead of two goals or more its margin is taken out by Shin's method: on
 * the recorded in-play prices of brazil-2022 the held-out handicap then disagrees by 0.016 at the median, against 0.097
 * by the power and 0.159 by the proportional method (docs/signals.md#the-goal-grid).
 */
function resultOf(
  { probabilities, prices }: FairMarket,
  score: Score,
): { home: number; draw: number; away: number } {
  const { home, draw, away } = probabilities;
  if (Math.abs(score.home - score.away) < LOPSIDED_LEAD) return { home: home!, draw: draw!, away: away! };
  const shin = devigShin(prices);
  assert(shin.ok, 'prices that the power method could de-vig have a margin');
  const [shinHome, shinDraw, shinAway] = shin.probabilities as [number, number, number];
  return { home: shinHome, draw: shinDraw, away: shinAway };
}

function quartersOf({ line }: FairMarket): number {
  const quarters = line === null ? null : quartersFromLine(line, LINE_MAX);
  assert(quarters !== null, 'a line of the store is a multiple of a quarter');
  return quarters;
}
