// A market comparison as compare_lines and get_sharp_line answer it, with its sentence.

import { toIsoText } from '../../clock.ts';
import type { CompareLinesResult } from '../../contract/comparison.ts';
import {
  BOOKMAKER_KEYS,
  type MarketType,
  type OddsFormat,
  type Outcome,
  type Period,
} from '../../domain/catalogue.ts';
import { devigProportional } from '../../domain/devig.ts';
import { malayDecimalsOf, priceInFormat } from '../../domain/odds-format.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { FixtureNow } from '../../query/fixture-view.ts';
import { lineOf, type MarketComparison, type MarketQueries } from '../../query/market-comparison.ts';
import { rounded4, roundedPct } from '../../query/rounding.ts';
import { bookName } from './fair-source.ts';
import { labelOf } from './match-summary.ts';
import { joined, marketText, selectionText } from './selection-text.ts';

type ConsensusLine = NonNullable<MarketComparison['consensus']>;

interface ComparisonRequest {
  readonly market_type: MarketType;
  readonly period: Period;
  readonly format: OddsFormat;
  readonly verbosity: 'full' | 'terse';
}

/** Compares the books that the principal may see; prices in the requested format, analytics in decimal. */
export function comparisonAnswer(
  markets: MarketQueries,
  fixture: FixtureNow,
  { request, principal }: { readonly request: ComparisonRequest; readonly principal: Principal },
): CompareLinesResult {
  const { market_type: marketType, period, format, verbosity } = request;
  const comparison = markets.compare(fixture, { marketType, period, seesSharp: principal.seesSharp });
  const { consensus, outcomes } = comparison;
  const fair = consensus === null ? null : fairOdds(outcomes, consensus);
  const bestPrices = consensus === null ? [] : bestPricesOf(outcomes, consensus, format);
  const answer = {
    event_id: fixture.view.id,
    home_team: fixture.view.homeTeam.name,
    away_team: fixture.view.awayTeam.name,
    market_type: marketType,
    period,
    format,
    as_of: toIsoText(fixture.asOfMs),
    stale: fixture.stale,
    consensus_line: consensus === null ? null : lineOf(marketType, consensus),
    lines_offered: [...comparison.linesOffered],
    best_prices: bestPrices,
    fair_odds: fair,
    fair_from: fair === null ? null : BOOKMAKER_KEYS[consensus!.sharpestBookmaker]!,
    books: verbosity === 'terse' ? [] : bookLines(comparison, format),
    book_count: consensus?.bookCount ?? 0,
    verbosity,
  };
  return { ...answer, summary: summaryOf(answer, fixture, principal) };
}

/** Proportionally de-vigged decimal odds of the sharpest book; null when its prices cannot be de-vigged. */
function fairOdds(outcomes: readonly Outcome[], consensus: ConsensusLine): Record<string, number> | null {
  const devigged = devigProportional(consensus.sharpestPricesE4.map((priceE4) => priceE4 / 10_000));
  if (!devigged.ok) return null;
  return Object.fromEntries(
    outcomes.map((outcome, index) => [outcome, rounded4(1 / devigged.probabilities[index]!)]),
  );
}

function bestPricesOf(outcomes: readonly Outcome[], consensus: ConsensusLine, format: OddsFormat) {
  return outcomes.map((outcome, index) => {
    const bookmaker = consensus.bestBookmakers[index]!;
    const priceE4 = consensus.bestPricesE4[index]!;
    return {
      outcome,
      bookmaker: BOOKMAKER_KEYS[bookmaker]!,
      price: priceInFormat(priceE4, format, malayDecimalsOf(bookmaker)),
      decimal: priceE4 / 10_000,
    };
  });
}

function bookLines({ rows, outcomes }: MarketComparison, format: OddsFormat): CompareLinesResult['books'] {
  return rows.map(({ bookmaker, bookmakerIndex, line, pricesE4, overround, status }) => {
    const malayDecimals = malayDecimalsOf(bookmakerIndex);
    const prices = outcomes.map((outcome, index) => [
      outcome,
      priceInFormat(pricesE4[index]!, format, malayDecimals),
    ]);
    return {
      bookmaker,
      line,
      prices: Object.fromEntries(prices) as CompareLinesResult['books'][number]['prices'],
      overround: overround === null ? null : rounded4(overround),
      status,
    };
  });
}

type UnsummedAnswer = Omit<CompareLinesResult, 'summary'>;

function summaryOf(answer: UnsummedAnswer, fixture: FixtureNow, principal: Principal): string {
  const head = `${labelOf(fixture)}, ${marketText(answer.market_type, answer.period)}`;
  if (answer.book_count === 0) return `${head}: no book has an open price right now.`;
  const best = answer.best_prices.map(
    ({ outcome, bookmaker, price }) =>
      `${selectionText(outcome, null, fixture)} ${price} at ${bookName(bookmaker)}`,
  );
  const age = answer.stale ? ' The prices are stale.' : '';
  return `${head}: ${offerText(answer, fixture)}; best prices are ${joined(best)}.${fairText(answer, fixture, principal)}${age}`;
}

/** "5 books offer Arsenal -0.75, the consensus line". */
function offerText({ book_count, consensus_line, market_type }: UnsummedAnswer, fixture: FixtureNow): string {
  const books = book_count === 1 ? '1 book' : `${book_count} books`;
  if (consensus_line === null) return books;
  const line =
    market_type === 'totals' ? `${consensus_line}` : selectionText('home', consensus_line, fixture);
  return `${books} on ${line}, the consensus line`;
}

function fairText(answer: UnsummedAnswer, fixture: FixtureNow, principal: Principal): string {
  if (answer.fair_odds === null || answer.fair_from === null) return '';
  const odds = Object.entries(answer.fair_odds).map(
    ([outcome, price]) => `${selectionText(outcome as Outcome, null, fixture)} ${roundedPct(price)}`,
  );
  const caveat = principal.seesSharp
    ? ''
    : ' The sharp book is not part of the free tier, so confidence in the fair odds is reduced.';
  return ` Fair decimal odds, from ${bookName(answer.fair_from)}, are ${joined(odds)}.${caveat}`;
}
