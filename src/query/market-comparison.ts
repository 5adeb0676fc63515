// One market and period of one fixture, book beside book (consensus line, lines offered, best prices, sharpest book),
// and the fair probabilities that follow: the prices of the sharpest visible book on the consensus line with the book's
// margin taken out. Read from one published page, so that all of it belongs together.

import type { FairMethods } from '../contract/comparison.ts';
import type { DevigMethod, Verdict } from '../contract/probability.ts';
import {
  BOOKMAKER_KEYS,
  type BookmakerKey,
  indexIn,
  isSharpBookmaker,
  MARKET_1X2,
  MARKET_TYPES,
  type MarketType,
  type Outcome,
  outcomeCountOf,
  outcomesOf,
  PERIODS,
  type Period,
  type QuoteStatus,
  SHOWN_QUOTE_STATUSES,
  visibleBookmakerMask,
} from '../domain/catalogue.ts';
import { devigPower, devigProportional, devigShin, overround } from '../domain/devig.ts';
import { lineFromQuarters, quartersFromLine, shownLine } from '../domain/handicap.ts';
import { type ClosedReason, closedReason, signalGate } from '../domain/signal-gate.ts';
import { COMPARISON_SLACK } from '../scoring/criteria.ts';
import {
  consensusLine,
  type MarketLine,
  type MarketView,
  marketLines,
  type RowRange,
  rowsOfMarket,
} from '../scoring/market-lines.ts';
import { bookmakerOfKey, lineQuartersOfKey } from '../store/quote-key.ts';
import type { SlateColumns, SlateReader } from '../store/reader.ts';
import type { FixtureNow } from './fixture-view.ts';
import { pricesOfRow } from './odds.ts';
import { rounded4 } from './rounding.ts';

export interface MarketQuestion {
  readonly marketType: MarketType;
  readonly period: Period;
  readonly seesSharp: boolean;
  /** The line to judge; the consensus line when absent. @see MarketComparison.judged */
  readonly line?: number | undefined;
}

/** One book's quote at one line. */
export interface BookRow {
  readonly bookmaker: BookmakerKey;
  readonly bookmakerIndex: number;
  /** Null for a 1x2. */
  readonly line: number | null;
  /** Ten-thousandths by outcome order. */
  readonly pricesE4: readonly number[];
  /** Sum of the inverse decimal prices minus 1; null when a price is 1 or less. */
  readonly overround: number | null;
  readonly status: QuoteStatus;
  /** Source time of its last message. Unix ms. */
  readonly atMs: number;
}

export interface MarketComparison {
  readonly outcomes: readonly Outcome[];
  /** The line most books offer; null when no quote takes part. */
  readonly consensus: MarketLine | null;
  /** The line asked for, else the consensus line; null when no quote of it takes part. */
  readonly judged: MarketLine | null;
  /** Distinct lines with a quote that takes part, ascending; empty for a 1x2. */
  readonly linesOffered: readonly number[];
  /** Every visible quote, suspended ones included, by line then catalogue order. */
  readonly rows: readonly BookRow[];
  /** Why no quote takes part although there may be open ones; null when they may. */
  readonly closedBy: ClosedReason | null;
}

/** A comparison shows how old each price is and leaves it to the caller; what is not confirmed takes no part. */
const ANY_AGE = Number.POSITIVE_INFINITY;

export class MarketQueries {
  readonly #reader: SlateReader;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** Compares the books a caller may see. A fixture that has just left the slate has no rows and no lines. */
  compare(fixture: FixtureNow, question: MarketQuestion): MarketComparison {
    const { columns, quotesPerFixture } = this.#reader;
    const sport = fixture.view.sportIndex;
    const market = indexIn(MARKET_TYPES, question.marketType);
    const period = indexIn(PERIODS, question.period);
    const bookmakerMask = visibleBookmakerMask(question.seesSharp);
    const compared = this.#reader.readEvent(fixture.view.eventNumber, (page) => {
      const base = page * quotesPerFixture;
      const quoteCount = columns.quoteCount[page]!;
      const gate = signalGate(this.#reader.matchFacts(page), fixture.moment, ANY_AGE);
      const view = { sport, market, period, bookmakerMask, gate };
      const range = rowsOfMarket(columns, base, quoteCount, view);
      return {
        lines: marketLines(columns, base, quoteCount, view),
        rows: bookRows(columns, range, view),
        closedBy: closedReason(gate, period),
      };
    });
    const lines = compared?.lines ?? [];
    const consensus = consensusLine(lines);
    const asked = question.line === undefined ? null : quartersFromLine(question.line);
    return {
      outcomes: outcomesOf(sport, market),
      consensus,
      judged: asked === null ? consensus : (lines.find((line) => line.lineQuarters === asked) ?? null),
      linesOffered: market === MARKET_1X2 ? [] : lines.map((line) => lineFromQuarters(line.lineQuarters)),
      rows: compared?.rows ?? [],
      closedBy: compared?.closedBy ?? null,
    };
  }

  /**
   * Fair probabilities of a market.
   * @returns null when no visible quote takes part whose prices can be de-vigged
   */
  fair(fixture: FixtureNow, question: MarketQuestion): FairMarket | null {
    return fairOfComparison(this.compare(fixture, question), question.marketType);
  }
}

/** When the sharp book last moved, by line: of several sharp books the tightest, as for fair prices. */
export function sharpMoves(rows: readonly BookRow[]): ReadonlyMap<number | null, number> {
  const tightest = new Map<number | null, BookRow>();
  for (const row of rows) {
    if (!isSharpBookmaker(row.bookmakerIndex)) continue;
    const held = tightest.get(row.line);
    if (held === undefined || marginOf(row) < marginOf(held) - COMPARISON_SLACK) tightest.set(row.line, row);
  }
  return new Map([...tightest].map(([line, row]) => [line, row.atMs]));
}

/** The margin by which books are sorted: infinite where a price is not open or the inverse prices sum below 1. */
function marginOf({ overround, status }: BookRow): number {
  const isFair = overround !== null && overround >= -COMPARISON_SLACK && status === 'open';
  return isFair ? overround : Number.POSITIVE_INFINITY;
}

/** The line of a MarketLine as answers show it: null for a 1x2. */
export function lineOf(marketType: MarketType, line: MarketLine): number | null {
  return shownLine(indexIn(MARKET_TYPES, marketType), line.lineQuarters);
}

/** Books whose prices have no margin to take out, so that fair odds are never from them. */
export function leftOutOf(line: MarketLine): BookmakerKey[] {
  return line.belowOneBookmakers.map((bookmaker) => BOOKMAKER_KEYS[bookmaker]!);
}

/** Inside `SlateReader.read` only. */
function bookRows(columns: SlateColumns, { first, end }: RowRange, view: MarketView): BookRow[] {
  const outcomeCount = outcomeCountOf(view.sport, view.market);
  const rows: BookRow[] = [];
  for (let row = first; row < end; row++) {
    const key = columns.quoteKey[row]!;
    const bookmakerIndex = bookmakerOfKey(key);
    if (((view.bookmakerMask >> bookmakerIndex) & 1) === 0) continue;
    const pricesE4 = pricesOfRow(columns, row).slice(0, outcomeCount);
    rows.push({
      bookmaker: BOOKMAKER_KEYS[bookmakerIndex]!,
      bookmakerIndex,
      line: shownLine(view.market, lineQuartersOfKey(key)),
      pricesE4,
      overround: overround(pricesE4.map((priceE4) => priceE4 / 10_000)),
      status: SHOWN_QUOTE_STATUSES[columns.quoteStatus[row]!]!,
      atMs: columns.quoteAtMs[row]!,
    });
  }
  return rows;
}

/** Numbers by outcome name; the outcomes of the market are there, the others are not. */
type ByOutcome = Readonly<Partial<Record<Outcome, number>>>;

export interface FairMarket {
  readonly outcomes: readonly Outcome[];
  /** Unrounded, each strictly between 0 and 1; they sum to 1. On a whole line: given that the stake is not returned. */
  readonly probabilities: ByOutcome;
  /** 1 / probability. */
  readonly decimalFair: ByOutcome;
  readonly devigMethod: DevigMethod;
  /** The decimal prices that the margin was taken out of, in outcome order. */
  readonly prices: readonly number[];
  /** The same prices by every method. */
  readonly methods: FairMethods | null;
  /** The book with the lowest overround on the line, ties by catalogue order. */
  readonly fromBookmaker: BookmakerKey;
  /** Books passed over, because their own inverse prices sum below 1. */
  readonly leftOut: readonly BookmakerKey[];
  /** Null for a 1x2. */
  readonly line: number | null;
}

/** What a line's prices belong to. */
interface LineMarket {
  readonly marketType: MarketType;
  readonly outcomes: readonly Outcome[];
}

/** Fair probabilities of a comparison that is already made. */
export function fairOfComparison(comparison: MarketComparison, marketType: MarketType): FairMarket | null {
  const { judged, outcomes } = comparison;
  return judged === null ? null : fairOfLine(judged, { marketType, outcomes });
}

/** Fair probabilities of a line's sharpest prices by every method; null when there are none. Rounded for answers. */
export function fairMethodsOf({ sharpest }: MarketLine, outcomes: readonly Outcome[]): FairMethods | null {
  if (sharpest === null) return null;
  const decimals = sharpest.pricesE4.map((priceE4) => priceE4 / 10_000);
  const devigged = {
    proportional: devigProportional(decimals),
    power: devigPower(decimals),
    shin: devigShin(decimals),
  };
  if (!devigged.proportional.ok || !devigged.power.ok || !devigged.shin.ok) return null;
  function byOutcome(probabilities: readonly number[]): Record<string, number> {
    return Object.fromEntries(outcomes.map((outcome, index) => [outcome, rounded4(probabilities[index]!)]));
  }
  return {
    proportional: byOutcome(devigged.proportional.probabilities),
    power: byOutcome(devigged.power.probabilities),
    shin: byOutcome(devigged.shin.probabilities),
  };
}

/** De-vigs a line's sharpest prices: a 1x2 by the power method (two-way in basketball too), others proportionally. */
export function fairOfLine(line: MarketLine, { marketType, outcomes }: LineMarket): FairMarket | null {
  const { sharpest } = line;
  if (sharpest === null) return null;
  const decimals = sharpest.pricesE4.map((priceE4) => priceE4 / 10_000);
  const devigMethod = marketType === '1x2' ? 'power' : 'proportional';
  const devigged = devigMethod === 'power' ? devigPower(decimals) : devigProportional(decimals);
  // Beside two near-certainties the power of a longshot's price underflows to 0: such prices give no probabilities.
  if (!devigged.ok || !devigged.probabilities.every((value) => value > 0 && value < 1)) return null;
  const { probabilities } = devigged;
  return {
    outcomes,
    probabilities: Object.fromEntries(outcomes.map((outcome, index) => [outcome, probabilities[index]!])),
    decimalFair: Object.fromEntries(outcomes.map((outcome, index) => [outcome, 1 / probabilities[index]!])),
    devigMethod,
    prices: decimals,
    // Only some answers show it, and Shin's method takes many steps.
    get methods() {
      return fairMethodsOf(line, outcomes);
    },
    fromBookmaker: BOOKMAKER_KEYS[sharpest.bookmaker]!,
    leftOut: leftOutOf(line),
    line: lineOf(marketType, line),
  };
}

/** Edges from which the verdict is `good` and `marginal`, as differences of probabilities; bounds included. */
const GOOD_FROM = 0.02;
const MARGINAL_FROM = 0.01;

export interface ProbabilityEdge {
  /** (fair - external) x 100, in percentage points, unrounded. */
  readonly edgePp: number;
  /** fair / external - 1, unrounded; null when it is beyond what a number holds. */
  readonly roi: number | null;
  readonly verdict: Verdict;
}

/** @param fair @param external probabilities strictly between 0 and 1 */
export function probabilityEdge({ fair, external }: { fair: number; external: number }): ProbabilityEdge {
  const edge = fair - external;
  const roi = fair / external - 1;
  return { edgePp: edge * 100, roi: Number.isFinite(roi) ? roi : null, verdict: verdictOf(edge) };
}

function verdictOf(edge: number): Verdict {
  if (edge >= GOOD_FROM - COMPARISON_SLACK) return 'good';
  return edge >= MARGINAL_FROM - COMPARISON_SLACK ? 'marginal' : 'no_edge';
}
