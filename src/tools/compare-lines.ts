// compare_lines: one market of one fixture, book beside book. get_sharp_line answers with the same comparison.

import { type Static, Type } from '@sinclair/typebox';
import { toIsoText } from '../clock.ts';
import {
  CompareLinesResult,
  MarketTypeParameter,
  PeriodDefaultParameter,
  VerbosityParameter,
} from '../contract/comparison.ts';
import { EventIdParameter, FormatParameter } from '../contract/parameters.ts';
import { EVENT_ID_EXAMPLE } from '../contract/values.ts';
import { BOOKMAKER_KEYS, type OddsFormat, type Outcome } from '../domain/catalogue.ts';
import { devigProportional } from '../domain/devig.ts';
import { malayDecimalsOf, priceInFormat } from '../domain/odds-format.ts';
import type { Principal } from '../domain/tiers.ts';
import type { FixtureNow } from '../query/fixture-view.ts';
import { leftOutOf, lineOf, type MarketComparison, type MarketQueries } from '../query/market-comparison.ts';
import { rounded4, roundedPct } from '../query/rounding.ts';
import { defineTool, type Tool, type ToolServices } from './kit/tool.ts';
import { labelOf } from './words/match-summary.ts';
import {
  bookName,
  joined,
  leftOutText,
  marketText,
  selectionText,
  sentences,
  staleText,
  unseenSharpText,
} from './words/phrases.ts';

/** What is compared, and how it is shown. */
export const COMPARISON_FIELDS = {
  market_type: MarketTypeParameter,
  period: PeriodDefaultParameter,
  format: FormatParameter,
  verbosity: VerbosityParameter,
} as const;
const COMPARISON = Type.Object(COMPARISON_FIELDS);

export function compareLinesTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'compare_lines',
    title: 'Compare lines',
    description: `Compares the books on one market of one fixture by event_id: consensus line, lines offered, best price per outcome, fair odds of the sharpest book, and each book's line with its overround. \`market_type\` defaults to asian_handicap, \`period\` to full_time; \`verbosity: "terse"\` leaves out the per-book list. Use get_sharp_line instead when you have team names and no event_id, get_match_odds for raw prices of every market. Example: {"event_id": "${EVENT_ID_EXAMPLE}", "market_type": "totals"}.`,
    input: Type.Object({ event_id: EventIdParameter, ...COMPARISON_FIELDS }),
    output: CompareLinesResult,
    run: (input, { principal, nowMs }) => {
      const fixture = queries.slate.fixtureById(input.event_id, nowMs);
      return comparisonAnswer(queries.markets, fixture, { request: input, principal });
    },
  });
}

type ConsensusLine = NonNullable<MarketComparison['consensus']>;

type ComparisonRequest = Static<typeof COMPARISON>;

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
    fair_from: fair === null ? null : BOOKMAKER_KEYS[consensus!.sharpest!.bookmaker]!,
    books: verbosity === 'terse' ? [] : bookLines(comparison, format),
    book_count: consensus?.bookCount ?? 0,
    verbosity,
  };
  const leftOut = leftOutText(consensus === null ? [] : leftOutOf(consensus));
  return { ...answer, summary: sentences(summaryOf(answer, fixture, principal), leftOut) };
}

/** Proportionally de-vigged decimal odds of the sharpest book; null when its prices cannot be de-vigged. */
function fairOdds(outcomes: readonly Outcome[], consensus: ConsensusLine): Record<string, number> | null {
  if (consensus.sharpest === null) return null;
  const devigged = devigProportional(consensus.sharpest.pricesE4.map((priceE4) => priceE4 / 10_000));
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
  const offer = `${head}: ${offerText(answer, fixture)}; best prices are ${joined(best)}.`;
  return sentences(offer, fairText(answer, fixture, principal), staleText(fixture));
}

/** "5 books offer Arsenal -0.75, the consensus line". */
function offerText({ book_count, consensus_line, market_type }: UnsummedAnswer, fixture: FixtureNow): string {
  const books = book_count === 1 ? '1 book' : `${book_count} books`;
  if (consensus_line === null) return books;
  const line =
    market_type === 'totals' ? `${consensus_line}` : selectionText('home', consensus_line, fixture);
  return `${books} on ${line}, the consensus line`;
}

function fairText(answer: UnsummedAnswer, fixture: FixtureNow, principal: Principal): string | null {
  if (answer.fair_odds === null || answer.fair_from === null) return null;
  const odds = Object.entries(answer.fair_odds).map(
    ([outcome, price]) => `${selectionText(outcome as Outcome, null, fixture)} ${roundedPct(price)}`,
  );
  const caveat = unseenSharpText(principal, ', so confidence in the fair odds is reduced.');
  return sentences(`Fair decimal odds, from ${bookName(answer.fair_from)}, are ${joined(odds)}.`, caveat);
}
