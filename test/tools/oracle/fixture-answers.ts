// The expected answers of the tools about one fixture, computed only from the recording's plain objects.

import { Rounded, Sentence } from './expected.ts';
import { ageOf, isClosed } from './gate.ts';
import {
  type Best,
  bestsOf,
  consensusOf,
  inOrder,
  linesOf,
  type Quote,
  sharpestOf,
  visible,
} from './lines.ts';
import {
  BOOK_NAMES,
  componentsOf,
  type Format,
  fairOf,
  inFormat,
  inverseSum,
  methodOf,
  outcomesOf,
  referenceOf,
  shinOf,
} from './odds.ts';
import { headerOf, isoOf, labelOf, type OracleFixture, type OracleSlate } from './slate.ts';

interface FixtureQuestion {
  readonly slate: OracleSlate;
  readonly fixture: OracleFixture;
  readonly seesSharp: boolean;
}

interface MarketQuestion {
  readonly market_type: string;
  readonly period: string;
  readonly format: Format;
  readonly verbosity: string;
}

interface OddsQuestion {
  readonly markets?: readonly string[];
  readonly bookmakers?: readonly string[];
  readonly period?: string;
  readonly format: Format;
}

export function matchOdds({ slate, fixture, seesSharp }: FixtureQuestion, asked: OddsQuestion) {
  const quotes = inOrder(chosen(visible(fixture.model.quotes.values(), seesSharp), asked));
  return {
    event_id: fixture.id,
    home_team: fixture.model.home,
    away_team: fixture.model.away,
    league: fixture.model.league,
    status: fixture.status,
    as_of: isoOf(slate.nowMs),
    stale: false,
    odds: quotes.map((quote) => ({
      ...nameOf(quote),
      prices: pricesOf(fixture, quote, asked.format),
      format: asked.format,
      status: quote.status,
      as_of: isoOf(quote.atMs + slate.shiftMs),
    })),
  };
}

export function comparison({ slate, fixture, seesSharp }: FixtureQuestion, asked: MarketQuestion) {
  const { market_type, period, format, verbosity } = asked;
  const quotes = inOrder(marketQuotes({ slate, fixture, seesSharp }, asked));
  const lines = linesOf(isClosed(slate, fixture, period) ? [] : quotes);
  const consensus = consensusOf(lines);
  const outcomes = outcomesOf(fixture.model.sport, market_type);
  const sharpest = consensus === null ? null : sharpestOf(consensus);
  const fair = sharpest === null ? null : fairOf(market_type, sharpest.prices);
  const books = quotes.map((quote) => ({
    bookmaker: quote.bookmaker,
    line: quote.line,
    prices: pricesOf(fixture, quote, format),
    overround: quote.prices.every((price) => price > 1) ? new Rounded(inverseSum(quote.prices) - 1, 4) : null,
    status: quote.status,
    ...ageOf(slate, quote, sharpAt(quotes, quote.line)),
  }));
  const bests: readonly Best[] = consensus === null ? [] : bestsOf(consensus);
  return {
    event_id: fixture.id,
    home_team: fixture.model.home,
    away_team: fixture.model.away,
    market_type,
    period,
    format,
    as_of: isoOf(slate.nowMs),
    stale: false,
    consensus_line: consensus?.at(0)?.line ?? null,
    lines_offered: market_type === '1x2' ? [] : lines.map((line) => line[0]!.line),
    line: consensus?.at(0)?.line ?? null,
    best_prices: bests.map(({ bookmaker, decimal, quote }, index) => ({
      outcome: outcomes[index]!,
      bookmaker,
      price: inFormat(decimal, format, bookmaker),
      decimal,
      ...ageOf(slate, quote, sharpAt(consensus!, quote.line)),
    })),
    fair_odds: fair === null ? null : byOutcome(outcomes, fair, (value) => new Rounded(1 / value, 4)),
    fair_from: fair === null ? null : sharpest!.bookmaker,
    fair_method: fair === null ? null : methodOf(market_type),
    fair_methods: fair === null ? null : methodsOf(outcomes, sharpest!.prices),
    books: verbosity === 'terse' ? [] : books,
    book_count: consensus?.length ?? 0,
    summary: new Sentence(labelOf(fixture), ...bests.map((best) => BOOK_NAMES[best.bookmaker]!)),
    verbosity,
  };
}

/** Fair probabilities by every method. */
function methodsOf(outcomes: readonly string[], prices: readonly number[]) {
  const shown = (fair: readonly number[]) => byOutcome(outcomes, fair, (value) => new Rounded(value, 4));
  return {
    proportional: shown(fairOf('totals', prices)!),
    power: shown(fairOf('1x2', prices)!),
    shin: shown(shinOf(prices)),
  };
}

function sharpAt(quotes: readonly Quote[], line: number | null): Quote | undefined {
  return referenceOf(quotes.filter((quote) => quote.line === line));
}

export function fairMarket(question: FixtureQuestion, asked: { market_type: string; period: string }) {
  if (isClosed(question.slate, question.fixture, asked.period)) return null;
  const consensus = consensusOf(linesOf(marketQuotes(question, asked)));
  if (consensus === null) return null;
  const sharpest = sharpestOf(consensus);
  if (sharpest === null) return null;
  const { bookmaker, prices, line } = sharpest;
  const fair = fairOf(asked.market_type, prices);
  return fair === null ? null : { bookmaker, fair, line, prices };
}

export function favoriteOf(question: FixtureQuestion) {
  const { model } = question.fixture;
  const market = fairMarket(question, { market_type: '1x2', period: 'full_time' });
  if (market === null) return null;
  const outcome = outcomesOf(model.sport, '1x2')[market.fair.indexOf(Math.max(...market.fair))]!;
  return {
    outcome,
    team: { home: model.home, away: model.away, draw: null }[outcome as 'home' | 'draw' | 'away'],
    win_probability: new Rounded(Math.max(...market.fair), 4),
    source: market.bookmaker,
  };
}

export function matchInfo(question: FixtureQuestion, query: string) {
  const { fixture } = question;
  const market = fairMarket(question, { market_type: '1x2', period: 'full_time' });
  const outcomes = outcomesOf(fixture.model.sport, '1x2');
  return {
    ...headerOf(question.slate, query, fixture),
    scheduled_at_local: null,
    timezone: null,
    favorite: favoriteOf(question),
    implied_probabilities:
      market === null ? null : byOutcome(outcomes, market.fair, (value) => new Rounded(value, 4)),
    fair_method: market === null ? null : methodOf('1x2'),
    fair_methods: market === null ? null : methodsOf(outcomes, market.prices),
    liquidity: [],
  };
}

/** For each market and period, the first line that a bookmaker showed and the line that it shows now. */
export function openingLines({ slate, fixture, seesSharp }: FixtureQuestion, asked: OddsQuestion) {
  const openings = chosen(visible(fixture.model.openings.values(), seesSharp), asked);
  const firsts = Map.groupBy(openings, (quote) => `${quote.market_type} ${quote.period} ${quote.bookmaker}`);
  const first = [...firsts.values()].map((quotes) => ({ ...quotes[0]!, line: null, opened: quotes[0]! }));
  return inOrder(first).map((quote) => {
    const { opened } = quote as (typeof first)[number];
    const now = mainQuote(fixture, opened);
    return {
      ...nameOf(opened),
      opening: pricesOf(fixture, opened, asked.format),
      current: now === null ? null : pricesOf(fixture, now, asked.format),
      current_line: now?.line ?? null,
      current_handicap_components: componentsOf(now?.line ?? null),
      opened_at: isoOf(opened.atMs + slate.shiftMs),
      format: asked.format,
    };
  });
}

/**
 * Which of a bookmaker's quotes counts: open quotes before suspended ones, then the most balanced, then the
 * one nearest to zero, then the lower line.
 */
function mainQuote(fixture: OracleFixture, like: Quote): Quote | null {
  const own = [...fixture.model.quotes.values()].filter(
    (quote) =>
      quote.bookmaker === like.bookmaker &&
      quote.market_type === like.market_type &&
      quote.period === like.period,
  );
  return (
    own.toSorted(
      (left, right) =>
        Number(left.status !== 'open') - Number(right.status !== 'open') ||
        tilt(left) - tilt(right) ||
        Math.abs(left.line ?? 0) - Math.abs(right.line ?? 0) ||
        (left.line ?? 0) - (right.line ?? 0),
    )[0] ?? null
  );
}

function tilt({ prices }: Quote): number {
  const [first, second] = prices;
  return prices.length === 2 && first! > 0 && second! > 0 ? Math.abs(1 / first! - 1 / second!) : 1;
}

function marketQuotes(
  { fixture, seesSharp }: FixtureQuestion,
  asked: { market_type: string; period: string },
): Quote[] {
  return visible(fixture.model.quotes.values(), seesSharp).filter(
    (quote) => quote.market_type === asked.market_type && quote.period === asked.period,
  );
}

function chosen(quotes: readonly Quote[], asked: Omit<OddsQuestion, 'format'>): Quote[] {
  const { markets = [], bookmakers = [], period } = asked;
  return quotes.filter(
    (quote) =>
      (markets.length === 0 || markets.includes(quote.market_type)) &&
      (bookmakers.length === 0 || bookmakers.includes(quote.bookmaker)) &&
      (period === undefined || quote.period === period),
  );
}

function nameOf({ bookmaker, market_type, period, line }: Quote) {
  return { bookmaker, market_type, period, line, handicap_components: componentsOf(line) };
}

function pricesOf(fixture: OracleFixture, quote: Quote, format: Format) {
  const outcomes = outcomesOf(fixture.model.sport, quote.market_type);
  return byOutcome(outcomes, quote.prices, (price) => inFormat(price, format, quote.bookmaker));
}

function byOutcome<Value>(
  outcomes: readonly string[],
  values: readonly number[],
  show: (value: number) => Value,
): Record<string, Value> {
  return Object.fromEntries(outcomes.map((outcome, index) => [outcome, show(values[index]!)]));
}
