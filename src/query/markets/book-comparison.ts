// Compares bookmakers over many fixtures: which are present, which is tightest, which has the best price and
// which moves first. When a book's source is polled every few minutes, its prices are seen late by up to that
// interval, so smaller differences do not show which book moved first.

import { BOOKMAKER_KEYS, BOOKMAKERS, type BookmakerKey } from '../../domain/catalogue.ts';
import { COMPARISON_SLACK } from '../../scoring/criteria.ts';
import { medianOf } from '../averages.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';
import type { BookRow, MarketQueries, MarketQuestion } from './market-comparison.ts';

/**
 * Books that repriced a line at most this long before the latest one took part in the same move. Repricings
 * before that belong to an earlier move.
 */
export const SAME_MOVE_MS = 600_000;

export interface BookStanding {
  readonly bookmaker: BookmakerKey;
  /** Fixtures at which the book has an open price of the market. */
  readonly fixtureCount: number;
  /** The book's quotes of the market, and how many of them are suspended. */
  readonly quoteCount: number;
  readonly suspendedCount: number;
  /**
   * Median overround on the consensus line of each fixture; null when the book quotes none of those lines.
   */
  readonly medianOverround: number | null;
  /** Number of fixtures at whose consensus line the book has the lowest overround, ties included. */
  readonly tightestCount: number;
  /** How many best prices the book has on consensus lines, ties included. */
  readonly bestPriceCount: number;
  /** Lines that the book and another one repriced within SAME_MOVE_MS, except those of `hiddenMoveCount`. */
  readonly sharedMoveCount: number;
  /** Number of further such lines, where a source's polling interval hides whether the book was first. */
  readonly hiddenMoveCount: number;
  /** How often the book was first on the lines of `sharedMoveCount`, ties included. */
  readonly firstCount: number;
  /** Median delay behind the first book on the lines of `sharedMoveCount`; null without such lines. */
  readonly medianLagMs: number | null;
}

interface Tally {
  fixtureCount: number;
  quoteCount: number;
  suspendedCount: number;
  tightestCount: number;
  bestPriceCount: number;
  firstCount: number;
  hiddenMoveCount: number;
  readonly overrounds: number[];
  readonly lagsMs: number[];
}

/** The comparison in catalogue order, of the books that have a quote at any of the fixtures. */
export function compareBooks(
  markets: MarketQueries,
  fixtures: readonly FixtureNow[],
  question: Pick<MarketQuestion, 'marketType' | 'period' | 'seesSharp'>,
): BookStanding[] {
  const tallies = BOOKMAKERS.map(newTally);
  const intervalsMs = markets.intervalsMs();
  for (const fixture of fixtures) {
    const { consensus, rows } = markets.compare(fixture, question);
    countPresence(tallies, rows);
    const open = rows.filter(isOpen);
    for (const line of Map.groupBy(open, (row) => row.line).values()) countMoves(tallies, line, intervalsMs);
    if (consensus === null) continue;
    const line = open.filter(({ line }) => (line ?? 0) * 4 === consensus.lineQuarters);
    countPrices(tallies, line, consensus.bestPricesE4);
  }
  return tallies.flatMap((tally, index) =>
    tally.quoteCount === 0 ? [] : [standingOf(BOOKMAKER_KEYS[index]!, tally)],
  );
}

function newTally(): Tally {
  return {
    fixtureCount: 0,
    quoteCount: 0,
    suspendedCount: 0,
    tightestCount: 0,
    bestPriceCount: 0,
    firstCount: 0,
    hiddenMoveCount: 0,
    overrounds: [],
    lagsMs: [],
  };
}

/** Whether a quote is open, with every price above 1. */
function isOpen({ status, overround }: BookRow): boolean {
  return status === 'open' && overround !== null;
}

function countPresence(tallies: readonly Tally[], rows: readonly BookRow[]): void {
  for (const { bookmakerIndex, status } of rows) {
    const tally = tallies[bookmakerIndex]!;
    tally.quoteCount++;
    if (status === 'suspended') tally.suspendedCount++;
  }
  for (const index of new Set(rows.filter(isOpen).map((row) => row.bookmakerIndex))) {
    tallies[index]!.fixtureCount++;
  }
}

function countPrices(tallies: readonly Tally[], line: readonly BookRow[], bestE4: readonly number[]): void {
  const lowest = Math.min(...line.map(({ overround }) => overround!));
  for (const { bookmakerIndex, overround, pricesE4 } of line) {
    const tally = tallies[bookmakerIndex]!;
    tally.overrounds.push(overround!);
    if (overround! <= lowest + COMPARISON_SLACK) tally.tightestCount++;
    tally.bestPriceCount += pricesE4.filter((priceE4, outcome) => priceE4 === bestE4[outcome]).length;
  }
}

/**
 * Compares each book's last repricing of one line with the first one that belongs to the latest move. A book
 * that is behind by less than the longer polling interval of the two sources may have been first.
 * @param intervalsMs by bookmaker, as `MarketQueries.intervalsMs`
 */
function countMoves(
  tallies: readonly Tally[],
  line: readonly BookRow[],
  intervalsMs: readonly number[],
): void {
  const latestMs = Math.max(...line.map(({ atMs }) => atMs));
  const moved = line.filter(({ atMs }) => latestMs - atMs <= SAME_MOVE_MS);
  if (moved.length < 2) return;
  const first = moved.reduce((earliest, row) => (row.atMs < earliest.atMs ? row : earliest));
  const isHidden = ({ bookmakerIndex, atMs }: BookRow): boolean =>
    atMs - first.atMs < Math.max(intervalsMs[bookmakerIndex]!, intervalsMs[first.bookmakerIndex]!);
  const isFirstKnown = !moved.some((row) => row !== first && isHidden(row));
  for (const row of moved) {
    const tally = tallies[row.bookmakerIndex]!;
    if (row === first ? !isFirstKnown : isHidden(row)) {
      tally.hiddenMoveCount++;
      continue;
    }
    tally.lagsMs.push(row.atMs - first.atMs);
    if (row.atMs === first.atMs) tally.firstCount++;
  }
}

function standingOf(bookmaker: BookmakerKey, tally: Tally): BookStanding {
  const { overrounds, lagsMs, ...counts } = tally;
  return {
    bookmaker,
    ...counts,
    medianOverround: medianOf(overrounds),
    sharedMoveCount: lagsMs.length,
    medianLagMs: medianOf(lagsMs),
  };
}
