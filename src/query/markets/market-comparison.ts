// Compares the books on one market and period of one fixture: consensus line, lines offered, best prices,
// sharpest book. From that follow the fair probabilities: the prices of the sharpest visible book with its
// margin removed, on the requested line, otherwise on the consensus line. All of it is read from one
// published page, so it is consistent.

import type { FairMethods } from '../../contract/comparison.ts';
import type { Verdict } from '../../contract/probability.ts';
import {
  BOOKMAKER_KEYS,
  BOOKMAKERS,
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
} from '../../domain/catalogue.ts';
import {
  type DefaultFairMethod,
  devigPower,
  devigProportional,
  devigShin,
  FAIR_METHOD_BY_MARKET,
  overround,
} from '../../domain/devig.ts';
import { lineFromQuarters, quartersFromLine } from '../../domain/handicap.ts';
import { shownLine } from '../../domain/settlement.ts';
import { type ClosedReason, closedReason, signalGate } from '../../domain/signal-gate.ts';
import { assert } from '../../errors.ts';
import { LINE_QUARTERS_MAX } from '../../limits.ts';
import { COMPARISON_SLACK } from '../../scoring/criteria.ts';
import { fairLineOf } from '../../scoring/fixture-rates.ts';
import {
  consensusLine,
  type MarketLine,
  type MarketView,
  marketLines,
  type RowRange,
  rowsOfMarket,
} from '../../scoring/market-lines.ts';
import { bookmakerOfKey, lineQuartersOfKey } from '../../store/quote-key.ts';
import type { SlateColumns, SlateReader } from '../../store/reader.ts';
import { pricesOfRow } from '../odds/odds.ts';
import { rounded4 } from '../rounding.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';

export interface MarketQuestion {
  readonly marketType: MarketType;
  readonly period: Period;
  readonly seesSharp: boolean;
  /** The line to judge; the consensus line when absent. @see MarketComparison.judged */
  readonly line?: number | undefined;
  /** Set it if `fairByReference` is called with the result afterwards. */
  readonly wantsBooks?: boolean;
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
  /** Source time of the last message about the quote, Unix ms. */
  readonly atMs: number;
}

export interface MarketComparison {
  readonly outcomes: readonly Outcome[];
  /** The line that most books offer; null when there is no eligible quote. */
  readonly consensus: MarketLine | null;
  /** The requested line, otherwise the consensus line; null when it has no eligible quote. */
  readonly judged: MarketLine | null;
  /** Distinct lines with an eligible quote, ascending; empty for a 1x2. */
  readonly linesOffered: readonly number[];
  /** Every visible quote, suspended ones included, by line then catalogue order. */
  readonly rows: readonly BookRow[];
  /** Why no quote is eligible although some may be open; null when the market is not closed. */
  readonly closedBy: ClosedReason | null;
}

/** The largest line of a quote. */
export const STORED_LINE_MAX = LINE_QUARTERS_MAX / 4;

/**
 * A comparison includes prices of any age, because it shows how old each price is and leaves the judgement to
 * the caller. Unconfirmed quotes are not eligible.
 */
const ANY_AGE = Number.POSITIVE_INFINITY;

export class MarketQueries {
  readonly #reader: SlateReader;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /**
   * How often the sources of each bookmaker are polled. A change may be seen that much later than it was
   * made. 0 for sources that send changes; infinite while a source may not be polled at all.
   */
  intervalsMs(): number[] {
    const everyMs = new Map(
      this.#reader
        .sourceReports()
        .map(({ name, requests }) => [
          name,
          Math.max(0, ...requests.map((request) => request.everyMs ?? Number.POSITIVE_INFINITY)),
        ]),
    );
    return BOOKMAKERS.map(({ sources }) =>
      Math.max(0, ...Object.keys(sources).map((source) => everyMs.get(source) ?? 0)),
    );
  }

  /**
   * Compares the books that a caller may see. A fixture that has just left the slate has no rows and no
   * lines.
   */
  compare(fixture: FixtureNow, question: MarketQuestion): MarketComparison {
    const { columns, quotesPerFixture } = this.#reader;
    const sport = fixture.view.sportIndex;
    const market = indexIn(MARKET_TYPES, question.marketType);
    const period = indexIn(PERIODS, question.period);
    const bookmakerMask = visibleBookmakerMask(question.seesSharp);
    const compared = this.#reader.readEvent(fixture.view.eventNumber, (page) => {
      const base = page * quotesPerFixture;
      const quoteCount = columns.quoteCount[page]!;
      const gate = signalGate(
        this.#reader.matchFacts(page),
        fixture.moment,
        ANY_AGE,
        this.#reader.ownConfirmationsOf(page),
      );
      const { wantsBooks = false } = question;
      const view = { sport, market, period, bookmakerMask, gate, wantsBooks };
      const range = rowsOfMarket(columns, base, quoteCount, view);
      return {
        lines: marketLines(columns, base, quoteCount, view),
        rows: bookRows(columns, range, view),
        closedBy: closedReason(gate, period),
      };
    });
    const lines = compared?.lines ?? [];
    const consensus = consensusLine(lines);
    const asked = question.line === undefined ? null : quartersFromLine(question.line, STORED_LINE_MAX);
    assert(question.line === undefined || asked !== null, 'a line to judge is one that the store can hold');
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
   * @returns null when there is no eligible visible quote whose margin can be removed
   */
  fair(fixture: FixtureNow, question: MarketQuestion): FairMarket | null {
    return fairOfComparison(this.compare(fixture, question), question.marketType);
  }
}

/**
 * When the sharp book last moved, by line. With several sharp books the tightest one counts, as for fair
 * prices.
 */
export function sharpMoves(rows: readonly BookRow[]): ReadonlyMap<number | null, number> {
  const tightest = new Map<number | null, BookRow>();
  for (const row of rows) {
    if (!isSharpBookmaker(row.bookmakerIndex)) continue;
    const held = tightest.get(row.line);
    if (held === undefined || marginOf(row) < marginOf(held) - COMPARISON_SLACK) tightest.set(row.line, row);
  }
  return new Map([...tightest].map(([line, row]) => [line, row.atMs]));
}

/** A book's margin, for sorting: infinite if a price is not open or if the inverse prices sum below 1. */
function marginOf({ overround, status }: BookRow): number {
  const isFair = overround !== null && overround >= -COMPARISON_SLACK && status === 'open';
  return isFair ? overround : Number.POSITIVE_INFINITY;
}

/** The line of a MarketLine as answers show it: null for a 1x2. */
export function lineOf(marketType: MarketType, line: MarketLine): number | null {
  return shownLine(indexIn(MARKET_TYPES, marketType), line.lineQuarters);
}

/** Books whose prices have no margin to remove, so fair odds are never taken from them. */
export function leftOutOf(line: MarketLine): BookmakerKey[] {
  return line.belowOneBookmakers.map((bookmaker) => BOOKMAKER_KEYS[bookmaker]!);
}

/** The quotes of some rows by bookmaker. Inside `SlateReader.read` only. */
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

/** Numbers by outcome name, only for the outcomes of the market. */
type ByOutcome = Readonly<Partial<Record<Outcome, number>>>;

export interface FairMarket {
  readonly outcomes: readonly Outcome[];
  /**
   * Unrounded, each strictly between 0 and 1; they sum to 1. On a whole line they assume that the stake is
   * not returned.
   */
  readonly probabilities: ByOutcome;
  /** 1 / probability. */
  readonly decimalFair: ByOutcome;
  readonly devigMethod: DefaultFairMethod;
  /** The decimal prices that the margin was removed from, in outcome order. */
  readonly prices: readonly number[];
  /** Fair probabilities of these prices by every method. */
  readonly methods: FairMethods | null;
  /** The book with the lowest overround on the line, ties by catalogue order. */
  readonly fromBookmaker: BookmakerKey;
  /** Books that were skipped, because their own inverse prices sum below 1. */
  readonly leftOut: readonly BookmakerKey[];
  /** Null for a 1x2. */
  readonly line: number | null;
}

/** The market that a line's prices belong to. */
interface LineMarket {
  readonly marketType: MarketType;
  readonly outcomes: readonly Outcome[];
}

/** Fair probabilities of a comparison that was already made. */
export function fairOfComparison(comparison: MarketComparison, marketType: MarketType): FairMarket | null {
  const { judged, outcomes } = comparison;
  return judged === null ? null : fairOfLine(judged, { marketType, outcomes });
}

/**
 * Fair probabilities of a line's sharpest prices by every method; null when the prices give no result.
 * Rounded for answers.
 */
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

/**
 * Removes the margin from a line's sharpest prices by the method of the market; null when that gives no
 * probabilities.
 */
export function fairOfLine(line: MarketLine, { marketType, outcomes }: LineMarket): FairMarket | null {
  const fair = fairLineOf(line, marketType);
  if (fair === null) return null;
  const { probabilities, prices } = fair;
  return {
    outcomes,
    probabilities: Object.fromEntries(outcomes.map((outcome, index) => [outcome, probabilities[index]!])),
    decimalFair: Object.fromEntries(outcomes.map((outcome, index) => [outcome, 1 / probabilities[index]!])),
    devigMethod: FAIR_METHOD_BY_MARKET[marketType],
    prices,
    // Computed on demand, because only some answers show it, and Shin's method takes many steps.
    get methods() {
      return fairMethodsOf(line, outcomes);
    },
    fromBookmaker: BOOKMAKER_KEYS[line.sharpest!.bookmaker]!,
    leftOut: leftOutOf(line),
    line: lineOf(marketType, line),
  };
}

/** Smallest edges for the verdicts `good` and `marginal`, as differences of probabilities. */
const GOOD_FROM = 0.02;
const MARGINAL_FROM = 0.01;

export interface ProbabilityEdge {
  /** (fair - external) x 100, in percentage points, unrounded. */
  readonly edgePp: number;
  /** fair / external - 1, unrounded; null when it is too large for a number. */
  readonly roi: number | null;
  /** Never `good` if the edge is implausible. */
  readonly verdict: Verdict;
  /**
   * Whether there is an edge with a return above the cap of value bets, which usually means a wrong price or
   * a different bet.
   */
  readonly isImplausible: boolean;
}

/**
 * @param fair a probability strictly between 0 and 1
 * @param external a probability strictly between 0 and 1
 * @param maxEdge the largest return that is plausible, bound included, as a fraction
 */
export function probabilityEdge({
  fair,
  external,
  maxEdge,
}: {
  readonly fair: number;
  readonly external: number;
  readonly maxEdge: number;
}): ProbabilityEdge {
  const edge = fair - external;
  const roi = fair / external - 1;
  const verdict = verdictOf(edge);
  const isImplausible = verdict !== 'no_edge' && roi > maxEdge + COMPARISON_SLACK;
  return {
    edgePp: edge * 100,
    roi: Number.isFinite(roi) ? roi : null,
    verdict: isImplausible ? 'marginal' : verdict,
    isImplausible,
  };
}

function verdictOf(edge: number): Verdict {
  if (edge >= GOOD_FROM - COMPARISON_SLACK) return 'good';
  return edge >= MARGINAL_FROM - COMPARISON_SLACK ? 'marginal' : 'no_edge';
}
