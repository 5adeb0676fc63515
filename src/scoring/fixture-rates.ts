// The goal rates that one football fixture's open prices imply. All prices and the score are read from one
// published page, so prices from before a goal are never combined with the score after it.

import {
  indexIn,
  MARKET_TYPES,
  type MarketType,
  PERIOD_FULL_TIME,
  SPORT_FOOTBALL,
  STATUS_LIVE,
  visibleBookmakerMask,
} from '../domain/catalogue.ts';
import { devigByMarket } from '../domain/devig.ts';
import { statusAt } from '../domain/match-status.ts';
import {
  fitScoreline,
  type PricedLine,
  type ScorelineFailure,
  type ScorelineFit,
  scorelineMarkets,
  usesResult,
} from '../domain/scoreline.ts';
import type { FinalScore } from '../domain/settlement.ts';
import { type ClosedReason, closedReason, type SignalMoment, signalGate } from '../domain/signal-gate.ts';
import type { SlateReader } from '../store/reader.ts';
import { consensusLine, type MarketLine, marketLines } from './market-lines.ts';

export type NoRates =
  | ScorelineFailure
  /** The match is over or past its ninety minutes, or its kickoff has passed without a sign that it began. */
  | ClosedReason
  /** Live, and the feed has sent no score. */
  | 'score_unknown'
  /** No full-time totals line that the caller may see and whose margin can be removed. */
  | 'no_totals_market';

/** A line's sharpest prices without their margin, in outcome order. */
export interface FairPrices {
  readonly marketType: MarketType;
  readonly line: MarketLine;
  readonly probabilities: readonly number[];
  /** The bookmaker's decimal prices, margin included. */
  readonly prices: readonly number[];
}

interface FixtureRates {
  readonly ok: true;
  readonly fit: ScorelineFit;
  /** The score that the rates start from: 0-0 before kickoff. */
  readonly score: FinalScore;
  /** The 1x2 or the handicap: the prices that the supremacy comes from. */
  readonly source: FairPrices;
  /** Every line that was used. */
  readonly used: readonly FairPrices[];
}

/**
 * The instant at which prices are checked for freshness, and whether the caller may see those of the sharp
 * bookmaker.
 */
export interface RatesView {
  readonly moment: SignalMoment;
  readonly seesSharp: boolean;
}

/** Fits one football fixture's prices, or returns the reason why that is not possible. */
export function fitFixture(
  reader: SlateReader,
  eventNumber: number,
  view: RatesView,
): FixtureRates | { readonly ok: false; readonly reason: NoRates } {
  const prices = reader.readEvent(eventNumber, (page) => pricesOf(reader, page, view));
  return prices === undefined ? { ok: false, reason: 'no_totals_market' } : fitPrices(prices);
}

/** The rates of the fixture on one page. Inside `SlateReader.read` only. */
export function fitPage(reader: SlateReader, page: number, view: RatesView): ReturnType<typeof fitFixture> {
  return fitPrices(pricesOf(reader, page, view));
}

function fitPrices(prices: PagePrices): ReturnType<typeof fitFixture> {
  if (prices.closedBy !== null) return { ok: false, reason: prices.closedBy };
  if (prices.totals.length === 0) return { ok: false, reason: 'no_totals_market' };
  const score = prices.isLive ? prices.score : { home: 0, away: 0 };
  if (score === null) return { ok: false, reason: 'score_unknown' };

  // A totals line that the goals so far have decided says nothing about the goals to come.
  const goalQuarters = 4 * (score.home + score.away);
  const openTotals = prices.totals.filter((line) => line.lineQuarters > goalQuarters);
  if (openTotals.length === 0) return { ok: false, reason: 'totals_decided' };
  const totals = fairConsensus(openTotals, 'totals');
  if (totals === null) return { ok: false, reason: 'no_totals_market' };
  const handicap = fairConsensus(prices.handicap, 'asian_handicap');
  const priced = fairConsensus(prices.result, '1x2');
  const markets = {
    score,
    totals: pricedLine(totals),
    result: priced === null ? null : pricedLine(priced),
    handicap: handicap === null ? null : pricedLine(handicap),
  };
  const result = usesResult(markets) ? priced : null;
  const source = result ?? handicap;
  if (source === null) return { ok: false, reason: 'no_supremacy_market' };
  const fit = fitScoreline(scorelineMarkets(markets));
  if (!fit.ok) return fit;
  return { ok: true, fit, score, source, used: [totals, result, handicap].filter((one) => one !== null) };
}

function pricedLine({ line, probabilities, prices }: FairPrices): PricedLine {
  return { lineQuarters: line.lineQuarters, probabilities, prices };
}

/** The full-time lines that have an eligible quote, and the score, from one page. */
type PagePrices = Readonly<ReturnType<typeof pricesOf>>;

function pricesOf(reader: SlateReader, page: number, { moment, seesSharp }: RatesView) {
  const { columns, quotesPerFixture } = reader;
  const facts = reader.matchFacts(page);
  const gate = signalGate(facts, moment, Number.POSITIVE_INFINITY, reader.ownConfirmationsOf(page));
  const bookmakerMask = visibleBookmakerMask(seesSharp);
  function linesOf(marketType: MarketType): MarketLine[] {
    const market = indexIn(MARKET_TYPES, marketType);
    const view = { sport: SPORT_FOOTBALL, market, period: PERIOD_FULL_TIME, bookmakerMask, gate };
    return marketLines(columns, page * quotesPerFixture, columns.quoteCount[page]!, view);
  }
  const home = columns.scoreHome[page]!;
  return {
    closedBy: closedReason(gate, PERIOD_FULL_TIME),
    isLive: statusAt(facts, moment.nowMs) === STATUS_LIVE,
    score: home < 0 ? null : { home, away: columns.scoreAway[page]! },
    result: linesOf('1x2'),
    handicap: linesOf('asian_handicap'),
    totals: linesOf('totals'),
  };
}

/** The fair prices of the consensus line; null without a line whose margin can be removed. */
export function fairConsensus(lines: readonly MarketLine[], marketType: MarketType): FairPrices | null {
  const line = consensusLine(lines);
  return line === null ? null : fairLineOf(line, marketType);
}

/**
 * Removes the margin from a line's sharpest prices by the method of the market; null when that gives no
 * probabilities.
 */
export function fairLineOf(line: MarketLine, marketType: MarketType): FairPrices | null {
  if (line.sharpest === null) return null;
  const prices = line.sharpest.pricesE4.map((priceE4) => priceE4 / 10_000);
  const devigged = devigByMarket(marketType, prices);
  // If two prices are close to 1, the power of a longshot's price underflows to 0, which is no probability.
  if (!devigged.ok || !devigged.probabilities.every((value) => value > 0 && value < 1)) return null;
  return { marketType, line, probabilities: devigged.probabilities, prices };
}
