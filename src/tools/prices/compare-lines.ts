// compare_lines: one market of one fixture, book beside book. get_sharp_line answers with the same
// comparison.

import { type Static, Type } from '@sinclair/typebox';
import { toIsoText } from '../../clock.ts';
import {
  AskedMarketParameter,
  AskedPeriodParameter,
  CompareLinesResult,
  LineParameter,
  VerbosityParameter,
} from '../../contract/comparison.ts';
import { FormatParameter } from '../../contract/parameters.ts';
import { FIXTURE_FIELDS } from '../../contract/tool-parts.ts';
import { EVENT_ID_EXAMPLE } from '../../contract/values.ts';
import {
  BOOKMAKER_KEYS,
  type MarketType,
  type OddsFormat,
  type Outcome,
  type Period,
} from '../../domain/catalogue.ts';
import { malayDecimalsOf, priceInFormat } from '../../domain/odds-format.ts';
import type { ClosedReason } from '../../domain/signal-gate.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { MarketWords } from '../../names/market/market-meaning.ts';
import { askedMarket, type Reads } from '../../query/lookup/asked-market.ts';
import { fixtureMeant } from '../../query/lookup/fixture-lookup.ts';
import {
  type FairMarket,
  fairMethodsOf,
  fairOfComparison,
  leftOutOf,
  lineOf,
  type MarketComparison,
  type MarketQueries,
  sharpMoves,
} from '../../query/markets/market-comparison.ts';
import { rounded4, roundedPct } from '../../query/rounding.ts';
import { type FixtureNow, priceAge } from '../../query/slate/fixture-view.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { labelOf } from '../words/match-summary.ts';
import {
  bookName,
  closedText,
  joined,
  laggingText,
  leftOutText,
  lineNotOfferedText,
  marketText,
  selectionText,
  sentences,
  staleText,
  unseenSharpText,
} from '../words/phrases.ts';

/** What is compared, and how it is shown. */
export const COMPARISON_FIELDS = {
  market_type: AskedMarketParameter,
  period: AskedPeriodParameter,
  line: LineParameter,
  format: FormatParameter,
  verbosity: VerbosityParameter,
} as const;
const COMPARISON = Type.Object(COMPARISON_FIELDS);

export function compareLinesTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'compare_lines',
    title: 'Compare lines',
    description: `Compares the books on one market of one fixture, by \`event_id\` or \`query\`: consensus line, lines offered, best price per outcome, fair odds of the sharpest book, and each book's line with its overround. Words in \`query\` ("over 2.5", "first half") or \`market_type\`, \`period\` and \`line\` say what, else the full-time asian_handicap; \`line\` judges another line than the consensus; \`verbosity: "terse"\` leaves out the per-book list. Use get_sharp_line for the same with a decision and alternatives, get_match_odds for raw prices of every market. Example: {"event_id": "${EVENT_ID_EXAMPLE}", "market_type": "totals", "line": 2.5}.`,
    input: Type.Object({ ...FIXTURE_FIELDS, ...COMPARISON_FIELDS }),
    output: CompareLinesResult,
    run: (input, { principal, nowMs }) => {
      const { fixture, words } = fixtureMeant(queries, input, nowMs);
      return comparisonAnswer(queries.markets, fixture, {
        request: comparisonAsked(words, input, fixture),
        principal,
      });
    },
  });
}

type ComparisonInput = Static<typeof COMPARISON>;
interface ComparisonRequest extends Pick<ComparisonInput, 'format' | 'verbosity'> {
  readonly market_type: MarketType;
  readonly period: Period;
  readonly line: number | undefined;
}

const READS: Reads = {
  answer: 'a comparison of lines has no scores',
  instead: 'Ask POST /v1/mcp/score_prob for scores',
  line: true,
  // Words that name an outcome are accepted: the answer has all outcomes.
  outcome: true,
};

/** The comparison that words and arguments ask for. */
export function comparisonAsked(
  words: MarketWords,
  input: ComparisonInput,
  fixture: FixtureNow,
): ComparisonRequest {
  const assumed = 'asian_handicap';
  const asked = askedMarket(words, input, { fixture, reads: READS, assumed });
  return {
    ...input,
    market_type: asked.market ?? assumed,
    period: asked.period ?? 'full_time',
    line: asked.line ?? undefined,
  };
}

/** Compares the books that the principal may see; prices in the requested format, analytics in decimal. */
export function comparisonAnswer(
  markets: MarketQueries,
  fixture: FixtureNow,
  { request, principal }: { readonly request: ComparisonRequest; readonly principal: Principal },
): CompareLinesResult {
  const { market_type: marketType, period, line, format, verbosity } = request;
  const comparison = markets.compare(fixture, { marketType, period, line, seesSharp: principal.seesSharp });
  const { consensus, judged, outcomes } = comparison;
  const fair = fairOfComparison(comparison, marketType);
  const bestPrices = bestPricesOf(comparison, fixture, format);
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
    line: judged === null ? (line ?? null) : lineOf(marketType, judged),
    best_prices: bestPrices,
    fair_odds: fair === null ? null : fairOdds(fair),
    fair_from: fair === null ? null : fair.fromBookmaker,
    fair_method: fair === null ? null : fair.devigMethod,
    fair_methods: judged === null ? null : fairMethodsOf(judged, outcomes),
    books: verbosity === 'terse' ? [] : bookLines(comparison, fixture, request),
    book_count: judged?.bookCount ?? 0,
    verbosity,
  };
  const summary = summaryOf(answer, fixture, { principal, closedBy: comparison.closedBy });
  const leftOut = leftOutText(judged === null ? [] : leftOutOf(judged));
  return { ...answer, summary: sentences(summary, leftOut) };
}

function fairOdds({ outcomes, decimalFair }: FairMarket): Record<string, number> {
  return Object.fromEntries(outcomes.map((outcome) => [outcome, rounded4(decimalFair[outcome]!)]));
}

function bestPricesOf(
  { outcomes, judged }: MarketComparison,
  { moment, view }: FixtureNow,
  format: OddsFormat,
) {
  if (judged === null) return [];
  const { bestAtMs, sharpAtMs } = judged;
  return outcomes.map((outcome, index) => {
    const bookmaker = judged.bestBookmakers[index]!;
    const priceE4 = judged.bestPricesE4[index]!;
    return {
      outcome,
      bookmaker: BOOKMAKER_KEYS[bookmaker]!,
      price: priceInFormat(priceE4, format, malayDecimalsOf(bookmaker)),
      decimal: priceE4 / 10_000,
      ...priceAge(
        { atMs: bestAtMs[index]!, sharpAtMs, isOpen: true, bookmaker },
        moment,
        view.ownConfirmations,
      ),
    };
  });
}

function bookLines(
  { rows, outcomes }: MarketComparison,
  { moment, view }: FixtureNow,
  { format, line: asked }: Pick<ComparisonRequest, 'format' | 'line'>,
): CompareLinesResult['books'] {
  const sharpAtMsByLine = sharpMoves(rows);
  const shown = asked === undefined ? rows : rows.filter(({ line }) => line === asked);
  return shown.map(({ bookmaker, bookmakerIndex, line, pricesE4, overround, status, atMs }) => {
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
      ...priceAge(
        {
          atMs,
          sharpAtMs: sharpAtMsByLine.get(line) ?? Number.NaN,
          isOpen: status === 'open',
          bookmaker: bookmakerIndex,
        },
        moment,
        view.ownConfirmations,
      ),
    };
  });
}

type UnsummedAnswer = Omit<CompareLinesResult, 'summary'>;

function summaryOf(
  answer: UnsummedAnswer,
  fixture: FixtureNow,
  { principal, closedBy }: { readonly principal: Principal; readonly closedBy: ClosedReason | null },
): string {
  const head = `${labelOf(fixture)}, ${marketText(answer.market_type, answer.period)}`;
  if (answer.book_count === 0) {
    const why = closedBy === null ? noPriceText(answer, fixture) : closedText(closedBy, answer.period);
    return sentences(`${head}: ${why}.`, staleText(fixture));
  }
  const best = answer.best_prices.map(
    ({ outcome, bookmaker, price }) =>
      `${selectionText(outcome, null, fixture)} ${price} at ${bookName(bookmaker)}`,
  );
  const offer = `${head}: ${offerText(answer, fixture)}; best prices are ${joined(best)}.`;
  const lagging = laggingText(
    answer.best_prices.filter((price) => price.lagging).map((price) => price.bookmaker),
  );
  return sentences(offer, lagging, fairText(answer, fixture, principal), staleText(fixture));
}

/** "no book has an open price right now", or the lines that are offered instead of the requested one. */
function noPriceText(answer: UnsummedAnswer, fixture: FixtureNow): string {
  const { market_type, line, lines_offered: offered } = answer;
  if (line === null || offered.length === 0) return 'no book has an open price right now';
  return lineNotOfferedText({ market_type, line }, offered, fixture);
}

/** "5 books on Arsenal -0.75, the consensus line". */
function offerText(answer: UnsummedAnswer, fixture: FixtureNow): string {
  const { book_count, consensus_line, line, market_type } = answer;
  const books = book_count === 1 ? '1 book' : `${book_count} books`;
  if (line === null) return books;
  const named = (each: number) =>
    market_type === 'totals' ? `${each}` : selectionText('home', each, fixture);
  if (line === consensus_line) return `${books} on ${named(line)}, the consensus line`;
  return `${books} on ${named(line)} (the consensus line is ${consensus_line === null ? 'none' : named(consensus_line)})`;
}

function fairText(answer: UnsummedAnswer, fixture: FixtureNow, principal: Principal): string | null {
  if (answer.fair_odds === null || answer.fair_from === null) return null;
  const odds = Object.entries(answer.fair_odds).map(
    ([outcome, price]) => `${selectionText(outcome as Outcome, null, fixture)} ${roundedPct(price)}`,
  );
  const caveat = unseenSharpText(principal, ', so confidence in the fair odds is reduced.');
  return sentences(
    `Fair decimal odds (${answer.fair_method} method), from ${bookName(answer.fair_from)}, are ${joined(odds)}.`,
    caveat,
  );
}
