// The probability of each margin and total of a fixture, for middles: of football by the goal grid, of
// basketball before the match by a normal distribution. Full time only.

import {
  indexIn,
  MARKET_TYPES,
  type MarketType,
  PERIOD_FULL_TIME,
  SPORT_BASKETBALL,
  SPORT_FOOTBALL,
  STATUS_SCHEDULED,
  visibleBookmakerMask,
} from '../../domain/catalogue.ts';
import { statusAt } from '../../domain/match-status.ts';
import { normalQuantile } from '../../domain/random.ts';
import { signalGate } from '../../domain/signal-gate.ts';
import type { SlateReader } from '../../store/reader.ts';
import { type FairPrices, fairConsensus, fitPage, type RatesView } from '../fixture-rates.ts';
import { type MarketLine, marketLines } from '../market-lines.ts';
import { GoalTables, type ResultTable, setPointTable } from './middle-value.ts';

/**
 * Standard deviation of a basketball margin around its handicap, in points. Fitted to 4,203 pairs of
 * moneyline and handicap (4 points or more) of 11 bookmakers on 34 WNBA games: the median of what they imply,
 * the middle 80 % between 11.6 and 13.9. Stern 1994, "A Brownian motion model for the progress of sports
 * scores", models margins as normal.
 */
const MARGIN_DEVIATION = 12.5;
/**
 * Standard deviation of a total around its line, in points. Bookmakers list one total each, so it does not
 * follow from their prices. It does follow from the prices of a venue with a ladder of totals: 15.9 (9 lines)
 * and 17.2 (6 lines) in two WNBA games on Kalshi.
 */
const TOTAL_DEVIATION = 17;

/** The tables of one fixture. The next fixture that is read overwrites them. */
export class FixtureTables {
  /** The probability of each margin that a handicap can be settled on; null if no prices imply it. */
  margins: ResultTable | null = null;
  /**
   * The probability of each number of goals or points still to be scored, in addition to `goalQuarters`; null
   * if no prices imply it.
   */
  totals: ResultTable | null = null;
  goalQuarters = 0;
  readonly #goals = new GoalTables();

  /** Reads the prices of a page that the caller may see. Inside `SlateReader.read` only. */
  set(reader: SlateReader, page: number, view: RatesView): void {
    this.margins = null;
    this.totals = null;
    this.goalQuarters = 0;
    const sport = reader.columns.sport[page]!;
    if (sport === SPORT_FOOTBALL) this.#setGoals(reader, page, view);
    else if (sport === SPORT_BASKETBALL) this.#setPoints(reader, page, view);
  }

  #setGoals(reader: SlateReader, page: number, view: RatesView): void {
    const fitted = fitPage(reader, page, view);
    if (!fitted.ok) return;
    this.#goals.set(fitted.fit.rates);
    this.margins = this.#goals.margins;
    this.totals = this.#goals.totals;
    this.goalQuarters = 4 * (fitted.score.home + fitted.score.away);
  }

  #setPoints(reader: SlateReader, page: number, { moment, seesSharp }: RatesView): void {
    const { columns, quotesPerFixture } = reader;
    const facts = reader.matchFacts(page);
    if (statusAt(facts, moment.nowMs) !== STATUS_SCHEDULED) return;
    const gate = signalGate(facts, moment, Number.POSITIVE_INFINITY, reader.ownConfirmationsOf(page));
    const linesOf = (marketType: MarketType): MarketLine[] =>
      marketLines(columns, page * quotesPerFixture, columns.quoteCount[page]!, {
        sport: SPORT_BASKETBALL,
        market: indexIn(MARKET_TYPES, marketType),
        period: PERIOD_FULL_TIME,
        bookmakerMask: visibleBookmakerMask(seesSharp),
        gate,
      });
    const handicap = fairConsensus(linesOf('asian_handicap'), 'asian_handicap');
    const total = fairConsensus(linesOf('totals'), 'totals');
    // Home wins its bet when the margin is above minus the handicap, and over wins when the total is above
    // the line.
    if (handicap !== null) {
      const mean = meanOf(-handicap.line.lineQuarters / 4, handicap, MARGIN_DEVIATION);
      this.margins = this.#goals.margins;
      setPointTable(this.margins, { mean, deviation: MARGIN_DEVIATION, hasTies: false });
    }
    if (total !== null) {
      const mean = meanOf(total.line.lineQuarters / 4, total, TOTAL_DEVIATION);
      this.totals = this.#goals.totals;
      setPointTable(this.totals, { mean, deviation: TOTAL_DEVIATION, hasTies: true });
    }
  }
}

/**
 * The mean of a normal distribution of results in which a result above the line has the fair probability of
 * the first outcome.
 */
function meanOf(line: number, { probabilities }: FairPrices, deviation: number): number {
  return line + deviation * normalQuantile(probabilities[0]!);
}
